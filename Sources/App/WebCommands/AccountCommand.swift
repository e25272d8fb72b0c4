package import ArgumentParser
import Commands
import Platform
import Text
import WebServer

/// The accounts of the page.
package struct AccountCommand<Program: WebAccounts>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "account",
            abstract:
                "The accounts of the page: people, tokens for scripts\(Program.hasShares ? ", links for guests" : "").",
            discussion: """
                It works whether the page runs or not; a page that runs follows within a
                second.

                Example:
                  \(Program.product.command) account add Ada --role owner\(shareExample)
                """,
            subcommands: [
                AccountAddCommand<Program>.self, AccountListCommand<Program>.self, AccountRemoveCommand<Program>.self,
                AccountResetCommand<Program>.self, AccountDisableCommand<Program>.self,
                AccountSignOutCommand<Program>.self, AccountTokenCommand<Program>.self,
            ] + (Program.hasShares ? [AccountShareCommand<Program>.self] : []),
            defaultSubcommand: AccountListCommand<Program>.self)
    }

    private static var shareExample: String {
        Program.hasShares ? "\n  \(Program.product.command) account share Garden --for 7d" : ""
    }

    package init() {}
}

/// A command about accounts.
protocol AccountSubcommand<Program>: AsyncParsableCommand {
    associatedtype Program: WebAccounts
    var folder: Program { get }
    func run(_ accounts: AccountAdministration) async throws
}

extension AccountSubcommand {
    func run() async throws {
        do {
            try await run(AccountAdministration(try AccountStore(folder: try folder.path, product: Program.product)))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

/// Adds an account.
struct AccountAddCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add", abstract: "Adds an account; asks for its password, or reads it as a line.",
            discussion: "Example:\n  \(Program.product.command) account add Ada --role owner")
    }

    @Argument(help: "The name.") var name: String

    @Option(
        help: ArgumentHelp(
            "owner, member or guest. [default: owner for the first account, then member]", valueName: "role"))
    var role: String?

    @Option(
        name: .customLong(Program.noun),
        help: ArgumentHelp(
            "A \(Program.noun) that a member may edit and a guest may read; repeatable."
                + (Program.mustNameScopes ? "" : " All if left out."), valueName: Program.noun))
    var scopes: [String] = []

    @OptionGroup var folder: Program

    func validate() throws {
        if let role, Role(rawValue: role) == nil {
            throw ValidationError("--role is \(role), expected one of: owner, member, guest")
        }
    }

    func run(_ accounts: AccountAdministration) async throws {
        let usual: Role = try await accounts.store.users.lackOwner() ? .owner : .member
        let role = role.map { Role(rawValue: $0) ?? .guest } ?? usual
        if Program.mustNameScopes, role != .owner, scopes.isEmpty {
            throw CommandFailure(
                "--\(Program.noun) is missing: name each \(Program.noun) that \(name) is to have, or give --role owner",
                exitStatus: .usage)
        }
        let level: AccessLevel = role == .guest ? .read : .edit
        var grants: [Grant] = scopes.isEmpty && role != .owner ? [Grant(scope: nil, level: level)] : []
        for name in scopes { grants.append(Grant(scope: try await folder.scope(named: name), level: level)) }
        let password = try await PasswordPrompt.read("Password of \(name)")
        try await accounts.add(name: name, password: password, role: role, grants: grants)
        Output.standard.line("added \(role.rawValue) \(name)")
    }
}

/// Lists the accounts.
struct AccountListCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "Lists the accounts.",
            discussion: "Example:\n  \(Program.product.command) account list")
    }

    @OptionGroup var folder: Program

    func run(_ accounts: AccountAdministration) async throws {
        let users = try await accounts.store.users.all()
        guard !users.isEmpty else {
            return Output.standard.line("There is no account yet; the page asks for the first one when it is opened.")
        }
        var table = TextTable("name", "role", Program.product.scope.plural, "last seen", "")
        for user in users {
            let scopes =
                user.role == .owner || user.grants.contains { $0.scope == nil } ? "all" : "\(user.grants.count)"
            table.add(
                user.name, user.role.rawValue, scopes, user.lastSeen.map { MomentText.of($0) } ?? "never",
                user.isDisabled ? "disabled" : "")
        }
        for line in table.lines { Output.standard.line(line) }
    }
}

/// Removes an account.
struct AccountRemoveCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove", abstract: "Removes an account, with its sessions and tokens.",
            discussion: "Example:\n  \(Program.product.command) account remove Ada")
    }

    @Argument(help: "The name.") var name: String

    @OptionGroup var folder: Program

    func run(_ accounts: AccountAdministration) async throws {
        try await accounts.remove(name)
        Output.standard.line("removed \(name)")
    }
}

/// Gives an account another password.
struct AccountResetCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reset", abstract: "Gives an account another password; its sessions and tokens end.",
            discussion: "Example:\n  \(Program.product.command) account reset Ada")
    }

    @Argument(help: "The name.") var name: String

    @Flag(help: "Leave its tokens for scripts as they are.") var keepTokens = false

    @OptionGroup var folder: Program

    func run(_ accounts: AccountAdministration) async throws {
        let password = try await PasswordPrompt.read("New password of \(name)")
        try await accounts.reset(name, password: password, keepsTokens: keepTokens)
        Output.standard.line(
            "\(name) has another password, and every session\(keepTokens ? "" : " and token") of it has ended")
    }
}

