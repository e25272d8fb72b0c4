internal import PoolModel
internal import SyncCore

/// The configuration as the person sees it, in the engine's types.
struct ReplicaContents: Sendable {
    /// The values of the cells, without deleted ones.
    var cells: SortedMap<CellKey, String>
    /// The open conflicts, in the order of their identifiers.
    var conflicts: [Conflict]
    /// The edits that wait for the hub, oldest first.
    var pending: [Edit]
    /// The revision of the last snapshot; nil before the first.
    var revision: UInt64?

    init(_ snapshot: Snapshot?, under pending: [Edit]) {
        cells = SortedMap()
        for (key, cell) in snapshot?.cells.pairs ?? SortedMap().pairs { cells[key] = cell.value }
        for change in pending.flatMap(\.changes) { cells[change.key] = change.value }
        conflicts = snapshot?.conflicts.values ?? []
        self.pending = pending
        revision = snapshot?.version.revision
    }

    /// The entries of the configuration.
    var entries: [ConfigurationEntry] {
        cells.pairs.map { ConfigurationEntry(key: ConfigurationEntry.Key($0.key), value: Array($0.value.utf8)) }
    }
}

extension ConfigurationEntry.Key {
    /// The key of a cell.
    init(_ key: CellKey) {
        self.init(
            kind: key.kind, record: ConfigurationEntry.Record(high: key.record.high, low: key.record.low),
            group: key.group)
    }
}
