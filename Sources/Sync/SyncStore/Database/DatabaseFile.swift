internal import GRDB
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A SQLite file in a state folder.
///
/// A write is durable when it returns, and the file is checked when it is opened.
///
/// The file is in WAL mode with `synchronous = FULL`, so a commit is on the disk when it returns. A new file gets its
/// name only when it is complete, so an empty or partial file is damaged and is never treated as a new store.
///
/// Source: sqlite.org/wal.html, sqlite.org/pragma.html#pragma_synchronous, sqlite.org/howtocorrupt.html.
final class DatabaseFile: Sendable {
    let path: String
    /// The folder.
    ///
    /// It is kept because its lock makes this process the only writer of the file.
    let folder: StateFolder
    /// Whether the file was created when it was opened.
    let wasCreated: Bool
    /// Whether a repaired file replaced a damaged one when the file was opened, because a crash interrupted an earlier
    /// repair.
    let hasReplacedDamaged: Bool
    private let kind: DatabaseKind
    /// The connection; nil after it was closed.
    private let connection: Lock<DatabaseQueue?>

    /// How long to wait, in seconds, for another program that reads the file, such as a SQLite shell.
    private static let busySeconds = 5.0
    /// The size of a page in bytes.
    ///
    /// A page is written or lost as a whole.
    static let pageByteCount = 4096
    /// The files that SQLite keeps beside a database.
    static let sidecarSuffixes = ["-wal", "-shm", "-journal"]
    /// The suffix of a complete, repaired file that has not yet replaced the damaged one.
    private static let repaired = ".repaired"

    /// Opens the store of a folder, and creates it if it does not exist.
    ///
    /// - Throws: ``StoreError``; an existing file was not changed in that case.
    init(_ kind: DatabaseKind, in folder: StateFolder) throws(StoreError) {
        path = folder.path(of: kind.fileName)
        self.folder = folder
        self.kind = kind
        do {
            hasReplacedDamaged = try Self.replaceDamaged(kind, in: folder)
            wasCreated = try !Self.exists(path)
            if wasCreated { try Self.create(kind, in: folder) }
            connection = Lock(try Self.connect(to: path, kind))
        } catch {
            throw StoreError(error, path: path).reported
        }
    }

