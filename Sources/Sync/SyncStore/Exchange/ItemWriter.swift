internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// Writes what one commit changes of the user info with a peer: a row for each item, and one at the end for each track
/// that has moved, however many items moved it.
struct ItemWriter {
    /// What the next commit with the same peer need not read again.
    struct Memory: Sendable {
        fileprivate var numberings: PerTrack<Kept<ItemNumbering>?> = PerTrack(urgent: nil, ordinary: nil)
        fileprivate var positions: PerTrack<Kept<ItemPosition>?> = PerTrack(urgent: nil, ordinary: nil)
        fileprivate var nextInbox: Int64?
        fileprivate var nextArrival: Int64?
    }

    /// What a row holds, or will hold at the end of the commit.
    fileprivate struct Kept<Value: Sendable>: Sendable {
        var value: Value
        /// The checksum of the row that is there, or nil.
        var checksum: Int64?
        var isChanged = false

        /// Changes the value; a row that says the same of it stays as it is.
        mutating func change(_ change: (inout Value) -> Void, unless saysTheSame: (Value) -> Bool) {
            change(&value)
            if checksum == nil || !saysTheSame(value) { isChanged = true }
        }
    }

    private let database: Database
    /// What the commit has come to.
    private(set) var memory: Memory
    private var hasArrivals = false
    /// The rows that are still to be put into their tables, several at a time.
    private var items: RowBuffer
    private var inbox: RowBuffer
    private var arrivals: RowBuffer

    /// The most rows, and about the most bytes, that wait.
    private static let waitingMax = (rowCount: 64, byteCount: 65_536)

    /// Begins a commit with a peer; `memory` is what the last one with it came to, unless something went wrong since.
    init(_ database: Database, peer: String, memory: Memory = Memory()) {
        self.database = database
        self.memory = memory
        var rows = RowBuffer()
        rows.append(text: peer)
        rows.keepAsCommon()
        (items, inbox, arrivals) = (RowBuffer(), rows, rows)
    }

    // MARK: - Changes

    /// Does to the rows what ``Exchange/State/apply(_:)-(Exchange.Change)`` does to a state.
    mutating func append(_ change: Exchange.Change, _ head: inout ExchangeHead) throws {
        switch change {
        case .added(let item, let track): try add(item, track, &head)
        case .released(let track, let number): try self.change(track, head) { $0.release(through: number) }
        case .acknowledged(let track, let number): try acknowledge(number, track, &head)
        case .cancelled(let track, let id): try cancel(id, track, &head)
        case .renumbered(let track, let stream, let origin):
            try self.change(track, head) { $0.renumber(stream, from: origin) }
        case .spent(let budget): head.budget = budget
        case .received(let item, let position):
            try put(item, &head)
            try move(item.isUrgent ? .urgent : .ordinary, to: position, head)
            try note(item.id, &head)
        case .passed(let track, let position): try move(track, to: position, head)
        case .consumed(let id):
            try Self.write(&inbox, into: "inbox", &head, database)
            try head.sum.remove(
                from: "inbox",
                where: """
                    peer = ?1 AND ordinal = (SELECT min(ordinal) FROM inbox WHERE peer = ?1 AND id = ?2)
                    """, [head.peer, id.hexadecimal], database)
        }
    }

    /// Writes what the changes have moved; the commit's last step.
    mutating func finish(_ head: inout ExchangeHead) throws {
        try Self.write(&items, into: "item", &head, database)
        try Self.write(&inbox, into: "inbox", &head, database)
        try Self.write(&arrivals, into: "arrival", &head, database)
        for track in ItemTrack.allCases {
            if let numbering = memory.numberings[track], numbering.isChanged { try put(numbering, track, &head) }
            if let position = memory.positions[track], position.isChanged { try put(position, track, &head) }
        }
        guard hasArrivals, let next = memory.nextArrival else { return }
        try head.sum.remove(
            from: "arrival", where: "peer = ? AND ordinal < ?", [head.peer, next - Int64(ItemInbox.recentCountMax)],
            database)
    }

