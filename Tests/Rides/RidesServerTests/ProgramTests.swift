import CommandSupport
import Commands
import Foundation
import Platform
import Postgres
import PrivateCluster
import ProgramFixture
import RidesApp
import RidesModel
import RidesPhone
import RidesServer
import RidesWatch
import Terminal
import TestSupport
import Testing
import Text

@testable import rides

/// The programs: server, phones, watches and the demo, each a process.
@Suite(.timeLimit(.minutes(20))) struct ProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var state: [String] { ["--state", folder.path("s")] }

    private func start(_ arguments: String..., until line: String) async throws -> Program {
        let program = try Program(arguments + state, in: folder, program: Program.rides)
        _ = try await program.line(containing: line)
        return program
    }

    private func run(_ arguments: String...) async throws -> (end: ChildProcess.End, lines: [String]) {
        try await Program.run(arguments + state, in: folder, program: Program.rides)
    }

    @Test func `C30 C39 C42 the demo drives a ride from asking to its receipt, and the database says so`() async throws
    {
        let (end, lines) = try await Program.run(["demo", "--for", "0s"], in: folder, program: Program.rides)
        let text = lines.joined(separator: "\n")
        #expect(end == .exited(0), "\(text)")
        #expect(lines.contains("The ride was driven once and paid once."), "\(text)")
        #expect(lines.contains("events: demande, accepte, arrive, a_bord, completed, recu"))
        #expect(lines.contains { $0.contains("CGO-") && $0.contains("≈") }, "the client sees the plate and the time")
        for secret in ["psw_", "sim_", "@example.org", "password_hash"] { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test func `a watch that was away has every event in order, once, whatever was killed meanwhile`() async throws {
        let port = try LocalTools.freePorts(1)[0]
        let serve = ["server", "--sample", "--listen", "127.0.0.1:\(port)"]
        var server = try Program(serve + state, in: folder, program: Program.rides)
        _ = try await server.line(containing: "serving at")
        var phone = try await start("phone", "--as", "client:1", until: "is ready")
        let watch = try await start("watch", "--as", "client:1", "--name", "W", "--plain", until: "no ride")
        let journal = folder.path("s/phones/client-1/watches/W/journal")

        let cluster = try await PrivateCluster(
            folder: folder.path("s/database"), environment: ProcessInfo.processInfo.environment)
        let database = Database(cluster.connectionString, connections: 2, patience: .seconds(600))
        defer { database.close() }
        let store = RidesStore(database)
        let town = Town(string: cluster.connectionString, database: database, store: store)
        // A killed database may leave open whether a command was done; the same one again, with its key, is done once.
        func sure<Result>(_ command: () async throws -> Result) async throws -> Result {
            while true {
                do { return try await command() } catch PostgresError.unknownOutcome {}
            }
        }
        func drive(_ round: Int) async throws {
            let ride = try await sure { try await town.ask(.client(1), key: "ask \(round)") }
            try await sure { try await town.offer(ride, to: [5]) }
            let steps = [RidesCommand.accept(course: ride), .arrived, .onBoard, .complete]
            for (number, step) in steps.enumerated() {
                _ = try await sure {
                    try await store.perform(step, key: "step \(number) of \(round)", as: .chauffeur(5))
                }
            }
        }
        try await drive(-1)
        try await poll("the watch has the first ride") {
            (try? String(contentsOfFile: journal, encoding: .utf8))?.contains(": recu ") ?? false
        }
        watch.signal(SIGKILL)
        _ = await watch.ended()
        let rounds = Town.rounds(6, large: 84)
        for round in 0..<rounds {
            if round == 2 { kill(try #require(cluster.processIdentifier), SIGKILL) }
            try await drive(round)
            if round == 1 { phone.signal(SIGKILL) }
            if round == 3 {
                server.signal(SIGKILL)
                _ = await server.ended()
                server = try Program(serve + state, in: folder, program: Program.rides)
                _ = try await server.line(containing: "serving at")
            }
            if round == 4 { phone = try await start("phone", "--as", "client:1", until: "is ready") }
        }
        let again = try await start("watch", "--as", "client:1", "--name", "W", "--plain", until: "completed")
        let wanted = try await store.events(after: .start, limit: 1000, as: .person(.client(1))).map(\.position.text)
        #expect(wanted.count == (rounds + 1) * 6)
        func taken() throws -> [String] {
            try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").map {
                String($0.prefix { $0 != " " })
            }
        }
        try await poll("the watch has all events") { try taken().count >= wanted.count }
        #expect(try taken() == wanted)
        for program in [again, phone, server] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }

    #if os(Linux)
        @Test func `a phone that follows its server and has nothing to do rests`() async throws {
            let port = try LocalTools.freePorts(1)[0]
            let server = try Program(
                ["server", "--sample", "--listen", "127.0.0.1:\(port)"] + state, in: folder, program: Program.rides)
            _ = try await server.line(containing: "serving at")
            let phone = try await start("phone", "--as", "client:1", until: "is ready")
            /// Seconds of a processor that the phone has used.
            func used() throws -> Double {
                let line = try String(contentsOfFile: "/proc/\(phone.processIdentifier)/stat", encoding: .utf8)
                // The name may hold blanks; user and system time are the 12th and 13th fields behind it.
                let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
                return fields[11...12].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
            }
            // While it starts it works. On a busy machine it gets less of a processor, never more.
            var isResting = false
            for _ in 0..<20 where !isResting {
                let (began, before) = (ContinuousClock.now, try used())
                try await poll("half a second is over") { began.duration(to: .now) > .milliseconds(500) }
                isResting = try used() - before < 0.15
            }
            #expect(isResting)
            for program in [phone, server] { program.signal(SIGTERM) }
        }
    #endif

    @Test func `a thousand places a second reach a watch's phone once a second, the newest`() async throws {
        let port = try LocalTools.freePorts(1)[0]
        let server = try Program(
            ["server", "--sample", "--listen", "127.0.0.1:\(port)"] + state, in: folder, program: Program.rides)
        _ = try await server.line(containing: "serving at")
        let token = try await run("token", "--as", "chauffeur:1").lines.last ?? ""
        let client = ServerClient(
            server: try #require(URL(string: "http://127.0.0.1:\(port)")), token: token)
        let cluster = try await PrivateCluster(
            folder: folder.path("s/database"), environment: ProcessInfo.processInfo.environment)
        let database = Database(cluster.connectionString, connections: 2)
        defer { database.close() }
        let store = RidesStore(database)
        let views = Recorder<(RidesView, ContinuousClock.Instant)>()
        let following = Task { try await client.follow { views.record(($0, .now)) } }
        await views.wait { !$0.isEmpty }
        let start = Timestamp.now
        let began = ContinuousClock.now
        var last: Location?
        for step in 0..<300 {
            let place = try Town.place(north: Double(step))
            last = place
            let fixes = (1...50).map {
                DriverFix(
                    chauffeur: $0, localisation: place,
                    // The sample's first places are far away, and these agree with each other.
                    mesuree: start.advanced(byMilliseconds: Int64(step) * 50))
            }
            _ = try await store.take(fixes, at: .now)
            // As the commands of others wake every stream.
            try await database.execute("SELECT pg_notify('rides', '')")
        }
        let seconds = began.duration(to: .now) / .seconds(1)
        let newest = last
        await views.wait { $0.last?.0.driving?.fix?.localisation == newest }
        let times = views.items.map(\.1)
        #expect(Double(times.count) <= seconds + 3, "\(times.count) views in \(seconds) s")
        following.cancel()
        server.signal(SIGTERM)
        #expect(await server.ended() == .exited(0))
    }

    @Test func `a folder has one server, and a phone has its own person's token`() async throws {
        let port = try LocalTools.freePorts(1)[0]
        let server = try Program(
            ["server", "--sample", "--listen", "127.0.0.1:\(port)"] + state, in: folder, program: Program.rides)
        _ = try await server.line(containing: "serving at")
        let address = try String(contentsOfFile: folder.path("s/server/address"), encoding: .utf8)
        let second = try await run("server", "--listen", "127.0.0.1:0")
        #expect(second.end == .exited(1))
        #expect(second.lines.joined().contains("in use by process \(server.processIdentifier)"), "\(second.lines)")
        #expect(try String(contentsOfFile: folder.path("s/server/address"), encoding: .utf8) == address)

        let token = folder.path("token")
        try await run("token", "--as", "chauffeur:7").lines.joined().write(
            toFile: token, atomically: true, encoding: .utf8)
        let given = ["--server", "http://127.0.0.1:\(port)", "--token-file", token]
        let (end, lines) = try await Program.run(
            ["phone", "--as", "client:2"] + given + state, in: folder, program: Program.rides)
        #expect(end == .exited(1))
        #expect(lines.joined().contains("that of chauffeur:7, not of client:2"), "\(lines)")
        // A token that no account has, and a person that does not exist, end the phone.
        try "junk".write(toFile: token, atomically: true, encoding: .utf8)
        let junk = try await Program.run(
            ["phone", "--as", "client:2"] + given + state, in: folder, program: Program.rides)
        #expect(junk.end == .exited(1), "\(junk.lines)")
        let unknown = try await run("phone", "--as", "client:999")
        #expect(
            unknown.end == .exited(1) && unknown.lines.joined().contains("there is no client:999"), "\(unknown.lines)")
        let migrating = try await run("migrate")
        #expect(
            migrating.end == .exited(1) && migrating.lines.joined().contains("in use by process"), "\(migrating.lines)")
        let listening = try await run("phone", "--as", "client:1", "--listen", "here")
        #expect(listening.lines.joined().contains("--listen cannot be \"here\""), "\(listening.lines)")
        server.signal(SIGTERM)
        #expect(await server.ended() == .exited(0))
    }

    @Test func `C30 a narrow face has every word, and its map`() throws {
        let fix = RidesView.Fix(localisation: try Town.place(north: 1000, east: 1000), mesuree: .now)
        let course = Course(
            id: 123, client_id: 1, chauffeur_id: 7, depart_point: try Town.place(),
            arrivee_point: try Town.place(north: -1000), statut: .accepte,
            montant_estime: try Montant(centimes: 512_345))
        let ride = RidesView.Ride(
            course: course, phase: .enRoute, driver: .init(nom: "Ben of the Long Name", plaque: "CGO-1", fix: fix),
            etaSeconds: 61, annulation: nil)
        var shown = Wrist.Shown()
        shown.view = RidesView(person: .client(1), ride: ride, driving: nil)
        shown.notice = "refused: this client has an open ride: cancel it, or wait for its end"
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(environment: [:], isTerminal: false))
        var face = WristFace(look: look, shown: { shown }, now: { .now }) { _ in }
        let buffer = face.draw(in: TerminalView(size: Size(columns: 44, rows: 20)))
        let text = buffer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let joined = text.joined(separator: " ").split(separator: " ").joined(separator: " ")
        for words in ["accepted, on the way", "wait for its end", "Ben of the Long Name", "x cancel"] {
            #expect(joined.contains(words), "\(words): \(text)")
        }
        // North of the start, and east of it: blanks of the map count.
        let (car, start) = (
            try #require(text.first { $0.contains("▲") }), try #require(text.first { $0.contains("●") })
        )
        #expect(
            try #require(car.firstIndex(of: "▲")).utf16Offset(in: car)
                > (try #require(start.firstIndex(of: "●"))).utf16Offset(in: start))
    }

    @Test func `bad words are told with their value and the way out`() async throws {
        let table: [([String], String)] = [
            (["phone", "--as", "client:0"], "client:0"), (["phone", "--as", "patient:7"], "patient:7"),
            (["phone", "--as", "client:1"], "start it with `rides server`"),
            (["phone", "--as", "client:1", "--server", "http://x"], "give --server and --token-file together"),
            (["server", "--listen", "here"], "here"), (["server", "--offers", "0s"], "0s"),
            (["server", "--database", "host=/nowhere"], "/nowhere"),
            (["gps", "--drivers", "0"], "--drivers is 0"), (["gps", "--interval", "1ms"], "1ms"),
            (["watch", "--as", "client:1", "--name", "a/b"], "a/b"),
            (["watch", "--as", "client:1", "--once", "--timeout", "100ms"], "rides phone --as client:1"),
            (["pair", "--as", "client:1"], "start it with: rides phone --as client:1"),
            (["server", "account", "add", "Ada", "--person", "patient:7"], "patient:7"),
            (["watch", "--as", "client:1", "--once", "--code", "x"], "--code cannot be"),
            (["server", "--listen", "0.0.0.0:8080"], "rides server certificate"),
        ]
        for (arguments, word) in table {
            let (end, lines) = try await Program.run(arguments + state, in: folder, program: Program.rides)
            #expect(end != .exited(0), "\(arguments)")
            #expect(lines.joined(separator: " ").contains(word), "\(arguments): \(lines)")
        }
    }

    @Test func `what a watch is told to do is read, or refused with what there is`() throws {
        let offer = RidesView.Offer(
            course: 9, depart: try Town.place(), arrivee: try Town.place(), montant: try Montant(centimes: 1),
            distanceMetres: 5, expire: .now)
        let driving = RidesView.Driving(
            statut: .disponible, fix: .init(localisation: try Town.place(), mesuree: nil), estSuspecte: false,
            offres: [offer])
        let view = RidesView(person: .chauffeur(7), ride: nil, driving: driving)
        let table: [(String, RidesCommand)] = [
            ("accept", .accept(course: 9)), ("accept 12", .accept(course: 12)), ("refuse", .refuse(course: 9)),
            ("cancel too late", .cancel(reason: "too late")), ("arrived", .arrived), ("on-board", .onBoard),
            ("complete", .complete), ("available", .status(isAvailable: true)),
            ("off-duty", .status(isAvailable: false)),
            (
                "ask -4.3 15.3 -4.4 15.2",
                .ask(
                    depart: try Location(latitude: -4.3, longitude: 15.3),
                    arrivee: try Location(latitude: -4.4, longitude: 15.2))
            ),
        ]
        for (text, command) in table { #expect(try OrderWords.command(text, view) == command) }
        for text in ["", "cancel", "accept x", "accept 1 2", "ask 1 2 3", "ask 91 0 0 0", "arrived now", "fly"] {
            #expect(throws: CommandFailure.self) { try OrderWords.command(text, view) }
        }
        #expect(throws: CommandFailure.self) {
            try OrderWords.command("accept", RidesView(person: .client(1), ride: nil, driving: nil))
        }
    }

    @Test func `C30 C40 the plot has north up, and an unknown place is not on it`() throws {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        func view(_ age: Int64) throws -> RidesView {
            let course = Course(
                id: 1, client_id: 1, chauffeur_id: 7, depart_point: try Town.place(),
                arrivee_point: try Town.place(north: -1000), statut: .accepte,
                montant_estime: try Montant(centimes: 100))
            let fix = RidesView.Fix(
                localisation: try Town.place(north: 1000, east: 1000),
                mesuree: now.advanced(byMilliseconds: -age * 1000))
            return RidesView(
                person: .client(1),
                ride: .init(
                    course: course, phase: .enRoute, driver: .init(nom: "Ben", plaque: "CGO-1", fix: fix),
                    etaSeconds: 61, annulation: nil), driving: nil)
        }
        let plot = try #require(Plot(try view(5), columns: 11, rows: 5, at: now))
        #expect(
            plot.lines == [
                "       ▲   ", "           ", "   ●       ", "           ", "   ■       ", "N↑ 5 rows = 2500 m",
            ])
        #expect(!plot.isGrey)
        #expect(try #require(Plot(try view(40), columns: 11, rows: 5, at: now)).isGrey)
        #expect(!(try #require(Plot(try view(130), columns: 11, rows: 5, at: now))).lines.joined().contains("▲"))
        #expect(RidesText.lines(try view(5), at: now).first?.hasPrefix("≈ 2 min, CGO-1, Ben, position 5 s old") == true)
    }

    @Test func `the same seed walks the same way, with gaps, stale places and jumps`() throws {
        func way(_ seed: UInt64) throws -> [WalkingCar.Reading] {
            var car = WalkingCar(chauffeur: 3, at: try Town.place(), seed: seed)
            return (0..<4000).map { _ in car.step(seconds: 1) }
        }
        let first = try way(7)
        #expect(try first == way(7))
        #expect(try first != way(8))
        #expect(first.contains(.nothing))
        let stale = first.filter { if case .fix(_, 60) = $0 { true } else { false } }
        #expect(!stale.isEmpty)
        var places: [Location] = []
        for case .fix(let place, 0) in first { places.append(place) }
        let jumps = zip(places, places.dropFirst()).filter { $0.distance(to: $1).metres > 10_000 }
        #expect(!jumps.isEmpty && jumps.count < 100)
    }

    @Test func `a journal takes each event once, and drops a line that was cut off`() throws {
        let path = folder.path("journal")
        func event(_ id: Int) -> RideEvent {
            RideEvent(position: .init(xid: 9, id: id), course: 1, genre: .arrive, texte: nil, montant: nil, le: .now)
        }
        let journal = try Journal(path: path)
        #expect(try journal.take(event(1)) && journal.take(event(2)))
        #expect(try journal.take(event(2)) == false)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("9-3 ride".utf8))
        try file.close()
        let reopened = try Journal(path: path)
        #expect(try reopened.take(event(1)) == false)
        #expect(try reopened.take(event(3)))
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == "9-1 ride 1: arrive\n9-2 ride 1: arrive\n9-3 ride 1: arrive\n")
    }
}
