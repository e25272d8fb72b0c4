import FoundationEssentials
import GRDB
import TestSupport

@testable import SyncCore
@testable import SyncStore

/// The tables of user info as they were before items had row numbers; they never change.
enum FormerItems {
    private static let sql = """
        ALTER TABLE exchange RENAME TO laterExchange;
        ALTER TABLE track RENAME TO laterTrack;
        ALTER TABLE item RENAME TO laterItem;
        CREATE TABLE exchange (
            peer TEXT PRIMARY KEY, day INTEGER, spent INTEGER NOT NULL, lastFile TEXT NOT NULL,
            writes INTEGER NOT NULL, rows INTEGER NOT NULL, contents INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE track (
            peer TEXT NOT NULL, track INTEGER NOT NULL, stream TEXT, base TEXT NOT NULL,
            originStream TEXT, originHighest TEXT, originID TEXT, acknowledged TEXT NOT NULL, acknowledgedID TEXT,
            released TEXT NOT NULL, items INTEGER NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (peer, track)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE item (
            peer TEXT NOT NULL, track INTEGER NOT NULL, ordinal TEXT NOT NULL, id TEXT NOT NULL,
            isCurrent INTEGER NOT NULL, payload BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (peer, track, ordinal)
        ) STRICT, WITHOUT ROWID;
        """

    /// Gives a store the form that it would have had, with all that it holds; its next opening takes the step anew.
    static func bringBack(in file: DatabaseFile) throws {
        try file.write { database in
            let peers = try String.fetchAll(database, sql: "SELECT peer FROM exchange")
            let held = try peers.map { peer in
                let head = try ExchangeHead(of: peer, database)
                return (head, try ItemRows.state(head, database).outboxes)
            }
            try database.execute(sql: sql)
            for (head, outboxes) in held { try write(head, outboxes, database) }
            try database.execute(
                sql: """
                    DROP TABLE laterExchange;
                    DROP TABLE laterTrack;
                    DROP TABLE laterItem;
                    DELETE FROM grdb_migrations WHERE identifier = '5 items by number';
                    """)
        }
        file.close()
    }

    private static func write(_ head: ExchangeHead, _ outboxes: PerTrack<ItemOutbox>, _ database: Database) throws {
        let later = try database.rows(of: "laterItem", sql: "WHERE place >> 43 = ?", arguments: [head.number])
        var contents = later.reduce(head.sum.checksums) { $0 &- $1.checksum }
        for row in try database.rows(of: "laterTrack", sql: "WHERE peer = ?", arguments: [head.peer]) {
            let count = row.values[1] == 0.databaseValue ? outboxes.urgent.items.count : outboxes.ordinary.items.count
            contents &-= row.checksum
            contents &+= try database.put(row.values + [count.databaseValue], into: "track")
        }
        for track in ItemTrack.allCases {
            for item in outboxes[track].items {
                contents &+= try database.put(
                    [
                        head.peer, Int64(track.rawValue), item.ordinal.column, item.id.hexadecimal,
                        item.isCurrent ? 1 : 0, Data(item.payload),
                    ], into: "item")
            }
        }
        try database.put(
            [
                head.peer, head.budget.day, Int64(head.budget.spent), head.lastFile.column, head.writeCount,
                head.sum.count, contents,
            ], into: "exchange")
    }
}
