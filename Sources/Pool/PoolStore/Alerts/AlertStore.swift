internal import GRDB
internal import PoolModel

/// The durable part of the alert engine: its states and its log.
///
/// It is in the same file as the readings, so that a backup contains both as of the same time. A reading is on the
/// disk before it is judged: the next start judges the newest ones again.
///
/// Nothing here is interpreted; keys and JSON belong to the caller. The functions may be called on any thread.
public struct AlertStore: Sendable {
    /// How many events are kept; the oldest ones are removed first.
    public static let eventCountMax = 10_000

    private let history: HistoryStore

    init(_ history: HistoryStore) {
        self.history = history
    }

    /// Applies changes; all or nothing, and on the disk when it returns.
    ///
    /// - Throws: ``HistoryError``.
    public func apply(_ changes: [AlertChange]) throws(HistoryError) {
        guard !changes.isEmpty else { return }
        try history.write { database in
            for change in changes { try database.apply(change) }
        }
    }

    /// Stores a state under a key, replacing the previous one.
    ///
    /// - Throws: ``HistoryError``.
    public func put(_ key: String, _ json: [UInt8]) throws(HistoryError) { try apply([.put(key: key, json: json)]) }

    /// Removes the state of a key, if there is one.
    ///
    /// - Throws: ``HistoryError``.
    public func remove(_ key: String) throws(HistoryError) { try apply([.remove(key: key)]) }

    /// All states by their keys.
    ///
    /// - Throws: ``HistoryError``.
    public func all() throws(HistoryError) -> [String: [UInt8]] {
        try history.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT key, json FROM alertState")
            return Dictionary(rows.map { ($0[0] as String, $0.bytes(1)) }) { $1 }
        }
    }

    // MARK: - The log

    /// The newest events, latest first.
    ///
    /// - Parameters:
    ///   - id: Only events before this one; nil for the newest.
    ///   - limit: The most events to return.
    /// - Returns: The events.
    /// - Throws: ``HistoryError``.
    public func events(before id: Int64? = nil, limit: Int) throws(HistoryError) -> [AlertEvent] {
        try history.read { database in
            try Row.fetchAll(
                database, sql: "SELECT id, time, json FROM alertEvent WHERE id < ? ORDER BY id DESC LIMIT ?",
                arguments: [id ?? .max, max(0, limit)]
            ).map { AlertEvent(id: $0[0], time: Timestamp(milliseconds: $0[1]), json: $0.bytes(2)) }
        }
    }
}

extension HistoryStore {
    /// The durable part of the alert engine, in the same file.
    public var alerts: AlertStore { AlertStore(self) }
}
