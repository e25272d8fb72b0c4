internal import GRDB
internal import PoolModel

extension Database {
    /// Removes readings that are too old, up to a limit; only those that are in the rollups.
    ///
    /// Those in a minute in which a calibration begins stay, because only they can be divided between the
    /// calibrations.
    func pruneReadings(before cutoff: Int64, corrections: Corrections, rowsMax: Int) throws -> Int {
        guard let rolledThrough = try value(of: .rolledThrough) else { return 0 }
        for device in try devices() {
            let kept = Self.list(corrections.starts(of: device.deviceID).map(RollupLevel.minute.bucket))
            let ordinals = try Int64.fetchAll(
                self,
                sql: """
                    SELECT ordinal FROM reading WHERE device = ? AND sampledAt < ? AND +ordinal <= ?
                        AND (sampledAt - ((sampledAt % 60000) + 60000) % 60000) / 60000 NOT IN (\(kept))
                    ORDER BY sampledAt LIMIT ?
                    """,
                arguments: [device.number, cutoff, rolledThrough, rowsMax])
            guard !ordinals.isEmpty else { continue }
            // Before the readings are removed: a chart must not treat the rest as everything there was.
            try raise(.rawPrunedBefore, to: cutoff)
            try removeReadings(ordinals)
            return ordinals.count
        }
        return 0
    }

    /// Removes buckets of a level that are too old, up to a limit.
    ///
    /// Those within a wider bucket in which a calibration begins stay, as the readings do.
    func pruneRollup(_ level: RollupLevel, before cutoff: Int64, corrections: Corrections, rowsMax: Int) throws -> Int {
        guard let coarser = level.coarser else { return 0 }
        let ratio = coarser.rawValue / level.rawValue
        let end = level.bucket(of: cutoff)
        for device in try devices() {
            let kept = Self.list(corrections.starts(of: device.deviceID).map(coarser.bucket))
            for quantity in Quantity.allCases {
                let condition = "level = ? AND device = ? AND quantity = ? AND bucket < ?"
                let wider = "(bucket - ((bucket % \(ratio)) + \(ratio)) % \(ratio)) / \(ratio) NOT IN (\(kept))"
                let buckets = try Int64.fetchAll(
                    self, sql: "SELECT bucket FROM rollup WHERE \(condition) AND \(wider) ORDER BY bucket LIMIT ?",
                    arguments: [level.rawValue, device.number, quantity.facts.number, end, rowsMax])
                guard let last = buckets.last else { continue }
                try raise(.prunedBefore(level), to: cutoff)
                try execute(
                    sql: "DELETE FROM rollup WHERE \(condition) AND \(wider)",
                    arguments: [level.rawValue, device.number, quantity.facts.number, last + 1])
                return buckets.count
            }
        }
        return 0
    }

    private static func list(_ buckets: [Int64]) -> String {
        Set(buckets).sorted().map(String.init).joined(separator: ", ")
    }
}

extension RollupLevel {
    /// The number of the bucket that contains a time.
    fileprivate func bucket(_ moment: Timestamp) -> Int64 { bucket(of: moment.milliseconds) }
}
