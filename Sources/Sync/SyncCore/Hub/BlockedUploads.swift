/// Uploads of a watch that wait because the log of conflicts has no room, and what the watch is told of it.
struct BlockedUploads: Hashable, Sendable {
    /// The time after which the watch is told again that its uploads wait: the first time may have been lost.
    static let tellAgainAfter = Duration.seconds(30)

    /// The numbering of the uploads.
    var incarnation: RandomID
    /// The first upload that waits, and why.
    var outcome: UploadOutcome
    /// When the watch was told.
    var toldAt: Instant

    /// What the watch is told: how far its uploads were taken in, and why the next one was not.
    func receipt(after mark: UploadMark?) -> UploadReceipt {
        var receipt = UploadReceipt(incarnation: incarnation, highest: 0, last: nil, outcomes: [])
        if let mark, mark.incarnation == incarnation { receipt = mark.receipt }
        receipt.outcomes.append(outcome)
        return receipt
    }
}

extension HubSession {
    /// The next upload waits; gives whether the watch is to be told now.
    mutating func waits(_ outcome: UploadOutcome, of incarnation: RandomID, now: Instant) -> Bool {
        if let wait, wait.outcome == outcome, wait.incarnation == incarnation,
            wait.toldAt.advanced(by: BlockedUploads.tellAgainAfter) > now
        {
            return false
        }
        wait = BlockedUploads(incarnation: incarnation, outcome: outcome, toldAt: now)
        return true
    }

    /// Uploads go on.
    mutating func waitsNoLonger() {
        wait = nil
    }

    /// What the watch is told of its uploads.
    func receipt(after mark: UploadMark?) -> UploadReceipt? {
        wait?.receipt(after: mark) ?? mark?.receipt
    }
}
