import Platform
import Text

/// What the command line does with accounts.
package struct AccountAdministration: Sendable {
    /// The accounts.
    package let store: AccountStore

    /// Uses a store.
    package init(_ store: AccountStore) { self.store = store }

    /// Adds an account.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - password: The password; nil for an account of programs, which has tokens only.
    ///   - role: What it may do.
    ///   - grants: On what.
    /// - Throws: ``AccountError``.
    package func add(name: String, password: String?, role: Role, grants: [Grant]) async throws {
        try AccountError.check(name: name)
        _ = try await store.users.add(
            name: name, try password.map { try hash($0, name: name) }, role: role, grants: grants, at: .now)
    }

    /// Changes an account.
    ///
    /// - Throws: ``AccountError``.
    package func edit(_ name: String, _ edit: AccountEdit) async throws {
        _ = try await store.users.edit(try await user(name).id, edit)
    }

    /// Gives an account another password; its sessions end, and its tokens unless they are kept.
    ///
    /// - Throws: ``AccountError``.
    package func reset(_ name: String, password: String, keepsTokens: Bool) async throws {
        let user = try await user(name)
        var edit = AccountEdit()
        edit.password = try hash(password, name: user.name)
        edit.keepsTokens = keepsTokens
        _ = try await store.users.edit(user.id, edit)
    }

    /// Removes an account.
    ///
    /// - Throws: ``AccountError``.
    package func remove(_ name: String) async throws { try await store.users.remove(try await user(name).id) }

    /// Ends all sessions of an account.
    ///
    /// - Throws: ``AccountError``.
    package func signOut(_ name: String) async throws -> Int {
        try await store.sessions.end(of: try await user(name).id)
    }

    /// Makes a token; its secret is returned.
    ///
    /// - Throws: ``AccountError``.
    package func addToken(of name: String, name title: String, scopes: [TokenScope]) async throws -> String {
        try await store.tokens.add(of: try await user(name).id, name: title, scopes: scopes, expires: nil, at: .now)
            .secret
    }

    /// Makes a link; its path is returned.
    ///
    /// - Throws: ``AccountError``.
    package func addShare(of scope: String, seconds: Int64) async throws -> String {
        let now = Timestamp.now
        return "/s/"
            + (try await store.shares.add(
                of: scope, by: "command line", expires: now.advanced(byMilliseconds: seconds * 1000), at: now
            ).secret)
    }

    private func user(_ name: String) async throws -> AccountUser {
        guard let user = try await store.users.find(named: name) else { throw AccountError.noUser(name) }
        return user
    }

    private func hash(_ password: String, name: String) throws -> PasswordHash {
        do {
            try PasswordHash.check(password, name: name, member: "password", words: store.product.commonWords)
        } catch {
            throw AccountError.passwordUnfit(error.detail)
        }
        return try PasswordHash(password)
    }
}
