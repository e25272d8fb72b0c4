import ArgumentParser
import Commands
import Foundation
import Logging
import Platform
import Postgres
import PrivateCluster
import RidesApp
import RidesServer
import Service
import Text
import WebCommands
import WebServer

/// The server.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Serves rides: the database, offers, a page and an API.",
        discussion: """
            Without --database it runs a private PostgreSQL in its folder, with a socket and
            no port, and ends it with itself. Several servers may work on one database; each
            has a folder of its own for its accounts. With several hosts and
            target_session_attrs=read-write it follows the one that takes changes.

            Example:
              rides server --sample
              rides server account add Ada --role member --person client:2
            """,
        subcommands: [
            ServeCommand<ServedRides>.self, CertificateCommand<RidesAccounts>.self,
            AccountCommand<RidesAccounts>.self,
        ], defaultSubcommand: ServeCommand<ServedRides>.self)
}

/// The folder of the page's accounts.
struct RidesAccounts: WebAccounts {
    static let product = WebProduct.rides
    static let hasShares = false

    @OptionGroup var state: StateOptions

    var path: String { get throws { try state.accountFolder() } }
}

/// What the server serves, on which database.
struct ServedRides: WebProgram {
    static let product = WebProduct.rides
    /// Receivers and phones of this machine send several requests a second.
    private static let requestsPerMinute = 6000

    @Flag(help: "Add 20 made-up clients and 50 drivers in Kinshasa, if there are no people yet.") var sample = false

    @Option(help: ArgumentHelp("How long a ring of offers is open, 1s to 10min.", valueName: "duration"))
    var offers = "15s"

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var state: StateOptions

    private var offerTime: Duration? {
        DurationText.duration(offers).flatMap { (.seconds(1)...(.seconds(600))).contains($0) ? $0 : nil }
    }

    func validate() throws {
        if offerTime == nil { throw ValidationError("--offers is \"\(offers)\", expected 1s to 10min") }
    }

    var path: String { get throws { try state.accountFolder() } }

    func page(_ settings: WebSettings, accounts: AccountStore, code: SetupCode) throws -> ServedPage {
        // A second server on the folder would take the address of the first one.
        let hold = try FolderHold(path: try path)
        var settings = settings
        settings.requestsPerMinute = max(settings.requestsPerMinute, Self.requestsPerMinute)
        var options = RidesService.Options(database: database.string(state))
        options.offerSeconds = (offerTime ?? .seconds(15)) / .seconds(1)
        options.sample = sample ? (clients: 20, drivers: 50) : nil
        let service = RidesService(options, logger: Logger(label: "rides"))
        let (database, state) = (database, state)
        return ServedPage(
            service.api(settings, accounts: accounts, setupCode: code),
            onServing: { address in
                do {
                    try NewFile.write(Array(address.utf8), to: state.addressFile)
                } catch {
                    Output.errors.line("rides: cannot write \(state.addressFile): \(error)")
                }
            },
            run: { onReady in
                defer { withExtendedLifetime(hold) {} }
                try await database.use(state) { _ in try await service.run(onReady: onReady) }
            })
    }
}

/// The database.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PostgreSQL server, as postgresql://… or host=… ; without it a private one is run.", valueName: "string"))
    var database: String?

    /// How to connect to it.
    func string(_ state: StateOptions) -> String {
        database ?? PrivateCluster.connectionString(folder: state.databaseFolder)
    }

    /// Does something with the connection string, while a private server runs if none is given.
    func use(_ state: StateOptions, _ body: @escaping @Sendable (String) async throws -> Void) async throws {
        if let database { return try await body(database) }
        let cluster = try await PrivateCluster(
            folder: state.databaseFolder, environment: ProcessInfo.processInfo.environment)
        try StateHome.make(state.folder, mode: StateOptions.sharedMode)
        let (ready, source) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await cluster.run(
                    onTrouble: { Output.errors.line("rides: \($0)") },
                    onReady: {
                        source.yield()
                        source.finish()
                    })
                return false
            }
            group.addTask {
                for await _ in ready { try await body(cluster.connectionString) }
                return true
            }
            defer { group.cancelAll() }
            // The database ends after what uses it.
            _ = try await group.next()
        }
    }
}

/// The schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the tables of a database up to date.",
        discussion: """
            `rides server` does it at each start. The user of the database owns the tables,
            and may create roles and the extension postgis.
            """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var state: StateOptions

    func run() async throws {
        let command = self
        // Beside a server on the folder there would be two of its database.
        let hold = try database.database == nil ? FolderHold(path: try state.accountFolder()) : nil
        defer { withExtendedLifetime(hold) {} }
        _ = try await untilStopped {
            do {
                try await command.database.use(command.state) { string in
                    let database = Database(string, connections: 1)
                    defer { database.close() }
                    let done = try await Migrator(database).run()
                    for name in done { Output.standard.line("carried out \(name)") }
                    if done.isEmpty { Output.standard.line("the tables are up to date") }
                }
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}

/// A token for a phone of another machine.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Prints a token with which a phone of another machine acts for a person.")

    @Option(name: .customLong("as"), help: ArgumentHelp("The person.", valueName: "person")) var person: Person
    @OptionGroup var state: StateOptions

    func run() async throws { Output.standard.line(try await state.accounts().token(of: person)) }
}
