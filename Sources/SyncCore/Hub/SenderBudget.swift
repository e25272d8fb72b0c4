/// What the frames of one key may cost the hub, so that one watch cannot take the thread that serves all of them.
///
///     open ──the work is spent──▶ shut ──its time is over──▶ open
///
/// Work is counted in nanoseconds of a slow processor, by a price list and not by a clock: the same frames always cost the
/// same. An honest watch never comes near the bound. A frame that no honest watch sends costs an eighth of it, so that a few
/// are enough; one that the way may have damaged costs little.
struct SenderBudget: Hashable, Sendable {
    /// The work that may be ahead of what time has given back.
    static let workMax: Int64 = 1_000_000_000
    /// The share of each second that one key may have, in percent.
    static let sharePercent: Int64 = 50
    /// How long a key is not heard that has spent its work.
    static let shutTime = Duration.seconds(10)

    private var spent: Int64 = 0
    /// When time last gave something back.
    private var lookedAt = Instant(nanoseconds: .min)
    private var shutUntil: Instant?

    /// Whether the key is not heard now.
    func isShut(now: Instant) -> Bool { shutUntil.map { now < $0 } ?? false }

    /// Takes the price of what just came; gives whether the work is spent with that.
    mutating func charge(_ price: Int64, now: Instant) -> Bool {
        if lookedAt < now {
            // After as long as this, nothing is spent any more.
            let longest = Duration.nanoseconds(Self.workMax * 100 / Self.sharePercent)
            let passed = lookedAt.nanoseconds == .min ? longest : min(lookedAt.duration(to: now), longest)
            spent = max(0, spent - passed.wholeNanoseconds * Self.sharePercent / 100)
            lookedAt = now
        }
        spent += price
        guard spent > Self.workMax else { return false }
        (spent, shutUntil) = (0, now.advanced(by: Self.shutTime))
        return true
    }
}

// The prices.
extension SenderBudget {
    /// The price of a frame that no honest watch sends.
    private static let wrong: Int64 = 125_000_000

    /// The price of a frame, before its body is read.
    static func price(of frame: Frame) -> Int64 {
        let base: Int64
        switch frame.kind {
        // The answer may be as large as a receipt, and a session begins with a snapshot.
        case .hello, .pair: base = 50_000_000
        // What it brings goes to the disk, and to everybody.
        case .upload: base = 500_000
        default: base = 5000
        }
        return base + Int64(frame.body.count) * 100 + Int64(frame.blob.count)
    }

    /// The price of a message that is no frame, or of a frame that says nothing that a hub can use.
    ///
    /// - Parameters:
    ///   - fault: What is wrong.
    ///   - price: What the frame cost so far, 0 for no frame.
    /// - Returns: The price of all of it.
    static func price(of fault: FrameFault, after price: Int64) -> Int64 {
        switch fault {
        // The way may have done it.
        case .partCount, .shortHeader, .foreign, .damagedHeader, .damagedBody: price + 10_000_000
        // Another version may have a meaning for it.
        case .wireVersion, .unknownKind: price + 1_000_000
        // Its checksums are right: somebody means it so.
        case .tooLarge, .body: 10 * price + wrong
        }
    }

    /// The price of a frame that goes from hubs to watches only.
    static var priceOfWrongDirection: Int64 { wrong }
}
