internal import GRDB
public import PoolModel

extension HistoryStore {
    /// How many readings a deletion would remove: what a person is told before confirming it.
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

    /// Deletes the readings of a span, and waits until they are gone.
    ///
    /// The intention is on the disk first, together with the rollups without the span and the newest states of what
    /// stays; then the readings go in short transactions, between which others are recorded. After a crash
    /// ``maintain(now:retention:corrections:rowsMax:)`` goes on with it. Readings that arrive after it began stay,
    /// and so do the keys by which a redelivery of a deleted reading is recognised.
    ///
    /// - Parameters:
    ///   - deviceID: The device, nil for all of them.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    ///   - rowsMax: How many readings a transaction removes at most.
    /// - Returns: How many readings there were, and the newest states that changed, which the caller must show from now
    ///   on in place of those it has.
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

    /// Notes a deletion durably without removing a reading yet; maintenance does that.
    ///
    /// - Returns: The newest states that changed.
    /// - Throws: ``HistoryError``.
    public func beginDeletion(
        of deviceID: DeviceID?, from first: Timestamp, through last: Timestamp
    ) throws(HistoryError) -> [DeviceReadings] {
        guard first <= last else { return [] }
        // One after the other: rollups are taken apart by readings of which none is half deleted.
        while try continueDeletion(rowsMax: 2000) > 0 {}
        return try write(savingStates: true) { database in
            try database.devices(deviceID).compactMap { device in
                try database.beginDeletion(of: device, first.milliseconds...last.milliseconds)
            }
        }
    }

    /// Deletes the readings and the state of a device, which starts anew with its next reading.
    ///
    /// - Parameter deviceID: The device.
    /// - Returns: How many readings there were.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func deleteReadings(of deviceID: DeviceID) throws(HistoryError) -> Int {
        let count = try delete(
            of: deviceID, from: Timestamp(milliseconds: .min), through: Timestamp(milliseconds: .max)
        ).count
        try write(savingStates: true) { database in
            // The row stays: its number belongs to the keys of the deleted readings.
            try database.execute(
                sql: "UPDATE device SET latest = NULL, latestOrder = NULL WHERE identifier = ?",
                arguments: [deviceID.description])
        }
        return count
    }

    /// Whether deletions were begun whose readings are not all gone.
    ///
    /// - Throws: ``HistoryError``.
    public func isDeleting() throws(HistoryError) -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT * FROM deletion)") ?? false }
    }

    /// Removes the next readings of deletions that were begun; how many there were.
    func continueDeletion(rowsMax: Int) throws(HistoryError) -> Int {
        guard try isDeleting() else { return 0 }
        return try write(savingStates: true) { try $0.continueDeletion(rowsMax: rowsMax) }
    }
}
