internal import GRDB
internal import Platform
public import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The contents of a backup.
public struct BackupReport: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The length of the file.
    public var byteCount: Int
    /// The number of readings.
    public var readingCount: Int
    /// The time of the latest sample; nil if there is no reading.
    public var newestSample: Timestamp?
}

/// Makes backups of a history while it is in use, checks them, and restores them.
public enum HistoryBackup {
    /// Checks a backup from its first to its last byte.
    ///
    /// - Throws: ``HistoryError``: the file is not a history, is damaged, or comes from a newer version.
    public static func verify(_ path: String) throws(HistoryError) -> BackupReport {
        let files = FileManager.default
        // Even a reader leaves its journal index behind; a journal that existed before belongs to another program.
        let added = HistoryFile.sidecarSuffixes.filter { !files.fileExists(atPath: path + $0) }
        defer {
            // The file may not exist, and does no harm next to the backup.
            for suffix in added { _ = try? files.removeItem(atPath: path + suffix) }
        }
        do {
            guard files.fileExists(atPath: path) else {
                throw HistoryError.failed(path: path, reason: "there is no such file")
            }
            try HistoryFile.checkLength(of: path)
            try HistoryFile.check(path)
            var configuration = HistoryFile.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let report = try queue.read { database in
                let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
                guard findings == ["ok"] else { throw CorruptionError(finding: findings.joined(separator: "; ")) }
                let row = try Row.fetchOne(database, sql: "SELECT count(*), max(sampledAt) FROM reading")
                let newest: Int64? = row?[1]
                return BackupReport(
                    path: path, byteCount: try HistoryFile.byteCount(of: path), readingCount: row?[0] ?? 0,
                    newestSample: newest.map { Timestamp(milliseconds: $0) })
            }
            try queue.close()
            return report
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Replaces a history by a backup, after checking it; the backup itself stays.
    ///
    /// After a crash there is either the old history or the backup's: once the copy is complete and on the disk, the
    /// next opening finishes the restore. The readings recorded since the backup are lost: back them up first if they
    /// can still be read.
    ///
    /// - Parameters:
    ///   - backup: The backup.
    ///   - path: The history, which must not be open: the hub must not be running.
    /// - Returns: The contents of the restored history.
    /// - Throws: ``HistoryError``; then the history is unchanged.
    @discardableResult
    public static func restore(_ backup: String, to path: String) throws(HistoryError) -> BackupReport {
        var report = try verify(backup)
        let copy = path + ".incoming"
        do {
            try removeAll(copy)
            let source = try NewFile(copy, replaces: true)
            try source.append(contentsOf: backup)
            try source.finish()
            let queue = try DatabaseQueue(path: copy, configuration: HistoryFile.configuration)
            try HistoryTables.migrator.migrate(queue)
            try queue.writeWithoutTransaction { database in
                _ = try database.checkpoint(.truncate)
            }
            try queue.close()
            try NewFile.rename(copy, to: path + HistoryFile.restoredSuffix)
            try HistoryFile.finishRestore(of: path)
        } catch {
            // The error is what matters; the rest is removed at the next attempt.
            try? removeAll(copy)
            throw HistoryError(error, path: path)
        }
        report.path = path
        return report
    }

    private static func removeAll(_ path: String) throws {
        for suffix in [""] + HistoryFile.sidecarSuffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}

extension HistoryStore {
    /// Copies the history as of one moment to a file, while readings are recorded, and checks the copy.
    ///
    /// - Parameters:
    ///   - path: The file; it gets this name only when it is complete, checked and on the disk.
    ///   - replaces: Whether an existing file may be replaced.
    /// - Returns: The contents of the backup.
    /// - Throws: ``HistoryError``; then an existing file is unchanged.
    @discardableResult
    public func backUp(to path: String, replaces: Bool = false) throws(HistoryError) -> BackupReport {
        do {
            let file = try NewFile(path, replaces: replaces)
            let source = try HistoryFile.openToRead(self.path)
            let copy = try DatabaseQueue(path: file.temporaryPath, configuration: HistoryFile.configuration)
            try source.backup(to: copy)
            try source.close()
            try copy.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try copy.close()
            var report = try HistoryBackup.verify(file.temporaryPath)
            try file.finish()
            report.path = path
            return report
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}
