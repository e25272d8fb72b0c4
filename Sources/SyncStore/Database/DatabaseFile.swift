internal import GRDB
internal import Synchronization

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
    private let kind: DatabaseKind
    /// The connection, nil after it was closed.
    private let connection: Mutex<DatabaseQueue?>

    /// The time to wait for another program that reads the file, such as a person's SQLite shell, in seconds.
    private static let busySeconds = 5.0
    /// The bytes of a page, which are written or lost together.
    private static let pageByteCount = 4096
    /// The files that SQLite keeps beside a database.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Opens the store of a folder, and creates it if it does not exist.
    ///
    /// - Throws: ``StoreError``; an existing file is as it was then.
    init(_ kind: DatabaseKind, in folder: StateFolder) throws(StoreError) {
        path = folder.path(of: kind.fileName)
        self.folder = folder
        self.kind = kind
        do {
            if try !Self.exists(path) { try Self.create(kind, in: folder) }
            connection = Mutex(try Self.connect(to: path, kind))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Reads at one moment of the store.
    func read<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try current().read(work)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Writes all or nothing; what was written is on the disk when this returns.
    func write<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try current().write(work)
        } catch {
            throw StoreError(error, path: path)
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

    /// Moves a store away, so that a new one can take its place; gives the path where it lies now.
    ///
    /// The one that was moved away before is overwritten, so that damage never fills a disk.
    static func setAside(_ kind: DatabaseKind, in folder: StateFolder) throws(StoreError) -> String {
        let path = folder.path(of: kind.fileName)
        let place = path + ".damaged"
        do {
            // The main file goes first: SQLite discards a journal whose file is new, but would replay it into another.
            for suffix in [""] + companions where isThere(path + suffix) {
                try perform("rename", on: path + suffix) { unsafe rename(path + suffix, place + suffix) }
            }
            try folder.folder.sync()
        } catch {
            throw StoreError(error, path: path)
        }
        return place
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

    static func create(_ kind: DatabaseKind, in folder: StateFolder) throws {
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
            try kind.begin(database)
        }
        // Closing would do it too, but would not tell when it fails.
        try queue.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
        try queue.close()
        try perform("rename", on: path) { unsafe rename(path, folder.path(of: kind.fileName)) }
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

    private static var configuration: Configuration {
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
            let steps = try kind.migrator.appliedIdentifiers(database).subtracting(kind.steps.map(\.name))
            guard steps.isEmpty else { throw StoreError.newerSchema(path: path, steps: steps.sorted()) }
        }
        try queue.close()
    }
}
