internal import GRDB
internal import SyncCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads stores in the previous format, which had a column for each field instead of records.
///
/// A file in that format is converted in one transaction when it is opened: everything in it is read and checked here,
/// then the tables are created again and filled by the code of the new format. This file will be removed in version
/// 0.2.
enum EarlierRecords {
    private static let transferTables = [
        "exchange", "track", "item", "position", "inbox", "arrival", "outgoing", "result", "incoming", "delivered",
        "finished",
    ]

    // MARK: - The hub

    /// The migrations and tables of a hub's store.
    ///
    /// The transaction log stays as it is.
    static let hubSteps = [
        "1 ledger and log", "2 edits", "3 items and files", "4 rejected writes and bringers", "5 items by number",
    ]
    static let hubTables = ["head", "chain"] + summedLedgerTables + transferTables

    /// Reads the contents of a hub's store.
    static func hub(_ database: Database) throws -> (LedgerState, [(PeerKey, TransferState)]) {
        let ledger = try ledger(database)
        let transfers = try transfers(database).map { peer, state in
            guard let key = PeerKey(hexadecimal: peer) else {
                throw CorruptionError(finding: "a peer of the table exchange is unfit")
            }
            return (key, state)
        }
        return (ledger, transfers)
    }

    private static let summedLedgerTables = [
        "cell", "lineage", "conflict", "upload", "outcome", "seen", "rejected", "bringer",
    ]

    private static func ledger(_ database: Database) throws -> LedgerState {
        var head = try only("head", database)
        head.skip()
        var state = LedgerState(
            version: try head.version(), chain: SortedMap(), lineage: SortedMap(), cells: SortedMap(), lastStamp: nil)
        if let milliseconds = try head.optional({ try $0.integer() }) {
            state.lastStamp = Stamp(milliseconds: milliseconds, counter: try head.counter(), node: try head.number())
        } else {
            head.skip()
            head.skip()
        }
        let checksums = try head.integer()
        guard try sum(summedLedgerTables, database).checksums == checksums else {
            throw CorruptionError(finding: "the rows of the ledger are not those that were written")
        }
        for var row in try rows("chain", database) { state.chain[try row.number()] = try row.number() }
        for var row in try rows("lineage", database) {
            state.lineage[Epoch(number: try row.number())] = try row.number()
        }
        for var row in try rows("cell", database) {
            let key = CellKey(kind: try row.text(), record: try row.identifier(), group: try row.text())
            state.cells[key] = Cell(
                value: try row.optional { try $0.text() }, dot: try row.identifier(), stamp: try row.stamp(),
                written: try row.place(), created: try row.place())
        }
        for var row in try rows("conflict", database) {
            state.conflicts[try row.identifier()] = try Conflict(decoding: row.bytes())
        }
        for var row in try rows("bringer", database) { state.bringers[try row.identifier()] = try row.peer() }
        try readUploads(into: &state, database)
        let revisions = state.chain.keys
        guard revisions.last == state.version.revision, state.chain[state.version.revision] == state.version.chain,
            zip(revisions, revisions.dropFirst()).allSatisfy({ $1 - $0 == 1 })
        else {
            throw CorruptionError(
                finding: "the rows of the table chain do not lead to revision \(state.version.revision)")
        }
        return state
    }

