package import Logging
import Platform
import Postgres
import RidesModel
import Service
import Text
package import WebServer

/// The server: rides on a database, with offers, the page and its API.
package struct RidesService: Sendable {
    /// How it works.
    package struct Options: Sendable {
        /// The connection string of the database.
        package var database: String
        /// The rings of offers, and how long each is open, in seconds.
        package var rings: [Offers.Ring]?
        package var offerSeconds = 15.0
        /// The connections to the database, beside the one that listens.
        package var connections = 4

        /// How many made-up people are added if there are none; nil for none.
        package var sample: (clients: Int, drivers: Int)?

        /// Names a database.
        package init(database: String) { self.database = database }
    }

    /// How often it looks without being woken.
    private static let interval = Duration.seconds(1)
    /// How long a transaction may be open before it holds back events too long, in seconds.
    private static let oldTransactionSeconds = 30.0

    private let options: Options
    private let database: Database
    private let changes = ChangeSignal()
    private let logger: Logger

    /// Prepares a server; nothing is opened.
    package init(_ options: Options, logger: Logger) {
        self.options = options
        self.logger = logger
        database = Database(options.database, connections: options.connections)
    }

    /// The rides.
    package var store: RidesStore { RidesStore(database) }

    /// Brings the schema up to date, and works beside the page until the task is cancelled.
    ///
    /// - Parameter onReady: Called when requests can be answered.
    /// - Throws: ``SchemaError``, `PostgresError`.
    package func run(onReady: @escaping @Sendable () -> Void) async throws {
        defer { database.close() }
        _ = try await Migrator(database).run()
        if let sample = options.sample {
            _ = try await Sample.add(to: store, clients: sample.clients, drivers: sample.drivers, seed: 7)
        }
        let notifications = try Notifications(options.database)
        onReady()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await notifications.run(
                    "LISTEN rides", onTrouble: { [logger] in logger.warning("the database does not notify: \($0)") },
                    onWake: { [changes] in changes.signal() })
            }
            group.addTask { await work() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The API, for requests.
    package func api(_ settings: WebSettings, accounts: AccountStore, setupCode: SetupCode) -> WebAPI {
        WebAPI(
            settings: settings, accounts: accounts, setupCode: setupCode, logger: logger,
            resource: { PageFiles.rides.find($0) }
        ) { RidesRoutes.all($0, store: store, changes: changes) }
    }

    /// Makes offers, and watches over old transactions, until the task is cancelled.
    private func work() async {
        let offers =
            options.rings.map { Offers(database, rings: $0, seconds: options.offerSeconds) }
            ?? Offers(database, seconds: options.offerSeconds)
        var isLate = false
        let wakes = changes.changes()
        let (ticks, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let waking = Task { for await _ in wakes { source.yield() } }
        let ticking = Task {
            while !Task.isCancelled {
                source.yield()
                // Cancellation ends the pause and the loop.
                try? await Task.sleep(for: Self.interval)
            }
            source.finish()
        }
        await withTaskCancellationHandler {
            for await _ in ticks {
                do {
                    _ = try await offers.tick()
                    let isOld = try await store.oldestTransactionSeconds() > Self.oldTransactionSeconds
                    if isOld, !isLate {
                        logger.error("a transaction has been open for more than 30 s and holds back events: end it")
                    }
                    isLate = isOld
                } catch {
                    logger.warning("offers wait: \(error)")
                }
            }
        } onCancel: {
            waking.cancel()
            ticking.cancel()
            source.finish()
        }
    }
}
