internal import GRDB
internal import SyncCore

/// Writes the changes of one commit to the user info of a peer: a row for each item, and at the end one row for each
/// changed track, regardless of the number of items.
struct ItemWriter {
    /// Values that the next commit with the same peer does not need to read again.
    struct Memory: Sendable {
        fileprivate var numberings: PerTrack<CachedRow<ItemNumbering>?> = PerTrack(urgent: nil, ordinary: nil)
        fileprivate var positions: PerTrack<CachedRow<ItemPosition>?> = PerTrack(urgent: nil, ordinary: nil)
        /// The keys of the items that can be current; nil if they were not read yet.
        fileprivate var currents: PerTrack<[RowKey]?> = PerTrack(urgent: nil, ordinary: nil)
        fileprivate var nextInbox: UInt64?
        fileprivate var nextArrival: UInt64?
    }

    /// The value of a row at the end of the commit.
    fileprivate struct CachedRow<Value: Sendable>: Sendable {
        var value: Value
        /// The checksum of the stored row; nil if there is none.
        var checksum: Int64?
        var isChanged = false

        /// Changes the value.
        ///
        /// The row is not written if `saysTheSame` returns true for the new value.
        mutating func change(_ change: (inout Value) -> Void, unless saysTheSame: (Value) -> Bool) {
            change(&value)
            if checksum == nil || !saysTheSame(value) { isChanged = true }
        }
    }

    private let database: Database
    /// The memory for the next commit.
    private(set) var memory: Memory
    private var hasArrivals = false

    /// Begins a commit with a peer.
    ///
    /// `memory` comes from the last commit with the same peer, if that succeeded.
    init(_ database: Database, memory: Memory = Memory()) {
        self.database = database
        self.memory = memory
    }

    // MARK: - Changes