    private static func readUploads(into state: inout LedgerState, _ database: Database) throws {
        for var row in try rows("upload", database) {
            state.uploads[try row.peer()] = UploadMark(
                incarnation: try row.identifier(), highest: try row.number(),
                last: try row.optional { try $0.identifier() })
        }
        func change(_ peer: PeerKey, _ change: (inout UploadMark) -> Void) throws {
            guard state.uploads.modify(peer, change) != nil else {
                throw CorruptionError(finding: "the table upload lacks a watch")
            }
        }
        for var row in try rows("outcome", "ORDER BY watch, sequence", database) {
            let peer = try row.peer()
            row.skip()
            let outcome = try UploadOutcome(decoding: row.bytes())
            try change(peer) { $0.outcomes.append(outcome) }
        }
        for var row in try rows("rejected", "ORDER BY watch, ordinal", database) {
            let peer = try row.peer()
            row.skip()
            let write = RejectedWrite(dot: try row.identifier(), base: try row.optional { try $0.identifier() })
            try change(peer) { $0.rejected.append(write) }
        }
        var seen: [String: [RandomID]] = [:]
        for var row in try rows("seen", "ORDER BY owner, ordinal", database) {
            let owner = try row.word()
            row.skip()
            seen[owner, default: []].append(try row.identifier())
        }
        // The hub's own ids have no owner. Those of a removed watch are not needed.
        state.written = RecentIDs(seen[""] ?? [])
        for peer in state.uploads.keys {
            let ids = RecentIDs(seen[peer.hexadecimal] ?? [])
            try change(peer) { $0.taken = ids }
        }
    }

    // MARK: - The watch

    /// The migrations and tables of a watch's store.
    static let watchSteps = ["1 state and registers", "2 edits", "3 items and files", "5 items by number"]
    static let watchTables = ["numbering", "snapshot", "upload", "journal", "state", "register"] + transferTables

    /// Reads the contents of a watch's store.
    ///
    /// The transfers are empty if nothing was exchanged yet.
    static func watch(_ database: Database) throws -> (ReplicaState, [HeldRegister], [TransferState]) {
        (
            try replica(database), try rows("register", database).map { try register($0) },
            try transfers(database).map(\.1)
        )
    }

    private static func replica(_ database: Database) throws -> ReplicaState {
        let (head, sum) = try numbering(database)
        guard try Self.sum(["upload", "journal"], database) == sum else {
            throw CorruptionError(finding: "the rows of the tables upload and journal are not those that were written")
        }
        var state = head
        state.snapshot = try snapshot(database)
        state.fence = try fence(database)
        state.deletions = try deletions(database)
        state.pending = try rows("upload", "ORDER BY sequence", database).map { try upload($0) }
        state.journal = try rows("journal", "ORDER BY ordinal", database).map { try edit($0) }
        return state
    }

    private static func numbering(_ database: Database) throws -> (ReplicaState, RowSum) {
        var row = try only("numbering", database)
        row.skip()
        let state = ReplicaState(incarnation: try row.identifier(), nextSequence: try row.number())
        row.skip()
        return (state, RowSum(count: try row.integer(), checksums: try row.integer()))
    }

    private static func snapshot(_ database: Database) throws -> Snapshot? {
        var row = try only("snapshot", database)
        row.skip()
        guard let epoch = try row.optional({ try $0.number() }) else { return nil }
        let version = Version(epoch: Epoch(number: epoch), revision: try row.number(), chain: try row.number())
        return try Snapshot(version: version, contents: row.bytes())
    }

    private static func fence(_ database: Database) throws -> EpochFence {
        guard var row = try rows("state", "WHERE name = 'fence'", database).first else {
            throw CorruptionError(finding: "the table state has no row fence")
        }
        row.skip()
        let json = try JSONValue(decoding: row.bytes())
        guard let abandoned = json["abandoned"]?.array else {
            throw CorruptionError(finding: "the fence of epochs is not what the program writes")
        }
        return EpochFence(
            current: json["current"]?.hexadecimal.map { Epoch(number: $0) },
            abandoned: abandoned.compactMap { $0.hexadecimal.map { Epoch(number: $0) } })
    }

    /// The cells that the watch saw deleted.
    ///
    /// Without a deletion there is no row.
    private static func deletions(_ database: Database) throws -> [SeenDeletion] {
        guard var row = try rows("state", "WHERE name = 'deletions'", database).first else { return [] }
        row.skip()
        return try [SeenDeletion](decoding: row.bytes())
    }

