internal import PoolModel
internal import SyncCore

/// A snapshot, as far as it could be read.
struct ReceivedConfiguration: Hashable {
    var configuration: WatchConfiguration
    var revision: UInt64
    var problems: [ConfigurationProblem] = []

    init(_ snapshot: Snapshot) {
        revision = snapshot.version.revision
        configuration = WatchConfiguration(
            entries: snapshot.cells.pairs.compactMap { ConfigurationEntry($0.key, $0.value) }, problems: &problems)
    }
}

extension ConfigurationEntry {
    /// The entry of a cell; nil for a deleted one.
    fileprivate init?(_ key: CellKey, _ cell: Cell) {
        guard let value = cell.value else { return nil }
        let record = Record(high: key.record.high, low: key.record.low)
        self.init(key: Key(kind: key.kind, record: record, group: key.group), value: Array(value.utf8))
    }
}
