/// The uploads of a watch that wait because the conflict log is full, and what the hub reports to the watch about
/// them.
struct BlockedUploads: Hashable, Sendable {
    /// The interval after which the hub reports again that uploads wait: the first report may have been lost.
    static let reportAgainAfter = Duration.seconds(30)

    /// The incarnation (numbering) of the uploads.
    var incarnation: RandomID
    /// The first upload that waits, and the reason.
    var outcome: UploadOutcome
    /// When the hub last reported to the watch.
    var reportedAt: Instant

    /// What the hub reports to the watch: how far it has taken in the uploads, and why it did not take in the next
    /// one.
    func receipt(after mark: UploadMark?) -> UploadReceipt {
        var receipt = UploadReceipt(incarnation: incarnation, highest: 0, last: nil, outcomes: [])
        if let mark, mark.incarnation == incarnation { receipt = mark.receipt }
        receipt.outcomes.append(outcome)
        return receipt
    }
}

extension HubSession {
    /// Records that the next upload waits; returns whether the hub has to report that to the watch now.
    mutating func waits(_ outcome: UploadOutcome, of incarnation: RandomID, now: Instant) -> Bool {
        if let wait, wait.outcome == outcome, wait.incarnation == incarnation,
            wait.reportedAt.advanced(by: BlockedUploads.reportAgainAfter) > now
        {
            return false
        }
        wait = BlockedUploads(incarnation: incarnation, outcome: outcome, reportedAt: now)
        return true
    }

    /// Records that uploads are taken in again.
    mutating func waitsNoLonger() {
        wait = nil
    }

    /// What the hub reports to the watch about its uploads.
    func receipt(after mark: UploadMark?) -> UploadReceipt? {
        wait?.receipt(after: mark) ?? mark?.receipt
    }
}
