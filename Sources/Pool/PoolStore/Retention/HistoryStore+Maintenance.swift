internal import GRDB
public import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The result of one step of maintenance.
public enum MaintenanceStep: Hashable, Sendable {
    /// Removed this many readings that a person had deleted.
    case deleted(Int)
    /// Added this many readings to the rollups.
    case rolledUp(Int)
    /// Removed this many readings because of their age.
    case prunedReadings(Int)
    /// Removed this many buckets of rollups because of their age.
    case prunedRollups(Int)
    /// Returned this many bytes to the disk.
    case shrunk(byteCount: Int)
    /// There was nothing to do.
    case nothing
}

/// The sizes of a history.
public struct HistorySize: Hashable, Sendable {
    /// The bytes of the file.
    public var fileByteCount: Int
    /// The bytes of the journal next to it.
    public var journalByteCount: Int
    /// The unused bytes in the file: new readings fill them, or maintenance returns them to the disk.
    public var freeByteCount: Int
    /// An upper limit of the number of readings that are not in the rollups yet.
    public var waitingCount: Int
}

extension HistoryStore {
    /// The free pages that stay in the file: what is removed today is written again tomorrow.
    private static let freePagesKept = 256
    private static let pagesOfStep = 256

    /// Does one small piece of deferred work, in one short transaction: continues deletions, updates rollups, removes
    /// what is too old, shrinks the file.
    ///
    /// Call it again until the result is ``MaintenanceStep/nothing``, and then every few seconds; readings are
    /// recorded between the steps. A crash loses no more than the step. It never reads a clock, so the caller is
    /// responsible for `now`: if its clock jumps years ahead, everything is too old.
    ///
    /// - Parameters:
    ///   - now: The time from which ages are measured.
    ///   - retention: How long data are kept.
    ///   - corrections: The calibrations; the data that separate one from the next are kept.
    ///   - rowsMax: The most rows in one step; a step of 2000 takes some milliseconds.
    /// - Returns: The result of the step.
    /// - Throws: ``HistoryError``.
    public func maintain(
        now: Timestamp, retention: Retention, corrections: Corrections, rowsMax: Int = 2000
    ) throws(HistoryError) -> MaintenanceStep {
        precondition(rowsMax > 0, "a step of \(rowsMax) rows")
        let deleted = try continueDeletion(rowsMax: rowsMax)
        if deleted > 0 { return .deleted(deleted) }
        func cutoff(_ days: Int) -> Int64 { now.advanced(byMilliseconds: -86_400_000 * Int64(days)).milliseconds }
        // Checks with the reading connection first, so that an idle hub writes nothing.
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
                freeByteCount: number("freelist_count") * pageByteCount, waitingCount: waiting)
        }
    }

    /// Rewrites the whole file without its free bytes; this needs as much room again, and readings wait meanwhile.
    ///
    /// - Throws: ``HistoryError``; then the file is unchanged.
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

    /// Returns some free pages to the disk; returns the number of bytes.
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
