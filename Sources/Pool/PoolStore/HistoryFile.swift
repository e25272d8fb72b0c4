internal import FoundationEssentials
internal import GRDB

/// Opens the history's SQLite file: creates it whole or not at all, and refuses one that is damaged or too new.
enum HistoryFile {
    /// The number in the file's header (`PRAGMA application_id`), by which a history is known again.
    static let applicationID: Int32 = 0x5053_4849

    /// The bytes of a page, which are written or lost together.
    static let pageByteCount = 4096
    /// The time to wait for another program that reads the file, such as a person's SQLite shell, in seconds.
    private static let busySeconds = 5.0
    /// The most pages of a file of an older version that is written anew when it is opened, 64 MiB.
    private static let pagesToCompact = 16_384
    /// The files that SQLite keeps beside a database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// Opens the file at a path, and creates it if it does not exist.
    static func open(_ path: String) throws -> DatabaseQueue {
        let files = FileManager.default
        try HistoryBackup.finishRestore(of: path)
        if !files.fileExists(atPath: path) {
            guard !files.fileExists(atPath: path + "-wal") else {
                throw Damage(finding: "the file is gone, but its journal \(path)-wal is there")
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
            try makeShrinkable(queue)
        }
        return queue
    }

    /// Opens a file that is open already once more, to read while the other one writes.
    static func openToRead(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Lets a file of an older version give free pages back, if that is done soon.
    private static func makeShrinkable(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { database in
            guard try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") == 0,
                try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0 <= pagesToCompact
            else { return }
            // Without room for it the file works as well; it only does not shrink.
            try? database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
        }
    }

    /// Creates the file under another name, so that an empty or half made one is never taken for a history.
    ///
    /// The name becomes durable with the first reading: SQLite then syncs the folder for its journal.
    static func create(_ path: String) throws {
        let files = FileManager.default
        let new = path + ".new"
        for suffix in [""] + companions where files.fileExists(atPath: new + suffix) {
            try files.removeItem(atPath: new + suffix)
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard files.fileExists(atPath: folder) else {
            throw HistoryError.failed(path: path, reason: "the folder \(folder) does not exist")
        }
        // SQLite would create it with the permissions that the process's mask leaves.
        guard files.createFile(atPath: new, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw HistoryError.notWritable(path: path)
        }
        let queue = try DatabaseQueue(path: new, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Before the file has its name: the change of mode could leave a journal that an opening to read, as the
            // check is one, cannot roll back.
            try database.execute(sql: "PRAGMA page_size = \(pageByteCount); PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        try HistoryTables.migrator.migrate(queue)
        // Closing would do it too, but would not tell when it fails.
        try queue.writeWithoutTransaction { database in
            // The pages that the steps left behind; damage in a free page would go unnoticed.
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
            // A long export lets the journal grow; afterwards it is cut again.
            try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
        }
        return configuration
    }

    /// Refuses an empty file, which SQLite would fill as a new one, and one that was cut off within a page, which
    /// SQLite would read as if zeros followed.
    static func checkLength(of path: String) throws {
        let byteCount = try byteCount(of: path)
        guard byteCount > 0 else { throw Damage(finding: "the file is empty") }
        // While there is a journal, a crash may have cut off what the journal still holds.
        guard try !FileManager.default.fileExists(atPath: path + "-wal") || self.byteCount(of: path + "-wal") == 0
        else { return }
        guard byteCount.isMultiple(of: pageByteCount) else {
            throw Damage(finding: "the file ends within a page, at byte \(byteCount)")
        }
    }

    static func byteCount(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// Refuses a file that is not ours, is damaged, or was written by a newer program, and changes nothing in it.
    static func check(_ path: String) throws {
        var configuration = configuration
        // Even closing would write: what the journal holds goes into the main file then.
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { database in
            let number = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard number == applicationID else {
                throw Damage(finding: "it is no history, its application id is \(number ?? 0)")
            }
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw Damage(finding: findings.joined(separator: "; ")) }
            let steps = try HistoryTables.migrator.appliedIdentifiers(database)
                .subtracting(HistoryTables.migrator.migrations)
            guard steps.isEmpty else { throw HistoryError.newerSchema(path: path, steps: steps.sorted()) }
        }
        try queue.close()
    }
}
