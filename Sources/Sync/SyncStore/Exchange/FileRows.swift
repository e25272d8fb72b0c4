internal import GRDB
internal import SyncCore

/// Reads and writes the rows of file transfers in both directions.
///
/// A change writes only the rows that it changes.
enum FileRows {
    // MARK: - Writing

    /// Applies a record to the rows, as `FileExchange.State.apply(_:)` applies it to a state.
    static func append(_ record: FileExchange.Record, _ head: inout ExchangeHead, _ database: Database) throws {
        switch record {
        case .queued(let file):
            guard file.number > head.lastFile else { return }
            head.lastFile = file.number
            try put(file, &head, database)
        case .ended(let id, let result):
            // The file's number is inside the record, so the rows are searched.
            let rows = try ExchangeTables.outgoing.rows(head.range, database)
            let row = try rows.first { row in
                let file: OutgoingFile = try row.record()
                return file.offer.id == id
            }
            guard let row else { return }
            try ExchangeTables.outgoing.remove(RowRange(row.key), &head.sum, database)
            if let result { try add(result, to: ExchangeTables.results, &head, database) }
        case .resultTaken(let id): try remove(id, from: ExchangeTables.results, &head, database)
        case .receiving(let file):
            try ExchangeTables.incoming.remove(head.range, &head.sum, database)
            try put(file, &head, database)
        case .abandoned(let id): try abandon(id, &head, database)
        case .received(let offer):
            guard try ExchangeTables.finished.key(of: offer.id, in: head.range, database) == nil else { return }
            try abandon(offer.id, &head, database)
            try add(offer, to: ExchangeTables.delivered, &head, database)
            try note(offer.id, &head, database)
        case .consumed(let id): try remove(id, from: ExchangeTables.delivered, &head, database)
        }
    }

    private static func remove(
        _ id: RandomID, from table: RecordTable, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        while let key = try table.key(of: id, in: head.range, database) {
            try table.remove(RowRange(key), &head.sum, database)
        }
    }

    private static func abandon(_ id: RandomID, _ head: inout ExchangeHead, _ database: Database) throws {
        guard let row = try ExchangeTables.incoming.row(at: head.key(0), database) else { return }
        let file: IncomingFile = try row.record()
        guard file.offer.id == id else { return }
        try ExchangeTables.incoming.remove(RowRange(row.key), &head.sum, database)
    }

    private static func put(_ file: OutgoingFile, _ head: inout ExchangeHead, _ database: Database) throws {
        try ExchangeTables.outgoing.insert(file, at: head.key(file.number), &head.sum, database)
    }

    private static func put(_ file: IncomingFile, _ head: inout ExchangeHead, _ database: Database) throws {
        try ExchangeTables.incoming.insert(file, at: head.key(0), &head.sum, database)
    }

    /// Appends a record to a table.
    private static func add(
        _ record: some RecordCodable, to table: RecordTable, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        let ordinal = try head.nextOrdinal(in: table, database)
        try table.insert(record, at: head.key(ordinal), &head.sum, database)
    }

    private static func note(_ id: RandomID, _ head: inout ExchangeHead, _ database: Database) throws {
        let ordinal = try head.nextOrdinal(in: ExchangeTables.finished, database)
        try ExchangeTables.finished.insert(id, at: head.key(ordinal), &head.sum, database)
        guard ordinal > UInt64(FileExchange.finishedCountMax) else { return }
        let oldest = try head.key(ordinal - UInt64(FileExchange.finishedCountMax))
        try ExchangeTables.finished.remove(RowRange(head.range.first, oldest), &head.sum, database)
    }

    /// Writes a complete state for a peer that has no rows yet.
    static func fill(with state: FileExchange.State, _ head: inout ExchangeHead, _ database: Database) throws {
        head.lastFile = state.lastNumber
        for file in state.queue { try put(file, &head, database) }
        for result in state.results { try add(result, to: ExchangeTables.results, &head, database) }
        if let file = state.incoming { try put(file, &head, database) }
        for offer in state.received { try add(offer, to: ExchangeTables.delivered, &head, database) }
        for id in state.finished { try note(id, &head, database) }
    }

    // MARK: - Reading

    static func state(_ head: ExchangeHead, _ database: Database) throws -> FileExchange.State {
        var state = FileExchange.State()
        state.lastNumber = head.lastFile
        state.queue = try ExchangeTables.outgoing.rows(head.range, database).map { try $0.record() }
        state.results = try ExchangeTables.results.rows(head.range, database).map { try $0.record() }
        state.incoming = try ExchangeTables.incoming.rows(head.range, database).first.map { try $0.record() }
        state.received = try ExchangeTables.delivered.rows(head.range, database).map { try $0.record() }
        state.finished = try ExchangeTables.finished.rows(head.range, database).map { try $0.record() }
        return state
    }
}
