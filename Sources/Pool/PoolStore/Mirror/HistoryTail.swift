internal import GRDB
package import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The readings of a history behind a row, in the order of arrival, while the hub goes on recording in another process.
///
/// A row is the ordinal of a reading. Readings get growing rows in the order in which they become durable, so a reader that
/// remembers the last row misses none. It changes nothing. The functions may be called on any thread.
package struct HistoryTail: Sendable {
    /// What is behind a row, as of one moment.
    package struct Part: Hashable, Sendable {
        /// The reading of the row itself; nil if it was removed.
        package var last: Reading?
        /// The readings behind it.
        package var readings: [Reading]
        /// The highest row that was ever given; 0 before the first one.
        package var newestRow: Int64
    }

    private let path: String

    /// Names a history's file; nothing is opened.
    package init(path: String) { self.path = path }

    /// Reads what is behind a row.
    ///
    /// - Parameters:
    ///   - row: The row; 0 for all.
    ///   - limit: The most readings.
    /// - Returns: What is there.
    /// - Throws: ``HistoryError``, also for a file of an older version, which the hub brings up to date when it starts.
    package func read(after row: Int64, limit: Int) throws(HistoryError) -> Part {
        try read { database in
            let last = try Row.fetchOne(
                database, sql: HistoryTables.readingsAfterOrdinal + " LIMIT 1", arguments: [row - 1]
            ).map { try Reading($0) }
            return Part(
                last: last?.ordinal.map(Int64.init) == row ? last : nil,
                readings: try Row.fetchAll(
                    database, sql: HistoryTables.readingsAfterOrdinal + " LIMIT ?", arguments: [row, max(0, limit)]
                ).map { try Reading($0) },
                newestRow: try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'reading'")
                    ?? 0)
        }
    }

    /// How far a mirror is behind that has all up to a row.
    ///
    /// - Throws: ``HistoryError``.
    package func lag(behind mark: MirrorMark?) throws(HistoryError) -> MirrorLag {
        try read { try $0.lag(behind: mark) }
    }

    /// Opens the file for the time of one question: a restored history is another file under the same name.
    private func read<Result>(_ work: (Database) throws -> Result) throws(HistoryError) -> Result {
        do {
            guard FileManager.default.fileExists(atPath: path) else {
                throw HistoryError.failed(path: path, reason: "there is no such file: start the hub once")
            }
            var configuration = HistoryFile.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let result = try queue.read { database in
                try HistoryFile.checkVersion(database, path)
                guard try HistoryTables.migrator.hasCompletedMigrations(database) else {
                    throw HistoryError.failed(
                        path: path, reason: "an older version of this program wrote it: start the hub once")
                }
                return try work(database)
            }
            try queue.close()
            return result
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}

extension Database {
    /// How far a mirror is behind.
    func lag(behind mark: MirrorMark?) throws -> MirrorLag {
        let row = try Row.fetchOne(
            self,
            sql: """
                SELECT count(*), (SELECT receivedAt FROM reading WHERE ordinal > ?1 ORDER BY ordinal LIMIT 1)
                FROM reading WHERE ordinal > ?1
                """, arguments: [mark?.row ?? 0])
        let oldest: Int64? = row?[1]
        return MirrorLag(
            readings: row?[0] ?? 0, oldest: oldest.map { Timestamp(milliseconds: $0) }, copiedAt: mark?.copiedAt)
    }
}

extension HistoryStore {
    /// How far the mirror is behind, as its mark says; nil if there is no mirror.
    ///
    /// - Throws: ``HistoryError``.
    package func mirrorLag() throws(HistoryError) -> MirrorLag? {
        guard let mark = try MirrorMark.read(ofHistory: path) else { return nil }
        return try read { try $0.lag(behind: mark) }
    }
}
