internal import GRDB
internal import SyncCore

/// Reads tables of a damaged store from both ends, as far as SQLite can follow them.
final class RecoveryScan {
    private let database: Database
    /// The rows that could be read so far.
    private(set) var rowCount = 0

    init(_ database: Database) {
        self.database = database
    }

    /// The rows of a table that can be read, in the order of its key: those before the first place where SQLite finds
    /// the table damaged, and those behind the last.
    func rows<Value>(of table: String, by key: [String], _ value: (RowReader) throws -> Value) -> [Value] {
        var first: [Value] = []
        var last: [Value] = []
        var keys: Set<[DatabaseValue]> = []
        let isWhole = scan(table, key.joined(separator: ", ")) { row in
            keys.insert(Array(row.databaseValues.prefix(key.count)))
            if let value = Self.checked(row, of: table, value) { first.append(value) }
            return true
        }
        if !isWhole {
            _ = scan(table, key.map { "\($0) DESC" }.joined(separator: ", ")) { row in
                guard keys.insert(Array(row.databaseValues.prefix(key.count))).inserted else { return false }
                if let value = Self.checked(row, of: table, value) { last.append(value) }
                return true
            }
        }
        rowCount += first.count + last.count
        return first + last.reversed()
    }

    /// The value of a row, nil if it is not what was written.
    private static func checked<Value>(
        _ row: Row, of table: String, _ value: (RowReader) throws -> Value
    ) -> Value? {
        // Whatever is wrong with the row, it is one that cannot be read.
        try? value(RowReader(checking: row, of: table))
    }

    /// Visits rows as long as wanted, until the last, or until SQLite finds the table damaged; whether it was the last.
    private func scan(_ table: String, _ order: String, _ visit: (Row) -> Bool) -> Bool {
        do {
            let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \(table) ORDER BY \(order)")
            while let row = try cursor.next() {
                guard visit(row) else { break }
            }
            return true
        } catch {
            return false
        }
    }

    // MARK: - User info and files

    /// What can be read of the transfers with the hub.
    ///
    /// The tracks have no numbering then: the items get new numbers, and the hub knows them again by their ids. A file
    /// that was being received begins anew.
    ///
    /// - Parameter head: The head of the hub's rows, nil if it cannot be read.
    /// - Returns: What can be read.
    func transfers(_ head: ExchangeHead?) -> TransferState {
        var state = TransferState()
        state.exchange.budget = head?.budget ?? UrgentBudget()
        _ = rows(of: "track", by: ["peer", "track"]) { _ in }
        let items = items()
        for track in ItemTrack.allCases {
            state.exchange.outboxes[track] = ItemOutbox(items: items.filter { $0.0 == track }.map(\.1))
        }
        var positions = ItemPositions()
        for (track, position) in rows(of: "position", by: ["peer", "track"], { try ItemRows.position($0.behindPeer) }) {
            positions[track] = position
        }
        state.exchange.inbox = ItemInbox(
            positions: positions,
            recent: rows(of: "arrival", by: ["peer", "ordinal"]) { try ItemRows.arrival($0.behindPeer) },
            items: rows(of: "inbox", by: ["peer", "ordinal"]) { try ItemRows.receivedItem($0.behindPeer) })
        state.files = files(head)
        return state
    }

    /// The items, each with its track, in the form in which the store has them.
    private func items() -> [(ItemTrack, Item)] {
        // If not even the columns of the table can be read, neither can its rows.
        (try? ItemRenumbering.isToCome(database)) ?? false
            ? rows(of: "item", by: ["peer", "track", "ordinal"], ItemRenumbering.item)
            : rows(of: "item", by: ["place"], ItemRows.item)
    }

    private func files(_ head: ExchangeHead?) -> FileExchange.State {
        var state = FileExchange.State()
        state.queue = rows(of: "outgoing", by: ["peer", "number"]) { try FileRows.outgoing($0.behindPeer) }
        state.results = rows(of: "result", by: ["peer", "ordinal"]) { try FileRows.result($0.behindPeer) }
        state.received = rows(of: "delivered", by: ["peer", "ordinal"]) { try FileRows.delivered($0.behindPeer) }
        state.finished = rows(of: "finished", by: ["peer", "ordinal"]) { try ItemRows.arrival($0.behindPeer) }
        _ = rows(of: "incoming", by: ["peer"]) { _ in }
        state.lastNumber = max(head?.lastFile ?? 0, state.queue.last?.number ?? 0)
        return state
    }
}

extension RowReader {
    /// The row without its first column, the peer.
    var behindPeer: RowReader { RowReader(table: table, values: Array(values.dropFirst())) }
}