    /// Writes a whole state, for a peer that has no rows yet.
    mutating func fill(with state: Exchange.State, _ head: inout ExchangeHead) throws {
        head.budget = state.budget
        for track in ItemTrack.allCases {
            for item in state.outboxes[track].items { try put(item, track, &head) }
            try change(track, head) { $0 = state.outboxes[track].numbering }
            if let position = state.inbox.positions[track] { try move(track, to: position, head) }
        }
        for item in state.inbox.items { try put(item, &head) }
        for id in state.inbox.recent { try note(id, &head) }
    }

    // MARK: - What goes out

    private mutating func add(_ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        // While those that are counted are all in the table.
        _ = try numbering(of: track, head)
        if item.isCurrent { try endCurrent(track, &head) }
        try put(item, track, &head)
        try change(track, head) { $0.add() }
    }

    /// Writes the items that were current until now as such that no longer are.
    private mutating func endCurrent(_ track: ItemTrack, _ head: inout ExchangeHead) throws {
        try Self.write(&items, into: "item", &head, database)
        let condition = "place BETWEEN ? AND ? AND isCurrent = 1"
        let places = ItemRowKey.all(of: track, head)
        let current = try database.rows(of: "item", sql: "WHERE \(condition)", arguments: places)
            .map { try ItemRows.item($0).1 }
        guard !current.isEmpty else { return }
        try head.sum.remove(from: "item", where: condition, places, database)
        for var item in current {
            item.isCurrent = false
            try put(item, track, &head)
        }
    }

