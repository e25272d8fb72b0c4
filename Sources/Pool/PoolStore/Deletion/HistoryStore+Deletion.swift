internal import GRDB
public import PoolModel

extension HistoryStore {
    /// The number of removed readings whose redeliveries are still recognized: those that arrived last.
    public static let deletedReadingCountMax = 200_000

    /// How many readings a deletion would remove, to ask a person for confirmation.
    ///
    /// - Throws: ``HistoryError``.
    public func count(
        of deviceID: DeviceID?, from first: Timestamp, through last: Timestamp
    ) throws(HistoryError) -> Int {
        try read { database in
            try database.devices(deviceID).reduce(0) { sum, device in
                try sum
                    + (Int.fetchOne(
                        database.cachedStatement(
                            sql: "SELECT count(*) FROM reading WHERE device = ? AND sampledAt BETWEEN ? AND ?"),
                        arguments: [device.number, first.milliseconds, last.milliseconds]) ?? 0)
            }
        }
    }

    /// Records durably that the readings in a span are deleted, together with the rollups without the span and the new
    /// newest states.
    ///
    /// ``maintain(now:retention:corrections:rowsMax:)`` removes the readings in short transactions, between which others
    /// are recorded. Readings that arrive after the start stay, and so do the keys by which a redelivery of a deleted
    /// reading is recognized.
    ///
    /// - Parameters:
    ///   - deviceID: The device; nil for all of them.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    /// - Returns: The newest states that changed, which the caller must show from now on instead of the previous ones.
    /// - Throws: ``HistoryError``.
    public func beginDeletion(
        of deviceID: DeviceID?, from first: Timestamp, through last: Timestamp
    ) throws(HistoryError) -> [DeviceReadings] {
        guard first <= last else { return [] }
        // One deletion at a time: rollups are rebuilt from readings, none of which may be partially deleted.
        while try continueDeletion(rowsMax: 2000) > 0 {}
        return try write(savingStates: true) { database in
            try database.devices(deviceID).compactMap { device in
                try database.beginDeletion(of: device, first.milliseconds...last.milliseconds)
            }
        }
    }

    /// Whether there are deletions whose readings are not all removed.
    ///
    /// - Throws: ``HistoryError``.
    public func isDeleting() throws(HistoryError) -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT * FROM deletion)") ?? false }
    }

    /// Removes the next readings of pending deletions; returns how many.
    func continueDeletion(rowsMax: Int) throws(HistoryError) -> Int {
        guard try isDeleting() else { return 0 }
        return try write(savingStates: true) { try $0.continueDeletion(rowsMax: rowsMax) }
    }
}
