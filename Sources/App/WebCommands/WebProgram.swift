package import ArgumentParser
import Commands
import Text
package import WebServer

/// The option for the folder in which a page has its accounts and certificates.
package protocol WebFolder: ParsableArguments, Sendable {
    /// What the page is called, and what accounts are granted.
    static var product: WebProduct { get }
    /// The folder, which is made if it does not exist.
    var path: String { get throws }
}

/// The accounts of a page, which ``AccountCommand`` keeps.
package protocol WebAccounts: WebFolder {
    /// Whether the page has links for guests; true by default.
    static var hasShares: Bool { get }
    /// Whether an account that is no owner's gets nothing unless it is said what; false by default: then it gets all.
    static var mustNameScopes: Bool { get }

    /// The identity, as accounts have it, of a thing that is granted, by its name or its identity.
    ///
    /// - Throws: What the app says, or `AccountError.noScope`.
    func scope(named name: String) async throws -> String
}

extension WebAccounts {
    package static var hasShares: Bool { true }

    package static var mustNameScopes: Bool { false }

    /// What the product reads of a name.
    ///
    /// - Throws: `CommandFailure` for what names nothing.
    package func scope(named name: String) async throws -> String {
        guard let identity = Self.product.scope.identity(name) else {
            throw CommandFailure(
                "--\(Self.noun) is \(Excerpt(name)), which is no \(Self.noun): see `\(Self.product.scope.listCommand)`",
                exitStatus: .usage)
        }
        return identity
    }
}

/// An app's page as a program: what ``ServeCommand`` serves.
package protocol WebProgram: WebFolder {
    /// The page of these settings.
    func page(_ settings: WebSettings, accounts: AccountStore, code: SetupCode) throws -> ServedPage
}

/// What a program serves.
package struct ServedPage: Sendable {
    /// What answers requests.
    let api: WebAPI
    /// What works beside it, until its task is cancelled; it calls its argument when requests can be answered.
    let run: @Sendable (@escaping @Sendable () -> Void) async throws -> Void
    /// Told the address, when it serves.
    let onServing: @Sendable (String) -> Void

    /// Joins the two.
    package init(_ api: WebAPI, run: @escaping @Sendable () async throws -> Void) {
        self.init(api, onServing: { _ in }) { onReady in
            onReady()
            try await run()
        }
    }

    /// Joins the two, for a page whose requests wait for what works beside it.
    ///
    /// - Parameters:
    ///   - api: What answers requests.
    ///   - onServing: Told the address, when it serves.
    ///   - run: What works beside it, until its task is cancelled; it calls its argument once.
    package init(
        _ api: WebAPI, onServing: @escaping @Sendable (String) -> Void,
        run: @escaping @Sendable (@escaping @Sendable () -> Void) async throws -> Void
    ) {
        self.api = api
        self.onServing = onServing
        self.run = run
    }
}

extension WebFolder {
    /// What one of the things that accounts are granted is called, such as `house`.
    static var noun: String { product.scope.noun }
}
