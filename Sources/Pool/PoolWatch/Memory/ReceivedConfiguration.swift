internal import PoolModel
internal import SyncCore

/// A snapshot with the edits of this watch applied, as far as it could be read.
struct ReceivedConfiguration: Hashable {
    /// The configuration to show.
    var configuration: WatchConfiguration
    var revision: UInt64
    var problems: [ConfigurationProblem] = []
    /// The edits that wait for the hub, oldest first.
    var pending: [PendingEditSummary]
    /// The open conflicts, in the order of their identifiers.
    var conflicts: [ConflictSummary]
    /// The snapshot.
    let snapshot: Snapshot

    init(_ snapshot: Snapshot, under pending: [Edit] = []) {
        self.snapshot = snapshot
        revision = snapshot.version.revision
        let contents = ReplicaContents(snapshot, under: pending)
        let entries = contents.entries
        configuration = WatchConfiguration(entries: entries, problems: &problems)
        let words = EditFormatter(entries)
        self.pending = pending.map { PendingEditSummary($0, words) }
        conflicts = contents.conflicts.map { ConflictSummary($0, words, in: contents) }
    }
}
