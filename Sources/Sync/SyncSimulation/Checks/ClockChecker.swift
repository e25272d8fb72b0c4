import SyncCore

/// The stamps that were made: each is greater than all stamps that its author knew, and none of the hub's is ahead of
/// every wall clock seen.
struct ClockChecker {
    private var last: Stamp?
    private var highestWall = Int64.min

    /// A process starts after the last stamp that its store holds.
    mutating func restarted(after stamp: Stamp?) {
        last = stamp
    }

    /// The hub read its wall clock.
    mutating func looked(at wallMilliseconds: Int64) {
        highestWall = max(highestWall, wallMilliseconds)
    }

    mutating func stamps(_ transaction: Transaction) -> Checks.Finding? {
        defer { last = transaction.stamp }
        // What a watch brings is stamped by the watch: the history's own stamp must not go back.
        if let last, transaction.stamp < last {
            return Checks.Finding(.monotonicClock, "stamp \(transaction.stamp) is not after \(last)")
        }
        // A watch's clock may lead the hub's by a little, however many edits it brings, and however often.
        let lead: Int64 = transaction.progress == nil ? 0 : 5000
        guard transaction.stamp.milliseconds <= max(highestWall + lead, last?.milliseconds ?? .min) else {
            return Checks.Finding(.monotonicClock, "stamp \(transaction.stamp) is ahead of every clock")
        }
        return nil
    }

    /// A watch whose store holds a state makes an edit: its stamp is greater than all that the watch remembers.
    static func finding(_ edit: Edit, of watch: Int, node: UInt64, remembering state: ReplicaState) -> Checks.Finding? {
        let waiting = state.pending.compactMap { if case .edit(let edit) = $0.upload { edit.stamp } else { nil } }
        let newest = (waiting + state.journal.map(\.stamp) + [state.snapshot?.stamp].compactMap(\.self)).max()
        guard edit.stamp.node == node else {
            return Checks.Finding(.monotonicClock, "watch \(watch) stamps as somebody else")
        }
        guard let newest, edit.stamp <= newest else { return nil }
        return Checks.Finding(
            .monotonicClock, "watch \(watch) stamps \(edit.stamp), and knows \(newest) already")
    }
}
