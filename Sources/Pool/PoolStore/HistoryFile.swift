internal import GRDB
internal import Platform

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Opens the history's SQLite file: creates it completely or not at all, and rejects a file that is damaged or too
/// new.
enum HistoryFile {
    /// The number in the file's header (`PRAGMA application_id`) by which a history is recognized.
    static let applicationID: Int32 = 0x5053_4849

    /// The number of bytes in a page, which are written or lost together.
    static let pageByteCount = 4096
    /// How long to wait for another program that reads the file, for example a person's SQLite shell, in seconds.
    private static let busySeconds = 5.0
    /// The suffixes of the files that SQLite keeps next to a database.
    static let sidecarSuffixes = ["-wal", "-shm", "-journal"]
    /// The suffix of a complete copy of a backup before it replaces the history.
    static let restoredSuffix = ".restored"

    /// Opens the file at a path, and creates it if it does not exist.
    static func open(_ path: String) throws -> DatabaseQueue {
        let files = FileManager.default
        try finishRestore(of: path)
        if !files.fileExists(atPath: path) {
            guard !files.fileExists(atPath: path + "-wal") else {
                throw CorruptionError(finding: "the file is gone, but its journal \(path)-wal is there")
            }
            try create(path)
        }
        guard files.isReadableFile(atPath: path), files.isWritableFile(atPath: path) else {
            throw HistoryError.notWritable(path: path)
        }
        try checkLength(of: path)
        try check(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        if try queue.read({ try !HistoryTables.migrator.hasCompletedMigrations($0) }) {
            try HistoryTables.migrator.migrate(queue)
        }
        return queue
    }

    /// Replaces the history by the complete copy of a backup, if there is one.
    ///
    /// After a crash in the middle, the next opening does it again.
    static func finishRestore(of path: String) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: path + restoredSuffix) else { return }
        // The journal of the old history must not be used for the new one.
        for suffix in sidecarSuffixes where files.fileExists(atPath: path + suffix) {
            try files.removeItem(atPath: path + suffix)
        }
        try NewFile.rename(path + restoredSuffix, to: path)
    }

    /// Opens a second connection to a file, for reading while the first one writes.
    static func openToRead(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Creates the file under another name, so that an empty or incomplete file is never used as a history.
    ///
    /// The name becomes durable with the first reading: SQLite then syncs the folder for its journal.
    static func create(_ path: String) throws {
        let files = FileManager.default
        let new = path + ".new"
        for suffix in [""] + sidecarSuffixes where files.fileExists(atPath: new + suffix) {
            try files.removeItem(atPath: new + suffix)
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard files.fileExists(atPath: folder) else {
            throw HistoryError.failed(path: path, reason: "the folder \(folder) does not exist")
        }
        // SQLite would create it with the permissions of the process's umask.
        guard files.createFile(atPath: new, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw HistoryError.notWritable(path: path)
        }
        let queue = try DatabaseQueue(path: new, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Before the file gets its name: changing the mode could leave a journal that a read-only opening, such
            // as the check, cannot roll back.
            try database.execute(sql: "PRAGMA page_size = \(pageByteCount); PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        try HistoryTables.migrator.migrate(queue)
        // Closing would do this too, but would not report a failure.
        try queue.writeWithoutTransaction { database in
            // The pages that the steps freed; damage in a free page would go unnoticed.
            _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
            _ = try database.checkpoint(.truncate)
        }
        try queue.close()
        try files.moveItem(atPath: new, toPath: path)
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busySeconds)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // GRDB's own WAL mode would choose NORMAL, which may lose the last readings in a power cut.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // A long export lets the journal grow; afterwards it is truncated.
            try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
        }
        return configuration
    }

    /// Rejects an empty file, which SQLite would use as a new one, and one that was cut off within a page, which
    /// SQLite would read as if zeros followed.
    static func checkLength(of path: String) throws {
        let byteCount = try byteCount(of: path)
        guard byteCount > 0 else { throw CorruptionError(finding: "the file is empty") }
        // While there is a journal, the bytes that a crash cut off may still be in the journal.
        guard try !FileManager.default.fileExists(atPath: path + "-wal") || self.byteCount(of: path + "-wal") == 0
        else { return }
        guard byteCount.isMultiple(of: pageByteCount) else {
            throw CorruptionError(finding: "the file ends within a page, at byte \(byteCount)")
        }
    }

    static func byteCount(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// Rejects a file that is not a history, is damaged, or comes from a newer program, without changing it.
    static func check(_ path: String) throws {
        var configuration = configuration
        // Even closing would write: it moves the journal's contents into the main file.
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { database in
            try checkVersion(database, path)
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw CorruptionError(finding: findings.joined(separator: "; ")) }
        }
        try queue.close()
    }

    /// Rejects a database that is no history, or comes from a newer program.
    static func checkVersion(_ database: Database, _ path: String) throws {
        let number = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard number == applicationID else {
            throw CorruptionError(finding: "it is not a history, its application id is \(number ?? 0)")
        }
        let steps = try HistoryTables.migrator.appliedIdentifiers(database)
            .subtracting(HistoryTables.migrator.migrations)
        guard steps.isEmpty else { throw HistoryError.newerSchema(path: path, steps: steps.sorted()) }
    }
}
