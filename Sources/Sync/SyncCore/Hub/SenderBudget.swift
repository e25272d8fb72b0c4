/// What the frames of one key may cost the hub, so that one watch cannot take the thread that serves all of them.
///
///     open ──the work is spent──▶ shut ──its time is over──▶ open
///
/// Work is the time of a slow processor, by a price list and not by a clock: the same frames always cost the same. An honest
/// watch never comes near the bound. A frame that no honest watch sends costs an eighth of it, so that a few are enough; one
/// that the way may have damaged costs little.
struct SenderBudget: Hashable, Sendable {
    /// The work that may be ahead of what time has given back; half of each second comes back.
    private static let workMax = Duration.seconds(1)
    /// How long a key is not heard that has spent its work.
    static let shutTime = Duration.seconds(10)

    private var spent = Duration.zero
    /// When time last gave something back.
    private var lookedAt: Instant?
    private var shutUntil: Instant?

    /// Whether the key is not heard now.
    func isShut(now: Instant) -> Bool { shutUntil.map { now < $0 } ?? false }

    /// Takes the price of what just came; gives whether the work is spent with that.
    mutating func charge(_ price: Duration, now: Instant) -> Bool {
        if let lookedAt, lookedAt < now { spent = max(.zero, spent - lookedAt.duration(to: now) / 2) }
        lookedAt = now
        spent += price
        guard spent > Self.workMax else { return false }
        (spent, shutUntil) = (.zero, now.advanced(by: Self.shutTime))
        return true
    }

    /// The price of a frame.
    static func price(of frame: Frame) -> Duration {
        let base: Duration
        switch frame.kind {
        // The answer may be as large as a receipt, and a session begins with a snapshot.
        case .hello, .pair: base = .milliseconds(50)
        // What it brings goes to the disk, and to everybody.
        case .upload: base = .microseconds(500)
        // A hub sends them.
        case .welcome, .refuse, .pong, .paired, .register, .context: base = priceOfWrong
        case .ping, .bye, .credit, .message, .reply, .messageError, .contextAcknowledged, .item, .itemAcknowledged,
            .offer, .pull, .chunk, .done, .abort:
            base = .microseconds(5)
        }
        return base + .nanoseconds(100 * frame.body.count + frame.blob.count)
    }

    /// The price of a message that is no frame, or of a frame that says nothing that a hub can use.
    static func price(of fault: FrameFault) -> Duration {
        switch fault {
        // Somebody means it so: its checksums are right, or it has several parts.
        case .tooLarge, .body, .partCount: priceOfWrong
        // The way may have done it, or a later version has a meaning for it.
        case .shortHeader, .foreign, .damagedHeader, .damagedBody, .wireVersion, .unknownKind: .milliseconds(10)
        }
    }

    /// The price of what no honest watch sends.
    private static let priceOfWrong = Duration.milliseconds(125)
}
