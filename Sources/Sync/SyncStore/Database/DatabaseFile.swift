internal import GRDB
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// One SQLite file in a state folder: durable when a write returns, checked when it is opened.
///
/// It is written in WAL mode with `synchronous = FULL`, so that a commit is on the disk when it returns. The file
/// gets its name only when it is complete: one that is empty or half made is damage, never a fresh store.
///
/// Source: sqlite.org/wal.html, sqlite.org/pragma.html#pragma_synchronous, sqlite.org/howtocorrupt.html.
final class DatabaseFile: Sendable {
    let path: String
    /// The folder, kept because its lock is what makes this process the only one that writes the file.
    let folder: StateFolder
    /// Whether this opening created the file.
    let wasCreated: Bool
    /// Whether a repaired file took the place of a damaged one at this opening, because a crash had come before.
    let hasTakenPlace: Bool
    private let kind: DatabaseKind
    /// The connection, nil after it was closed.
    private let connection: Lock<DatabaseQueue?>

    /// The time to wait for another program that reads the file, such as a person's SQLite shell, in seconds.
    private static let busySeconds = 5.0
    /// The bytes of a page, which are written or lost together.
    private static let pageByteCount = 4096
    /// The files that SQLite keeps beside a database.
    static let companions = ["-wal", "-shm", "-journal"]
    /// What the name of a file ends with that is complete and waits for its place.
    private static let repaired = ".repaired"

    /// Opens the store of a folder, and creates it if it does not exist.
    ///
    /// - Throws: ``StoreError``; an existing file is as it was then.
    init(_ kind: DatabaseKind, in folder: StateFolder) throws(StoreError) {
        path = folder.path(of: kind.fileName)
        self.folder = folder
        self.kind = kind
        do {
            hasTakenPlace = try Self.takePlace(kind, in: folder)
            wasCreated = try !Self.exists(path)
            if wasCreated { try Self.create(kind, in: folder) }
            connection = Lock(try Self.connect(to: path, kind))
        } catch {
            throw StoreError(error, path: path).told
        }
    }

