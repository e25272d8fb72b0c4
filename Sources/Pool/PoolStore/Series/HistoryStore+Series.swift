internal import GRDB
public import PoolModel

extension HistoryStore {
    /// The values of a quantity over a span of time.
    ///
    /// Up to `pointsMax` samples are returned as they are. More are combined in buckets: of the coarsest stored level
    /// (1 min, 15 min, 1 h, 1 day) that is fine enough, or of the readings themselves for buckets under a minute.
    /// Where the finer levels were removed because of their age, there are fewer points.
    ///
    /// - Complexity: O(points × 24 + readings that wait for ``maintain(now:retention:corrections:rowsMax:)``); for
    ///   buckets under a minute, O(readings in the span).
    /// - Throws: ``HistoryError``.
    public func series(_ query: SeriesQuery) throws(HistoryError) -> TimeSeries {
        TimeSeries(try statistics(query), for: query)
    }

    /// The statistics of which a time series is made.
    func statistics(_ query: SeriesQuery) throws(HistoryError) -> SeriesStatistics {
        try read { database in
            try SeriesReader(query, in: database)?.statistics()
                ?? SeriesStatistics(bucketMilliseconds: nil, points: [])
        }
    }

    /// A page of the readings, newest first by sample time and, for equal times, latest arrival first.
    ///
    /// The next page starts after the last reading of this one; readings that arrive meanwhile do not shift it.
    ///
    /// - Parameters:
    ///   - deviceID: The device; nil for all of them.
    ///   - place: Only readings after this position in the list; nil for the start.
    ///   - limit: The most readings to return.
    ///   - corrections: The calibrations.
    /// - Returns: The readings, raw and corrected.
    /// - Throws: ``HistoryError``.
    public func newest(
        of deviceID: DeviceID? = nil, after place: HistoryPosition? = nil, limit: Int, corrections: Corrections
    ) throws(HistoryError) -> [CorrectedReading] {
        let place = place ?? HistoryPosition(sampledAt: Timestamp(milliseconds: .max), ordinal: .max)
        return try read { database in
            // One index serves each device, so that their readings come sorted and only need merging.
            var sources = try database.devices(deviceID).compactMap {
                try ReadingSource(
                    HistoryTables.readingsBeforePlace,
                    [$0.number, place.sampledAt.milliseconds, Int64(clamping: place.ordinal)], in: database)
            }
            var found: [CorrectedReading] = []
            while found.count < limit,
                let next = sources.indices.max(by: { sources[$0].place < sources[$1].place })
            {
                let reading = sources[next].reading
                found.append(CorrectedReading(reading: reading, corrected: corrections.corrected(reading)))
                if try !sources[next].advance() { sources.remove(at: next) }
            }
            return found
        }
    }
}

/// The readings of a device in the result of a query, one after the other.
struct ReadingSource {
    private let rows: RowCursor
    private(set) var reading: Reading

    var place: HistoryPosition { HistoryPosition(reading) }

    /// Creates a source; nil if there is no reading.
    init?(_ query: String, _ arguments: StatementArguments, in database: Database) throws {
        rows = try Row.fetchCursor(database, sql: query, arguments: arguments)
        guard let row = try rows.next() else { return nil }
        reading = try Reading(row)
    }

    /// Moves to the next reading; returns whether there is one.
    mutating func advance() throws -> Bool {
        guard let row = try rows.next() else { return false }
        reading = try Reading(row)
        return true
    }
}

/// A position in the list of all readings by time and, for equal times, by arrival.
public struct HistoryPosition: Hashable, Comparable, Sendable {
    /// The sample time.
    public var sampledAt: Timestamp
    /// The reading's ordinal.
    public var ordinal: UInt64

    /// Creates a position.
    public init(sampledAt: Timestamp, ordinal: UInt64) {
        self.sampledAt = sampledAt
        self.ordinal = ordinal
    }

    /// The position of a stored reading.
    public init(_ reading: Reading) {
        self.init(sampledAt: reading.sampledAt, ordinal: reading.ordinal ?? 0)
    }

    /// Whether the left position is the earlier one.
    public static func < (left: HistoryPosition, right: HistoryPosition) -> Bool {
        (left.sampledAt, left.ordinal) < (right.sampledAt, right.ordinal)
    }
}

extension HistoryTables {
    /// Selects the readings of a device before a position, the last of them first.
    static let readingsBeforePlace = """
        SELECT ordinal, identifier, sampledAt, timeQuality, receivedAt, \(quantityColumns.joined(separator: ", "))
        FROM reading JOIN device ON number = device
        WHERE device = ?1 AND sampledAt <= ?2 AND (sampledAt < ?2 OR ordinal < ?3)
        ORDER BY sampledAt DESC, ordinal DESC
        """
}

extension Database {
    /// A device with its number in the file.
    struct StoredDevice {
        var number: Int64
        var deviceID: DeviceID
    }

    /// The devices that ever had a reading, by their numbers; only one if it is given.
    func devices(_ deviceID: DeviceID? = nil) throws -> [StoredDevice] {
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: "SELECT number, identifier FROM device WHERE identifier = ?1 OR ?1 IS NULL ORDER BY number"),
            arguments: [deviceID?.description])
        return try rows.map { row in
            guard let number = Int64.fromDatabaseValue(row[0]),
                let deviceID = String.fromDatabaseValue(row[1]).flatMap({ DeviceID($0) })
            else { throw CorruptionError(finding: "a row of the table device is not what the program writes") }
            return StoredDevice(number: number, deviceID: deviceID)
        }
    }
}
