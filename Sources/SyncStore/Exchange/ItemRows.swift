internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// The rows of user info in both directions; a change writes the rows that it changes, and no others.
enum ItemRows {
    /// The numbering of a track, without its items.
    private struct Track {
        var stream: RandomID?
        var base: UInt64 = 0
        var origin: ItemPosition?
        var acknowledged: UInt64 = 0
        var acknowledgedID: RandomID?
        var released: UInt64 = 0
        var itemCount: UInt64 = 0

        var last: UInt64 { acknowledged + itemCount }

        mutating func renumber(_ stream: RandomID, from origin: ItemPosition?) {
            let sentCount = released - acknowledged
            self.stream = stream
            self.origin = origin
            base = max(acknowledged, origin?.highest ?? 0)
            acknowledged = base
            acknowledgedID = nil
            released = base + sentCount
        }
    }

    // MARK: - Writing

    /// Does to the rows what ``Exchange/State/apply(_:)-(Exchange.Change)`` does to a state.
    static func append(_ change: Exchange.Change, _ head: inout ExchangeHead, _ database: Database) throws {
        switch change {
        case .added(let item, let track): try add(item, track, &head, database)
        case .released(let track, let number):
            try self.change(track, &head, database) { $0.released = min(max($0.released, number), $0.last) }
        case .acknowledged(let track, let number): try acknowledge(number, track, &head, database)
        case .cancelled(let track, let id): try cancel(id, track, &head, database)
        case .renumbered(let track, let stream, let origin):
            try self.change(track, &head, database) { $0.renumber(stream, from: origin) }
        case .spent(let budget): head.budget = budget
        case .received(let item, let position): try receive(item, position, &head, database)
        case .passed(let track, let position): try move(to: position, track, &head, database)
        case .consumed(let id):
            try head.sum.remove(
                from: "inbox",
                where: """
                    peer = ?1 AND ordinal = (SELECT min(ordinal) FROM inbox WHERE peer = ?1 AND id = ?2)
                    """, [head.peer, id.hexadecimal], database)
        }
    }

    private static func add(
        _ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        if item.isCurrent { try endCurrent(track, &head, database) }
        try put(item, track, &head, database)
        try change(track, &head, database) { $0.itemCount += 1 }
    }

    /// Writes the items that were current until now as such that no longer are.
    private static func endCurrent(_ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database) throws {
        let condition = "peer = ? AND track = ? AND isCurrent = 1"
        let current = try database.rows(
            of: "item", sql: "WHERE \(condition)", arguments: [head.peer, track.rawValue]
        ).map { try item($0, skipping: 2) }
        guard !current.isEmpty else { return }
        try head.sum.remove(from: "item", where: condition, [head.peer, track.rawValue], database)
        for var item in current {
            item.isCurrent = false
            try put(item, track, &head, database)
        }
    }

    private static func put(
        _ item: Item, _ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        try head.sum.put(
            [
                head.peer, Int64(track.rawValue), item.ordinal.column, item.id.hexadecimal,
                Int64(item.isCurrent ? 1 : 0), Data(item.payload),
            ], into: "item", database)
    }

