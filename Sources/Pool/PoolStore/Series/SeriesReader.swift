internal import GRDB
internal import PoolModel

/// Answers the query of a time series within one transaction.
///
/// Points are combined from pieces: buckets of the suitable level, or samples. A bucket in which a calibration, or
/// the span itself, begins or ends is divided into buckets of the next finer level and finally into samples, so that
/// each piece has one calibration and is within the span. Readings that are not in the rollups yet are separate
/// pieces.
struct SeriesReader {
    /// A piece: raw statistics, and whether all of its samples belong together.
    private struct BucketPart {
        var raw: SampleStatistics
        var isExact = true
    }

    private let database: Database
    private let query: SeriesQuery
    private let device: Int64
    private let rolledThrough: Int64
    /// The times at which a calibration or the span begins or ends, each the first time of a new part.
    private let cuts: [Int64]

    /// Creates a reader; nil if there is no such device.
    init?(_ query: SeriesQuery, in database: Database) throws {
        let number = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM device WHERE identifier = ?"),
            arguments: [query.deviceID.description])
        guard let number else { return nil }
        self.database = database
        self.query = query
        device = number
        rolledThrough = try database.value(of: .rolledThrough) ?? 0
        var cuts = query.calibrations.versions.map(\.validFrom.milliseconds) + [query.first.milliseconds]
        if query.last.milliseconds < .max { cuts.append(query.last.milliseconds + 1) }
        self.cuts = cuts.sorted()
    }

    /// The statistics of the points.
    func statistics() throws -> SeriesStatistics {
        guard let span = try extent() else { return SeriesStatistics(bucketMilliseconds: nil, points: []) }
        let pointsMax = max(2, query.pointsMax)
        let isRawKept = try database.value(of: .rawPrunedBefore).map { $0 <= span.lowerBound } ?? true
        if isRawKept, try hasAtMost(pointsMax, in: span) {
            let samples = try database.samples(device: device, query.quantity, span, ordinals: 1...Int64.max)
            return SeriesStatistics(
                bucketMilliseconds: nil, points: points(samples.map { BucketPart(raw: $0) }, width: nil))
        }
        // Buckets start at multiples of their width: one more may be touched than fit into the span. Spans of
        // millions of years are cut, so that the width does not overflow.
        let length = Timestamp(milliseconds: span.upperBound).milliseconds(
            since: Timestamp(milliseconds: span.lowerBound))
        let wanted = min(length / Int64(pointsMax - 1), .max / 4) + 1
        guard let level = try level(for: wanted, from: span.lowerBound, isRawKept: isRawKept) else {
            let samples = try database.samples(device: device, query.quantity, span, ordinals: 1...Int64.max)
            return SeriesStatistics(
                bucketMilliseconds: wanted, points: points(samples.map { BucketPart(raw: $0) }, width: wanted))
        }
        let width = level.rawValue * max(1, (wanted - 1) / level.rawValue + 1)
        let buckets = level.bucket(of: span.lowerBound)...level.bucket(of: span.upperBound)
        var pieces = try self.pieces(of: level, buckets).filter(isInside)
        let tail = try tail(in: span)
        if !tail.isEmpty {
            pieces = (pieces + tail).enumerated().sorted {
                ($0.element.raw.firstAt, $0.offset) < ($1.element.raw.firstAt, $1.offset)
            }.map(\.element)
        }
        return SeriesStatistics(bucketMilliseconds: width, points: points(pieces, width: width))
    }

    // MARK: - Span and level

    /// The part of the span that contains data, or nil.
    private func extent() throws -> ClosedRange<Int64>? {
        guard query.first <= query.last else { return nil }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT min(least), max(greatest) FROM (
                        SELECT min(sampledAt) AS least, NULL AS greatest FROM reading WHERE device = ?1
                        UNION ALL SELECT NULL, max(sampledAt) FROM reading WHERE device = ?1
                        UNION ALL SELECT min(firstAt), max(lastAt) FROM rollup
                            WHERE level = ?2 AND device = ?1 AND quantity = ?3)
                    """),
            arguments: [device, RollupLevel.day.rawValue, query.quantity.facts.number])
        guard let least = row.flatMap({ Int64.fromDatabaseValue($0[0]) }),
            let greatest = row.flatMap({ Int64.fromDatabaseValue($0[1]) })
        else { return nil }
        let first = max(least, query.first.milliseconds)
        let last = min(greatest, query.last.milliseconds)
        return first <= last ? first...last : nil
    }

    private func hasAtMost(_ count: Int, in span: ClosedRange<Int64>) throws -> Bool {
        let found = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) FROM (SELECT 1 FROM reading WHERE device = ? AND sampledAt BETWEEN ? AND ? LIMIT ?)
                    """),
            arguments: [device, span.lowerBound, span.upperBound, count + 1])
        return (found ?? 0) <= count
    }

    /// The coarsest level that is fine enough, or the finest that still exists; nil for the readings themselves.
    private func level(for wanted: Int64, from first: Int64, isRawKept: Bool) throws -> RollupLevel? {
        if isRawKept, wanted < RollupLevel.minute.rawValue { return nil }
        let fit = RollupLevel.allCases.last { $0.rawValue <= wanted } ?? .minute
        return try RollupLevel.allCases.first { level in
            guard level.rawValue >= fit.rawValue else { return false }
            return try database.value(of: .prunedBefore(level)).map { $0 <= first } ?? true
        } ?? .day
    }

    // MARK: - Pieces

    private func pieces(of level: RollupLevel, _ buckets: ClosedRange<Int64>) throws -> [BucketPart] {
        var result: [BucketPart] = []
        for (bucket, statistics) in try database.buckets(of: level, device: device, query.quantity, buckets) {
            guard isCut(statistics) else {
                result.append(BucketPart(raw: statistics))
                continue
            }
            let parts = try parts(of: bucket, level)
            // Parts that were removed because of their age can no longer be separated.
            let isWhole = parts.reduce(0) { $0 + $1.raw.count } == statistics.count
            result += isWhole ? parts : [BucketPart(raw: statistics, isExact: false)]
        }
        return result
    }

    private func parts(of bucket: Int64, _ level: RollupLevel) throws -> [BucketPart] {
        if let finer = level.finer { return try pieces(of: finer, level.finerBuckets(of: bucket, finer)) }
        guard rolledThrough > 0 else { return [] }
        return try database.samples(
            device: device, query.quantity, level.span(of: bucket), ordinals: 1...rolledThrough
        ).map { BucketPart(raw: $0) }
    }

    /// The readings that are not in the rollups yet.
    private func tail(in span: ClosedRange<Int64>) throws -> [BucketPart] {
        // The plus signs keep SQLite from scanning the whole span by the index of times.
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT sampledAt, \(query.quantity.rawValue) FROM reading
                    WHERE ordinal > ? AND +device = ? AND +sampledAt BETWEEN ? AND ? ORDER BY ordinal
                    """),
            arguments: [rolledThrough, device, span.lowerBound, span.upperBound])
        var result: [BucketPart] = []
        while let row = try rows.next() {
            guard let value: Double = row[1] else { continue }
            result.append(BucketPart(raw: SampleStatistics(value, at: Timestamp(milliseconds: row[0]))))
        }
        return result
    }

    private func isCut(_ statistics: SampleStatistics) -> Bool {
        cuts.contains { statistics.firstAt.milliseconds < $0 && $0 <= statistics.lastAt.milliseconds }
    }

    private func isInside(_ piece: BucketPart) -> Bool {
        piece.raw.lastAt >= query.first && piece.raw.firstAt <= query.last
    }

    // MARK: - Points

    /// Combines pieces, in the order of time, into points.
    private func points(_ pieces: [BucketPart], width: Int64?) -> [SeriesStatistics.Point] {
        var result: [SeriesStatistics.Point] = []
        var bucketOfLast: Int64?
        let silence = 3000 * Int64(max(1, min(query.expectedIntervalSeconds, Device.intervalRange.upperBound)))
        for piece in pieces {
            // A piece that is not exact may begin before the span.
            let moment = max(piece.raw.firstAt, query.first)
            let corrected = piece.raw.corrected(by: query.calibrations.calibration(at: piece.raw.firstAt))
            let bucket = width.map { moment.milliseconds.floored(by: $0) }
            if let bucket, bucket == bucketOfLast {
                result[result.count - 1].raw.merge(piece.raw)
                result[result.count - 1].corrected.merge(corrected)
                result[result.count - 1].isExact = result[result.count - 1].isExact && piece.isExact
                continue
            }
            bucketOfLast = bucket
            let before = result.last?.raw.lastAt
            let isAfterGap = before.map { piece.raw.firstAt.milliseconds(since: $0) > silence } ?? false
            result.append(
                SeriesStatistics.Point(
                    start: start(of: bucket, width) ?? piece.raw.firstAt, raw: piece.raw, corrected: corrected,
                    isAfterGap: isAfterGap, isExact: piece.isExact))
        }
        return result
    }

    private func start(of bucket: Int64?, _ width: Int64?) -> Timestamp? {
        guard let bucket, let width else { return nil }
        let start = bucket.multipliedReportingOverflow(by: width)
        return Timestamp(milliseconds: start.overflow ? .min : start.partialValue)
    }
}
