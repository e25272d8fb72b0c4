internal import GRDB
internal import SyncCore

/// The rows of all that is exchanged with one peer.
enum TransferRows {
    /// Makes records durable, all or none of them; a write whose end is in doubt is known again by its number.
    static func commit(_ records: [TransferRecord], of peer: String, to file: DatabaseFile) throws(StoreError) {
        var number: Int64?
        do throws(StoreError) {
            try file.write { database in
                var head = try ExchangeHead(of: peer, database)
                head.writeCount += 1
                number = head.writeCount
                for record in records { try append(record, &head, database) }
                try head.put(into: database)
            }
        } catch {
            try file.settle(after: error) { try ExchangeHead(of: peer, $0).writeCount == number }
        }
    }

    private static func append(_ record: TransferRecord, _ head: inout ExchangeHead, _ database: Database) throws {
        switch record {
        case .exchange(let record):
            for change in record.changes { try ItemRows.append(change, &head, database) }
        case .files(let record): try FileRows.append(record, &head, database)
        }
    }

    /// Writes a whole state, for a peer that has no rows yet.
    static func fill(_ state: TransferState, of peer: String, _ database: Database) throws {
        var head = try ExchangeHead(of: peer, database)
        try ItemRows.fill(with: state.exchange, &head, database)
        try FileRows.fill(with: state.files, &head, database)
        try head.put(into: database)
    }

    static func state(with peer: String, _ database: Database) throws -> TransferState {
        let head = try ExchangeHead(of: peer, database)
        try head.check(database)
        return TransferState(
            exchange: try ItemRows.state(head, database), files: try FileRows.state(head, database))
    }

    static func forget(_ peer: String, _ database: Database) throws {
        for table in ["exchange"] + ExchangeTables.itemTables + ExchangeTables.fileTables {
            _ = try database.remove(from: table, where: "peer = ?", [peer])
        }
    }
}
