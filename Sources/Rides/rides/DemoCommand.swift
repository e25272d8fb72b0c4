import ArgumentParser
import Commands
import Foundation
import Platform
import Postgres
import PrivateCluster
import RidesApp
import RidesModel
import RidesServer

/// Rides on this machine: a private database, the server, two phones, their watches and moving drivers.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a whole taxi service on this machine, and shows a ride from asking to receipt.",
        discussion: """
            It starts a private PostgreSQL, the server, 50 simulated drivers in Kinshasa, and
            for a client and a driver a phone and a watch, each a separate process. The
            client asks from the watch, the driver accepts from the watch, and the summary
            comes from the database. It needs PostgreSQL and PostGIS:
              .ci/install postgresql-15 postgresql-15-postgis-3
            """)

    @OptionGroup var options: DemoOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        _ = try await Installation(environment: environment)
        let length = options.length
        try await options.run("rides", environment) { folder in
            // The user of the database passes through.
            try? FileManager.default.setAttributes([.posixPermissions: StateOptions.sharedMode], ofItemAtPath: folder)
            let town = try DemoTown(folder: folder, environment: environment)
            return (
                town.stage,
                {
                    try await town.start()
                    try await DemoTour(town: town).run()
                    town.stage.say("http://\(town.address) is the page; Ctrl-C ends the demo.")
                    try await Task.sleep(for: length)
                    return try await town.summary()
                }
            )
        }
    }
}

/// The processes of the demo.
struct DemoTown {
    static let client = "client:1"
    static let driver = "chauffeur:1"

    let stage: DemoStage
    let address: String
    private let folder: String
    private let environment: Environment

    init(folder: String, environment: Environment) throws {
        self.folder = folder
        self.environment = environment
        address = "127.0.0.1:\(try LocalTools.freePorts(1)[0])"
        stage = DemoStage(program: "rides", options: ["--state", "\(folder)/s"], environment: environment)
    }

    /// Starts everything, and returns when all of it answers.
    func start() async throws {
        try stage.launch("server", ["server", "--sample", "--listen", address])
        try await stage.hear("serving at")
        try stage.launch("gps", ["gps", "--drivers", "50", "--seed", "7"])
        for person in [Self.client, Self.driver] {
            try stage.launch("phone", ["phone", "--as", person])
            try await stage.hear("phone of \(person) is ready")
            try stage.launch("watch of \(person)", ["watch", "--as", person, "--name", "Wrist", "--plain"])
        }
    }

    private func database() async throws -> Database {
        let cluster = try await PrivateCluster(folder: "\(folder)/s/database", environment: environment)
        return Database(cluster.connectionString, connections: 1)
    }

    /// Where the driver is now.
    func placeOfDriver() async throws -> Location {
        let database = try await database()
        defer { database.close() }
        let store = RidesStore(database)
        guard let driver = try await store.chauffeurs(nil, limit: 1, as: .operatorOnly).first else {
            throw CommandFailure("the demo has no drivers")
        }
        return driver.localisation
    }

    /// What the database says at the end.
    func summary() async throws -> DemoOptions.Summary {
        let database = try await database()
        defer { database.close() }
        let store = RidesStore(database)
        let rides = try await store.courses(nil, limit: 1000, as: .operatorOnly)
        let payments = try await store.transactions(limit: 1000, as: .operatorOnly)
        let events = try await store.events(after: .start, limit: 1000, as: .operatorOnly).map(\.genre.rawValue)
        // The ride has to go its whole way, once, and to be paid once.
        let isRight =
            rides.map(\.statut) == [.completed] && payments.map(\.course_id) == rides.map(\.id)
            && payments.first?.montant_final == rides.first?.montant_estime && payments.allSatisfy(\.estPaye)
            && events == ["demande", "accepte", "arrive", "a_bord", "completed", "recu"]
        let lines = rides.map { ride in
            let paid = payments.first { $0.course_id == ride.id }?.montantFormate(langue: .en, devise: "CDF")
            let driver = ride.chauffeur_id.map { "\($0)" } ?? "none"
            return "ride \(ride.id): \(ride.statut.rawValue), driver \(driver), \(paid ?? "not paid")"
        }
        let end = isRight ? "The ride was driven once and paid once." : "The ride did not go its whole way."
        return DemoOptions.Summary(lines: lines + ["events: \(events.joined(separator: ", "))", end], isRight: isRight)
    }
}

/// What the demo shows.
struct DemoTour {
    let town: DemoTown

    private var stage: DemoStage { town.stage }

    func run() async throws {
        stage.say("50 drivers move in Kinshasa. A client asks for a ride, from the watch:")
        let place = try await town.placeOfDriver()
        let (south, east) = (place.latitude - 0.001, place.longitude + 0.0005)
        try await succeed(
            DemoTown.client, "ask \(text(south)) \(text(east)) \(text(south - 0.03)) \(text(east - 0.02))")
        stage.say("The nearest drivers are asked first; one of them takes it, from the watch:")
        try await stage.hear("offer ")
        try await succeed(DemoTown.driver, "accept")
        stage.say("The client sees the plate, and when the driver comes:")
        try await stage.hear("accepted, on the way")
        _ = try await stage.command(["watch", "--as", DemoTown.client, "--name", "Second", "--once"])
        for step in ["arrived", "on-board", "complete"] { try await succeed(DemoTown.driver, step) }
        stage.say("The receipt is on the client's watch:")
        try await stage.hear(": recu ")
        stage.say("The day's rides as a file:")
        try await succeed(DemoTown.client, "ledger")
    }

    private func text(_ degrees: Double) -> String { "\((degrees * 10_000).rounded() / 10_000)" }

    private func succeed(_ person: String, _ order: String) async throws {
        try await stage.succeed("watch", "--as", person, "--name", "Second", "--do", order)
    }
}
