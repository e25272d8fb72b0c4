internal import GRDB
internal import SyncCore

/// The tables of the transfers between two devices: user info and files.
///
/// A hub has rows for each watch; a watch has rows for its hub. In all tables except ``heads``, a peer is identified by
/// a number in the key; see ``ExchangeHead/key(_:_:)``.
enum ExchangeTables {
    /// The ``ExchangeHead`` of each peer, by the bytes of the peer's key.
    static let heads = RecordTable("exchange", .bytes)
    /// The `ItemOutbox` of each track, without its items.
    static let tracks = RecordTable("track", .numbers)
    /// The queued items, by track and ordinal.
    static let items = RecordTable("item", .numbers)
    /// The position of each incoming track.
    static let positions = RecordTable("position", .numbers)
    /// The received items that the application has not consumed.
    static let inbox = RecordTable("inbox", .numbers, hasIDs: true)
    /// The ids of the latest items received.
    static let arrivals = RecordTable("arrival", .numbers)
    /// The queued files, by number.
    static let outgoing = RecordTable("outgoing", .numbers)
    static let results = RecordTable("result", .numbers)
    /// The file that is being received.
    static let incoming = RecordTable("incoming", .numbers)
    /// The received files that the application has not consumed.
    static let delivered = RecordTable("delivered", .numbers)
    /// The ids of the latest files received.
    static let finished = RecordTable("finished", .numbers, hasIDs: true)

    /// The tables whose rows are included in the heads' sums.
    static let summed = [
        tracks, items, positions, inbox, arrivals, outgoing, results, incoming, delivered, finished,
    ]
    static let all = [heads] + summed

    /// The peer of a watch's rows: its hub.
    static let hub: [UInt8] = []
}

/// The row of a peer with the count and the checksum sum of the peer's other rows.
struct ExchangeHead: Sendable {
    /// The bytes of the peer's key; empty for a watch's hub.
    var peer: [UInt8] = []
    /// The number of the peer in the keys of the other tables, from 1.
    var number: Int64
    var budget = UrgentBudget()
    /// The number of the latest queued file.
    var lastFile: UInt64 = 0
    /// The number of writes so far.
    ///
    /// It shows whether a write that failed late took effect.
    var writeCount: Int64 = 0
    var sum = RowSum()

    private static let ordinalBitCount = 42
    private static let trackBitCount = 1
    private static let peerBitCount = 20

    private init(number: Int64, budget: UrgentBudget, lastFile: UInt64, writeCount: Int64, sum: RowSum) {
        self.number = number
        self.budget = budget
        self.lastFile = lastFile
        self.writeCount = writeCount
        self.sum = sum
    }

    /// Reads the head of a peer.
    ///
    /// A new peer gets the next number.
    init(of peer: [UInt8], _ database: Database) throws {
        if let row = try ExchangeTables.heads.row(at: .bytes(peer), database) {
            self = try row.record()
        } else {
            number = try Self.all(database).reduce(0) { max($0, $1.number) } + 1
        }
        self.peer = peer
    }

    /// Reads the heads of all peers.
    ///
    /// Fails if a row belongs to none of them, because then a head is missing.
    static func all(_ database: Database) throws -> [ExchangeHead] {
        let heads = try ExchangeTables.heads.rows(nil, database).map { row in
            var head: ExchangeHead = try row.record()
            head.peer = row.key.bytes
            return head
        }
        let rows = try ExchangeTables.summed.reduce(RowSum()) { $0 + (try $1.sum(nil, database)) }
        guard heads.reduce(RowSum(), { $0 + $1.sum }) == rows else {
            throw CorruptionError(finding: "the table exchange does not answer for all rows of items and files")
        }
        return heads
    }

    func put(into database: Database) throws {
        try ExchangeTables.heads.put(self, at: .bytes(peer), database)
    }

    /// Fails if rows are missing or outdated.
    func check(_ database: Database) throws {
        guard try ExchangeTables.summed.reduce(RowSum(), { $0 + (try $1.sum(range, database)) }) == sum else {
            throw CorruptionError(finding: "the rows of items and files are not those that were written")
        }
    }

    // MARK: - Keys

    /// The key of a row: the peer's number, the track and the ordinal in one number.
    ///
    ///     peer's number (20 bits) │ track (1) │ ordinal (42)
    ///
    /// Tables without tracks use the first track.
    func key(_ ordinal: UInt64, _ track: ItemTrack = .urgent) throws -> RowKey {
        guard ordinal >> Self.ordinalBitCount == 0, number >> Self.peerBitCount == 0 else {
            throw DatabaseError(
                resultCode: .SQLITE_TOOBIG,
                message: "row \(ordinal) of peer \(number) is beyond what the tables can number")
        }
        return .number(first(of: track) | Int64(ordinal))
    }

    /// The ordinal in a key.
    static func ordinal(_ key: RowKey) -> UInt64 { key.number & (1 << ordinalBitCount - 1) }

    /// The track in a key.
    static func track(_ key: RowKey) -> ItemTrack {
        key.number >> ordinalBitCount & 1 == UInt64(ItemTrack.urgent.rawValue) ? .urgent : .ordinary
    }

    /// The rows of a track.
    func range(of track: ItemTrack) -> RowRange {
        RowRange(.number(first(of: track)), .number(first(of: track) | (1 << Self.ordinalBitCount - 1)))
    }

    /// The rows of a peer.
    var range: RowRange { RowRange(range(of: .urgent).first, range(of: .ordinary).last) }

    private func first(of track: ItemTrack) -> Int64 {
        (number << Self.trackBitCount | Int64(track.rawValue)) << Self.ordinalBitCount
    }

    /// The ordinal for the next row of a table.
    func nextOrdinal(in table: RecordTable, _ database: Database) throws -> UInt64 {
        (try table.bounds(of: range, database).map { Self.ordinal($0.last) } ?? 0) + 1
    }
}

extension ExchangeHead: RecordCodable {
    static func code(_ value: ExchangeHead?, _ coder: inout RecordCoder) throws(CodecError) -> ExchangeHead {
        ExchangeHead(
            number: try coder(value?.number), budget: try coder(value?.budget), lastFile: try coder(value?.lastFile),
            writeCount: try coder(value?.writeCount), sum: try coder(value?.sum))
    }
}
