/// Limits what the frames of one key may cost the hub, so that one watch cannot occupy the thread that serves all of
/// them.
///
///     open ──the work is spent──▶ shut ──its time is over──▶ open
///
/// The cost of a frame is an estimate of the time that a slow processor needs for it. It comes from a price list and
/// not from a clock, so the same frames always cost the same. An honest watch stays far below the limit. A frame that
/// no honest watch sends costs an eighth of the limit, so a few of them are enough; a frame that may have been
/// damaged in transit costs little.
struct SenderBudget: Hashable, Sendable {
    /// The most unpaid cost of a key; half a second of it is paid back per second.
    private static let workMax = Duration.seconds(1)
    /// How long the hub ignores a key whose budget is spent.
    static let shutTime = Duration.seconds(10)

    private var spent = Duration.zero
    /// When cost was last paid back.
    private var lookedAt: Instant?
    private var shutUntil: Instant?

    /// Whether the hub ignores the key now.
    func isShut(now: Instant) -> Bool { shutUntil.map { now < $0 } ?? false }

    /// Whether the key is heard, and everything that it sent is paid back.
    func isSettled(now: Instant) -> Bool {
        guard let lookedAt, !isShut(now: now) else { return lookedAt == nil }
        return spent <= lookedAt.duration(to: now) / 2
    }

    /// Adds the price of what just arrived; returns whether the budget is spent with that.
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
        // The answer may carry a large receipt, and a session begins with a snapshot.
        case .hello, .pair: base = .milliseconds(50)
        // An upload is written to the disk, and its effect is sent to every watch.
        case .upload: base = .microseconds(500)
        // Only a hub sends these.
        case .welcome, .refuse, .pong, .paired, .register, .context: base = priceOfWrong
        case .ping, .bye, .credit, .message, .reply, .messageError, .contextAcknowledged, .item, .itemAcknowledged,
            .offer, .pull, .chunk, .done, .abort:
            base = .microseconds(5)
        }
        return base + .nanoseconds(100 * frame.body.count + frame.blob.count)
    }

    /// The price of a message that is not a frame, or of a frame whose contents a hub cannot use.
    static func price(of fault: FrameError) -> Duration {
        switch fault {
        // Made on purpose: its checksums are right, or it has several parts.
        case .tooLarge, .body, .partCount: priceOfWrong
        // Damaged in transit perhaps, or a frame of a later version.
        case .shortHeader, .foreign, .damagedHeader, .damagedBody, .wireVersion, .unknownKind: .milliseconds(10)
        }
    }

    /// The price of a frame that no honest watch sends.
    private static let priceOfWrong = Duration.milliseconds(125)
}
