import GRDB
import SystemPackage

/// The two connections to a file of accounts: one that reads, and one that writes.
struct AccountConnections: Sendable {
    let reader: DatabaseQueue
    let writer: DatabaseQueue
    let identity: FileIdentity

    /// How long a change waits for another program's change, in seconds.
    private static let patience = 2.0

    /// Opens a file, and creates it if it does not exist.
    ///
    /// A file with its tables need not be writable.
    ///
    /// - Throws: ``AccountError``.
    init(path: String) throws {
        do {
            // Created here because SQLite would apply the umask of the process.
            try unsafe FileDescriptor.open(path, .readWrite, options: .create, permissions: .ownerReadWrite).close()
        } catch {
            // It may be readable nevertheless.
            guard FileIdentity(path: path) != nil else { throw AccountError.unreadable(path, reason: "\(error)") }
        }
        guard let identity = FileIdentity(path: path) else {
            throw AccountError.unreadable(path, reason: "it has gone")
        }
        self.identity = identity
        do {
            writer = try DatabaseQueue(path: path, configuration: Self.configuration(isReader: false))
            try Self.prepare(writer, path)
            reader = try DatabaseQueue(path: path, configuration: Self.configuration(isReader: true))
            _ = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM user") }
        } catch let error as DatabaseError {
            throw AccountError(error, path: path)
        }
    }

    /// Closes both; what is still at work ends first.
    func close() {
        // What fails to close is closed with its last reference.
        try? reader.close()
        try? writer.close()
    }

    private static func configuration(isReader: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.foreignKeysEnabled = true
        configuration.readonly = isReader
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return configuration
    }

    /// Makes the tables if they are not there.
    private static func prepare(_ database: DatabaseQueue, _ path: String) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts") { try $0.execute(sql: tables) }
        let (isNewer, isComplete, hasDevices) = try database.read { database in
            (
                try migrator.hasBeenSuperseded(database), try migrator.hasCompletedMigrations(database),
                try database.tableExists("device")
            )
        }
        if isNewer { throw AccountError.newerFile(path) }
        if !isComplete {
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try migrator.migrate(database)
        }
        guard !hasDevices else { return }
        do {
            // Outside the migrations, so that earlier versions open the file.
            try database.write { try $0.execute(sql: devices) }
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
            user TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, pool TEXT, level TEXT NOT NULL
        ) STRICT;
        CREATE INDEX permitOfUser ON permit(user);
        CREATE TABLE token (
            hash TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, name TEXT NOT NULL,
            scopes TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, lastUsed INTEGER
        ) STRICT;
        CREATE TABLE share (
            hash TEXT PRIMARY KEY, pool TEXT NOT NULL, created INTEGER NOT NULL, createdBy TEXT NOT NULL,
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
