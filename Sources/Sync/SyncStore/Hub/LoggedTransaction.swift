internal import GRDB
package import SyncCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An entry in a hub's transaction log, which shows users what changed and when.
package struct LoggedTransaction: Hashable, Sendable {
    /// The maximum number of transactions in the log that came from the hub itself.
    package static let countMax = 10_000
    /// The maximum number of transactions of each watch: what one watch does displaces nothing of others.
    package static let countMaxOfWatch = 5000
    /// The maximum number of bytes of the hub's transactions, of which a watch may cause many, too.
    package static let byteCountMax = 64 << 20
    /// The maximum number of bytes of each watch's transactions.
    package static let byteCountMaxOfWatch = 16 << 20

    /// How many bytes of the log are from each source, which is nil for the hub.
    ///
    /// It is counted once in a run, and only if the file is so large that a source can have too many.
    typealias ByteCounts = [PeerKey?: Int]

    /// The table of the log.
    ///
    /// It has a column for each field, so that users can query it with SQL.
    static let sql = """
        CREATE TABLE log (
            ordinal INTEGER PRIMARY KEY, epoch TEXT NOT NULL, revision TEXT NOT NULL, chain TEXT NOT NULL,
            stampTime INTEGER NOT NULL, stampCounter INTEGER NOT NULL, stampNode TEXT NOT NULL,
            time TEXT, changes TEXT NOT NULL, watch TEXT, conflicts TEXT NOT NULL DEFAULT '[]',
            settled TEXT NOT NULL DEFAULT '[]'
        ) STRICT;
        """

    /// The version after the transaction.
    package var version: Version
    /// When the transaction was made.
    package var stamp: Stamp
    /// The changed cells in the order of their keys; a change without a value is a deletion.
    package var changes: [CellChange]
    /// The watch whose uploads the transaction contains; nil if it came from the hub.
    package var watch: PeerKey?
    /// Who wanted it, in the application's words; nil if nobody was named.
    package var author: String?
    /// The conflicts that it added, by the id of the rejected write.
    package var conflicts: [Conflict]
    /// The conflicts that it resolved.
    package var settled: [RandomID]

    init(_ transaction: Transaction) {
        version = transaction.after
        stamp = transaction.stamp
        changes =
            (transaction.written.pairs.map { CellChange(key: $0.key, value: $0.value.value) }
            + transaction.removed.map { CellChange(key: $0, value: nil) })
            .sorted { $0.key < $1.key }
        watch = transaction.progress?.peer
        author = transaction.author
        conflicts = transaction.logged.values
        settled = transaction.settled
    }

    /// Appends the transaction to the log, and removes the oldest of the same source beyond its limits.
    ///
    /// - Parameters:
    ///   - byteCounts: What is known of the log; it has to be forgotten if the transaction fails.
    ///   - database: The store.
    /// - Throws: An error of the store.
    func append(counting byteCounts: inout ByteCounts, to database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO log (
                    epoch, revision, chain, stampTime, stampCounter, stampNode, time, changes, watch, conflicts, settled
                ) VALUES (?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', ? / 1000.0, 'unixepoch'), ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            Hexadecimal.text(version.epoch.number), Hexadecimal.text(version.revision),
            Hexadecimal.text(version.chain), stamp.milliseconds, stamp.counter, Hexadecimal.text(stamp.node),
            stamp.milliseconds, Self.text(changes.map(\.json)),
            watch?.hexadecimal, Self.text(conflicts.map(\.json)),
            Self.text(settled.map { .string($0.hexadecimal) }),
        ])
        if let author {
            if try !Self.namesAuthors(database) {
                // Not part of the migrations: a log that names no author can be opened by earlier versions, too.
                try database.execute(sql: "ALTER TABLE log ADD COLUMN author TEXT")
            }
            // So that authors are found without reading the whole log.
            try database.execute(
                sql: """
                    CREATE INDEX IF NOT EXISTS logByAuthor ON log (stampTime, stampCounter, stampNode, author)
                        WHERE author IS NOT NULL
                    """)
            try database.cachedStatement(sql: "UPDATE log SET author = ? WHERE ordinal = last_insert_rowid()")
                .execute(arguments: [author])
        }
        try shorten(&byteCounts, database)
    }

    private func shorten(_ byteCounts: inout ByteCounts, _ database: Database) throws {
        let (countMax, byteCountMax) =
            watch == nil ? (Self.countMax, Self.byteCountMax) : (Self.countMaxOfWatch, Self.byteCountMaxOfWatch)
        let own = database.lastInsertedRowID
        let isLong = own > countMax
        let pageCount = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        let isLarge = pageCount * DatabaseFile.pageByteCount > byteCountMax
        guard isLong || isLarge else { return }
        // Not part of the migrations: a log with it can be opened by earlier versions, too.
        try database.execute(sql: "CREATE INDEX IF NOT EXISTS logByWatch ON log (watch, ordinal)")
        // The newest of those that have to go.
        var last = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT ordinal FROM log WHERE watch IS ? ORDER BY ordinal DESC LIMIT 1 OFFSET ?"),
            arguments: [watch?.hexadecimal, countMax])
        if isLarge {
            var byteCount = try byteCounts[watch].map { try $0 + self.byteCount(of: own, database) } ?? sum(database)
            let oldest = try Row.fetchCursor(
                database.cachedStatement(
                    sql: "SELECT ordinal, \(Self.byteCountSQL) FROM log WHERE watch IS ? ORDER BY ordinal"),
                arguments: [watch?.hexadecimal])
            while let row = try oldest.next() {
                let (ordinal, count): (Int64, Int) = (row[0], row[1])
                guard ordinal <= last ?? 0 || byteCount > byteCountMax else { break }
                last = ordinal
                byteCount -= count
            }
            byteCounts[watch] = byteCount
        }
        guard let last else { return }
        try database.cachedStatement(sql: "DELETE FROM log WHERE watch IS ? AND ordinal <= ?")
            .execute(arguments: [watch?.hexadecimal, last])
    }

    /// The bytes of an entry, without its numbers.
    private static let byteCountSQL =
        "length(CAST(changes AS BLOB)) + length(CAST(conflicts AS BLOB)) + length(CAST(settled AS BLOB))"

    private func byteCount(of ordinal: Int64, _ database: Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT \(Self.byteCountSQL) FROM log WHERE ordinal = ?"),
            arguments: [ordinal]) ?? 0
    }

    private func sum(_ database: Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT sum(\(Self.byteCountSQL)) FROM log WHERE watch IS ?"),
            arguments: [watch?.hexadecimal]) ?? 0
    }

    private static func text(_ values: [JSONValue]) -> String {
        String(decoding: JSONValue.array(values).encoded, as: UTF8.self)
    }

    /// Whether the table has the column for authors, which the first transaction that names one adds.
    private static func namesAuthors(_ database: Database) throws -> Bool {
        try database.columns(in: "log").contains { $0.name == "author" }
    }

    /// The latest transactions of the log, oldest first.
    static func fetch(last count: Int, _ database: Database) throws -> [LoggedTransaction] {
        let author = try namesAuthors(database) ? "author" : "NULL AS author"
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT epoch, revision, chain, stampTime, stampCounter, stampNode, changes, watch, conflicts, settled,
                    \(author)
                FROM log ORDER BY ordinal DESC LIMIT ?
                """,
            arguments: [max(0, count)])
        return try rows.reversed().map { try LoggedTransaction($0) }
    }

    /// The authors of the transactions with some stamps; only of those whose log names one.
    static func authors(of stamps: Set<Stamp>, _ database: Database) throws -> [Stamp: String] {
        guard try namesAuthors(database) else { return [:] }
        var authors: [Stamp: String] = [:]
        let rows = try Row.fetchCursor(
            database, sql: "SELECT stampTime, stampCounter, stampNode, author FROM log WHERE author IS NOT NULL")
        while let row = try rows.next() {
            let stamp = try stamp(row)
            if stamps.contains(stamp) { authors[stamp] = row["author"] }
        }
        return authors
    }

    private static func number(_ column: String, _ row: Row) throws -> UInt64 {
        guard let number = (row[column] as String?).flatMap({ JSONValue.string($0).hexadecimal }) else { throw unfit }
        return number
    }

    private static func stamp(_ row: Row) throws -> Stamp {
        guard let counter = UInt32.fromDatabaseValue(row["stampCounter"] as DatabaseValue) else { throw unfit }
        return Stamp(milliseconds: row["stampTime"], counter: counter, node: try number("stampNode", row))
    }

    private init(_ row: Row) throws {
        func values(_ column: String) throws -> [JSONValue] {
            let text = row[column] as String? ?? ""
            guard let values = try JSONValue(decoding: Array(text.utf8)).array else { throw Self.unfit }
            return values
        }
        version = Version(
            epoch: Epoch(number: try Self.number("epoch", row)), revision: try Self.number("revision", row),
            chain: try Self.number("chain", row))
        stamp = try Self.stamp(row)
        changes = try values("changes").map { entry in
            guard let change = CellChange(entry) else { throw Self.unfit }
            return change
        }
        watch = try (row["watch"] as String?).map { text in
            guard let peer = PeerKey(hexadecimal: text) else { throw Self.unfit }
            return peer
        }
        author = row["author"]
        conflicts = try values("conflicts").map { try Conflict(decoding: $0.encoded) }
        settled = try values("settled").map { value in
            guard let id = value.string.flatMap({ RandomID(hexadecimal: $0) }) else { throw Self.unfit }
            return id
        }
    }

    private static let unfit = CorruptionError(finding: "a row of the table log is not what the program writes")
}

extension CellChange {
    fileprivate var json: JSONValue {
        .members([
            "kind": .string(key.kind), "record": .string(key.record.hexadecimal), "group": .string(key.group),
            "value": value.map { .string($0) } ?? .null,
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string, let group = json["group"]?.string,
            let record = json["record"]?.string.flatMap({ RandomID(hexadecimal: $0) })
        else { return nil }
        self.init(key: CellKey(kind: kind, record: record, group: group), value: json["value"]?.string)
    }
}
