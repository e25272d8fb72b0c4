internal import FoundationEssentials
internal import GRDB
public import PoolModel

/// What is in a backup.
public struct BackupReport: Hashable, Sendable {
    /// The file.
    public var path: String
    /// How long it is.
    public var byteCount: Int
    /// How many readings are in it.
    public var readingCount: Int
    /// The time of the latest sample, nil if there is no reading.
    public var newestSample: Timestamp?
}

/// Copies of a history: made while it is used, checked, and put in its place.
public enum HistoryBackup {
    /// What a complete copy is called that is on its way into the place of the history.
    private static let suffix = ".restored"

    /// Checks a backup from its first to its last byte.
    ///
    /// - Throws: ``HistoryError``: the file is no history, damaged, or of a newer version.
    public static func verify(_ path: String) throws(HistoryError) -> BackupReport {
        let files = FileManager.default
        // Even a reader leaves its index of a journal; a journal that was there before belongs to somebody.
        let added = HistoryFile.companions.filter { !files.fileExists(atPath: path + $0) }
        defer {
            // It may not be there, and lies beside the backup without harm.
            for companion in added { _ = try? files.removeItem(atPath: path + companion) }
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
                guard findings == ["ok"] else { throw Damage(finding: findings.joined(separator: "; ")) }
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

    /// Puts a backup in the place of a history, after checking it; the backup stays where it is.
    ///
    /// A crash leaves the history before or the backup's: once the copy is complete and on the disk, the next opening
    /// finishes what is left to do. The readings since then are lost: make a backup of them first if they can be read.
    ///
    /// - Parameters:
    ///   - backup: The backup.
    ///   - path: The history, which nobody has open: the hub must not be running.
    /// - Returns: What is in the history now.
    /// - Throws: ``HistoryError``; the history is as it was then.
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
            try NewFile.rename(copy, to: path + suffix)
            try finishRestore(of: path)
        } catch {
            // The failure is what matters; the rest goes at the next attempt.
            try? removeAll(copy)
            throw HistoryError(error, path: path)
        }
        report.path = path
        return report
    }

    /// Finishes a restore that a crash interrupted.
    static func finishRestore(of path: String) throws {
        guard FileManager.default.fileExists(atPath: path + suffix) else { return }
        // The journal of the history before must not be taken for one of the new one.
        for companion in HistoryFile.companions where FileManager.default.fileExists(atPath: path + companion) {
            try FileManager.default.removeItem(atPath: path + companion)
        }
        try NewFile.rename(path + suffix, to: path)
    }

    private static func removeAll(_ path: String) throws {
        for companion in [""] + HistoryFile.companions where FileManager.default.fileExists(atPath: path + companion) {
            try FileManager.default.removeItem(atPath: path + companion)
        }
    }
}

extension HistoryStore {
    /// Copies the history as it is at one moment to a file, while readings are recorded, and checks the copy.
    ///
    /// - Parameters:
    ///   - path: The file; gets its name when it is complete, checked and on the disk.
    ///   - replaces: Whether a file of this name may be replaced.
    /// - Returns: What is in the backup.
    /// - Throws: ``HistoryError``; under the name there is then what was there before.
    @discardableResult
    public func backUp(to path: String, replaces: Bool = false) throws(HistoryError) -> BackupReport {
        let file = try NewFile(path, replaces: replaces)
        var report: BackupReport
        do {
            let source = try HistoryFile.openToRead(self.path)
            let copy = try DatabaseQueue(path: file.temporaryPath, configuration: HistoryFile.configuration)
            try source.backup(to: copy)
            try source.close()
            try copy.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try copy.close()
            report = try HistoryBackup.verify(file.temporaryPath)
        } catch {
            throw HistoryError(error, path: path)
        }
        try file.finish()
        report.path = path
        return report
    }
}
