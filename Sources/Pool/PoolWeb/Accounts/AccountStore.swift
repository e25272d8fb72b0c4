import PoolModel

/// The accounts of the page, with their sessions, tokens and links; the hub knows nothing of them.
package struct AccountStore: Sendable {
    /// The users.
    package let users: AccountUsers
    /// The tokens for scripts.
    package let tokens: AccountTokens
    /// The links for guests.
    package let shares: AccountShares
    let sessions: AccountSessions

    private let file: AccountFile

    /// Opens the accounts in a folder, and creates their file if it does not exist.
    ///
    /// - Throws: What is wrong with the file.
    package init(folder: String) throws { try self.init(path: "\(folder)/web.sqlite") }

    /// Opens a file.
    package init(path: String) throws {
        file = try AccountFile(path: path)
        users = AccountUsers(file)
        tokens = AccountTokens(file)
        shares = AccountShares(file)
        sessions = AccountSessions(file)
    }

    /// A text that changes with every change of the accounts, by this process or by another one.
    func generation() throws -> String { try file.generation() }

    /// The account of a request as it is now; nil if it has none any more.
    func account(of context: RequestContext, at now: Timestamp) throws -> Account? {
        if let session = context.account.session { return try sessions.account(of: session, at: now) }
        return try context.request.token.flatMap { try tokens.account(of: $0, at: now) }
    }
}