    /// Reads at one moment of the store.
    func read<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try current().read(work)
        } catch {
            throw StoreError(error, path: path).told
        }
    }

    /// Writes all or nothing; what was written is on the disk when this returns.
    ///
    /// - Throws: ``StoreError``, to be handed to ``settle(after:isThere:)``: whether the write counts may be in doubt.
    func write<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try current().writeWithoutTransaction { try Self.write(work, $0) }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// A transaction as GRDB's own, but with statements that are prepared once.
    private static func write<Result>(_ work: (Database) throws -> Result, _ database: Database) throws -> Result {
        try database.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            let result = try work(database)
            try database.cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return result
        } catch {
            // SQLite itself takes back what some failures leave, and what it cannot take back now it does at the next
            // opening; what failed is what counts.
            if database.isInsideTransaction { try? database.rollback() }
            throw error
        }
    }

    /// Closes the connection; the next use opens it anew, and reads what really is on the disk.
    func close() {
        connection.withLock { connection in
            // Closing only tidies up: what was committed is in the journal, where the next opening finds it.
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

    /// Decides what a write was that failed.
    ///
    /// If the disk failed late, it may already stand complete in the journal, where a crash would bring it to light.
    /// Opening the file anew settles it: then it either counts, or is gone for good.
    ///
    /// - Parameters:
    ///   - failure: How the write failed.
    ///   - isThere: Whether the store holds what was written.
    /// - Throws: The failure, unless the write counts.
    func settle(after failure: StoreError, isThere: (Database) throws -> Bool) throws(StoreError) {
        guard case .diskFailed = failure else { throw failure }
        // Before the closing, which may make room.
        let told = failure.told
        close()
        // If the disk does not even let us look, the next write finds out; this one did not succeed as far as we know.
        guard (try? read(isThere)) == true else { throw told }
    }

    // MARK: - Replacing

    /// Puts a new store in the place of a damaged one, which is moved away.
    ///
    /// The new one is complete and on the disk before the old one moves: after a crash the next opening goes on. The one
    /// that was moved away before is overwritten, so that damage never fills a disk.
    ///
    /// - Parameters:
    ///   - kind: The kind of store.
    ///   - folder: The folder.
    ///   - fill: Writes what was saved of the damaged one.
    /// - Returns: The path where the damaged one lies now.
    /// - Throws: ``StoreError``; the damaged one has its name still, or the next opening goes on.
    static func replace(
        _ kind: DatabaseKind, in folder: StateFolder, fill: @escaping @Sendable (Database) throws -> Void
    ) throws(StoreError) -> String {
        let path = folder.path(of: kind.fileName)
        do {
            try create(kind, in: folder, as: kind.fileName + repaired, fill: fill)
            _ = try takePlace(kind, in: folder)
        } catch {
            throw StoreError(error, path: path).told
        }
        return placeAside(of: path)
    }

    /// Where a damaged file is moved to.
    static func placeAside(of path: String) -> String { path + ".damaged" }

    /// Lets a repaired file, if there is one, take the place of the damaged one.
    private static func takePlace(_ kind: DatabaseKind, in folder: StateFolder) throws -> Bool {
        let path = folder.path(of: kind.fileName)
        guard isThere(path + repaired) else { return false }
        let place = placeAside(of: path)
        for suffix in [""] + companions where isThere(path + suffix) {
            try perform("rename", on: path + suffix) { unsafe rename(path + suffix, place + suffix) }
        }
        try perform("rename", on: path) { unsafe rename(path + repaired, path) }
        try folder.folder.sync()
        return true
    }

    // MARK: - Creating

    private static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    private static func exists(_ path: String) throws -> Bool {
        if isThere(path) { return true }
        guard !isThere(path + "-wal") else {
            throw Damage(finding: "the file is gone, but its journal \(path)-wal is there")
        }
        return false
    }

    /// Creates a store, complete when it gets its name; `fill` writes what it holds, by default nothing yet.
    static func create(
        _ kind: DatabaseKind, in folder: StateFolder, as finalName: String? = nil,
        fill: (@Sendable (Database) throws -> Void)? = nil
    ) throws {
        let name = kind.fileName + ".new"
        let path = folder.path(of: name)
        for suffix in [""] + companions where isThere(path + suffix) {
            try perform("unlink", on: path + suffix) { unsafe unlink(path + suffix) }
        }
        // SQLite would create it with the permissions that the process's mask leaves.
        try OpenFile(name: name, in: folder.folder, flags: O_RDWR | O_CREAT | O_EXCL).setPermissions(0o600)

        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // Before the file has its name: the change of mode could leave a journal that an opening to read, as the
            // check is one, cannot roll back.
            try database.execute(sql: "PRAGMA page_size = \(pageByteCount); PRAGMA journal_mode = WAL")
        }
        try kind.migrator.migrate(queue)
        try queue.write { database in
            try database.execute(sql: "PRAGMA application_id = \(kind.applicationID)")
            try (fill ?? kind.begin)(database)
        }
        // Closing would do it too, but would not tell when it fails.
        try queue.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        try queue.close()
        try perform("rename", on: path) { unsafe rename(path, folder.path(of: finalName ?? kind.fileName)) }
        try folder.folder.sync()
    }

    // MARK: - Opening

    private static func connect(to path: String, _ kind: DatabaseKind) throws -> DatabaseQueue {
        guard unsafe access(path, R_OK | W_OK) == 0 else { throw StoreError.notWritable(path: path) }
        try checkLength(of: path)
        try check(path, kind)
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
            // GRDB's own WAL mode would choose NORMAL, which may lose the last commits in a power cut.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        return configuration
    }

    /// Refuses an empty file, which SQLite would fill as a new one, and one that was cut off within a page, which SQLite
    /// would read as if zeros followed.
    private static func checkLength(of path: String) throws {
        let byteCount = try Self.byteCount(of: path)
        guard byteCount > 0 else { throw Damage(finding: "the file is empty") }
        // While there is a journal, a crash may have cut off what the journal still holds.
        guard try !isThere(path + "-wal") || Self.byteCount(of: path + "-wal") == 0 else { return }
        guard byteCount.isMultiple(of: pageByteCount) else {
            throw Damage(finding: "the file ends within a page, at byte \(byteCount)")
        }
    }

    private static func byteCount(of path: String) throws -> Int {
        var status = stat()
        try perform("stat", on: path) { unsafe stat(path, &status) }
        return Int(status.st_size)
    }

    /// Refuses a file that is not ours, is damaged, or was written by a newer program, and changes nothing in it.
    private static func check(_ path: String, _ kind: DatabaseKind) throws {
        var configuration = configuration
        // Even closing would write: what the journal holds goes into the main file then.
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { database in
            let number = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard number == kind.applicationID else {
                throw Damage(finding: "it is no \(kind.fileName), its application id is \(number ?? 0)")
            }
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else { throw Damage(finding: findings.joined(separator: "; ")) }
            try kind.checkSteps(of: database, at: path)
        }
        try queue.close()
    }
}
