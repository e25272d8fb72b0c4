package import PoolModel

/// What the history answers.
package enum HistoryAnswer: Codable, Sendable {
    /// How much there is.
    case size(HistoryExtent)
    /// Readings, newest first.
    case page([HistoryRow])
    /// Readings as JSON, newest first: a line for each with its end, and how many there are; the place of the last one,
    /// nil if there is none.
    case lines(String, count: Int, last: HistoryPlace?)
    /// The course of a quantity.
    case series(HistoryCourse)
    /// A file was written: its path, the readings in it, its length.
    case exported(path: String, readings: Int, byteCount: Int)
    /// How many readings a deletion would remove, or has removed.
    case deletion(readings: Int, isDone: Bool)
    /// More readings than the person agreed to lose; nothing was deleted.
    case deletionGrew(readings: Int, expected: Int)
    /// The history was copied: the path, the readings in it, its length.
    case backedUp(path: String, readings: Int, byteCount: Int)
    /// The file was written anew: its length before and after.
    case compacted(before: Int, after: Int)
}

/// How much there is in the history.
package struct HistoryExtent: Codable, Hashable, Sendable {
    /// A device's part of it.
    package struct DevicePart: Codable, Hashable, Sendable {
        /// The name, or the id of a device that was removed.
        package var device: String
        /// How many readings it has.
        package var readings: Int

        /// Creates a device part.
        package init(
            device: String, readings: Int
        ) {
            self.device = device
            self.readings = readings
        }
    }

    /// How many readings there are.
    package var readings: Int
    /// The devices that have readings, by name.
    package var devices: [DevicePart]
    /// The bytes of the file.
    package var fileByteCount: Int
    /// The bytes of the journal beside it.
    package var journalByteCount: Int
    /// The bytes in the file that nothing uses.
    package var freeByteCount: Int
    /// How many readings wait to be summed up, at most.
    package var waitingCount: Int
    /// How long what is kept.
    package var kept: HistorySettings

    /// Creates a history extent.
    package init(
        readings: Int, devices: [DevicePart], fileByteCount: Int, journalByteCount: Int, freeByteCount: Int,
        waitingCount: Int, kept: HistorySettings
    ) {
        self.readings = readings
        self.devices = devices
        self.fileByteCount = fileByteCount
        self.journalByteCount = journalByteCount
        self.freeByteCount = freeByteCount
        self.waitingCount = waitingCount
        self.kept = kept
    }
}

/// A reading, raw and corrected.
package struct HistoryRow: Codable, Hashable, Sendable {
    /// The device's name, or the id of one that was removed.
    package var device: String
    /// The device.
    package var deviceID: DeviceID
    /// When the sample was taken.
    package var sampledAt: Timestamp
    /// Where that time comes from.
    package var timeQuality: TimeQuality
    /// When the message arrived.
    package var receivedAt: Timestamp
    /// The number of the reading.
    package var ordinal: UInt64
    /// The values as the device sent them.
    package var raw: QuantityMap<Double>
    /// The values after the calibrations that held when they were sampled.
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

/// The course of a quantity of a device over time.
package struct HistoryCourse: Codable, Hashable, Sendable {
    /// The corrected values of a time, in short.
    package struct Point: Codable, Hashable, Sendable {
        /// When it starts.
        package var start: Timestamp
        /// The least corrected value.
        package var least: Double
        /// The greatest corrected value.
        package var greatest: Double
        /// The mean of the corrected values.
        package var mean: Double
        /// The mean of the values as the device sent them.
        package var rawMean: Double
        /// How many samples it stands for.
        package var count: Int
        /// Whether the device was silent before it: no line leads here.
        package var isAfterGap: Bool
        /// Whether it is exactly what was asked for; not so where old readings are gone.
        package var isExact: Bool

        /// Creates a point.
        package init(
            start: Timestamp, least: Double, greatest: Double, mean: Double, rawMean: Double, count: Int,
            isAfterGap: Bool, isExact: Bool
        ) {
            self.start = start
            self.least = least
            self.greatest = greatest
            self.mean = mean
            self.rawMean = rawMean
            self.count = count
            self.isAfterGap = isAfterGap
            self.isExact = isExact
        }
    }

    /// The device's name.
    package var device: String
    /// The quantity.
    package var quantity: Quantity
    /// The first moment.
    package var first: Timestamp
    /// The last moment.
    package var last: Timestamp
    /// The time that a point stands for, in milliseconds; nil if each is a sample.
    package var bucketMilliseconds: Int64?
    /// The points in the order of time; a time without a sample has none.
    package var points: [Point]
    /// The corrected value of the latest sample; nil without a sample.
    package var newest: Double?

    /// Creates a history course.
    package init(
        device: String, quantity: Quantity, first: Timestamp, last: Timestamp, bucketMilliseconds: Int64? = nil,
        points: [Point], newest: Double? = nil
    ) {
        self.device = device
        self.quantity = quantity
        self.first = first
        self.last = last
        self.bucketMilliseconds = bucketMilliseconds
        self.points = points
        self.newest = newest
    }
}
