internal import GRDB
public import PoolModel

/// What the alert engine must not forget: its states, its log, and the messages that wait for delivery.
///
/// It lies in the same file as the readings: an alert changes in the transaction that stores the reading
/// (`HistoryStore.record(_:latest:changes:)`). In a file of its own, a crash between the two would either lose an
/// alert for ever, since the redelivered reading is a duplicate and is not judged again, or raise it twice.
///
/// Nothing here is interpreted; keys and JSON are the caller's. Its functions may be called on any thread.
public struct AlertStore: Sendable {
    /// How many events are kept; the oldest ones go first.
    public static let eventCountMax = 10_000
    /// How many messages may wait; the oldest ones are given up first.
    public static let outboxCountMax = 10_000

    private let history: HistoryStore

    init(_ history: HistoryStore) {
        self.history = history
    }

    /// Applies changes without a reading, such as those of a clock; all or nothing, on the disk when it returns.
    ///
    /// - Throws: ``HistoryError``.
    public func apply(_ changes: [AlertChange]) throws(HistoryError) {
        guard !changes.isEmpty else { return }
        try history.write { database in
            for change in changes { try database.apply(change) }
        }
    }

    /// Stores a state under a key, in place of the one before.
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
    ///   - id: Only events before this one, nil for the newest.
    ///   - limit: How many at most.
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

    /// How many events and waiting messages were removed so far because there were too many.
    ///
    /// - Throws: ``HistoryError``.
    public func prunedCounts() throws(HistoryError) -> (events: Int, messages: Int) {
        try history.read { database in
            (Int(try database.value(of: .eventsPruned) ?? 0), Int(try database.value(of: .deliveriesPruned) ?? 0))
        }
    }

    // MARK: - The outbox

    /// The messages whose time has come, the longest waiting first.
    ///
    /// A message stays until ``delivered(_:)``, so that it is delivered at least once; a crash in between delivers it
    /// again, with the same id.
    /// - Throws: ``HistoryError``.
    public func due(now: Timestamp, limit: Int) throws(HistoryError) -> [OutboxEntry] {
        try history.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, channel, json, attempts, nextAttempt FROM alertOutbox
                    WHERE nextAttempt <= ? ORDER BY nextAttempt, id LIMIT ?
                    """,
                arguments: [now.milliseconds, max(0, limit)]
            ).map { row in
                OutboxEntry(
                    id: row[0], channel: row[1], json: row.bytes(2), attempts: row[3],
                    nextAttempt: Timestamp(milliseconds: row[4]))
            }
        }
    }

    /// When the next message is due, nil if none waits.
    ///
    /// - Throws: ``HistoryError``.
    public func nextAttempt() throws(HistoryError) -> Timestamp? {
        try history.read { database in
            try Int64.fetchOne(database, sql: "SELECT min(nextAttempt) FROM alertOutbox")
                .map { Timestamp(milliseconds: $0) }
        }
    }

    /// Removes a message from the outbox: it was delivered, or is given up.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func delivered(_ id: Int64) throws(HistoryError) -> Bool {
        try history.write { database in
            try database.execute(sql: "DELETE FROM alertOutbox WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    /// Notes that an attempt failed, and when to try again.
    ///
    /// - Returns: How many attempts have failed now, nil if the message is no longer there.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func failed(_ id: Int64, nextAttempt: Timestamp) throws(HistoryError) -> Int? {
        try history.write { database in
            try Int.fetchOne(
                database,
                sql: "UPDATE alertOutbox SET attempts = attempts + 1, nextAttempt = ? WHERE id = ? RETURNING attempts",
                arguments: [nextAttempt.milliseconds, id])
        }
    }
}

extension HistoryStore {
    /// What the alert engine must not forget, in the same file.
    public var alerts: AlertStore { AlertStore(self) }
}
