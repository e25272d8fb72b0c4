public import PoolModel

/// What the history answers.
public enum HistoryAnswer: Codable, Sendable {
    /// How much there is.
    case size(HistoryExtent)
    /// Readings, newest first.
    case page([HistoryRow])
    /// Readings as JSON, newest first: a line for each with its end, and how many there are; the place of the last one,
    /// nil if there is none.
    case lines(String, count: Int, last: HistoryRow.Place?)
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
public struct HistoryExtent: Codable, Hashable, Sendable {
    /// A device's part of it.
    public struct DevicePart: Codable, Hashable, Sendable {
        /// The name, or the id of a device that was removed.
        public var device: String
        /// How many readings it has.
        public var readings: Int
    }

    /// How many readings there are.
    public var readings: Int
    /// The devices that have readings, by name.
    public var devices: [DevicePart]
    /// The bytes of the file.
    public var fileByteCount: Int
    /// The bytes of the journal beside it.
    public var journalByteCount: Int
    /// The bytes in the file that nothing uses.
    public var freeByteCount: Int
    /// How many readings wait to be summed up, at most.
    public var waitingCount: Int
    /// How long what is kept.
    public var kept: HistorySettings
}

/// A reading, raw and corrected.
public struct HistoryRow: Codable, Hashable, Sendable {
    /// A place in the list of all readings by time: of one time, by the order of arrival.
    public struct Place: Codable, Hashable, Sendable {
        /// The sample time.
        public var sampledAt: Timestamp
        /// The number of the reading.
        public var ordinal: UInt64

        /// Creates a place.
        public init(sampledAt: Timestamp, ordinal: UInt64) {
            self.sampledAt = sampledAt
            self.ordinal = ordinal
        }
    }

    /// The device's name, or the id of one that was removed.
    public var device: String
    /// The device.
    public var deviceID: DeviceID
    /// When the sample was taken.
    public var sampledAt: Timestamp
    /// Where that time comes from.
    public var timeQuality: TimeQuality
    /// When the message arrived.
    public var receivedAt: Timestamp
    /// The number of the reading.
    public var ordinal: UInt64
    /// The values as the device sent them.
    public var raw: QuantityMap<Double>
    /// The values after the calibrations that held when they were sampled.
    public var corrected: QuantityMap<Double>

    /// Its place in the list.
    public var place: Place { Place(sampledAt: sampledAt, ordinal: ordinal) }
}

/// The course of a quantity of a device over time.
public struct HistoryCourse: Codable, Hashable, Sendable {
    /// The corrected values of a time, in short.
    public struct Point: Codable, Hashable, Sendable {
        /// When it starts.
        public var start: Timestamp
        /// The least corrected value.
        public var least: Double
        /// The greatest corrected value.
        public var greatest: Double
        /// The mean of the corrected values.
        public var mean: Double
        /// The mean of the values as the device sent them.
        public var rawMean: Double
        /// How many samples it stands for.
        public var count: Int
        /// Whether the device was silent before it: no line leads here.
        public var isAfterGap: Bool
        /// Whether it is exactly what was asked for; not so where old readings are gone.
        public var isExact: Bool
    }

    /// The device's name.
    public var device: String
    /// The quantity.
    public var quantity: Quantity
    /// The first moment.
    public var first: Timestamp
    /// The last moment.
    public var last: Timestamp
    /// The time that a point stands for, in milliseconds; nil if each is a sample.
    public var bucketMilliseconds: Int64?
    /// The points in the order of time; a time without a sample has none.
    public var points: [Point]
    /// The corrected value of the latest sample; nil without a sample.
    public var newest: Double?
}
