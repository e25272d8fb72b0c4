import GRDB
import Platform
import SystemPackage
import Text

/// The two connections to a file of accounts: one that reads, and one that writes.
final class AccountConnections: Sendable {
    let reader: DatabaseQueue
    let identity: FileIdentity
    /// Why nothing can be written through these connections, such as on a disk that was full when they were opened.
    let obstacle: AccountError?

    /// Nil if there is an obstacle.
    private let writer: DatabaseQueue?
    private let path: String
    /// The file as it was when it was opened, and after the last checkpoint.
    private let stamp: Lock<FileStamp?>
    /// When a change waited in vain for another program.
    private let gaveUp = Lock<ContinuousClock.Instant?>(nil)

    /// How long a change waits for another program's change, in milliseconds.
    private static let patience = 400

    /// Opens a file, and creates it if it does not exist.
    ///
    /// A file with its tables need not be writable.
    ///
    /// - Throws: ``AccountError``.
    init(path: String) throws {
        if FileIdentity(path: path) == nil {
            do {
                // Created here because SQLite would apply the umask of the process.
                try unsafe FileDescriptor.open(path, .readWrite, options: .create, permissions: .ownerReadWrite).close()
            } catch {
                throw AccountError.unreadable(path, reason: "\(error)")
            }
        }
        guard let identity = FileIdentity(path: path) else {
            throw AccountError.unreadable(path, reason: "it has gone")
        }
        self.identity = identity
        self.path = path
        // SQLite makes the files beside it with the rights that it has then.
        for beside in ["-wal", "-shm"] { identity.giveRights(to: path + beside) }
        (reader, writer, obstacle) = try Self.open(path)
        stamp = Lock(FileStamp(path: path))
    }

    private static func open(
        _ path: String
    ) throws -> (reader: DatabaseQueue, writer: DatabaseQueue?, obstacle: AccountError?) {
        do {
            let writer = try DatabaseQueue(path: path, configuration: configuration(isReader: false))
            try prepare(writer, path)
            let reader = try DatabaseQueue(path: path, configuration: configuration(isReader: true))
            try check(reader)
            return (reader, writer, nil)
        } catch let error as DatabaseError {
            guard let reader = try asItIs(path, error) else { throw AccountError(error, path: path) }
            return (reader, nil, .unwritable(path, reason: error.message ?? "\(error.resultCode)"))
        }
    }

    /// Changes the file, all or nothing.
    ///
    /// Changes wait in turn. One that has stood behind another one that waited in vain does not wait itself, too, so that
    /// each is refused soon.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard let writer else { throw obstacle ?? AccountError.unwritable("the file", reason: "it is not open") }
        let asked = ContinuousClock.now
        return try await writer.writeWithoutTransaction { [self] database in
            let hasWaited = gaveUp.withLock { $0.map { $0 > asked } ?? false }
            try database.execute(sql: "PRAGMA busy_timeout = \(hasWaited ? 0 : Self.patience)")
            do {
                try database.beginTransaction(.immediate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                gaveUp.withLock { $0 = .now }
                throw error
            }
            do {
                let value = try work(database)
                try database.commit()
                return value
            } catch {
                if database.isInsideTransaction { try database.rollback() }
                throw error
            }
        }
    }

    /// Whether another program has written into the file, such as `cp`: what these connections remember is not in it.
    var isOverwritten: Bool {
        FileIdentity(path: path) == identity && stamp.withLock(\.self) != FileStamp(path: path)
    }

    /// Puts everything that is in the write-ahead log into the file, and empties the log.
    func checkpoint() async throws {
        try await writer?.writeWithoutTransaction { [self] database in
            guard !isOverwritten else { return }
            defer { stamp.withLock { $0 = FileStamp(path: path) } }
            // Another program's work can be waited for later.
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            try database.checkpoint(.truncate)
        }
    }

    /// Closes both; what is still at work ends first.
    func close() {
        // What fails to close is closed with its last reference.
        try? reader.close()
        try? writer?.close()
    }

