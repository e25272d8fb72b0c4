internal import GRDB
public import PoolModel

extension HistoryStore {
    /// The course of a quantity over a span of time.
    ///
    /// Up to `pointsMax` samples come as they are. More are put together in buckets: of the coarsest stored level
    /// (1 min, 15 min, 1 h, 1 day) that is fine enough, or of the readings themselves for buckets under a minute.
    /// Where the finer levels were removed for their age, there are fewer points.
    ///
    /// - Complexity: O(points × 24 + readings that wait for ``maintain(now:retention:corrections:rowsMax:)``); for
    ///   buckets under a minute, O(readings in the span).
    /// - Throws: ``HistoryError``.
    public func series(_ query: ChartQuery) throws(HistoryError) -> ChartSeries {
        try read { database in
            try SeriesReader(query, in: database)?.series() ?? ChartSeries(bucketMilliseconds: nil, points: [])
        }
    }

    /// A page of the readings, newest first by sample time; those of one time latest arrival first.
    ///
    /// The next page is that before the last reading of this one; readings that arrive meanwhile move nothing.
    ///
    /// - Parameters:
    ///   - deviceID: The device, nil for all of them.
    ///   - place: Only what comes after this reading in the list; nil for the start.
    ///   - limit: How many at most.
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

/// The readings of a device that a query finds, one after the other.
struct ReadingSource {
    private let rows: RowCursor
    private(set) var reading: Reading

    var place: HistoryPosition { HistoryPosition(reading) }

    /// Nil if there is no reading.
    init?(_ query: String, _ arguments: StatementArguments, in database: Database) throws {
        rows = try Row.fetchCursor(database, sql: query, arguments: arguments)
        guard let row = try rows.next() else { return nil }
        reading = try Reading(row)
    }

    /// Goes to the next reading; whether there is one.
    mutating func advance() throws -> Bool {
        guard let row = try rows.next() else { return false }
        reading = try Reading(row)
        return true
    }
}

/// A place in the list of all readings by time: of one time, by the order of arrival.
public struct HistoryPosition: Hashable, Comparable, Sendable {
    /// The sample time.
    public var sampledAt: Timestamp
    /// The reading's ordinal.
    public var ordinal: UInt64

    /// Creates a place.
    public init(sampledAt: Timestamp, ordinal: UInt64) {
        self.sampledAt = sampledAt
        self.ordinal = ordinal
    }

    /// The place of a stored reading.
    public init(_ reading: Reading) {
        self.init(sampledAt: reading.sampledAt, ordinal: reading.ordinal ?? 0)
    }

    /// Whether the left place is the earlier one.
    public static func < (left: HistoryPosition, right: HistoryPosition) -> Bool {
        (left.sampledAt, left.ordinal) < (right.sampledAt, right.ordinal)
    }
}

extension HistoryTables {
    /// Asks for the readings of a device that come before a place, the last of them first.
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

    /// The devices that ever had a reading, by their numbers; only one if it is named.
    func devices(_ deviceID: DeviceID? = nil) throws -> [StoredDevice] {
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: "SELECT number, identifier FROM device WHERE identifier = ?1 OR ?1 IS NULL ORDER BY number"),
            arguments: [deviceID?.description])
        return try rows.map { row in
            guard let number = Int64.fromDatabaseValue(row[0]),
                let deviceID = String.fromDatabaseValue(row[1]).flatMap({ DeviceID($0) })
            else { throw Damage(finding: "a row of the table device is not what the program writes") }
            return StoredDevice(number: number, deviceID: deviceID)
        }
    }
}
