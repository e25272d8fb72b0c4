internal import GRDB
internal import PoolModel

/// The key of a row in a rollup, within a level.
struct RollupKey: Hashable {
    var device: Int64
    var quantity: Int64
    var bucket: Int64
}

extension Database {
    /// Adds the next readings to the rollups, in the order of arrival.
    ///
    /// The mark moves in the same transaction, so that a reading is added exactly once; a late reading has a late
    /// ordinal and is added to the bucket of its own time.
    /// - Parameter rowsMax: The most readings to add.
    /// - Returns: How many were added.
    /// - Throws: The errors of SQLite.
    func rollUp(rowsMax: Int) throws -> Int {
        // Readings that are about to be deleted have already been removed from the rollups, and must not be added
        // again.
        let isDeleting = try Bool.fetchOne(cachedStatement(sql: "SELECT EXISTS (SELECT * FROM deletion)")) ?? false
        guard !isDeleting else { return 0 }
        let start = try value(of: .rolledThrough) ?? 0
        var through = start
        var count = 0
        var deltas: [RollupKey: SampleStatistics] = [:]
        let rows = try Row.fetchCursor(
            cachedStatement(sql: HistoryTables.readingsToRollUp), arguments: [start, rowsMax])
        while let row = try rows.next() {
            through = row[0]
            count += 1
            let moment: Int64 = row[2]
            for (column, quantity) in Quantity.allCases.enumerated() {
                guard let value: Double = row[3 + column] else { continue }
                let key = RollupKey(
                    device: row[1], quantity: quantity.facts.number, bucket: RollupLevel.minute.bucket(of: moment))
                let sample = SampleStatistics(value, at: Timestamp(milliseconds: moment))
                deltas.merge(sample, into: key)
            }
        }
        guard count > 0 else { return 0 }
        for level in RollupLevel.allCases {
            // In the order of the table, so that neighbours share a page.
            for key in deltas.keys.sorted() {
                if let delta = deltas[key] { try add(delta, to: key, of: level) }
            }
            if let coarser = level.coarser { deltas = deltas.coarsened(from: level, to: coarser) }
        }
        try set(.rolledThrough, to: through)
        return count
    }

    private func add(_ delta: SampleStatistics, to key: RollupKey, of level: RollupLevel) throws {
        try cachedStatement(sql: HistoryTables.addToRollup).execute(arguments: key.arguments(level, delta))
    }

    /// Replaces the statistics of a bucket; nil removes it.
    func replace(_ key: RollupKey, of level: RollupLevel, by statistics: SampleStatistics?) throws {
        guard let statistics else {
            try cachedStatement(
                sql: "DELETE FROM rollup WHERE level = ? AND device = ? AND quantity = ? AND bucket = ?"
            ).execute(arguments: [level.rawValue, key.device, key.quantity, key.bucket])
            return
        }
        try cachedStatement(
            sql: "INSERT OR REPLACE INTO rollup VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: key.arguments(level, statistics))
    }

    /// The buckets of a level between two numbers, in order.
    func buckets(
        of level: RollupLevel, device: Int64, _ quantity: Quantity, _ span: ClosedRange<Int64>
    ) throws -> [(bucket: Int64, statistics: SampleStatistics)] {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT bucket, count, minimum, maximum, sum, firstAt, first, lastAt, last FROM rollup
                    WHERE level = ? AND device = ? AND quantity = ? AND bucket BETWEEN ? AND ? ORDER BY bucket
                    """),
            arguments: [level.rawValue, device, quantity.facts.number, span.lowerBound, span.upperBound])
        var result: [(bucket: Int64, statistics: SampleStatistics)] = []
        while let row = try rows.next() {
            let sum: Double? = row[4]
            let statistics = SampleStatistics(
                count: row[1], minimum: row[2], maximum: row[3], sum: sum ?? .nan, firstAt: row[5], first: row[6],
                lastAt: row[7], last: row[8])
            result.append((row[0], statistics))
        }
        return result
    }

    /// The single samples of a quantity between two times, by time and arrival; only of readings with these ordinals.
    func samples(
        device: Int64, _ quantity: Quantity, _ span: ClosedRange<Int64>, ordinals: ClosedRange<Int64>
    ) throws -> [SampleStatistics] {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT sampledAt, \(quantity.rawValue) FROM reading
                    WHERE device = ? AND sampledAt BETWEEN ? AND ? AND +ordinal BETWEEN ? AND ?
                    ORDER BY sampledAt, ordinal
                    """),
            arguments: [device, span.lowerBound, span.upperBound, ordinals.lowerBound, ordinals.upperBound])
        var result: [SampleStatistics] = []
        while let row = try rows.next() {
            guard let value: Double = row[1] else { continue }
            result.append(SampleStatistics(value, at: Timestamp(milliseconds: row[0])))
        }
        return result
    }
}

extension HistoryTables {
    /// Selects the next readings after an ordinal, up to a limit.
    static let readingsToRollUp = """
        SELECT ordinal, device, sampledAt, \(quantityColumns.joined(separator: ", "))
        FROM reading WHERE ordinal > ? ORDER BY ordinal LIMIT ?
        """

    /// Merges the statistics of samples that arrived later into a bucket, as ``SampleStatistics/merge(_:)`` does.
    static let addToRollup = """
        INSERT INTO rollup VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            count = count + excluded.count, minimum = min(minimum, excluded.minimum),
            maximum = max(maximum, excluded.maximum), sum = sum + excluded.sum,
            first = iif(excluded.firstAt < firstAt, excluded.first, first), firstAt = min(firstAt, excluded.firstAt),
            last = iif(excluded.lastAt >= lastAt, excluded.last, last), lastAt = max(lastAt, excluded.lastAt)
        """
}

extension RollupKey: Comparable {
    static func < (left: RollupKey, right: RollupKey) -> Bool {
        (left.device, left.quantity, left.bucket) < (right.device, right.quantity, right.bucket)
    }

    fileprivate func arguments(_ level: RollupLevel, _ statistics: SampleStatistics) -> StatementArguments {
        [
            level.rawValue, device, quantity, bucket, statistics.count, statistics.minimum, statistics.maximum,
            statistics.sum.isNaN ? nil : statistics.sum, statistics.firstAt.milliseconds, statistics.first,
            statistics.lastAt.milliseconds, statistics.last,
        ]
    }
}

extension [RollupKey: SampleStatistics] {
    fileprivate mutating func merge(_ later: SampleStatistics, into key: RollupKey) {
        self[key]?.merge(later)
        if self[key] == nil { self[key] = later }
    }

    /// The same samples in wider buckets; in the order of time, so that the sums are the same every time.
    fileprivate func coarsened(from level: RollupLevel, to coarser: RollupLevel) -> Self {
        var result: Self = [:]
        for (key, statistics) in sorted(by: { $0.key < $1.key }) {
            var wide = key
            wide.bucket = coarser.bucket(of: level.span(of: key.bucket).lowerBound)
            result.merge(statistics, into: wide)
        }
        return result
    }
}
