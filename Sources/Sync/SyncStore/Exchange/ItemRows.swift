internal import GRDB
internal import SyncCore

/// Reads the rows of user info in both directions; ``ItemWriter`` writes them.
enum ItemRows {
    static func state(_ head: ExchangeHead, _ database: Database) throws -> Exchange.State {
        var state = Exchange.State(budget: head.budget)
        // Reads whole ranges, so that a row with a wrong key is found.
        var tracks = PerTrack(urgent: ItemOutbox(), ordinary: ItemOutbox())
        for row in try ExchangeTables.tracks.rows(head.range, database) {
            tracks[ExchangeHead.track(row.key)] = try row.record()
        }
        for track in ItemTrack.allCases {
            let items: [Item] = try ExchangeTables.items.rows(head.range(of: track), database).map { try $0.record() }
            state.outboxes[track] = ItemOutbox(numbering(of: tracks[track], itemCount: items.count), items: items)
        }
        var positions = ItemPositions()
        for row in try ExchangeTables.positions.rows(head.range, database) {
            positions[ExchangeHead.track(row.key)] = try row.record()
        }
        state.inbox = ItemInbox(
            positions: positions,
            recent: try ExchangeTables.arrivals.rows(head.range, database).map { try $0.record() },
            items: try ExchangeTables.inbox.rows(head.range, database).map { try $0.record() })
        return state
    }

    /// The numbering of a track with the given number of items, and the checksum of its row; nil if it has no row yet.
    static func numbering(
        of track: ItemTrack, itemCount: Int, _ head: ExchangeHead, _ database: Database
    ) throws -> (numbering: ItemNumbering, checksum: Int64?) {
        guard let row = try ExchangeTables.tracks.row(at: head.key(0, track), database) else {
            return (ItemNumbering(itemCount: UInt64(itemCount)), nil)
        }
        return (numbering(of: try row.record(), itemCount: itemCount), row.checksum)
    }

    /// The numbering from the row of a track, with the given number of items.
    private static func numbering(of outbox: ItemOutbox, itemCount: Int) -> ItemNumbering {
        ItemNumbering(
            stream: outbox.stream, base: outbox.base, origin: outbox.origin, acknowledged: outbox.acknowledged,
            acknowledgedID: outbox.acknowledgedID, released: outbox.released, itemCount: UInt64(itemCount))
    }
}
