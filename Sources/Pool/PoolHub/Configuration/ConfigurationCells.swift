import PoolModel
public import SyncCore

extension ConfigurationEntry.Key {
    /// The key of a cell.
    init(_ key: CellKey) {
        self.init(
            kind: key.kind, record: ConfigurationEntry.Record(high: key.record.high, low: key.record.low),
            group: key.group)
    }
}

extension ConfigurationEntry {
    /// The entry in a cell; nil if the cell is deleted.
    init?(_ key: CellKey, _ cell: Cell) {
        guard let value = cell.value else { return nil }
        self.init(key: Key(key), value: Array(value.utf8))
    }

    /// The entries in cells, without the engine's own kinds.
    static func entries(in cells: SortedMap<CellKey, Cell>) -> [ConfigurationEntry] {
        cells.pairs.filter { !$0.key.kind.hasPrefix("sync.") }.compactMap { ConfigurationEntry($0.key, $0.value) }
    }
}

extension ConfigurationChange {
    /// The change in the engine's form.
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
    /// Reads the configuration from the engine's cells, without the engine's own kinds.
    init(cells: SortedMap<CellKey, Cell>, problems: inout [ConfigurationProblem]) {
        self.init(entries: ConfigurationEntry.entries(in: cells), problems: &problems)
    }
}

extension Schema {
    /// The part of the configuration that watches have, and what can be changed on them.
    static let pool = Schema(
        versions: ConfigurationEntry.versions,
        rules: Dictionary(
            uniqueKeysWithValues: ConfigurationEntry.visibleGroups.map { kind, group in
                let isShared = ConfigurationEntry.isEditableOnWatches(kind: kind, group: group)
                let first = ConfigurationEntry.firstVersion(kind: kind, group: group)
                return (
                    Name(kind: kind, group: group),
                    Rule(isShared ? .shared : .hub, versions: first...UInt32.max, editableSince: first)
                )
            }))
}

extension HubEngine.Configuration {
    /// The configuration of the hub's engine: the cells that watches have, and which values are valid.
    ///
    /// - Parameter heartbeat: The time between two pings of a watch.
    /// - Returns: The configuration.
    public static func pool(heartbeat: Duration = .seconds(1)) -> HubEngine.Configuration {
        HubEngine.Configuration(app: "poolsensors", schema: .pool, heartbeat: heartbeat) { key, value in
            ConfigurationEntry.objection(to: value.map { Array($0.utf8) }, at: ConfigurationEntry.Key(key))
        }
    }
}
