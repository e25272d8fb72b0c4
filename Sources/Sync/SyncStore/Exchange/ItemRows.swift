internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// Reads the rows of user info in both directions; ``ItemWriter`` writes them.
enum ItemRows {
    static func state(_ head: ExchangeHead, _ database: Database) throws -> Exchange.State {
        var state = Exchange.State(budget: head.budget)
        var positions = ItemPositions()
        for track in ItemTrack.allCases {
            let items = try database.rows(
                of: "item", sql: "WHERE place BETWEEN ? AND ? ORDER BY place",
                arguments: ItemRowKey.all(of: track, head)
            )
            let numbering = try numbering(of: track, itemCount: items.count, head, database).numbering
            state.outboxes[track] = ItemOutbox(numbering, items: try items.map { try item($0).1 })
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

    /// The numbering of a track with so many items, and the checksum of its row, which is there since the first item.
    static func numbering(
        of track: ItemTrack, itemCount: Int, _ head: ExchangeHead, _ database: Database
    ) throws -> (numbering: ItemNumbering, checksum: Int64?) {
        let rows = try database.rows(
            of: "track", sql: "WHERE peer = ? AND track = ?", arguments: [head.peer, track.rawValue])
        guard var row = rows.first else { return (ItemNumbering(itemCount: UInt64(itemCount)), nil) }
        _ = try row.word()
        _ = try row.integer()
        let stream = try row.optional { try $0.identifier() }
        let base = try row.number()
        let origin = (
            try row.optional { try $0.identifier() }, try row.optional { try $0.number() },
            try row.optional { try $0.identifier() }
        )
        var position: ItemPosition?
        if case (let stream?, let highest?, let lastID?) = origin {
            position = ItemPosition(stream: stream, highest: highest, lastID: lastID)
        }
        let numbering = ItemNumbering(
            stream: stream, base: base, origin: position, acknowledged: try row.number(),
            acknowledgedID: try row.optional { try $0.identifier() }, released: try row.number(),
            itemCount: UInt64(itemCount))
        return (numbering, row.checksum)
    }

    /// The item of a row, and its track.
    static func item(_ row: RowReader) throws -> (ItemTrack, Item) {
        var row = row
        let place = try row.integer()
        let id = try row.identifierOfBytes()
        let isCurrent = try row.truth()
        let item = Item(ordinal: ItemRowKey.ordinal(place), id: id, payload: try row.bytes(), isCurrent: isCurrent)
        return (ItemRowKey.track(place), item)
    }

    /// Appends the row of an item, whole.
    static func append(_ item: Item, _ track: ItemTrack, _ head: ExchangeHead, to rows: inout RowBuffer) throws {
        rows.append(try ItemRowKey.of(item.ordinal, track, head))
        rows.append(bytesOf: item.id)
        rows.append(item.isCurrent ? 1 : 0)
        rows.append(item.payload)
        rows.endRow()
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
