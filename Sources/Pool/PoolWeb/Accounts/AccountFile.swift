import GRDB
import Platform
import SystemPackage

/// The file of the accounts: its tables, and the number of changes.
///
/// Other processes may change it at the same time: the command line does.
final class AccountFile: Sendable {
    /// The most of each kind: users, tokens and links.
    static let countMax = 1000
    /// How often the last use of a session or token is written down, in milliseconds.
    static let noteMilliseconds: Int64 = 60_000

    private let database: DatabaseQueue
    private let ownChanges = Lock<UInt64>(0)

    /// Opens a file, and creates it if it does not exist.
    init(path: String) throws {
        // Created here because SQLite would apply the umask of the process.
        try unsafe FileDescriptor.open(path, .readWrite, options: .create, permissions: .ownerReadWrite).close()
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts") { try $0.execute(sql: Self.tables) }
        if try database.read(migrator.hasBeenSuperseded) {
            throw AccountError.newerFile(path)
        }
        try migrator.migrate(database)
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

    /// A text that changes with every change of the accounts, by this process or by another one.
    func generation() throws -> String {
        let others = try database.read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        return "\(ownChanges.withLock(\.self)).\(others)"
    }

    func read<Result>(_ work: (Database) throws -> Result) throws -> Result { try database.read(work) }

    /// Changes the accounts.
    func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
        defer { ownChanges.withLock { $0 += 1 } }
        return try database.write(work)
    }

    /// Notes when something was used: no change of the accounts, so that streams need not look again.
    func note(_ work: (Database) throws -> Void) throws { try database.write(work) }
}