    /// Reads within one transaction, so all reads see the same state of the store.
    func read<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try current().read(work)
        } catch {
            throw StoreError(error, path: path).reported
        }
    }

    /// Writes in one transaction; the changes are durable when this returns.
    ///
    /// - Throws: ``StoreError``. Pass it to ``settle(after:isThere:)``: whether the write took effect can be in doubt.
    func write<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try current().writeWithoutTransaction { try Self.write(work, $0) }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The same as GRDB's transaction, but its statements are prepared only once.
    private static func write<Result>(_ work: (Database) throws -> Result, _ database: Database) throws -> Result {
        try database.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            let result = try work(database)
            try database.cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return result
        } catch {
            // SQLite rolls back after some failures by itself, and completes a failed rollback the next time it opens
            // the file. The original error is the one to report.
            if database.isInsideTransaction { try? database.rollback() }
            throw error
        }
    }

    /// Moves everything from the journal into the file, and empties the journal.
    ///
    /// - Throws: ``StoreError``; the store is as before then, and usable.
    func emptyJournal() throws(StoreError) {
        do {
            try current().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            throw StoreError(error, path: path).reported
        }
    }

    /// Closes the connection.
    ///
    /// The next use opens the file again and reads what is on the disk.
    func close() {
        connection.withLock { connection in
            // An error here is harmless: committed changes are in the journal, and the next connection reads them.
            try? connection?.close()
            connection = nil
        }
    }

    func current() throws -> DatabaseQueue {
        try connection.withLock { connection in
            let open = try connection ?? Self.connect(to: path, kind)
            connection = open
            return open
        }
    }

    /// Determines whether a failed write took effect.
    ///
    /// If the disk failed late, the write can be complete in the journal and could reappear after a crash. Opening the
    /// file again decides: the write is then either in the store, or permanently gone.
    ///
    /// - Parameters:
    ///   - failure: The error of the write.
    ///   - isThere: Whether the store holds what was written.
    /// - Throws: The error, unless the write took effect.
    func settle(after failure: StoreError, isThere: (Database) throws -> Bool) throws(StoreError) {
        guard case .diskFailed = failure else { throw failure }
        // Computed before closing, which can free space on the disk.
        let reported = failure.reported
        close()
        // If the disk cannot be read either, the next write reports the error. Until then this write counts as failed.
        guard (try? read(isThere)) == true else { throw reported }
    }

    // MARK: - Replacing

    /// Replaces a damaged store with a new one and keeps the damaged file under another name.
    ///
    /// The new store is complete and on the disk before the old one is renamed. After a crash in between, the next
    /// opening completes the replacement. An earlier damaged file is overwritten, so that damaged files never fill a
    /// disk.
    ///
    /// - Parameters:
    ///   - kind: The kind of store.
    ///   - folder: The folder.
    ///   - fill: Writes the rows that were recovered from the damaged store.
    /// - Returns: The path of the damaged file.
    /// - Throws: ``StoreError``; either the damaged file still has its name, or the next opening completes the
    ///   replacement.
    static func replace(
        _ kind: DatabaseKind, in folder: StateFolder, fill: @escaping @Sendable (Database) throws -> Void
    ) throws(StoreError) -> String {
        let path = folder.path(of: kind.fileName)
        do {
            try create(kind, in: folder, as: kind.fileName + repaired, fill: fill)
            _ = try replaceDamaged(kind, in: folder)
        } catch {
            throw StoreError(error, path: path).reported
        }
        return quarantinePath(of: path)
    }

    /// The path to which a damaged file is moved.
    static func quarantinePath(of path: String) -> String { path + ".damaged" }

    /// Replaces the damaged file with a complete repaired one, if there is one.
    private static func replaceDamaged(_ kind: DatabaseKind, in folder: StateFolder) throws -> Bool {
        let path = folder.path(of: kind.fileName)
        guard FileSystem.isThere(path + repaired) else { return false }
        let place = quarantinePath(of: path)
        for suffix in [""] + sidecarSuffixes where FileSystem.isThere(path + suffix) {
            try FolderError.perform("rename", on: path + suffix) { unsafe rename(path + suffix, place + suffix) }
        }
        try FolderError.perform("rename", on: path) { unsafe rename(path + repaired, path) }
        try folder.folder.sync()
        return true
    }

    // MARK: - Creating

    private static func exists(_ path: String) throws -> Bool {
        if FileSystem.isThere(path) { return true }
        guard !FileSystem.isThere(path + "-wal") else {
            throw CorruptionError(finding: "the file is gone, but its journal \(path)-wal is there")
        }
        return false
    }

    /// Creates a store and gives it its name when it is complete.
    ///
    /// `fill` writes its rows, by default ``DatabaseKind/begin``.
    static func create(
        _ kind: DatabaseKind, in folder: StateFolder, as finalName: String? = nil,
        fill: (@Sendable (Database) throws -> Void)? = nil
    ) throws {
        let name = kind.fileName + ".new"
        let path = folder.path(of: name)
        for suffix in [""] + sidecarSuffixes where FileSystem.isThere(path + suffix) {
            try FolderError.perform("unlink", on: path + suffix) { unsafe unlink(path + suffix) }
        }
        // Created here because SQLite would apply the process's umask.
        try OpenFile(name: name, in: folder.folder, flags: O_RDWR | O_CREAT | O_EXCL).setPermissions(0o600)

        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Done before the file has its final name: the change of mode can leave a journal that a read-only
            // connection, as the check uses, cannot roll back.
            try database.execute(sql: "PRAGMA page_size = \(pageByteCount); PRAGMA journal_mode = WAL")
        }
        try kind.migrator.migrate(queue)
        try queue.write { database in
            try database.execute(sql: "PRAGMA application_id = \(kind.applicationID)")
            try (fill ?? kind.begin)(database)
        }
        // Closing would also checkpoint, but would not report an error.
        try queue.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        try queue.close()
        try FolderError.perform("rename", on: path) { unsafe rename(path, folder.path(of: finalName ?? kind.fileName)) }
        try folder.folder.sync()
    }

    // MARK: - Opening

    private static func connect(to path: String, _ kind: DatabaseKind) throws -> DatabaseQueue {
        guard unsafe access(path, R_OK | W_OK) == 0 else { throw StoreError.notWritable(path: path) }
        try checkLength(of: path)
        try check(path, kind)
        var configuration = configuration
        if kind.overwrites {
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        if try queue.read({ try !kind.migrator.hasCompletedMigrations($0) }) {
            try kind.migrator.migrate(queue)
        }
        return queue
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busySeconds)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // GRDB's own WAL mode uses `synchronous = NORMAL`, which can lose the last commits in a power cut.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        return configuration
    }

    /// Rejects an empty file, which SQLite would initialise as a new one, and a file that was truncated within a page,
    /// which SQLite would read as if it were padded with zeros.
    private static func checkLength(of path: String) throws {
        let byteCount = try Self.byteCount(of: path)
        guard byteCount > 0 else { throw CorruptionError(finding: "the file is empty") }
        // If there is a journal, it can hold the pages that a crash cut off from the file.
        guard try !FileSystem.isThere(path + "-wal") || Self.byteCount(of: path + "-wal") == 0 else { return }
        guard byteCount.isMultiple(of: pageByteCount) else {
            throw CorruptionError(finding: "the file ends within a page, at byte \(byteCount)")
        }
    }

    private static func byteCount(of path: String) throws -> Int {
        var status = stat()
        try FolderError.perform("stat", on: path) { unsafe stat(path, &status) }
        return Int(status.st_size)
    }

    /// Rejects a file that is not this program's, is damaged, or was written by a newer version.
    ///
    /// It changes nothing in the file.
    private static func check(_ path: String, _ kind: DatabaseKind) throws {
        var configuration = configuration
        // Read-only, because closing a writable connection would move the journal's contents into the main file.
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { database in
            let number = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard number == kind.applicationID else {
                throw CorruptionError(finding: "it is no \(kind.fileName), its application id is \(number ?? 0)")
            }
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw CorruptionError(finding: findings.joined(separator: "; ")) }
            try kind.checkSteps(of: database, at: path)
        }
        try queue.close()
    }
}
