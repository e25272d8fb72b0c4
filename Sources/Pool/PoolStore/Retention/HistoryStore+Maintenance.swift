internal import FoundationEssentials
internal import GRDB
public import PoolModel

/// What one step of maintenance did.
public enum MaintenanceStep: Hashable, Sendable {
    /// It removed so many readings that a person had deleted.
    case deleted(Int)
    /// It added so many readings to the rollups.
    case rolledUp(Int)
    /// It removed so many readings for their age.
    case prunedReadings(Int)
    /// It removed so many buckets of rollups for their age.
    case prunedRollups(Int)
    /// It gave so many bytes back to the disk.
    case shrunk(byteCount: Int)
    /// There was nothing to do.
    case nothing
}

/// The sizes of a history.
public struct HistorySize: Hashable, Sendable {
    /// The bytes of the file.
    public var fileByteCount: Int
    /// The bytes of the journal beside it.
    public var journalByteCount: Int
    /// The bytes in the file that nothing uses: new readings fill them, or maintenance gives them back.
    public var freeByteCount: Int
    /// Whether maintenance can give free bytes back; not so for a file of an older version until
    /// ``HistoryStore/compact()``.
    public var isShrinkable: Bool
    /// How many readings wait for the rollups, at most.
    public var waitingCount: Int
}

extension HistoryStore {
    /// The readings that were removed whose redeliveries are still recognised: those that arrived last.
    public static let deletedReadingCountMax = 200_000
    /// The free pages that stay in the file: what is removed today is written again tomorrow.
    private static let freePagesKept = 256
    private static let pagesOfStep = 256

    /// Does one small piece of the work that can wait, in one short transaction: goes on with deletions, brings rollups
    /// up to date, removes what is too old, shrinks the file.
    ///
    /// Call it again until it did ``MaintenanceStep/nothing``, and every few seconds anew; readings are recorded
    /// between the steps. A crash loses no more than the step. It never looks at a clock, so a wrong `now` is the
    /// caller's error: a clock that jumps years ahead lets everything be too old.
    ///
    /// - Parameters:
    ///   - now: The moment from which ages count.
    ///   - retention: How long what is kept.
    ///   - corrections: The calibrations; what tells the two sides of one apart is kept.
    ///   - rowsMax: How many rows a step touches at most; a step of 2000 takes some milliseconds.
    /// - Returns: What it did.
    /// - Throws: ``HistoryError``.
    public func maintain(
        now: Timestamp, retention: Retention, corrections: Corrections, rowsMax: Int = 2000
    ) throws(HistoryError) -> MaintenanceStep {
        precondition(rowsMax > 0, "a step of \(rowsMax) rows")
        let deleted = try continueDeletion(rowsMax: rowsMax)
        if deleted > 0 { return .deleted(deleted) }
        func cutoff(_ days: Int) -> Int64 { now.advanced(byMilliseconds: -86_400_000 * Int64(days)).milliseconds }
        // Asks on the reading side first, so that an idle hub writes nothing.
        if try waitingCount() > 0 {
            let count = try write { try $0.rollUp(rowsMax: rowsMax) }
            if count > 0 { return .rolledUp(count) }
        }
        let pruned = try write(savingStates: true) { database in
            try database.pruneReadings(
                before: cutoff(retention.rawDays), corrections: corrections, rowsMax: rowsMax)
        }
        if pruned > 0 { return .prunedReadings(pruned) }
        for level in RollupLevel.allCases {
            guard let days = retention.days(of: level) else { continue }
            let pruned = try write { database in
                try database.pruneRollup(level, before: cutoff(days), corrections: corrections, rowsMax: rowsMax)
            }
            if pruned > 0 { return .prunedRollups(pruned) }
        }
        let shrunk = try shrink()
        return shrunk > 0 ? .shrunk(byteCount: shrunk) : .nothing
    }

    /// The sizes of the file.
    ///
    /// - Throws: ``HistoryError``.
    public func size() throws(HistoryError) -> HistorySize {
        let waiting = try waitingCount()
        return try read { database in
            func number(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
            let pageByteCount = try number("page_size")
            // There is no journal after a checkpoint that removed it.
            let journal = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            return try HistorySize(
                fileByteCount: number("page_count") * pageByteCount, journalByteCount: journal ?? 0,
                freeByteCount: number("freelist_count") * pageByteCount, isShrinkable: number("auto_vacuum") == 2,
                waitingCount: waiting)
        }
    }

    /// Writes the whole file anew without its free bytes; needs as much room again, and readings wait meanwhile.
    ///
    /// - Throws: ``HistoryError``; the file is as it was then.
    public func compact() throws(HistoryError) {
        do {
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    private func waitingCount() throws(HistoryError) -> Int {
        try read { database in
            let newest = try Int64.fetchOne(database, sql: "SELECT max(ordinal) FROM reading") ?? 0
            return try Int(max(0, newest - (database.value(of: .rolledThrough) ?? 0)))
        }
    }

    /// Gives some free pages back to the disk; how many bytes.
    private func shrink() throws(HistoryError) -> Int {
        let free = try read { database in
            try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") == 2
                ? Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 : 0
        }
        guard free > Self.freePagesKept else { return 0 }
        let pages = min(Self.pagesOfStep, free - Self.freePagesKept)
        return try write { database in
            let before = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum(\(pages))")
            let after = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return max(0, before - after) * HistoryFile.pageByteCount
        }
    }
}