    private static func upload(_ row: EarlierRow) throws -> NumberedUpload {
        var row = row
        row.skip()
        return try NumberedUpload(decoding: row.bytes())
    }

    private static func edit(_ row: EarlierRow) throws -> Edit {
        var row = row
        row.skip()
        return try Edit(decoding: row.bytes())
    }

    private static func register(_ row: EarlierRow) throws -> HeldRegister {
        var row = row
        let (key, epoch) = (try row.text(), Epoch(number: try row.number()))
        return HeldRegister(register: Register(key: key, order: try row.number(), value: try row.bytes()), epoch: epoch)
    }

    // MARK: - User info and files

    /// The head of a peer's rows.
    private struct Head {
        var peer: String
        var number: Int64
        var budget = UrgentBudget()
        var lastFile: UInt64
        var sum: RowSum

        init(_ row: EarlierRow) throws {
            var row = row
            (peer, number) = (try row.word(), try row.integer())
            budget.day = try row.optional { try $0.integer() }
            budget.spent = Int(try row.integer())
            lastFile = try row.number()
            row.skip()
            sum = RowSum(count: try row.integer(), checksums: try row.integer())
        }

        /// The rows of a table that belong to the peer, positioned after the column `peer`.
        func rows(_ table: String, _ order: String, _ database: Database) throws -> [EarlierRow] {
            try EarlierRecords.rows(table, "WHERE peer = '\(peer)' ORDER BY \(order)", database).map {
                var row = $0
                row.skip()
                return row
            }
        }
    }

    /// The transfers with each peer.
    private static func transfers(_ database: Database) throws -> [(peer: String, TransferState)] {
        let heads = try rows("exchange", database).map { try Head($0) }
        let rows = try sum(Array(transferTables.dropFirst()), database)
        guard heads.reduce(RowSum(), { $0 + $1.sum }) == rows else {
            throw CorruptionError(finding: "the rows of items and files are not those that were written")
        }
        return try heads.map { ($0.peer, try transfers($0, database)) }
    }

    private static func transfers(_ head: Head, _ database: Database) throws -> TransferState {
        let itemRows = "WHERE place >> 43 = \(head.number) ORDER BY place"
        let items = try rows("item", itemRows, database).map { try item($0) }
        var outboxes = PerTrack(urgent: ItemOutbox(), ordinary: ItemOutbox())
        for track in ItemTrack.allCases {
            outboxes[track] = ItemOutbox(items: items.filter { $0.0 == track }.map(\.1))
        }
        for row in try head.rows("track", "track", database) {
            let (track, outbox) = try outbox(row) { track in outboxes[track].items }
            outboxes[track] = outbox
        }
        var state = TransferState()
        state.exchange.outboxes = outboxes
        state.exchange.budget = head.budget
        var positions = ItemPositions()
        for row in try head.rows("position", "track", database) {
            let (track, position) = try position(row)
            positions[track] = position
        }
        state.exchange.inbox = ItemInbox(
            positions: positions, recent: try head.rows("arrival", "ordinal", database).map { try id($0) },
            items: try head.rows("inbox", "ordinal", database).map { try receivedItem($0) })
        state.files.lastNumber = head.lastFile
        state.files.queue = try head.rows("outgoing", "number", database).map { try outgoing($0) }
        state.files.results = try head.rows("result", "ordinal", database).map { try result($0) }
        state.files.incoming = try head.rows("incoming", "peer", database).first.map { row in
            var row = row
            let durable = try row.number()
            return IncomingFile(offer: try row.offer(), durable: durable)
        }
        state.files.received = try head.rows("delivered", "ordinal", database).map { try delivered($0) }
        state.files.finished = try head.rows("finished", "ordinal", database).map { try id($0) }
        return state
    }

