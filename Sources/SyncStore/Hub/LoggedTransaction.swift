internal import FoundationEssentials
internal import GRDB
public import SyncCore

/// A transaction as the log of a hub tells it: for people who ask what changed, and when.
public struct LoggedTransaction: Hashable, Sendable {
    /// The transactions that the log keeps.
    public static let countMax = 10_000

    /// The version that it led to.
    public var version: Version
    /// When it was made.
    public var stamp: Stamp
    /// What it changed, in the order of the cells' keys; a change without a value is a deletion.
    public var changes: [CellChange]

    init(_ transaction: Transaction) {
        version = transaction.after
        stamp = transaction.stamp
        changes =
            (transaction.written.pairs.map { CellChange(key: $0.key, value: $0.value.value) }
            + transaction.removed.map { CellChange(key: $0, value: nil) })
            .sorted { $0.key < $1.key }
    }

    /// Writes the transaction to the end of the log, and drops the oldest ones.
    func append(to database: Database) throws {
        let json = JSONValue.array(
            changes.map { change in
                .members([
                    "kind": .string(change.key.kind), "record": .string(change.key.record.hexadecimal),
                    "group": .string(change.key.group), "value": change.value.map { .string($0) } ?? .null,
                ])
            })
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO log (epoch, revision, chain, stampTime, stampCounter, stampNode, time, changes)
                VALUES (?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', ? / 1000.0, 'unixepoch'), ?)
                """)
        try statement.execute(arguments: [
            version.epoch.number.column, version.revision.column, version.chain.column, stamp.milliseconds,
            stamp.counter, stamp.node.column, stamp.milliseconds, String(decoding: json.encoded, as: UTF8.self),
        ])
        try database.execute(
            sql: "DELETE FROM log WHERE ordinal <= (SELECT max(ordinal) FROM log) - ?", arguments: [Self.countMax])
    }

    /// The last transactions of the log, oldest first.
    static func fetch(last count: Int, _ database: Database) throws -> [LoggedTransaction] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT epoch, revision, chain, stampTime, stampCounter, stampNode, changes
                FROM log ORDER BY ordinal DESC LIMIT ?
                """,
            arguments: [max(0, count)])
        return try rows.reversed().map { try LoggedTransaction($0) }
    }

    private init(_ row: Row) throws {
        var reader = RowReader(table: "log", values: Array(row.databaseValues))
        version = Version(
            epoch: Epoch(number: try reader.number()), revision: try reader.number(), chain: try reader.number())
        stamp = try reader.stamp()
        let json = String.fromDatabaseValue(reader.values[6]) ?? ""
        guard let entries = try JSONValue(decoding: Array(json.utf8)).array else { throw Self.unfit }
        changes = try entries.map { entry in
            guard let kind = entry["kind"]?.string, let group = entry["group"]?.string,
                let record = entry["record"]?.string.flatMap({ RandomID(hexadecimal: $0) })
            else { throw Self.unfit }
            return CellChange(
                key: CellKey(kind: kind, record: record, group: group), value: entry["value"]?.string)
        }
    }

    private static let unfit = Damage(finding: "a row of the table log is not what the program writes")
}