    private static func acknowledge(
        _ number: UInt64, _ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        let state = try self.track(track, head, database)
        guard number > state.acknowledged, number <= state.last else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT ordinal, id FROM item WHERE peer = ? AND track = ? ORDER BY ordinal LIMIT 1 OFFSET ?"),
            arguments: [head.peer, track.rawValue, Int64(number - state.acknowledged) - 1])
        guard let row, let ordinal = row[0] as String?,
            let id = (row[1] as String?).flatMap(RandomID.init(hexadecimal:))
        else { throw Damage(finding: "the table item lacks rows that the table track counts") }
        let arrived = try head.sum.remove(
            from: "item", where: "peer = ? AND track = ? AND ordinal <= ?", [head.peer, track.rawValue, ordinal],
            database)
        try change(track, &head, database) {
            $0.acknowledgedID = id
            $0.acknowledged = number
            $0.itemCount -= UInt64(arrived)
            $0.released = max($0.released, number)
        }
    }

    private static func cancel(
        _ id: RandomID, _ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database
    ) throws {
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
        try change(track, &head, database) {
            if $0.acknowledged + UInt64(ordinals.count) <= $0.released { $0.released -= 1 }
            $0.itemCount -= 1
        }
    }

    private static func receive(
        _ item: ReceivedItem, _ position: ItemPosition, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        try put(item, &head, database)
        try move(to: position, item.isUrgent ? .urgent : .ordinary, &head, database)
        try note(item.id, &head, database)
    }

    private static func put(_ item: ReceivedItem, _ head: inout ExchangeHead, _ database: Database) throws {
        let ordinal = try head.nextOrdinal(in: "inbox", database)
        try head.sum.put(
            [head.peer, ordinal, item.id.hexadecimal, Int64(item.isUrgent ? 1 : 0), Data(item.payload)],
            into: "inbox", database)
    }

    private static func note(_ id: RandomID, _ head: inout ExchangeHead, _ database: Database) throws {
        let ordinal = try head.nextOrdinal(in: "arrival", database)
        try head.sum.put([head.peer, ordinal, id.hexadecimal], into: "arrival", database)
        try head.sum.remove(
            from: "arrival", where: "peer = ? AND ordinal <= ?",
            [head.peer, ordinal - Int64(ItemInbox.recentCountMax)], database)
    }

    private static func move(
        to position: ItemPosition, _ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database
    ) throws {
        try head.sum.remove(from: "position", where: "peer = ? AND track = ?", [head.peer, track.rawValue], database)
        try head.sum.put(
            [
                head.peer, Int64(track.rawValue), position.stream.hexadecimal, position.highest.column,
                position.lastID.hexadecimal,
            ], into: "position", database)
    }

    /// Writes a whole state, for a peer that has no rows yet.
    static func fill(with state: Exchange.State, _ head: inout ExchangeHead, _ database: Database) throws {
        head.budget = state.budget
        for track in ItemTrack.allCases {
            let outbox = state.outboxes[track]
            for item in outbox.items { try put(item, track, &head, database) }
            try change(track, &head, database) {
                $0 = Track(
                    stream: outbox.stream, base: outbox.base, origin: outbox.origin,
                    acknowledged: outbox.acknowledged, acknowledgedID: outbox.acknowledgedID,
                    released: outbox.released, itemCount: UInt64(outbox.items.count))
            }
            if let position = state.inbox.positions[track] { try move(to: position, track, &head, database) }
        }
        for item in state.inbox.items { try put(item, &head, database) }
        for id in state.inbox.recent { try note(id, &head, database) }
    }

    // MARK: - Reading

    static func state(_ head: ExchangeHead, _ database: Database) throws -> Exchange.State {
        var state = Exchange.State(budget: head.budget)
        var positions = ItemPositions()
        for track in ItemTrack.allCases {
            let numbering = try self.track(track, head, database)
            let items = try database.rows(
                of: "item", sql: "WHERE peer = ? AND track = ? ORDER BY ordinal",
                arguments: [head.peer, track.rawValue])
            state.outboxes[track] = ItemOutbox(
                stream: numbering.stream, base: numbering.base, origin: numbering.origin,
                acknowledged: numbering.acknowledged, acknowledgedID: numbering.acknowledgedID,
                released: numbering.released,
                items: try items.map { try item($0, skipping: 2) })
        }
        for row in try head.rows(of: "position", "", database) {
            let (track, position) = try position(row)
            positions[track] = position
        }
        state.inbox = ItemInbox(
            positions: positions, recent: try head.rows(of: "arrival", "ORDER BY ordinal", database).map(arrival),
            items: try head.rows(of: "inbox", "ORDER BY ordinal", database).map(receivedItem))
        return state
    }

    private static func track(_ track: ItemTrack, _ head: ExchangeHead, _ database: Database) throws -> Track {
        let rows = try database.rows(
            of: "track", sql: "WHERE peer = ? AND track = ?", arguments: [head.peer, track.rawValue])
        guard var row = rows.first else { return Track() }
        _ = try row.word()
        _ = try row.integer()
        var state = Track(stream: try row.optional { try $0.identifier() }, base: try row.number())
        let origin = (
            try row.optional { try $0.identifier() }, try row.optional { try $0.number() },
            try row.optional { try $0.identifier() }
        )
        if case (let stream?, let highest?, let lastID?) = origin {
            state.origin = ItemPosition(stream: stream, highest: highest, lastID: lastID)
        }
        state.acknowledged = try row.number()
        state.acknowledgedID = try row.optional { try $0.identifier() }
        state.released = try row.number()
        state.itemCount = UInt64(max(0, try row.integer()))
        return state
    }

    private static func change(
        _ track: ItemTrack, _ head: inout ExchangeHead, _ database: Database, _ change: (inout Track) -> Void
    ) throws {
        var state = try self.track(track, head, database)
        change(&state)
        try head.sum.remove(from: "track", where: "peer = ? AND track = ?", [head.peer, track.rawValue], database)
        try head.sum.put(
            [
                head.peer, Int64(track.rawValue), state.stream?.hexadecimal, state.base.column,
                state.origin?.stream.hexadecimal, state.origin?.highest.column, state.origin?.lastID.hexadecimal,
                state.acknowledged.column, state.acknowledgedID?.hexadecimal, state.released.column,
                Int64(state.itemCount),
            ], into: "track", database)
    }

    /// The item of a row, behind the columns of its key.
    static func item(_ row: RowReader, skipping count: Int) throws -> Item {
        var row = RowReader(table: row.table, values: Array(row.values.dropFirst(count)))
        let ordinal = try row.number()
        let id = try row.identifier()
        let isCurrent = try row.truth()
        return Item(ordinal: ordinal, id: id, payload: try row.bytes(), isCurrent: isCurrent)
    }

    /// The position of a row behind its peer, and its track.
    static func position(_ row: RowReader) throws -> (ItemTrack, ItemPosition) {
        var row = row
        guard let track = ItemTrack(rawValue: UInt8(truncatingIfNeeded: try row.integer())) else {
            throw Damage(finding: "a track of the table position is unfit")
        }
        let stream = try row.identifier()
        let highest = try row.number()
        return (track, ItemPosition(stream: stream, highest: highest, lastID: try row.identifier()))
    }

    /// The item of a row behind its peer.
    static func receivedItem(_ row: RowReader) throws -> ReceivedItem {
        var row = row
        _ = try row.integer()
        let id = try row.identifier()
        let isUrgent = try row.truth()
        return ReceivedItem(id: id, payload: try row.bytes(), isUrgent: isUrgent)
    }

    /// The id of a row behind its peer.
    static func arrival(_ row: RowReader) throws -> RandomID {
        var row = row
        _ = try row.integer()
        return try row.identifier()
    }
}