    private static func item(_ row: EarlierRow) throws -> (ItemTrack, Item) {
        var row = row
        let place = UInt64(bitPattern: try row.integer())
        let (id, isCurrent) = (try row.identifierOfBytes(), try row.boolean())
        let item = Item(ordinal: place & (1 << 42 - 1), id: id, payload: try row.bytes(), isCurrent: isCurrent)
        return (place >> 42 & 1 == UInt64(ItemTrack.urgent.rawValue) ? .urgent : .ordinary, item)
    }

    private static func outbox(
        _ row: EarlierRow, items: (ItemTrack) -> [Item]
    ) throws -> (ItemTrack, ItemOutbox) {
        var row = row
        let track = try row.track()
        let (stream, base) = (try row.optional { try $0.identifier() }, try row.number())
        let origin = (
            try row.optional { try $0.identifier() }, try row.optional { try $0.number() },
            try row.optional { try $0.identifier() }
        )
        var position: ItemPosition?
        if case (let stream?, let highest?, let lastID?) = origin {
            position = ItemPosition(stream: stream, highest: highest, lastID: lastID)
        }
        let outbox = ItemOutbox(
            stream: stream, base: base, origin: position, acknowledged: try row.number(),
            acknowledgedID: try row.optional { try $0.identifier() }, released: try row.number(), items: items(track))
        return (track, outbox)
    }

    private static func position(_ row: EarlierRow) throws -> (ItemTrack, ItemPosition) {
        var row = row
        let track = try row.track()
        let (stream, highest) = (try row.identifier(), try row.number())
        return (track, ItemPosition(stream: stream, highest: highest, lastID: try row.identifier()))
    }

    private static func receivedItem(_ row: EarlierRow) throws -> ReceivedItem {
        var row = row
        row.skip()
        let (id, isUrgent) = (try row.identifier(), try row.boolean())
        return ReceivedItem(id: id, payload: try row.bytes(), isUrgent: isUrgent)
    }

    private static func id(_ row: EarlierRow) throws -> RandomID {
        var row = row
        row.skip()
        return try row.identifier()
    }

    private static func outgoing(_ row: EarlierRow) throws -> OutgoingFile {
        var row = row
        return OutgoingFile(number: try row.number(), file: try row.text(), offer: try row.offer())
    }

    private static func result(_ row: EarlierRow) throws -> FileResult {
        var row = row
        row.skip()
        let id = try row.identifier()
        let (code, words) = (try row.optional { try $0.text() }, try row.optional { try $0.text() })
        return FileResult(id: id, failure: code.map { FileFailure(FileFailure.Cause(code: $0), words ?? "") })
    }

    private static func delivered(_ row: EarlierRow) throws -> FileOffer {
        var row = row
        row.skip()
        return try row.offer()
    }

    // MARK: - Keyed store

    /// The migrations and tables of a keyed store.
    static let keyedSteps = ["1 values"]
    static let keyedTables = ["head", "value"]

    /// Reads the contents of a keyed store.
    static func keyed(_ database: Database) throws -> [(key: String, value: [UInt8])] {
        var head = try only("head", database)
        head.skip()
        head.skip()
        let sum = RowSum(count: try head.integer(), checksums: try head.integer())
        guard try Self.sum(["value"], database) == sum else {
            throw CorruptionError(finding: "the rows of the table value are not those that were written")
        }
        return try rows("value", database).map { row in
            var row = row
            return (key: try row.text(), value: try row.bytes())
        }
    }

    // MARK: - A damaged store of a watch

    /// What can still be read from a watch's damaged store.
    struct Recovered {
        var uploads: [Upload] = []
        var journal: [Edit] = []
        var snapshot: Snapshot?
        var fence: EpochFence?
        var deletions: [SeenDeletion]?
        var transfers = TransferState()
        /// The original number of rows; nil if it is unknown.
        var expectedCount: Int64?
    }

