internal import GRDB
internal import PoolModel

extension Database {
    /// Records a deletion durably, and updates the rollups and the newest state of the device at once.
    ///
    /// The readings are removed later, in batches; those that arrive meanwhile stay.
    /// - Returns: The newest state; nil if none of its values was in the span.
    func beginDeletion(of device: StoredDevice, _ span: ClosedRange<Int64>) throws -> DeviceReadings? {
        let through = try Int64.fetchOne(cachedStatement(sql: "SELECT max(ordinal) FROM reading")) ?? 0
        try execute(
            sql: "INSERT INTO deletion (device, firstAt, lastAt, throughOrdinal) VALUES (?, ?, ?, ?)",
            arguments: [device.number, span.lowerBound, span.upperBound, through])
        for quantity in Quantity.allCases {
            try removeFromRollups(device.number, quantity, span)
        }
        return try followDeletion(of: device, span)
    }

    /// Removes the next readings of pending deletions, up to a limit; returns how many.
    func continueDeletion(rowsMax: Int) throws -> Int {
        while let deletion = try Row.fetchOne(
            cachedStatement(sql: "SELECT number, device, firstAt, lastAt, throughOrdinal FROM deletion LIMIT 1"))
        {
            let ordinals = try Int64.fetchAll(
                cachedStatement(
                    sql: """
                        SELECT ordinal FROM reading WHERE device = ? AND sampledAt BETWEEN ? AND ? AND +ordinal <= ?
                        ORDER BY sampledAt LIMIT ?
                        """),
                arguments: [
                    deletion[1] as Int64, deletion[2] as Int64, deletion[3] as Int64, deletion[4] as Int64, rowsMax,
                ])
            guard ordinals.isEmpty else {
                try removeReadings(ordinals)
                return ordinals.count
            }
            try execute(sql: "DELETE FROM deletion WHERE number = ?", arguments: [deletion[0] as Int64])
        }
        return 0
    }

    /// Removes readings, but keeps the keys that recognize their redeliveries.
    func removeReadings(_ ordinals: [Int64]) throws {
        for ordinal in ordinals {
            try cachedStatement(
                sql: """
                    INSERT INTO deletedReading
                    SELECT ordinal, device, sampledAt, payloadHash FROM reading
                    WHERE ordinal = ? AND timeQuality = 'device'
                    """
            ).execute(arguments: [ordinal])
            try cachedStatement(sql: "DELETE FROM reading WHERE ordinal = ?").execute(arguments: [ordinal])
        }
        try cachedStatement(
            sql: """
                DELETE FROM deletedReading WHERE ordinal <=
                    (SELECT ordinal FROM deletedReading ORDER BY ordinal DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [HistoryStore.deletedReadingCountMax])
    }

    // MARK: - Rollups

    /// Removes a span from the rollups of a quantity: whole buckets are removed, and those at its ends are rebuilt
    /// from the parts that stay.
    private func removeFromRollups(_ device: Int64, _ quantity: Quantity, _ span: ClosedRange<Int64>) throws {
        // From the coarsest level down: a bucket is rebuilt from parts that are still complete.
        for level in RollupLevel.allCases.reversed() {
            let first = level.bucket(of: span.lowerBound)
            let last = level.bucket(of: span.upperBound)
            for bucket in Set([first, last]) {
                let key = RollupKey(device: device, quantity: quantity.facts.number, bucket: bucket)
                guard let old = try buckets(of: level, device: device, quantity, bucket...bucket).first else {
                    continue
                }
                let rest = try rest(of: old, level, device, quantity, without: span)
                try replace(key, of: level, by: rest)
            }
            guard last - first > 1 else { continue }
            try cachedStatement(
                sql: "DELETE FROM rollup WHERE level = ? AND device = ? AND quantity = ? AND bucket > ? AND bucket < ?"
            ).execute(arguments: [level.rawValue, device, quantity.facts.number, first, last])
        }
    }

    /// The rest of a bucket; nil if nothing stays.
    ///
    /// A bucket across an end of the span whose parts were removed because of their age is removed as a whole: it is
    /// better to delete too much than to keep deleted data.
    private func rest(
        of old: (bucket: Int64, statistics: SampleStatistics), _ level: RollupLevel, _ device: Int64,
        _ quantity: Quantity, without span: ClosedRange<Int64>
    ) throws -> SampleStatistics? {
        let statistics = old.statistics
        if statistics.lastAt.milliseconds < span.lowerBound || statistics.firstAt.milliseconds > span.upperBound {
            return statistics
        }
        if span.contains(statistics.firstAt.milliseconds), span.contains(statistics.lastAt.milliseconds) { return nil }
        var parts: [SampleStatistics] = []
        if let finer = level.finer {
            let children = try buckets(of: finer, device: device, quantity, level.finerBuckets(of: old.bucket, finer))
            guard children.reduce(0, { $0 + $1.statistics.count }) == statistics.count else { return nil }
            parts = try children.compactMap { try rest(of: $0, finer, device, quantity, without: span) }
        } else {
            let rolledThrough = try value(of: .rolledThrough) ?? 0
            let samples = try samples(
                device: device, quantity, level.span(of: old.bucket), ordinals: 0...max(0, rolledThrough))
            guard samples.count == statistics.count else { return nil }
            parts = samples.filter { !span.contains($0.firstAt.milliseconds) }
        }
        guard var sum = parts.first else { return nil }
        for part in parts.dropFirst() { sum.merge(part) }
        return sum
    }

    // MARK: - The newest state

    /// Replaces the values of the newest state that are in the span by the newest ones that stay.
    private func followDeletion(of device: StoredDevice, _ span: ClosedRange<Int64>) throws -> DeviceReadings? {
        guard let state = try latest(of: device.number) else { return nil }
        var values = state.values
        for (quantity, value) in state.values.pairs {
            // A value that the broker replayed without a time belongs to no reading.
            guard let moment = value.sampledAt, span.contains(moment.milliseconds) else { continue }
            values[quantity] = try newestValue(of: quantity, device.number, outside: span)
        }
        guard values != state.values else { return nil }
        let next = DeviceReadings(
            deviceID: state.deviceID, order: state.order + 1, values: values, lastSeen: state.lastSeen)
        try putLatest(next, device: device.number)
        return next
    }

    private func newestValue(
        of quantity: Quantity, _ device: Int64, outside span: ClosedRange<Int64>
    ) throws -> LatestValue? {
        // Two searches, because one for both sides would read all the deleted rows.
        var row: Row?
        for (side, bound) in [("> ?", span.upperBound), ("< ?", span.lowerBound)] where row == nil {
            row = try Row.fetchOne(
                cachedStatement(
                    sql: """
                        SELECT \(quantity.rawValue), sampledAt, timeQuality, receivedAt FROM reading
                        WHERE device = ? AND \(quantity.rawValue) IS NOT NULL AND sampledAt \(side)
                        ORDER BY sampledAt DESC, ordinal DESC LIMIT 1
                        """),
                arguments: [device, bound])
        }
        guard let row else { return nil }
        guard let timeQuality = String.fromDatabaseValue(row[2]).flatMap({ TimeQuality(rawValue: $0) }) else {
            throw CorruptionError(finding: "a row of the table reading is not what the program writes")
        }
        return LatestValue(
            value: row[0], sampledAt: Timestamp(milliseconds: row[1]), timeQuality: timeQuality,
            receivedAt: Timestamp(milliseconds: row[3]))
    }
}