    /// Applies a change to the rows, as `Exchange.State.apply(_:)` applies it to a state.
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
            guard let key = try ExchangeTables.inbox.key(of: id, in: head.range, database) else { return }
            try ExchangeTables.inbox.remove(RowRange(key), &head.sum, database)
        }
    }

    /// Writes the changed track rows.
    ///
    /// Call it last in the commit.
    mutating func finish(_ head: inout ExchangeHead) throws {
        for track in ItemTrack.allCases {
            if let numbering = memory.numberings[track], numbering.isChanged { try put(numbering, track, &head) }
            if let position = memory.positions[track], position.isChanged { try put(position, track, &head) }
        }
        let recentCountMax = UInt64(ItemInbox.recentCountMax)
        guard hasArrivals, let next = memory.nextArrival, next > recentCountMax + 1 else { return }
        let oldest = try head.key(next - 1 - recentCountMax)
        try ExchangeTables.arrivals.remove(RowRange(head.range.first, oldest), &head.sum, database)
    }

    /// Writes a complete state for a peer that has no rows yet.
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

    // MARK: - Outgoing items

    private mutating func add(_ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        // Read first, while the table still has exactly the items that the numbering counts.
        _ = try numbering(of: track, head)
        if item.isCurrent {
            try endCurrent(track, &head)
            memory.currents[track] = [try head.key(item.ordinal, track)]
        }
        try put(item, track, &head)
        try change(track, head) { $0.add() }
    }

    /// Marks the items that have been current as no longer current.
    private func endCurrent(_ track: ItemTrack, _ head: inout ExchangeHead) throws {
        for key in try memory.currents[track] ?? currentKeys(of: track, head) {
            guard let row = try ExchangeTables.items.row(at: key, database) else { continue }
            var item: Item = try row.record()
            item.isCurrent = false
            try ExchangeTables.items.replace(item, at: key, &head.sum, database)
        }
    }

    private func currentKeys(of track: ItemTrack, _ head: ExchangeHead) throws -> [RowKey] {
        // The last byte of an encoded item is its `isCurrent` flag.
        let statement = try database.cachedStatement(
            sql: "SELECT key FROM item WHERE key BETWEEN ? AND ? AND substr(record, -1) = x'01'")
        return try Int64.fetchAll(statement, arguments: head.range(of: track).arguments).map { .number($0) }
    }

    private mutating func acknowledge(_ number: UInt64, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        let numbering = try numbering(of: track, head)
        guard numbering.isNews(number) else { return }
        let count = Int(number - numbering.acknowledged)
        let range = head.range(of: track)
        guard let row = try ExchangeTables.items.row(count - 1, in: range, database) else {
            throw CorruptionError(finding: "the table item lacks rows that the table track counts")
        }
        let last: Item = try row.record()
        try ExchangeTables.items.remove(RowRange(range.first, row.key), &head.sum, database)
        try change(track, head) { $0.acknowledge(through: number, last.id) }
    }

    private mutating func cancel(_ id: RandomID, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        // Read first, while the table still has the item.
        _ = try numbering(of: track, head)
        let statement = try database.cachedStatement(sql: "SELECT * FROM item WHERE key BETWEEN ? AND ? ORDER BY key")
        let rows = try Row.fetchCursor(statement, arguments: head.range(of: track).arguments)
        var found: (key: RowKey, position: UInt64)?
        var position: UInt64 = 0
        while found == nil, let row = try rows.next() {
            position += 1
            let row = try ExchangeTables.items.row(row)
            let item: Item = try row.record()
            if item.id == id { found = (row.key, position) }
        }
        guard let found else { return }
        try ExchangeTables.items.remove(RowRange(found.key), &head.sum, database)
        try change(track, head) { $0.cancel($0.acknowledged + found.position) }
    }

    private mutating func numbering(of track: ItemTrack, _ head: ExchangeHead) throws -> ItemNumbering {
        if let kept = memory.numberings[track] { return kept.value }
        let count = Int(try ExchangeTables.items.sum(head.range(of: track), database).count)
        let stored = try ItemRows.numbering(of: track, itemCount: count, head, database)
        memory.numberings[track] = CachedRow(value: stored.numbering, checksum: stored.checksum)
        return stored.numbering
    }

    private mutating func change(
        _ track: ItemTrack, _ head: ExchangeHead, _ change: (inout ItemNumbering) -> Void
    ) throws {
        let before = try numbering(of: track, head)
        memory.numberings[track]?.change(change, unless: { $0.numbersAlike(before) })
    }

    // MARK: - Incoming items

    private mutating func move(_ track: ItemTrack, to position: ItemPosition, _ head: ExchangeHead) throws {
        let checksum =
            try memory.positions[track].map(\.checksum)
            ?? ExchangeTables.positions.row(at: head.key(0, track), database)?.checksum
        memory.positions[track] = CachedRow(value: position, checksum: checksum, isChanged: true)
    }

    // MARK: - Rows

    private func put(_ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead) throws {
        try ExchangeTables.items.insert(item, at: head.key(item.ordinal, track), &head.sum, database)
    }

    private mutating func put(_ item: ReceivedItem, _ head: inout ExchangeHead) throws {
        let ordinal = try memory.nextInbox ?? head.nextOrdinal(in: ExchangeTables.inbox, database)
        memory.nextInbox = ordinal + 1
        try ExchangeTables.inbox.insert(item, at: head.key(ordinal), &head.sum, database)
    }

    private mutating func note(_ id: RandomID, _ head: inout ExchangeHead) throws {
        let ordinal = try memory.nextArrival ?? head.nextOrdinal(in: ExchangeTables.arrivals, database)
        memory.nextArrival = ordinal + 1
        hasArrivals = true
        try ExchangeTables.arrivals.insert(id, at: head.key(ordinal), &head.sum, database)
    }

    private mutating func put(
        _ kept: CachedRow<ItemNumbering>, _ track: ItemTrack, _ head: inout ExchangeHead
    ) throws {
        let numbering = kept.value
        let row = ItemOutbox(
            stream: numbering.stream, base: numbering.base, origin: numbering.origin,
            acknowledged: numbering.acknowledged, acknowledgedID: numbering.acknowledgedID,
            released: numbering.released)
        let checksum = try ExchangeTables.tracks.replace(
            row, at: head.key(0, track), of: kept.checksum, &head.sum, database)
        memory.numberings[track] = CachedRow(value: numbering, checksum: checksum)
    }

    private mutating func put(
        _ kept: CachedRow<ItemPosition>, _ track: ItemTrack, _ head: inout ExchangeHead
    ) throws {
        let checksum = try ExchangeTables.positions.replace(
            kept.value, at: head.key(0, track), of: kept.checksum, &head.sum, database)
        memory.positions[track] = CachedRow(value: kept.value, checksum: checksum)
    }
}