    /// Reads what can still be read from a watch's damaged store.
    static func recover(_ scan: RecoveryScan) -> Recovered {
        var found = Recovered()
        let database = scan.database
        func rows<Value>(
            _ table: String, by key: String..., isPeers: Bool = true, _ value: (EarlierRow) throws -> Value
        ) -> [Value] {
            scan.rows(of: table, by: key) { row in
                var row = try EarlierRow(checking: row, of: table)
                if isPeers { row.skip() }
                return try value(row)
            }
        }
        found.uploads = rows("upload", by: "sequence", isPeers: false) { try upload($0).upload }
        found.journal = rows("journal", by: "ordinal", isPeers: false) { try edit($0) }
        found.fence = try? fence(database)
        found.snapshot = try? snapshot(database)
        found.deletions = try? deletions(database)
        let head = try? Self.rows("exchange", database).first.map { try Head($0) }
        var (exchange, files) = (Exchange.State(), FileExchange.State())
        exchange.budget = head?.budget ?? UrgentBudget()
        _ = rows("track", by: "peer", "track") { _ in }
        let items = rows("item", by: "place", isPeers: false) { try item($0) }
        for track in ItemTrack.allCases {
            exchange.outboxes[track] = ItemOutbox(items: items.filter { $0.0 == track }.map(\.1))
        }
        var positions = ItemPositions()
        let places = rows("position", by: "peer", "track") { try position($0) }
        for (track, position) in places { positions[track] = position }
        exchange.inbox = ItemInbox(
            positions: positions, recent: rows("arrival", by: "peer", "ordinal") { try id($0) },
            items: rows("inbox", by: "peer", "ordinal") { try receivedItem($0) })
        files.queue = rows("outgoing", by: "peer", "number") { try outgoing($0) }
        files.results = rows("result", by: "peer", "ordinal") { try result($0) }
        files.received = rows("delivered", by: "peer", "ordinal") { try delivered($0) }
        files.finished = rows("finished", by: "peer", "ordinal") { try id($0) }
        _ = rows("incoming", by: "peer") { _ in }
        files.lastNumber = max(head?.lastFile ?? 0, files.queue.last?.number ?? 0)
        found.transfers = TransferState(exchange: exchange, files: files)
        // A store without any transfers has no head for them.
        found.expectedCount = try? numbering(database).1.count + (head?.sum.count ?? 0)
        return found
    }

    // MARK: - Rows

    private static func rows(_ table: String, _ database: Database) throws -> [EarlierRow] {
        try rows(table, "", database)
    }

    private static func rows(_ table: String, _ rest: String, _ database: Database) throws -> [EarlierRow] {
        try Row.fetchAll(database, sql: "SELECT * FROM \(table) \(rest)").map {
            try EarlierRow(checking: $0, of: table)
        }
    }

    private static func only(_ table: String, _ database: Database) throws -> EarlierRow {
        let rows = try rows(table, database)
        guard let row = rows.first, rows.count == 1 else {
            throw CorruptionError(finding: "the table \(table) has no single row")
        }
        return row
    }

    private static func sum(_ tables: [String], _ database: Database) throws -> RowSum {
        try tables.reduce(RowSum()) { sum, table in
            let row = try Row.fetchOne(database, sql: "SELECT count(*), coalesce(sum(checksum), 0) FROM \(table)")
            return sum + RowSum(count: row?[0] ?? 0, checksums: row?[1] ?? 0)
        }
    }
}

/// Reads the columns of a row from left to right.
private struct EarlierRow {
    let table: String
    let values: [DatabaseValue]
    let checksum: Int64
    private var position = 0

    private init(table: String, values: [DatabaseValue], checksum: Int64) {
        self.table = table
        self.values = values
        self.checksum = checksum
    }

    /// Reads all columns of a row except the last one, which must contain their checksum.
    init(checking row: Row, of table: String) throws {
        var values = Array(row.databaseValues)
        let stored = values.popLast()
        let checksum = Self.checksum(of: values)
        guard stored == checksum.databaseValue else {
            throw CorruptionError(finding: "a row of the table \(table) does not fit its checksum")
        }
        self.init(table: table, values: values, checksum: checksum)
    }