    private mutating func acknowledge(_ number: UInt64, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        let numbering = try numbering(of: track, head)
        guard numbering.isNews(number) else { return }
        try Self.write(&items, into: "item", &head, database)
        let count = number - numbering.acknowledged
        let found = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT place, id FROM item WHERE place BETWEEN ? AND ? ORDER BY place LIMIT 1 OFFSET ?"),
            arguments: ItemRowKey.all(of: track, head) + [Int64(count) - 1])
        guard let found, let place = found[0] as Int64?, let id = (found[1] as Data?).flatMap(RandomID.init(column:))
        else { throw Damage(finding: "the table item lacks rows that the table track counts") }
        try head.sum.remove(
            from: "item", where: "place BETWEEN ? AND ? AND place <= ?", ItemRowKey.all(of: track, head) + [place],
            database)
        try change(track, head) { $0.acknowledge(through: number, id) }
    }

    private mutating func cancel(_ id: RandomID, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        try Self.write(&items, into: "item", &head, database)
        // While the item is still one of those that are counted.
        _ = try numbering(of: track, head)
        let places = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT place FROM item WHERE place BETWEEN ?1 AND ?2 AND place <= (
                        SELECT min(place) FROM item WHERE place BETWEEN ?1 AND ?2 AND id = ?3) ORDER BY place
                    """), arguments: ItemRowKey.all(of: track, head) + [id.column])
        guard let place = places.last else { return }
        try head.sum.remove(from: "item", where: "place = ?", [place], database)
        try change(track, head) { $0.cancel($0.acknowledged + UInt64(places.count)) }
    }

    private mutating func numbering(of track: ItemTrack, _ head: ExchangeHead) throws -> ItemNumbering {
        if let kept = memory.numberings[track] { return kept.value }
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM item WHERE place BETWEEN ? AND ?"),
            arguments: ItemRowKey.all(of: track, head))
        let stored = try ItemRows.numbering(of: track, itemCount: count ?? 0, head, database)
        memory.numberings[track] = Kept(value: stored.numbering, checksum: stored.checksum)
        return stored.numbering
    }

    private mutating func change(
        _ track: ItemTrack, _ head: ExchangeHead, _ change: (inout ItemNumbering) -> Void
    ) throws {
        let before = try numbering(of: track, head)
        memory.numberings[track]?.change(change, unless: { $0.numbersAlike(before) })
    }

    // MARK: - What comes in

    private mutating func move(_ track: ItemTrack, to position: ItemPosition, _ head: ExchangeHead) throws {
        let checksum = try memory.positions[track].map(\.checksum) ?? storedChecksum(of: track, head)
        memory.positions[track] = Kept(value: position, checksum: checksum, isChanged: true)
    }

    /// The checksum of the row that says where a track is, or nil.
    private func storedChecksum(of track: ItemTrack, _ head: ExchangeHead) throws -> Int64? {
        try database.rows(
            of: "position", sql: "WHERE peer = ? AND track = ?", arguments: [head.peer, track.rawValue]
        ).first?.checksum
    }

    // MARK: - Rows

    private mutating func put(_ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        try ItemRows.append(item, track, head, to: &items)
        try Self.writeIfMany(&items, into: "item", &head, database)
    }

    private mutating func put(_ item: ReceivedItem, _ head: inout ExchangeHead) throws {
        let ordinal = try memory.nextInbox ?? head.nextOrdinal(in: "inbox", database)
        memory.nextInbox = ordinal + 1
        inbox.append(ordinal)
        inbox.append(item.id)
        inbox.append(item.isUrgent ? 1 : 0)
        inbox.append(item.payload)
        inbox.endRow()
        try Self.writeIfMany(&inbox, into: "inbox", &head, database)
    }

    private mutating func note(_ id: RandomID, _ head: inout ExchangeHead) throws {
        let ordinal = try memory.nextArrival ?? head.nextOrdinal(in: "arrival", database)
        memory.nextArrival = ordinal + 1
        hasArrivals = true
        arrivals.append(ordinal)
        arrivals.append(id)
        arrivals.endRow()
        try Self.writeIfMany(&arrivals, into: "arrival", &head, database)
    }

    /// Writes the rows of a table that wait if they are many; else they wait for more.
    private static func writeIfMany(
        _ rows: inout RowBuffer, into table: String, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        if rows.rowCount == waitingMax.rowCount || rows.byteCount >= waitingMax.byteCount {
            try write(&rows, into: table, &head, database)
        }
    }

    /// Writes the rows of a table that wait, before somebody looks into it.
    private static func write(
        _ rows: inout RowBuffer, into table: String, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        guard rows.rowCount > 0 else { return }
        try head.sum.put(rows, into: table, database)
        rows.removeRows()
    }

    private mutating func put(
        _ kept: Kept<ItemNumbering>, _ track: ItemTrack, _ head: inout ExchangeHead
    ) throws {
        let numbering = kept.value
        var row = begun(head)
        row.append(Int64(track.rawValue))
        row.append(numbering.stream)
        row.append(numbering.base)
        row.append(numbering.origin?.stream)
        row.append(numbering.origin?.highest)
        row.append(numbering.origin?.lastID)
        row.append(numbering.acknowledged)
        row.append(numbering.acknowledgedID)
        row.append(numbering.released)
        row.endRow()
        try head.sum.put(row, into: "track", replacing: kept.checksum, database)
        memory.numberings[track] = Kept(value: numbering, checksum: row.checksums)
    }

    private mutating func put(
        _ kept: Kept<ItemPosition>, _ track: ItemTrack, _ head: inout ExchangeHead
    ) throws {
        let position = kept.value
        var row = begun(head)
        row.append(Int64(track.rawValue))
        row.append(position.stream)
        row.append(position.highest)
        row.append(position.lastID)
        row.endRow()
        try head.sum.put(row, into: "position", replacing: kept.checksum, database)
        memory.positions[track] = Kept(value: position, checksum: row.checksums)
    }

    private func begun(_ head: ExchangeHead) -> RowBuffer {
        var row = RowBuffer()
        row.append(text: head.peer)
        return row
    }
}
