internal import GRDB
internal import SyncCore

/// The step that gives the table `item` row numbers, see ``ItemRowKey``, and lets the table `track` no longer count them.
///
/// Until then a row of an item began with the peer, the track and the ordinal as text, and its id was text, too; the row of
/// its track was written with each new item.
enum ItemRenumbering {
    static let step = DatabaseKind.Step(name: "5 items by number", sql: sql, rest: rewrite)

    private static let sql = """
        ALTER TABLE exchange RENAME TO formerExchange;
        ALTER TABLE track RENAME TO formerTrack;
        ALTER TABLE item RENAME TO formerItem;
        CREATE TABLE exchange (
            peer TEXT PRIMARY KEY, number INTEGER NOT NULL, day INTEGER, spent INTEGER NOT NULL,
            lastFile TEXT NOT NULL, writes INTEGER NOT NULL, rows INTEGER NOT NULL, contents INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE track (
            peer TEXT NOT NULL, track INTEGER NOT NULL, stream TEXT, base TEXT NOT NULL,
            originStream TEXT, originHighest TEXT, originID TEXT, acknowledged TEXT NOT NULL, acknowledgedID TEXT,
            released TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (peer, track)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE item (
            place INTEGER PRIMARY KEY, id BLOB NOT NULL, isCurrent INTEGER NOT NULL, payload BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    @Sendable
    private static func rewrite(_ database: Database) throws {
        var (trackCount, itemCount) = (0, 0)
        for (index, row) in try database.rows(of: "formerExchange", sql: "ORDER BY peer").enumerated() {
            var head = try head(row, number: Int64(index) + 1)
            let counted = try rewriteTracks(of: &head, database)
            let items = try rewriteItems(of: &head, database)
            guard counted.items == items else {
                throw Damage(finding: "the table item has not the rows that the table track counts")
            }
            trackCount += counted.rows
            itemCount += items
            try head.put(into: database)
        }
        for (table, count) in [("formerTrack", trackCount), ("formerItem", itemCount)] {
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") == count else {
                throw Damage(finding: "the table \(table) has rows of a peer that the table exchange does not name")
            }
        }
        try database.execute(sql: "DROP TABLE formerExchange; DROP TABLE formerTrack; DROP TABLE formerItem")
    }

    /// Writes the tracks of a peer without their last column, the number of their items; gives how many rows it were, and
    /// how many items they counted.
    private static func rewriteTracks(
        of head: inout ExchangeHead, _ database: Database
    ) throws -> (rows: Int, items: Int) {
        let rows = try database.rows(of: "formerTrack", sql: "WHERE peer = ?", arguments: [head.peer])
        var itemCount = 0
        for row in rows {
            var buffer = RowBuffer()
            for value in row.values.dropLast() { buffer.append(value) }
            buffer.endRow()
            try head.sum.put(buffer, into: "track", replacing: row.checksum, database)
            itemCount += row.values.last.flatMap { Int.fromDatabaseValue($0) } ?? 0
        }
        return (rows.count, itemCount)
    }

    /// Writes the rows of a peer in their new form, and what they add up to into its head; gives their number.
    private static func rewriteItems(of head: inout ExchangeHead, _ database: Database) throws -> Int {
        let rows = try database.rows(of: "formerItem", sql: "WHERE peer = ?", arguments: [head.peer])
        for row in rows {
            let (track, item) = try item(row)
            var buffer = RowBuffer()
            try ItemRows.append(item, track, head, to: &buffer)
            try head.sum.put(buffer, into: "item", replacing: row.checksum, database)
        }
        return rows.count
    }

    // MARK: - Rows in the former form

    /// Whether the store has not taken the step yet.
    static func isToCome(_ database: Database) throws -> Bool {
        try database.columns(in: "item").contains { $0.name == "peer" }
    }

    /// The head of a row, which had no number.
    static func head(_ row: RowReader, number: Int64) throws -> ExchangeHead {
        var row = row
        var head = ExchangeHead(of: try row.word(), number: number)
        try head.read(&row)
        return head
    }

    /// The item of a row, and its track.
    static func item(_ row: RowReader) throws -> (ItemTrack, Item) {
        var row = row
        _ = try row.word()
        let number = try row.integer()
        guard let track = ItemTrack(rawValue: UInt8(truncatingIfNeeded: number)) else {
            throw Damage(finding: "the track \(number) of the table \(row.table) is unfit")
        }
        let ordinal = try row.number()
        let id = try row.identifier()
        let isCurrent = try row.truth()
        return (track, Item(ordinal: ordinal, id: id, payload: try row.bytes(), isCurrent: isCurrent))
    }
}
