internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// The rows of file transfers in both directions; a change writes the rows that it changes, and no others.
enum FileRows {
    // MARK: - Writing

    /// Does to the rows what ``FileExchange/State/apply(_:)`` does to a state.
    static func append(_ record: FileExchange.Record, _ head: inout ExchangeHead, _ database: Database) throws {
        switch record {
        case .queued(let file):
            guard file.number > head.lastFile else { return }
            head.lastFile = file.number
            try put(file, &head, database)
        case .ended(let id, let result):
            guard try remove(id, from: "outgoing", &head, database) > 0, let result else { return }
            try put(result, &head, database)
        case .resultTaken(let id): try remove(id, from: "result", &head, database)
        case .receiving(let file): try put(file, &head, database)
        case .abandoned(let id): try remove(id, from: "incoming", &head, database)
        case .received(let offer):
            guard try !hasFinished(offer.id, head, database) else { return }
            try remove(offer.id, from: "incoming", &head, database)
            try put(offer, &head, database)
            try note(offer.id, &head, database)
        case .consumed(let id): try remove(id, from: "delivered", &head, database)
        }
    }

    @discardableResult
    private static func remove(
        _ id: RandomID, from table: String, _ head: inout ExchangeHead, _ database: Database
    ) throws -> Int {
        try head.sum.remove(from: table, where: "peer = ? AND id = ?", [head.peer, id.hexadecimal], database)
    }

    private static func put(_ file: OutgoingFile, _ head: inout ExchangeHead, _ database: Database) throws {
        try head.sum.put(
            [head.peer, file.number.column, file.file.column] + columns(file.offer), into: "outgoing", database)
    }

    private static func put(_ result: FileResult, _ head: inout ExchangeHead, _ database: Database) throws {
        let ordinal = try head.nextOrdinal(in: "result", database)
        try head.sum.put(
            [
                head.peer, ordinal, result.id.hexadecimal, result.failure?.cause.code.column,
                result.failure?.words.column,
            ], into: "result", database)
    }

    private static func put(_ file: IncomingFile, _ head: inout ExchangeHead, _ database: Database) throws {
        try head.sum.remove(from: "incoming", where: "peer = ?", [head.peer], database)
        try head.sum.put([head.peer, file.durable.column] + columns(file.offer), into: "incoming", database)
    }

    private static func put(_ offer: FileOffer, _ head: inout ExchangeHead, _ database: Database) throws {
        let ordinal = try head.nextOrdinal(in: "delivered", database)
        try head.sum.put([head.peer, ordinal] + columns(offer), into: "delivered", database)
    }

    private static func note(_ id: RandomID, _ head: inout ExchangeHead, _ database: Database) throws {
        let ordinal = try head.nextOrdinal(in: "finished", database)
        try head.sum.put([head.peer, ordinal, id.hexadecimal], into: "finished", database)
        try head.sum.remove(
            from: "finished", where: "peer = ? AND ordinal <= ?",
            [head.peer, ordinal - Int64(FileExchange.finishedCountMax)], database)
    }

    private static func hasFinished(_ id: RandomID, _ head: ExchangeHead, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM finished WHERE peer = ? AND id = ?)"),
            arguments: [head.peer, id.hexadecimal]) ?? false
    }

    private static func columns(_ offer: FileOffer) -> [(any DatabaseValueConvertible)?] {
        [
            offer.id.hexadecimal, offer.name.column, offer.byteCount.column, offer.digest.hexadecimal,
            Data(offer.metadata),
        ]
    }

    /// Writes a whole state, for a peer that has no rows yet.
    static func fill(with state: FileExchange.State, _ head: inout ExchangeHead, _ database: Database) throws {
        head.lastFile = state.lastNumber
        for file in state.queue { try put(file, &head, database) }
        for result in state.results { try put(result, &head, database) }
        if let file = state.incoming { try put(file, &head, database) }
        for offer in state.received { try put(offer, &head, database) }
        for id in state.finished { try note(id, &head, database) }
    }

    // MARK: - Reading: each row behind its peer

    static func state(_ head: ExchangeHead, _ database: Database) throws -> FileExchange.State {
        var state = FileExchange.State()
        state.lastNumber = head.lastFile
        state.queue = try head.rows(of: "outgoing", "ORDER BY number", database).map(outgoing)
        state.results = try head.rows(of: "result", "ORDER BY ordinal", database).map(result)
        state.incoming = try head.rows(of: "incoming", "", database).first.map(incoming)
        state.received = try head.rows(of: "delivered", "ORDER BY ordinal", database).map(delivered)
        state.finished = try head.rows(of: "finished", "ORDER BY ordinal", database).map(ItemRows.arrival)
        return state
    }

    static func outgoing(_ row: RowReader) throws -> OutgoingFile {
        var row = row
        return OutgoingFile(number: try row.number(), file: try row.text(), offer: try row.offer())
    }

    static func result(_ row: RowReader) throws -> FileResult {
        var row = row
        _ = try row.integer()
        let id = try row.identifier()
        let code = try row.optional { try $0.text() }
        let words = try row.optional { try $0.text() }
        return FileResult(id: id, failure: code.map { FileFailure(FileFailure.Cause(code: $0), words ?? "") })
    }

    static func incoming(_ row: RowReader) throws -> IncomingFile {
        var row = row
        let durable = try row.number()
        return IncomingFile(offer: try row.offer(), durable: durable)
    }

    static func delivered(_ row: RowReader) throws -> FileOffer {
        var row = row
        _ = try row.integer()
        return try row.offer()
    }
}

extension RowReader {
    fileprivate mutating func offer() throws -> FileOffer {
        let id = try identifier()
        let name = try text()
        let byteCount = try number()
        guard let digest = FileDigest(hexadecimal: try word()) else {
            throw Damage(finding: "a digest of the table \(table) is unfit")
        }
        return FileOffer(id: id, name: name, byteCount: byteCount, digest: digest, metadata: try bytes())
    }
}
