package import PoolModel

/// The reply to a history command.
package enum HistoryAnswer: Codable, Equatable, Sendable {
    /// The size of the history.
    case size(HistoryExtent)
    /// Readings, newest first; at most as many as were requested.
    case page([HistoryRow])
    /// Readings as JSON, newest first, one line for each with a line break; their number; and the place of the last
    /// one, nil if there is none.
    case lines(String, count: Int, last: HistoryPlace?)
    /// The time series of a quantity of a device, with its name; the id if it was removed.
    case series(device: String, TimeSeries)
    /// A file was written: its path, the number of readings, its size in bytes.
    case exported(path: String, readings: Int, byteCount: Int)
    /// The number of readings that a deletion would remove, or has removed.
    case deletion(readings: Int, isDone: Bool)
    /// Nothing was deleted, because there are more readings than the user agreed to delete.
    case deletionGrew(readings: Int, expected: Int)
    /// A backup of the history was written: its path, the number of readings, its size in bytes.
    case backedUp(path: String, readings: Int, byteCount: Int)
    /// The file was rewritten: its size in bytes before and after.
    case compacted(before: Int, after: Int)
}

/// The size of the history.
package struct HistoryExtent: Codable, Hashable, Sendable {
    /// The part of one device.
    package struct DevicePart: Codable, Hashable, Sendable {
        /// The name of the device; the id if it was removed.
        package var device: String
        /// The number of its readings.
        package var readings: Int

        /// Creates a device part.
        package init(
            device: String, readings: Int
        ) {
            self.device = device
            self.readings = readings
        }
    }

    /// The number of readings.
    package var readings: Int
    /// The devices that have readings, by name.
    package var devices: [DevicePart]
    /// The size of the file in bytes.
    package var fileByteCount: Int
    /// The size of the journal beside it in bytes.
    package var journalByteCount: Int
    /// The size of the unused pages in the file, in bytes.
    package var freeByteCount: Int
    /// An upper bound of the number of readings that are not yet aggregated.
    package var waitingCount: Int
    /// How long the history is kept.
    package var kept: HistorySettings
    /// How far its mirror is behind; nil without a mirror.
    package var mirror: MirrorLag?

    /// Creates a history extent.
    package init(
        readings: Int, devices: [DevicePart], fileByteCount: Int, journalByteCount: Int, freeByteCount: Int,
        waitingCount: Int, kept: HistorySettings, mirror: MirrorLag? = nil
    ) {
        self.readings = readings
        self.devices = devices
        self.fileByteCount = fileByteCount
        self.journalByteCount = journalByteCount
        self.freeByteCount = freeByteCount
        self.waitingCount = waitingCount
        self.kept = kept
        self.mirror = mirror
    }
}

/// A reading with its raw and its corrected values.
package struct HistoryRow: Codable, Hashable, Sendable {
    /// The device's name; the id if it was removed.
    package var device: String
    /// The identifier of the device, which may have been removed.
    package var deviceID: DeviceID
    /// When the sample was taken.
    package var sampledAt: Timestamp
    /// The source of that time.
    package var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    package var receivedAt: Timestamp
    /// The reading's number in the order of arrival.
    package var ordinal: UInt64
    /// The values as the device sent them.
    package var raw: QuantityMap<Double>
    /// The values corrected by the calibrations that were valid at the sample time.
    package var corrected: QuantityMap<Double>

    /// Its place in the list.
    package var place: HistoryPlace { HistoryPlace(sampledAt: sampledAt, ordinal: ordinal) }

    /// Creates a history row.
    package init(
        device: String, deviceID: DeviceID, sampledAt: Timestamp, timeQuality: TimeQuality, receivedAt: Timestamp,
        ordinal: UInt64, raw: QuantityMap<Double>, corrected: QuantityMap<Double>
    ) {
        self.device = device
        self.deviceID = deviceID
        self.sampledAt = sampledAt
        self.timeQuality = timeQuality
        self.receivedAt = receivedAt
        self.ordinal = ordinal
        self.raw = raw
        self.corrected = corrected
    }
}

extension [HistoryRow] {
    /// The rows, newest first, with those of one sample as one row; see `SampleJoin`.
    ///
    /// A joined row has the time and the place of its earliest part, so that the next page begins after it.
    package func joined() -> [HistoryRow] {
        var rows: [HistoryRow] = []
        // Of each device its last row, and when the latest part of it was sampled.
        var open: [DeviceID: (place: Int, latest: Timestamp)] = [:]
        for row in self {
            guard let last = open[row.deviceID],
                SampleJoin.joins(rows[last.place].raw, at: last.latest, row.raw, at: row.sampledAt)
            else {
                open[row.deviceID] = (rows.count, row.sampledAt)
                rows.append(row)
                continue
            }
            for (quantity, value) in row.raw.pairs { rows[last.place].raw[quantity] = value }
            for (quantity, value) in row.corrected.pairs { rows[last.place].corrected[quantity] = value }
            rows[last.place].sampledAt = row.sampledAt
            rows[last.place].ordinal = row.ordinal
            if row.timeQuality != .device { rows[last.place].timeQuality = row.timeQuality }
        }
        return rows
    }
}
