/// Limits what the frames of one key may cost the hub, so that one watch cannot occupy the thread that serves all of
/// them.
///
///     open ──the work is spent──▶ shut ──its time is over──▶ open
///
/// Uploads wait while half of it is spent: a watch that waits for its receipts, as an honest one does, is delayed by
/// what its uploads cost and never shut.
///
/// The cost of a frame is an estimate of the time that a slow processor needs for it. It comes from a price list and
/// not from a clock, so the same frames always cost the same. An honest watch stays far below the limit. A frame that
/// no honest watch sends costs an eighth of the limit, so a few of them are enough; a frame that may have been
/// damaged in transit costs little.
struct SenderBudget: Hashable, Sendable {
    /// The most unpaid cost of a key; half a second of it is paid back per second.
    private static let workMax = Duration.seconds(1)
    /// The unpaid cost above which uploads of the key wait.
    private static let workMaxOfUploads = workMax / 2
    /// The most unpaid cost that ``owe(_:now:)`` causes.
    private static let workMaxOfOwing = workMax * 3 / 4
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
        payBack(now: now)
        spent += price
        guard spent > Self.workMax else { return false }
        (spent, shutUntil) = (.zero, now.advanced(by: Self.shutTime))
        return true
    }

    /// Adds the price of what follows from an upload; it delays further uploads, and never shuts the key.
    mutating func owe(_ price: Duration, now: Instant) {
        payBack(now: now)
        spent = max(spent, min(spent + price, Self.workMaxOfOwing))
    }

    private mutating func payBack(now: Instant) {
        if let lookedAt, lookedAt < now { spent = max(.zero, spent - lookedAt.duration(to: now) / 2) }
        lookedAt = now
    }

    /// Until when an upload of the key that just arrived has to wait; nil if it does not.
    func uploadsWait(now: Instant) -> Instant? {
        guard let lookedAt else { return nil }
        let rest = spent - lookedAt.duration(to: now) / 2 - Self.workMaxOfUploads
        return rest > .zero ? now.advanced(by: rest * 2) : nil
    }

    /// The price of the edits and the salvage in an UPLOAD, in addition to that of the frame.
    ///
    /// Each change is compared with what the hub has, and written to the disk in some rows.
    static func price(of batch: UploadBatch) -> Duration {
        let count = batch.uploads.reduce(0) { count, numbered in
            switch numbered.upload {
            case .edit(let edit): count + max(1, edit.changes.count)
            case .salvage: count + 1
            }
        }
        return priceOfChange * count
    }

    /// The price of what a watch says it did not get, in addition to that of the frame: the hub sends it again.
    static func price(of credit: Credit) -> Duration { .microseconds(20) * credit.missing.count }

    /// The price of a new version, which is encoded once, and copied for each session.
    static func price(ofVersionWith byteCount: Int, sessionCount: Int) -> Duration {
        .nanoseconds(byteCount * (10 + sessionCount))
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
        case .welcome, .refuse, .pong, .paired, .register, .registers, .context: base = priceOfWrong
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

    /// The price of a change of an edit, and of a piece of salvage.
    private static let priceOfChange = Duration.microseconds(50)
    /// The price of a frame that no honest watch sends.
    private static let priceOfWrong = Duration.milliseconds(125)
}
