import FoundationEssentials
import GRDB
import Platform
import PoolModel
import SystemPackage

/// The accounts, sessions, tokens and links of the page, in `web.sqlite`; the hub knows nothing of them.
///
/// Secrets are stored as hashes only. Other processes may change the file at the same time: the command line does.
package final class AccountStore: Sendable {
    /// The name of the file in the hub's folder.
    package static let fileName = "web.sqlite"
    /// How long a session lasts after its last request, in milliseconds: 30 days.
    static let sessionMilliseconds: Int64 = 30 * 86_400_000
    /// How often the last use of a session or token is written down, in milliseconds.
    private static let noteMilliseconds: Int64 = 60_000
    /// The most of each kind.
    static let countMax = 1000

    private let database: DatabaseQueue
    private let own = Lock<UInt64>(0)

    /// Opens the accounts beside a hub, and creates the file if it does not exist.
    ///
    /// - Throws: What is wrong with the file.
    package convenience init(folder: String) throws {
        try self.init(path: "\(folder)/\(Self.fileName)")
    }

    /// Opens a file.
    package init(path: String) throws {
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

    /// A number that changes with every change of the accounts, by this process or by another one.
    func generation() throws -> String {
        let others = try database.read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        return "\(own.withLock(\.self)).\(others)"
    }

    func read<Result>(_ work: (Database) throws -> Result) throws -> Result { try database.read(work) }

    func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
        defer { own.withLock { $0 += 1 } }
        return try database.write(work)
    }

    // MARK: - Who asks

    /// The account of a request as it is now; nil if it has none any more.
    func account(of ask: Asking, at now: Timestamp) throws -> Account? {
        if let session = ask.account.session { return try account(session: session, at: now) }
        return try ask.request.token.flatMap { try account(token: $0, at: now) }
    }

    /// The account of a session; nil if there is no such session any more.
    func account(session: String, at now: Timestamp) throws -> Account? {
        let hash = SecretText.hash(session)
        let found = try read { database -> (Account, Int64)? in
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT * FROM session WHERE hash = ? AND expires > ?",
                    arguments: [hash, now.milliseconds])
            else { return nil }
            guard let account = try Self.account(of: row, key: hash, database, at: now) else { return nil }
            var known = account
            known.session = session
            return (known, row["lastUsed"])
        }
        guard let (account, lastUsed) = found else { return nil }
        if now.milliseconds - lastUsed > Self.noteMilliseconds || now.milliseconds < lastUsed {
            let expires =
                account.kind == .share ? account.expires : now.advanced(byMilliseconds: Self.sessionMilliseconds)
            // Not a change of the accounts, so streams need not look again.
            try database.write { database in
                try database.execute(
                    sql: "UPDATE session SET lastUsed = ?, expires = ? WHERE hash = ?",
                    arguments: [now.milliseconds, expires?.milliseconds, hash])
                if let user = account.userID {
                    try database.execute(
                        sql: "UPDATE user SET seen = ? WHERE id = ?", arguments: [now.milliseconds, user])
                }
            }
        }
        return account
    }

    private static func account(
        of row: Row, key: String, _ database: Database, at now: Timestamp
    ) throws -> Account? {
        if let share = row["share"] as String? {
            guard
                let found = try Row.fetchOne(
                    database, sql: "SELECT * FROM share WHERE hash = ? AND expires > ?",
                    arguments: [share, now.milliseconds]),
                let pool = (found["pool"] as String?).flatMap({ PoolID($0) })
            else { return nil }
            return Account(
                kind: .share, name: "link \(share.prefix(8))", role: .guest,
                grants: [Grant(poolID: pool, level: .read)], key: "share \(share)",
                expires: Timestamp(milliseconds: found["expires"]))
        }
        guard let id = row["user"] as String?, let user = try AccountUser.find(id, database), !user.isDisabled else {
            return nil
        }
        return Account(
            kind: .user, userID: user.id, name: user.name, role: user.role, grants: user.grants, key: "session \(key)",
            expires: Timestamp(milliseconds: row["expires"]),
            confirmed: (row["confirmed"] as Int64?).map { Timestamp(milliseconds: $0) })
    }

    /// The account of a token; nil if there is no such token any more.
    func account(token: String, at now: Timestamp) throws -> Account? {
        let hash = SecretText.hash(token)
        let found = try read { database -> (Account, Int64?)? in
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT * FROM token WHERE hash = ? AND (expires IS NULL OR expires > ?)",
                    arguments: [hash, now.milliseconds]),
                let user = try AccountUser.find(row["user"], database), !user.isDisabled
            else { return nil }
            let scopes = AccountToken.scopes(row["scopes"])
            let account = Account(
                kind: .token, userID: user.id, name: user.name, role: user.role, grants: user.grants,
                key: "token \(hash)", expires: (row["expires"] as Int64?).map { Timestamp(milliseconds: $0) },
                scopes: Set(scopes))
            return (account, row["lastUsed"])
        }
        guard let (account, lastUsed) = found else { return nil }
        if now.milliseconds - (lastUsed ?? 0) > Self.noteMilliseconds {
            try database.write {
                try $0.execute(
                    sql: "UPDATE token SET lastUsed = ? WHERE hash = ?", arguments: [now.milliseconds, hash])
            }
        }
        return account
    }

    // MARK: - Sessions

    /// Begins a session of a user; its secret is returned, and nowhere stored.
    func beginSession(of user: String, agent: String, at now: Timestamp) throws -> String {
        let secret = SecretText.make(byteCount: 32)
        try write { database in
            try database.execute(sql: "DELETE FROM session WHERE expires <= ?", arguments: [now.milliseconds])
            try Self.makeRoom(for: user, database)
            try database.execute(
                sql: """
                    INSERT INTO session (hash, user, created, lastUsed, expires, confirmed, agent)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    SecretText.hash(secret), user, now.milliseconds, now.milliseconds,
                    now.advanced(byMilliseconds: Self.sessionMilliseconds).milliseconds, now.milliseconds,
                    agent.shortened,
                ])
            try database.execute(sql: "UPDATE user SET seen = ? WHERE id = ?", arguments: [now.milliseconds, user])
        }
        return secret
    }

    /// Keeps the sessions of a user few: the oldest end.
    private static func makeRoom(for user: String, _ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM session WHERE hash IN (
                    SELECT hash FROM session WHERE user = ? ORDER BY lastUsed DESC LIMIT -1 OFFSET 49)
                """, arguments: [user])
    }

    /// Begins a session by a link; nil if the link is unknown, revoked or too old.
    func beginSession(share secret: String, agent: String, at now: Timestamp) throws -> String? {
        let session = SecretText.make(byteCount: 32)
        let hash = SecretText.hash(secret)
        return try write { database in
            guard
                let expires = try Int64.fetchOne(
                    database, sql: "SELECT expires FROM share WHERE hash = ? AND expires > ?",
                    arguments: [hash, now.milliseconds])
            else { return nil }
            try database.execute(sql: "UPDATE share SET uses = uses + 1 WHERE hash = ?", arguments: [hash])
            try database.execute(
                sql: """
                    DELETE FROM session WHERE hash IN (
                        SELECT hash FROM session WHERE share = ? ORDER BY lastUsed DESC LIMIT -1 OFFSET 99)
                    """, arguments: [hash])
            try database.execute(
                sql: """
                    INSERT INTO session (hash, share, created, lastUsed, expires, agent) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    SecretText.hash(session), hash, now.milliseconds, now.milliseconds, expires, agent.shortened,
                ])
            return session
        }
    }

    func endSession(_ secret: String) throws {
        try write {
            try $0.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [SecretText.hash(secret)])
        }
    }

    /// Notes that the password was entered again.
    func confirm(session secret: String, at now: Timestamp) throws {
        try write {
            try $0.execute(
                sql: "UPDATE session SET confirmed = ? WHERE hash = ?",
                arguments: [now.milliseconds, SecretText.hash(secret)])
        }
    }
}

/// Why accounts cannot be used or changed.
package enum AccountError: Error, Equatable, CustomStringConvertible {
    /// A newer version of the program wrote the file.
    case newerFile(String)
    /// The name is taken.
    case nameTaken(String)
    /// The name is not fit.
    case nameUnfit(String)
    /// There is no such user.
    case noUser(String)
    /// There is no such pool.
    case noPool(String)
    /// It would leave the page without an owner.
    case lastOwner(String)
    /// There is at least one account, so the first one cannot be made.
    case notFirst
    /// There are too many.
    case tooMany(String)
    /// The password is not fit.
    case passwordUnfit(String)
    /// Only owners may have tokens for the measurements.
    case metricsOfOwners(String)

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .newerFile(let path): "a newer version of the program wrote \(path): use that one"
        case .nameTaken(let name): "there is an account \(Excerpt(name)) already: choose another name"
        case .nameUnfit(let name):
            "the name \(Excerpt(name)) is not fit: it has 1 to 64 bytes, not only blanks, and no control or "
                + "bidirectional characters"
        case .noUser(let name): "there is no account \(Excerpt(name)): see poolsensors web account list"
        case .noPool(let name): "there is no pool \(Excerpt(name)): see poolsensors pool list"
        case .lastOwner(let name): "\(Excerpt(name)) is the last owner who is not disabled: make another owner first"
        case .notFirst: "there is an account already: an owner can add others"
        case .tooMany(let what): "there are \(AccountStore.countMax) \(what) already: remove some"
        case .passwordUnfit(let reason): reason
        case .metricsOfOwners(let name):
            "\(Excerpt(name)) is no owner, and the measurements show all pools: make the token as an owner"
        }
    }
}
