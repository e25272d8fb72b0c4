internal import GRDB
public import PoolModel

extension HistoryStore {
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

    /// Deletes the readings in a span, and waits until they are removed.
    ///
    /// The deletion is recorded on the disk first, together with the rollups without the span and the new newest
    /// states; then the readings are removed in short transactions, between which others are recorded. After a crash
    /// ``maintain(now:retention:corrections:rowsMax:)`` continues it. Readings that arrive after the start stay, and
    /// so do the keys by which a redelivery of a deleted reading is recognized.
    ///
    /// - Parameters:
    ///   - deviceID: The device; nil for all of them.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    ///   - rowsMax: The most readings that one transaction removes.
    /// - Returns: The number of readings, and the newest states that changed, which the caller must show from now on
    ///   instead of the previous ones.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func delete(
        of deviceID: DeviceID?, from first: Timestamp, through last: Timestamp, rowsMax: Int = 2000
    ) throws(HistoryError) -> (count: Int, latest: [DeviceReadings]) {
        let latest = try beginDeletion(of: deviceID, from: first, through: last)
        var count = 0
        while true {
            let step = try continueDeletion(rowsMax: rowsMax)
            guard step > 0 else { return (count, latest) }
            count += step
        }
    }

    /// Records a deletion durably without removing a reading yet; maintenance removes them.
    ///
    /// - Returns: The newest states that changed.
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

    /// Deletes the readings and the state of a device.
    ///
    /// Its next reading creates a new state.
    ///
    /// - Parameter deviceID: The device.
    /// - Returns: The number of readings.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func deleteReadings(of deviceID: DeviceID) throws(HistoryError) -> Int {
        let count = try delete(
            of: deviceID, from: Timestamp(milliseconds: .min), through: Timestamp(milliseconds: .max)
        ).count
        try write(savingStates: true) { database in
            // The row stays: its number is part of the keys of the deleted readings.
            try database.execute(
                sql: "UPDATE device SET latest = NULL, latestOrder = NULL WHERE identifier = ?",
                arguments: [deviceID.description])
        }
        return count
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