/// Ends the sessions of an account.
struct AccountSignOutCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sign-out", abstract: "Ends all sessions of an account; its password and tokens stay.",
            discussion: "Example:\n  \(Program.product.command) account sign-out Ada")
    }

    @Argument(help: "The name.") var name: String

    @OptionGroup var folder: Program

    func run(_ accounts: AccountAdministration) async throws {
        let count = try await accounts.signOut(name)
        Output.standard.line("ended \(count) sessions of \(name)")
    }
}

/// Disables an account.
struct AccountDisableCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "disable", abstract: "Disables an account, or enables it again; its sessions end.",
            discussion: "Example:\n  \(Program.product.command) account disable Ada")
    }

    @Argument(help: "The name.") var name: String

    @Flag(help: "Enable it again.") var undo = false

    @OptionGroup var folder: Program

    func run(_ accounts: AccountAdministration) async throws {
        try await accounts.edit(name, AccountEdit(isDisabled: !undo))
        Output.standard.line("\(undo ? "enabled" : "disabled") \(name)")
    }
}

/// Makes or revokes a token.
struct AccountTokenCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "token", abstract: "Makes a token for a script, lists them, or revokes one.",
            discussion: """
                Example:
                  \(Program.product.command) account token Ada --name grafana --scope metrics
                  \(Program.product.command) account token --revoke 0123456789abcdef
                """)
    }

    @Argument(help: "The account whose rights it has at most; the tokens are listed without it.") var user: String?

    @Option(help: "What it is for, in words.") var name = "script"

    @Option(help: ArgumentHelp("read, write or metrics; repeatable.", valueName: "scope")) var scope: [String] = [
        "read"
    ]

    @Option(help: ArgumentHelp("Revoke the token of this id.", valueName: "id")) var revoke: String?

    @OptionGroup var folder: Program

    func validate() throws {
        for word in scope where TokenScope(rawValue: word) == nil {
            throw ValidationError("--scope is \(word), expected one of: read, write, metrics")
        }
    }

    func run(_ accounts: AccountAdministration) async throws {
        if let revoke {
            guard try await accounts.store.tokens.remove(revoke) else {
                throw CommandFailure(
                    "there is no token \(revoke): see \(Program.product.command) account token", exitStatus: .notFound)
            }
            return Output.standard.line("revoked the token \(revoke)")
        }
        guard let user else {
            var table = TextTable("id", "account", "name", "for", "last used")
            for token in try await accounts.store.tokens.all() {
                table.add(
                    token.id, token.user, token.name, token.scopes.map(\.rawValue).joined(separator: " "),
                    token.lastUsed.map { MomentText.of($0) } ?? "never")
            }
            for line in table.lines { Output.standard.line(line) }
            return
        }
        Output.standard.line(
            try await accounts.addToken(of: user, name: name, scopes: scope.compactMap { TokenScope(rawValue: $0) }))
    }
}

/// Makes or revokes a link.
struct AccountShareCommand<Program: WebAccounts>: AccountSubcommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "share", abstract: "Makes a link that shows one \(Program.noun), lists them, or revokes one.",
            discussion: """
                It prints the path of the link: put it behind the address of the page.

                Example:
                  \(Program.product.command) account share Garden --for 7d
                  \(Program.product.command) account share --revoke 0123456789abcdef
                """)
    }

    @Argument(
        help: ArgumentHelp("The \(Program.noun); the links are listed without it.", valueName: Program.noun))
    var scope: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long it can be used: 1h to 90d.", valueName: "duration"))
    var duration = "7d"

    @Option(help: ArgumentHelp("Revoke the link of this id.", valueName: "id")) var revoke: String?

    @OptionGroup var folder: Program

    func validate() throws { _ = try seconds }

    private var seconds: Int64 {
        get throws {
            guard let length = DurationText.duration(duration), (3600...7_776_000).contains(length.components.seconds)
            else { throw ValidationError("--for is \(duration), expected 1h to 90d") }
            return length.components.seconds
        }
    }

    func run(_ accounts: AccountAdministration) async throws {
        if let revoke {
            guard try await accounts.store.shares.remove(revoke) else {
                throw CommandFailure(
                    "there is no link \(revoke): see \(Program.product.command) account share", exitStatus: .notFound)
            }
            return Output.standard.line("revoked the link \(revoke)")
        }
        guard let scope else {
            var table = TextTable("id", Program.noun, "until", "uses")
            for share in try await accounts.store.shares.all(at: .now) {
                table.add(share.id, share.scope, MomentText.of(share.expires), "\(share.uses)")
            }
            for line in table.lines { Output.standard.line(line) }
            return
        }
        let found = try await folder.scope(named: scope)
        Output.standard.line(try await accounts.addShare(of: found, seconds: try seconds))
        Output.errors.line(
            "Put it behind the address of the page. Behind 127.0.0.1 or localhost it works on this machine only.")
    }
}
