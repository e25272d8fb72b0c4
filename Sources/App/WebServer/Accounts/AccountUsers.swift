package import GRDB
package import Text
import Vault

/// A user of the page.
package struct AccountUser: Identified, Sendable {
    package var id: String
    package var name: String
    package var role: Role
    package var grants: [Grant]
    package var created: Timestamp
    package var lastSeen: Timestamp?
    package var isDisabled: Bool
    /// The stored hash, which is not shown.
    ///
    /// That of an account for programs, which has tokens only, is ``noPassword``.
    package var password: String

    /// What is stored of an account for which nobody can log in.
    static let noPassword = "!"

    package init(_ row: Row, _ database: Database) throws {
        id = row["id"]
        name = row["name"]
        role = Role(rawValue: row["role"]) ?? .guest
        created = Timestamp(milliseconds: row["created"])
        lastSeen = (row["seen"] as Int64?).map { Timestamp(milliseconds: $0) }
        isDisabled = row["isDisabled"]
        password = row["password"]
        let permits = try Row.fetchAll(
            database, sql: "SELECT * FROM permit WHERE user = ? ORDER BY rowid", arguments: [id])
        grants = permits.compactMap { permit in
            AccessLevel(rawValue: permit["level"]).map { Grant(scope: permit[AccountFile.scopeColumn], level: $0) }
        }
    }

    package static func find(_ id: String, _ database: Database) throws -> AccountUser? {
        try Row.fetchOne(database, sql: "SELECT * FROM user WHERE id = ?", arguments: [id])
            .map { try AccountUser($0, database) }
    }

    /// Finds a user by the name; upper and lower case are equal, and so are all ways to write an accent.
    package static func find(name: String, _ database: Database) throws -> AccountUser? {
        let wanted = name.lowercased()
        return try Row.fetchAll(database, sql: "SELECT * FROM user").first { row in
            HiddenCharacter.looksAlike((row["name"] as String).lowercased(), wanted)
        }.map { try AccountUser($0, database) }
    }
}

/// A change of a user; what is nil stays.
package struct AccountEdit: Sendable {
    package var role: Role?
    package var grants: [Grant]?
    package var isDisabled: Bool?
    var password: PasswordHash?
    /// Whether the user's tokens go on when the password changes.
    package var keepsTokens = false

    package init(isDisabled: Bool? = nil) { self.isDisabled = isDisabled }
}

/// The users, with what they were granted.
package struct AccountUsers: Sendable {
    private let file: AccountFile

    package init(_ file: AccountFile) { self.file = file }

    /// Whether there is no owner who can log in and make accounts: then the code at the terminal makes one.
    package func lackOwner() async throws -> Bool { try await file.read { try !Self.haveOwner($0) } }

    /// The users, by name.
    package func all() async throws -> [AccountUser] {
        try await file.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM user").map { try AccountUser($0, database) }
        }.sorted { $0.name < $1.name }
    }

    package func find(_ id: String) async throws -> AccountUser? {
        try await file.read { try AccountUser.find(id, $0) }
    }

    package func find(named name: String) async throws -> AccountUser? {
        try await file.read { try AccountUser.find(name: name, $0) }
    }

    /// Adds a user; only as the first owner if `isFirst` is true.
    ///
    /// The first account of a person is an owner. One without a password is for programs on this machine, and comes at any time.
    func add(
        name: String, _ password: PasswordHash?, role: Role, grants: [Grant], isFirst: Bool = false, at now: Timestamp
    ) async throws -> AccountUser {
        try AccountError.check(name: name)
        var generator = SystemRandomNumberGenerator()
        let id = "\(Identifier<AccountUser>(using: &generator))"
        return try await file.write { database in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM user") ?? 0
            let hasOwner = try Self.haveOwner(database)
            if isFirst, hasOwner { throw AccountError.notFirst }
            if !hasOwner, role != .owner, password != nil { throw AccountError.firstIsOwner(name) }
            guard count < AccountFile.countMax else { throw AccountError.tooMany("accounts") }
            guard try AccountUser.find(name: name, database) == nil else { throw AccountError.nameTaken(name) }
            try database.execute(
                sql: "INSERT INTO user (id, name, password, role, created) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    id, name, password?.text ?? AccountUser.noPassword, role.rawValue, now.milliseconds,
                ])
            try Self.put(grants, of: id, database)
            guard let user = try AccountUser.find(id, database) else { throw AccountError.noUser(name) }
            return user
        }
    }

    /// Changes a user; all sessions of the user end, but for one.
    ///
    /// With another password the tokens end, too; the links end of somebody who is no owner any more.
    package func edit(_ id: String, _ edit: AccountEdit, keeping session: String? = nil) async throws -> AccountUser {
        try await file.write { database in
            guard let old = try AccountUser.find(id, database) else { throw AccountError.noUser(id) }
            let role = edit.role ?? old.role
            let isDisabled = edit.isDisabled ?? old.isDisabled
            if role != .owner || isDisabled { try Self.checkOwners(without: old, database) }
            try database.execute(
                sql: "UPDATE user SET role = ?, isDisabled = ?, password = ? WHERE id = ?",
                arguments: [role.rawValue, isDisabled, edit.password?.text ?? old.password, id])
            if let grants = edit.grants {
                try database.execute(sql: "DELETE FROM permit WHERE user = ?", arguments: [id])
                try Self.put(grants, of: id, database)
            }
            try database.execute(
                sql: "DELETE FROM session WHERE user = ? AND hash <> ?",
                arguments: [id, session.map(SecretText.hash) ?? ""])
            if edit.password != nil, !edit.keepsTokens {
                try database.execute(sql: "DELETE FROM token WHERE user = ?", arguments: [id])
            }
            if role != .owner || isDisabled { try Self.endLinks(of: old, database) }
            guard let user = try AccountUser.find(id, database) else { throw AccountError.noUser(id) }
            return user
        }
    }

    /// Removes a user, with all sessions, tokens and links.
    package func remove(_ id: String) async throws {
        try await file.write { database in
            guard let old = try AccountUser.find(id, database) else { throw AccountError.noUser(id) }
            try Self.checkOwners(without: old, database)
            try Self.endLinks(of: old, database)
            try database.execute(sql: "DELETE FROM user WHERE id = ?", arguments: [id])
        }
    }

    private static func haveOwner(_ database: Database) throws -> Bool {
        try countOwners(without: nil, database) > 0
    }

    private static func endLinks(of user: AccountUser, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM share WHERE createdBy = ?", arguments: [user.name])
    }

    private static func checkOwners(without user: AccountUser, _ database: Database) throws {
        guard user.role == .owner, !user.isDisabled, user.password != AccountUser.noPassword else { return }
        guard try countOwners(without: user.id, database) > 0 else { throw AccountError.lastOwner(user.name) }
    }

    /// The owners who can log in.
    private static func countOwners(without id: String?, _ database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM user WHERE role = 'owner' AND isDisabled = 0 AND password <> ? AND id IS NOT ?
                """, arguments: [AccountUser.noPassword, id]) ?? 0
    }

    private static func put(_ grants: [Grant], of user: String, _ database: Database) throws {
        for grant in grants {
            try database.execute(
                sql: "INSERT INTO permit VALUES (?, ?, ?)", arguments: [user, grant.scope, grant.level.rawValue])
        }
    }
}
