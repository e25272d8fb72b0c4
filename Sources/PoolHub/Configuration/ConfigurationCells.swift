import PoolModel
import SyncCore

extension ConfigurationEntry {
    /// The entry in a cell, nil if the cell is deleted.
    init?(_ key: CellKey, _ cell: Cell) {
        guard let value = cell.value else { return nil }
        self.init(
            key: Key(
                kind: key.kind, record: Record(high: key.record.high, low: key.record.low), group: key.group),
            value: Array(value.utf8))
    }
}

extension ConfigurationChange {
    /// The change as the engine takes it.
    var cellChange: CellChange {
        let cell = CellKey(
            kind: key.kind, record: RandomID(high: key.record.high, low: key.record.low), group: key.group)
        switch self {
        case .upsert(let entry):
            return CellChange(key: cell, value: String(decoding: entry.value, as: UTF8.self))
        case .delete:
            return CellChange(key: cell, value: nil)
        }
    }
}

extension PoolConfiguration {
    /// Reads the configuration from the engine's cells; its own kinds are not part of it.
    init(cells: SortedMap<CellKey, Cell>, problems: inout [ConfigurationProblem]) {
        let entries = cells.pairs.filter { !$0.key.kind.hasPrefix("sync.") }.compactMap {
            ConfigurationEntry($0.key, $0.value)
        }
        self.init(entries: entries, problems: &problems)
    }
}

extension Schema {
    /// The version of the records.
    static let poolVersion: UInt32 = 1

    /// What watches see of a pool's configuration (P99).
    static let pool = Schema(
        versions: poolVersion...poolVersion,
        projected: Set(
            ConfigurationEntry.visibleGroups.map { Name(kind: $0.kind, group: $0.group) }))
}