    /// The checksum of the values as that format computed it: over a tag, the length and the bytes of each value.
    private static func checksum(of values: [DatabaseValue]) -> Int64 {
        var crc = CRC32C()
        func update(_ tag: UInt8, _ bytes: [UInt8]) {
            crc.update([tag] + bigEndian(UInt64(bytes.count)) + bytes)
        }
        func bigEndian(_ number: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        for value in values {
            switch value.storage {
            case .null: update(0, [])
            case .int64(let number): update(1, bigEndian(UInt64(bitPattern: number)))
            case .double(let number): update(2, bigEndian(number.bitPattern))
            case .string(let text): update(3, Array(text.utf8))
            case .blob(let blob): update(4, Array(blob))
            }
        }
        return Int64(crc.value)
    }

    /// Skips a column.
    mutating func skip() { position += 1 }

    mutating func integer() throws -> Int64 { try next { Int64.fromDatabaseValue($0) } }

    mutating func counter() throws -> UInt32 { try next { UInt32.fromDatabaseValue($0) } }

    mutating func number() throws -> UInt64 {
        try next { String.fromDatabaseValue($0).flatMap { JSONValue.string($0).hexadecimal } }
    }

    mutating func identifier() throws -> RandomID {
        try next { String.fromDatabaseValue($0).flatMap { RandomID(hexadecimal: $0) } }
    }

    /// An id that is stored as 16 bytes.
    mutating func identifierOfBytes() throws -> RandomID {
        try next { value in
            guard let bytes = Data.fromDatabaseValue(value), bytes.count == 16 else { return nil }
            func number(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            return RandomID(high: number(bytes.prefix(8)), low: number(bytes.suffix(8)))
        }
    }

    mutating func peer() throws -> PeerKey {
        try next { String.fromDatabaseValue($0).flatMap { PeerKey(hexadecimal: $0) } }
    }

    mutating func word() throws -> String { try next { String.fromDatabaseValue($0) } }

    mutating func boolean() throws -> Bool { try next { Bool.fromDatabaseValue($0) } }

    mutating func bytes() throws -> [UInt8] { try next { Data.fromDatabaseValue($0).map { Array($0) } } }

    mutating func text() throws -> String {
        let bytes = try bytes()
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unfit }
        return text
    }

    /// The value that `read` returns; nil if the column is NULL.
    mutating func optional<Value>(_ read: (inout EarlierRow) throws -> Value) throws -> Value? {
        if position < values.count, values[position].isNull {
            position += 1
            return nil
        }
        return try read(&self)
    }

    private mutating func next<Value>(_ read: (DatabaseValue) -> Value?) throws -> Value {
        guard position < values.count, let value = read(values[position]) else { throw unfit }
        position += 1
        return value
    }

    private var unfit: CorruptionError {
        CorruptionError(finding: "the column \(position) of a row of the table \(table) is unfit")
    }

    // MARK: - Values of several columns

    mutating func version() throws -> Version {
        Version(epoch: Epoch(number: try number()), revision: try number(), chain: try number())
    }

    mutating func stamp() throws -> Stamp {
        Stamp(milliseconds: try integer(), counter: try counter(), node: try number())
    }

    mutating func place() throws -> Cell.Place {
        Cell.Place(epoch: Epoch(number: try number()), revision: try number())
    }

    mutating func track() throws -> ItemTrack {
        guard let track = ItemTrack(rawValue: UInt8(truncatingIfNeeded: try integer())) else { throw unfit }
        return track
    }

    mutating func offer() throws -> FileOffer {
        let (id, name, byteCount) = (try identifier(), try text(), try number())
        guard let digest = FileDigest(hexadecimal: try word()) else { throw unfit }
        return FileOffer(id: id, name: name, byteCount: byteCount, digest: digest, metadata: try bytes())
    }
}