    private static func configuration(isReader: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(patience) / 1000)
        configuration.foreignKeysEnabled = true
        configuration.readonly = isReader
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Only ``checkpoint()`` writes into the file itself, so that another program's writing is noticed.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        return configuration
    }

    private static func check(_ reader: DatabaseQueue) throws {
        _ = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM user") }
    }

    /// A connection that reads a file without writing anything beside it; nil if that is not possible.
    ///
    /// SQLite needs a few pages beside the file even to read it, for which a full disk has no room.
    private static func asItIs(_ path: String, _ error: DatabaseError) throws -> DatabaseQueue? {
        guard [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode),
            // What is in a log would be left out.
            FileStamp(path: path + "-wal")?.isEmpty ?? true
        else { return nil }
        let place = path.utf8.map { byte in
            let isPlain = byte == UInt8(ascii: "/") || Character(UnicodeScalar(byte)).isLetter && byte < 0x80
            return isPlain ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text([byte])
        }
        do {
            let reader = try DatabaseQueue(
                path: "file:\(place.joined())?immutable=1", configuration: configuration(isReader: true))
            try check(reader)
            return reader
        } catch is DatabaseError {
            return nil
        }
    }

    /// Makes the tables if they are not there; another program may do the same at the same time.
    private static func prepare(_ database: DatabaseQueue, _ path: String) throws {
        for attempt in 1... {
            do {
                return try makeTables(database, path)
            } catch let error as DatabaseError
                where attempt < 20 && [.SQLITE_BUSY, .SQLITE_ERROR].contains(error.resultCode)
            {
                blockThread(for: .milliseconds(50))
            }
        }
    }

    private static func makeTables(_ database: DatabaseQueue, _ path: String) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts") { try $0.execute(sql: tables) }
        let (isNewer, isComplete, hasDevices, mode) = try database.read { database in
            (
                try migrator.hasBeenSuperseded(database), try migrator.hasCompletedMigrations(database),
                try database.tableExists("device"), try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        if isNewer { throw AccountError.newerFile(path) }
        do {
            if mode != "wal" {
                try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            }
            if !isComplete { try migrator.migrate(database) }
            // Outside the migrations, so that earlier versions open the file.
            if !hasDevices { try database.write { try $0.execute(sql: devices) } }
        } catch  where isComplete {
            // A file that cannot be written now knows no devices, and is good for the rest.
        }
    }

    private static let tables = """
        CREATE TABLE user (
            id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, role TEXT NOT NULL,
            created INTEGER NOT NULL, seen INTEGER, isDisabled INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE permit (
            user TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, scope TEXT, level TEXT NOT NULL
        ) STRICT;
        CREATE INDEX permitOfUser ON permit(user);
        CREATE TABLE token (
            hash TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, name TEXT NOT NULL,
            scopes TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, lastUsed INTEGER
        ) STRICT;
        CREATE TABLE share (
            hash TEXT PRIMARY KEY, scope TEXT NOT NULL, created INTEGER NOT NULL, createdBy TEXT NOT NULL,
            expires INTEGER NOT NULL, uses INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE session (
            hash TEXT PRIMARY KEY, user TEXT REFERENCES user(id) ON DELETE CASCADE,
            share TEXT REFERENCES share(hash) ON DELETE CASCADE, created INTEGER NOT NULL, lastUsed INTEGER NOT NULL,
            expires INTEGER NOT NULL, confirmed INTEGER, agent TEXT NOT NULL
        ) STRICT;
        CREATE INDEX sessionOfUser ON session(user);
        CREATE INDEX sessionOfShare ON session(share);
        """

    /// The browsers on which a user has logged in before.
    private static let devices = """
        CREATE TABLE IF NOT EXISTS device (
            hash TEXT NOT NULL, user TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, lastUsed INTEGER NOT NULL,
            PRIMARY KEY (hash, user)
        ) STRICT;
        """
}
