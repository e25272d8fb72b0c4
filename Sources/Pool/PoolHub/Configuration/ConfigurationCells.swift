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
    /// The entry in a cell, nil if the cell is deleted.
    init?(_ key: CellKey, _ cell: Cell) {
        guard let value = cell.value else { return nil }
        self.init(key: Key(key), value: Array(value.utf8))
    }

    /// The entries in cells; the engine's own kinds are not among them.
    static func entries(in cells: SortedMap<CellKey, Cell>) -> [ConfigurationEntry] {
        cells.pairs.filter { !$0.key.kind.hasPrefix("sync.") }.compactMap { ConfigurationEntry($0.key, $0.value) }
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
        self.init(entries: ConfigurationEntry.entries(in: cells), problems: &problems)
    }
}

extension Schema {
    /// What watches see of a pool's configuration, and what a person may change there.
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
    /// What the engine of a pool's hub is told: which cells watches see, and which values are fit.
    ///
    /// - Parameter heartbeat: The time between two pings of a watch.
    /// - Returns: The configuration, the same at each call.
    public static func pool(heartbeat: Duration = .seconds(1)) -> HubEngine.Configuration {
        HubEngine.Configuration(app: "poolsensors", schema: .pool, heartbeat: heartbeat) { key, value in
            ConfigurationEntry.objection(to: value.map { Array($0.utf8) }, at: ConfigurationEntry.Key(key))
        }
    }
}
