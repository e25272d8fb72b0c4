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
        /// The checksum of the row that is there, nil if there is none.
        var checksum: Int64?
        var isChanged = false
    }

    private let database: Database
    /// What the commit has come to.
    private(set) var memory: Memory
    private var row = RowBuffer()
    private var insertItem: Statement?
    private var hasArrivals = false

    /// Begins a commit; `memory` is what the last one with this peer came to, unless something went wrong since.
    init(_ database: Database, memory: Memory = Memory()) {
        self.database = database
        self.memory = memory
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
            try head.sum.remove(
                from: "inbox",
                where: """
                    peer = ?1 AND ordinal = (SELECT min(ordinal) FROM inbox WHERE peer = ?1 AND id = ?2)
                    """, [head.peer, id.hexadecimal], database)
        }
    }

    /// Writes what the changes have moved; the commit's last step.
    mutating func finish(_ head: inout ExchangeHead) throws {
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
        if item.isCurrent { try endCurrent(track, &head) }
        try put(item, track, &head)
        try change(track, head) { $0.add() }
    }

    /// Writes the items that were current until now as such that no longer are.
    private mutating func endCurrent(_ track: ItemTrack, _ head: inout ExchangeHead) throws {
        let condition = "peer = ? AND track = ? AND isCurrent = 1"
        let current = try database.rows(
            of: "item", sql: "WHERE \(condition)", arguments: [head.peer, track.rawValue]
        ).map { try ItemRows.item($0, skipping: 2) }
        guard !current.isEmpty else { return }
        try head.sum.remove(from: "item", where: condition, [head.peer, track.rawValue], database)
        for var item in current {
            item.isCurrent = false
            try put(item, track, &head)
        }
    }

    private mutating func acknowledge(_ number: UInt64, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        let numbering = try numbering(of: track, head)
        guard numbering.isNews(number) else { return }
        let count = number - numbering.acknowledged
        let found = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT ordinal, id FROM item WHERE peer = ? AND track = ? ORDER BY ordinal LIMIT 1 OFFSET ?"),
            arguments: [head.peer, track.rawValue, Int64(count) - 1])
        guard let found, let ordinal = found[0] as String?,
            let id = (found[1] as String?).flatMap(RandomID.init(hexadecimal:))
        else { throw Damage(finding: "the table item lacks rows that the table track counts") }
        try head.sum.remove(
            from: "item", where: "peer = ? AND track = ? AND ordinal <= ?", [head.peer, track.rawValue, ordinal],
            database)
        try change(track, head) { $0.acknowledge(through: number, id) }
    }

    private mutating func cancel(_ id: RandomID, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        let ordinals = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT ordinal FROM item WHERE peer = ?1 AND track = ?2 AND ordinal <= (
                        SELECT min(ordinal) FROM item WHERE peer = ?1 AND track = ?2 AND id = ?3)
                    """), arguments: [head.peer, track.rawValue, id.hexadecimal])
        guard let ordinal = ordinals.max() else { return }
        try head.sum.remove(
            from: "item", where: "peer = ? AND track = ? AND ordinal = ?", [head.peer, track.rawValue, ordinal],
            database)
        try change(track, head) { $0.cancel($0.acknowledged + UInt64(ordinals.count)) }
    }

    private mutating func numbering(of track: ItemTrack, _ head: ExchangeHead) throws -> ItemNumbering {
        if let kept = memory.numberings[track] { return kept.value }
        let stored = try ItemRows.numbering(of: track, head, database)
        let numbering = stored?.numbering ?? ItemNumbering()
        memory.numberings[track] = Kept(value: numbering, checksum: stored?.checksum)
        return numbering
    }

    private mutating func change(
        _ track: ItemTrack, _ head: ExchangeHead, _ change: (inout ItemNumbering) -> Void
    ) throws {
        var numbering = try numbering(of: track, head)
        change(&numbering)
        memory.numberings[track]?.value = numbering
        memory.numberings[track]?.isChanged = true
    }

    // MARK: - What comes in

    private mutating func move(_ track: ItemTrack, to position: ItemPosition, _ head: ExchangeHead) throws {
        let checksum = try memory.positions[track].map(\.checksum) ?? storedChecksum(of: track, head)
        memory.positions[track] = Kept(value: position, checksum: checksum, isChanged: true)
    }

    /// The checksum of the row that says where a track is, nil if there is none.
    private func storedChecksum(of track: ItemTrack, _ head: ExchangeHead) throws -> Int64? {
        try database.rows(
            of: "position", sql: "WHERE peer = ? AND track = ?", arguments: [head.peer, track.rawValue]
        ).first?.checksum
    }

    // MARK: - Rows

    private mutating func put(_ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        begin(head)
        row.append(Int64(track.rawValue))
        row.append(item.ordinal)
        row.append(item.id)
        row.append(item.isCurrent ? 1 : 0)
        row.append(item.payload)
        let statement = try insertItem ?? row.insertion(into: "item", database)
        insertItem = statement
        try head.sum.put(row, by: statement, database)
    }

    private mutating func put(
        _ kept: Kept<ItemNumbering>, _ track: ItemTrack, _ head: inout ExchangeHead
    ) throws {
        let numbering = kept.value
        begin(head)
        row.append(Int64(track.rawValue))
        row.append(numbering.stream)
        row.append(numbering.base)
        row.append(numbering.origin?.stream)
        row.append(numbering.origin?.highest)
        row.append(numbering.origin?.lastID)
        row.append(numbering.acknowledged)
        row.append(numbering.acknowledgedID)
        row.append(numbering.released)
        row.append(Int64(numbering.itemCount))
        try head.sum.put(row, into: "track", replacing: kept.checksum, database)
        memory.numberings[track] = Kept(value: numbering, checksum: row.checksum)
    }

    private mutating func put(
        _ kept: Kept<ItemPosition>, _ track: ItemTrack, _ head: inout ExchangeHead
    ) throws {
        let position = kept.value
        begin(head)
        row.append(Int64(track.rawValue))
        row.append(position.stream)
        row.append(position.highest)
        row.append(position.lastID)
        try head.sum.put(row, into: "position", replacing: kept.checksum, database)
        memory.positions[track] = Kept(value: position, checksum: row.checksum)
    }

    private mutating func put(_ item: ReceivedItem, _ head: inout ExchangeHead) throws {
        let ordinal = try memory.nextInbox ?? head.nextOrdinal(in: "inbox", database)
        memory.nextInbox = ordinal + 1
        begin(head)
        row.append(ordinal)
        row.append(item.id)
        row.append(item.isUrgent ? 1 : 0)
        row.append(item.payload)
        try head.sum.put(row, into: "inbox", database)
    }

    private mutating func note(_ id: RandomID, _ head: inout ExchangeHead) throws {
        let ordinal = try memory.nextArrival ?? head.nextOrdinal(in: "arrival", database)
        memory.nextArrival = ordinal + 1
        hasArrivals = true
        begin(head)
        row.append(ordinal)
        row.append(id)
        try head.sum.put(row, into: "arrival", database)
    }

    private mutating func begin(_ head: ExchangeHead) {
        row.removeAll()
        row.append(text: head.peer)
    }
}
