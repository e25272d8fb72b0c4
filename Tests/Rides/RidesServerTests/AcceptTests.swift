import DatabaseFixture
import Foundation
import Platform
import Postgres
import Primitives
import PrivateCluster
import RidesApp
import RidesModel
import RidesServer
import TestSupport
import Testing

/// One ride has one driver, and a driver has one ride, whatever happens at once.
@Suite(.timeLimit(.minutes(20))) struct AcceptTests {
    @Test func `C36 of fifty drivers who accept one ride at once, one has it`() async throws {
        let town = try await Town(connections: 12)
        defer { town.database.close() }
        var drivers: [Int] = []
        for number in 0..<50 { drivers.append(try await town.driver(north: Double(number))) }
        let all = drivers
        for _ in 0..<Town.rounds(4, large: 200) {
            let client = try await town.client()
            let ride = try await town.ask(client)
            try await town.offer(ride, to: all)
            let outcomes = try await withThrowingTaskGroup(of: Refusal?.self) { group in
                for driver in all {
                    group.addTask { try await town.refusal(.accept(course: ride), as: .chauffeur(driver)) }
                }
                return try await group.reduce(into: [Refusal?]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == nil }.count == 1)
            #expect(outcomes.filter { $0 == .unavailable(ride) }.count == 49)
            let course = try #require(
                try await town.store.courses(.accepte, limit: 9, as: .operatorOnly).first { $0.id == ride })
            let driver = try #require(course.chauffeur_id)
            #expect(try await town.store.chauffeurs(.en_course, limit: 99, as: .operatorOnly).map(\.id) == [driver])
            #expect(try await town.refusal(.complete, as: .chauffeur(driver)) == nil)
        }
    }

    @Test func `C36 a driver is never in two rides, in random schedules`() async throws {
        let town = try await Town(connections: 8)
        defer { town.database.close() }
        var drivers: [Int] = []
        for number in 0..<3 { drivers.append(try await town.driver(north: Double(number))) }
        var clients: [Person] = []
        for _ in 0..<6 { clients.append(try await town.client()) }
        let (allDrivers, allClients) = (drivers, clients)
        let steps = Town.rounds(60, large: 2500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var generator = SplitMix64(seed: UInt64(worker))
                    for _ in 0..<steps {
                        let driver = allDrivers[Int.random(in: 0..<3, using: &generator)]
                        let client = allClients[Int.random(in: 0..<6, using: &generator)]
                        switch Int.random(in: 0..<6, using: &generator) {
                        case 0: _ = try? await town.ask(client)
                        case 1, 2:
                            let open = try await town.store.courses(.demande, limit: 9, as: .operatorOnly)
                            guard let ride = open.randomElement(using: &generator) else { continue }
                            try await town.offer(ride.id, to: allDrivers)
                            _ = try await town.refusal(.accept(course: ride.id), as: .chauffeur(driver))
                        case 3: _ = try await town.refusal(.complete, as: .chauffeur(driver))
                        case 4: _ = try await town.refusal(.cancel(reason: "late"), as: client)
                        default:
                            _ = try await town.refusal(
                                .status(isAvailable: Bool.random(using: &generator)), as: .chauffeur(driver))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // At no moment: the history has no accept of a driver between another accept and its end.
        let events = try await town.database.transaction { connection in
            try connection.execute(
                "SELECT chauffeur_id AS d, genre AS g FROM course_evenement WHERE chauffeur_id IS NOT NULL ORDER BY xid, id"
            ).map { (try $0["d"] as Int, try $0["g"] as String) }
        }
        var open: [Int: Int] = [:]
        for (driver, genre) in events {
            if genre == "accepte" { open[driver, default: 0] += 1 }
            if genre == "annule" || genre == "completed" { open[driver, default: 0] -= 1 }
            #expect((0...1).contains(open[driver] ?? 0), "driver \(driver)")
        }
        #expect(events.contains { $0.1 == "accepte" } && events.contains { $0.1 == "completed" })
        // A driver is on a ride if and only if there is one.
        for driver in try await town.store.chauffeurs(nil, limit: 9, as: .operatorOnly) {
            #expect(driver.estEnCourse == (open[driver.id] == 1))
        }
    }

    @Test func `a command with the same identity is done once, also twice at once, and is nobody else's`() async throws
    {
        let town = try await Town()
        defer { town.database.close() }
        let (ada, eve) = (try await town.client(), try await town.client())
        let key = String(repeating: "a1", count: 16)
        let rides = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await town.ask(ada, key: key) } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(rides.count == 1)
        #expect(try await town.store.courses(nil, limit: 9, as: .operatorOnly).count == 1)
        await #expect(throws: Refusal.foreignCommand) { try await town.ask(eve, key: key) }
        #expect(
            try await town.refusal(.ask(depart: Town.place(), arrivee: Town.place(north: 9)), as: ada) == .clientBusy)
    }

    @Test func `C43 a ride that is cancelled says who did it and why, to both`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let ada = try await town.client()
        let driver = try await town.driver()
        #expect(try await town.refusal(.cancel(reason: "late"), as: ada) == .noRide("can be cancelled"))
        let ride = try await town.ask(ada)
        try await town.offer(ride, to: [driver])
        #expect(try await town.refusal(.accept(course: ride), as: .chauffeur(driver)) == nil)
        #expect(try await town.refusal(.cancel(reason: "flat tyre"), as: .chauffeur(driver)) == nil)
        for person in [ada, .chauffeur(driver)] {
            #expect(try await town.store.view(of: person).ride?.annulation == "chauffeur: flat tyre")
            let last = try await town.events(of: person).last
            #expect(last?.genre == .annule && last?.texte == "chauffeur: flat tyre")
        }
        #expect(try await town.store.chauffeurs(.disponible, limit: 9, as: .operatorOnly).map(\.id) == [driver])
    }

    @Test func `C42 phases go their way beside the four values`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let ada = try await town.client()
        let driver = Person.chauffeur(try await town.driver())
        let ride = try await town.ask(ada)
        guard case .chauffeur(let id) = driver else { return }
        try await town.offer(ride, to: [id])
        #expect(try await town.refusal(.arrived, as: driver) == .noRide("is in the phase before this one"))
        #expect(try await town.refusal(.accept(course: ride), as: driver) == nil)
        #expect(try await town.refusal(.onBoard, as: driver) == .noRide("is in the phase before this one"))
        #expect(try await town.refusal(.arrived, as: driver) == nil)
        #expect(try await town.refusal(.arrived, as: driver) != nil, "not twice")
        #expect(try await town.refusal(.onBoard, as: driver) == nil)
        #expect(try await town.store.view(of: ada).ride?.phase == .aBord)
        #expect(try await town.statut(ride) == .accepte)
    }

    @Test func `the database is killed between a commit and its reply: unknown, then the truth, never a second ride`()
        async throws
    {
        let folder = try TemporaryFolder()
        var options = PrivateCluster.Options()
        options.settings = ["fsync=off"]
        let cluster = try await PrivateCluster(
            folder: folder.path("c"), environment: ProcessInfo.processInfo.environment, options: options)
        let starts = Recorder<Int>()
        let running = Task { try await cluster.run(onTrouble: { _ in }, onReady: { starts.record(1) }) }
        await starts.wait { !$0.isEmpty }
        let setUp = Database(cluster.connectionString, connections: 1, patience: .seconds(600))
        _ = try await Migrator(setUp).run()
        try await setUp.execute(
            "INSERT INTO utilisateurs (role, email, password_hash) VALUES ('client', 'a@b', '!')")
        setUp.close()
        // The connection goes through this relay, which drops the answer to the commit of the command.
        let relay = try CommitRelay(to: "\(cluster.folder)/.s.PGSQL.5432", at: folder.path(".s.PGSQL.5432"))
        let database = Database(
            "host='\(folder.path)' user=postgres dbname=postgres sslmode=disable gssencmode=disable", connections: 1,
            patience: .seconds(600))
        let store = RidesStore(database)
        let key = String(repeating: "0b", count: 16)
        let command = RidesCommand.ask(depart: try Town.place(), arrivee: try Town.place(north: 900))
        relay.dropNextCommit()
        let error = await #expect(throws: PostgresError.self) {
            try await store.perform(command, key: key, as: .client(1))
        }
        guard case .unknownOutcome = error else {
            Issue.record("it was \(String(describing: error))")
            return
        }
        kill(try #require(cluster.processIdentifier), SIGKILL)
        let ride = try await store.perform(command, key: key, as: .client(1))
        let rides = try await store.courses(nil, limit: 9, as: .operatorOnly)
        #expect(rides.map(\.id) == [ride])
        database.close()
        relay.close()
        running.cancel()
        try? await running.value
    }
}
