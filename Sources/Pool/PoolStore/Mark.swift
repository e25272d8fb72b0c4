internal import GRDB

/// A number that the history stores about its own progress.
enum Mark: Hashable {
    /// The readings through this ordinal are in the rollups, those after it are not.
    case rolledThrough
    /// The readings through this ordinal are in the newest states of their devices; see ``NewestStates``.
    case statesThrough
    /// Readings that were sampled before this may have been removed because of their age.
    case rawPrunedBefore
    /// Buckets of the level that end before this may have been removed because of their age.
    case prunedBefore(RollupLevel)

    var name: String {
        switch self {
        case .rolledThrough: "rolledThrough"
        case .statesThrough: "statesThrough"
        case .rawPrunedBefore: "rawPrunedBefore"
        case .prunedBefore(let level): "prunedBefore \(level.rawValue)"
        }
    }
}

extension Database {
    /// The value of a mark; nil if it was never set.
    func value(of mark: Mark) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: "SELECT value FROM mark WHERE name = ?"), arguments: [mark.name])
    }

    func set(_ mark: Mark, to value: Int64) throws {
        try cachedStatement(
            sql: "INSERT INTO mark VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        ).execute(arguments: [mark.name, value])
    }

    /// Sets a mark unless it is already at least as great.
    func raise(_ mark: Mark, to value: Int64) throws {
        guard try self.value(of: mark).map({ $0 < value }) ?? true else { return }
        try set(mark, to: value)
    }
}
