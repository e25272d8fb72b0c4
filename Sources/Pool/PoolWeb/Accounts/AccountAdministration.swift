import Platform
package import PoolModel

/// What the command line does with accounts.
package struct AccountAdministration: Sendable {
    /// The accounts.
    package let store: AccountStore

    /// Uses a store.
    package init(_ store: AccountStore) { self.store = store }

    /// Adds an account.
    ///
    /// - Throws: ``AccountError``.
    package func add(name: String, password: String, role: Role, grants: [Grant]) throws {
        try AccountError.check(name: name)
        _ = try store.users.add(name: name, try Self.hash(password, name: name), role: role, grants: grants, at: .now)
    }

    /// Changes an account.
    ///
    /// - Throws: ``AccountError``.
    package func edit(_ name: String, _ edit: AccountEdit) throws {
        _ = try store.users.edit(try user(name).id, edit)
    }

    /// Gives an account another password.
    ///
    /// - Throws: ``AccountError``.
    package func reset(_ name: String, password: String) throws {
        let user = try user(name)
        var edit = AccountEdit()
        edit.password = try Self.hash(password, name: user.name)
        _ = try store.users.edit(user.id, edit)
    }

    /// Removes an account.
    ///
    /// - Throws: ``AccountError``.
    package func remove(_ name: String) throws { try store.users.remove(try user(name).id) }

    /// Makes a token; its secret is returned.
    ///
    /// - Throws: ``AccountError``.
    package func addToken(of name: String, name title: String, scopes: [TokenScope]) throws -> String {
        try store.tokens.add(of: try user(name).id, name: title, scopes: scopes, expires: nil, at: .now).secret
    }

    /// Makes a link; its path is returned.
    ///
    /// - Throws: ``AccountError``.
    package func addShare(of pool: PoolID, seconds: Int64) throws -> String {
        let now = Timestamp.now
        return "/s/"
            + (try store.shares.add(
                of: pool, by: "command line", expires: now.advanced(byMilliseconds: seconds * 1000), at: now
            ).secret)
    }

    private func user(_ name: String) throws -> AccountUser {
        guard let user = try store.users.find(named: name) else { throw AccountError.noUser(name) }
        return user
    }

    private static func hash(_ password: String, name: String) throws -> PasswordHash {
        do {
            try PasswordHash.check(password, name: name, member: "password")
        } catch {
            throw AccountError.passwordUnfit(error.detail)
        }
        return try PasswordHash(password)
    }
}
