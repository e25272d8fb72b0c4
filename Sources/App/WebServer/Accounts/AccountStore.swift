package import Text

/// The accounts of the page, with their sessions, tokens and links; the hub knows nothing of them.
package struct AccountStore: Sendable {
    /// The users.
    package let users: AccountUsers
    /// The tokens for scripts.
    package let tokens: AccountTokens
    /// The links for guests.
    package let shares: AccountShares
    let sessions: AccountSessions

    let devices: AccountDevices

    /// What the page is called.
    package let product: WebProduct
    private let file: AccountFile

    /// The pause between two looks for what other processes have changed.
    package static let interval = Duration.milliseconds(250)
    /// So many looks later, what was used last is written down.
    private static let looksPerNote = 120

    /// Opens the accounts in a folder, and creates their file if it does not exist.
    ///
    /// - Throws: ``AccountError``: what is wrong with the file.
    package init(folder: String, product: WebProduct) throws {
        try self.init(path: "\(folder)/web.sqlite", product: product)
    }

    /// Opens a file.
    package init(path: String, product: WebProduct) throws {
        self.product = product
        file = try AccountFile(path: path, product: product)
        users = AccountUsers(file)
        tokens = AccountTokens(file)
        shares = AccountShares(file)
        sessions = AccountSessions(file)
        devices = AccountDevices(file)
    }

    /// Looks for what other processes change, until the task is cancelled, and writes down what was used last.
    package func run(interval: Duration = interval) async {
        var looks = 0
        while !Task.isCancelled {
            await file.look()
            looks += 1
            if looks.isMultiple(of: Self.looksPerNote) { await file.writeNotes() }
            // Cancellation ends the pause and the loop.
            try? await Task.sleep(for: interval)
        }
        // Not in the cancelled task, which would write nothing.
        await Task { await file.writeNotes() }.value
    }

    /// Looks once.
    package func look() async { await file.look() }

    /// Writes down what was used last.
    package func writeNotes() async { await file.writeNotes() }

    /// A number that changes with every change of the accounts, by this process or by another one.
    package var generation: UInt64 { file.generation }

    /// Yields after each change; several changes may yield once.
    package func changes() -> AsyncStream<Void> { file.changes() }

    /// The account of a request as it is now; nil if it has none any more.
    package func account(of context: RequestContext, at now: Timestamp) async throws -> Account? {
        if let session = context.account.session { return try await sessions.account(of: session, at: now) }
        guard let token = context.request.token else { return nil }
        return try await tokens.account(of: token, at: now)
    }
}
