import BrokerFixture
import CommandSupport
import Foundation
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The processes as a user starts them by hand, in an unusual order, and with crashes.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ByHandTests {
    private let folder: TemporaryFolder
    private let hubEndpoint: String

    init() throws {
        folder = try TemporaryFolder()
        hubEndpoint = "ipc://\(folder.path("hub.ipc"))"
    }

    private func run(_ arguments: String...) async throws -> [String] {
        let (end, lines) = try await Program.run(arguments, in: folder)
        #expect(end == .exited(0), "\(arguments): \(lines)")
        return lines
    }

    private func startHub() throws -> Program {
        try Program(["hub", "--listen", hubEndpoint], in: folder)
    }

    private func storedReadings() async throws -> Int {
        let json = try await run("device", "list", "--json").joined(separator: "\n")
        struct Row: Decodable { var storedReadings: Int }
        return try JSONDecoder().decode([Row].self, from: Data(json.utf8)).reduce(0) { $0 + $1.storedReadings }
    }

    private func configure(_ broker: Broker) async throws {
        _ = try await run("server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)")
        _ = try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")
        _ = try await run("device", "select", "Lagoon")
    }

    @Test func `a hub whose port is taken says only that, and the way out`() async throws {
        let holder = try await Broker.start()
        try await configure(holder)
        let (end, lines) = try await Program.run(
            ["hub", "--plain", "--listen", "tcp://127.0.0.1:\(holder.port)"], in: folder)
        #expect(end == .exited(1))
        // It prints no advice to add a server or to invite a watch before the error.
        #expect(lines.count == 1, "\(lines)")
        #expect(
            lines.first
                == "poolsensors: another program listens at 127.0.0.1:\(holder.port) already, perhaps another hub or a "
                + "demo: end that one, or choose another port with --listen HOST:PORT")
        await holder.stop()
    }

    @Test func `a watch that was started first sees readings as soon as all the others are there`() async throws {
        let watch = try Program(["watch", "--name", "Kitchen", "--values"], in: folder)
        _ = try await watch.line(containing: "not paired with a hub yet")
        let hub = try startHub()
        _ = try await hub.line(containing: "no server yet: add one with")
        _ = try await hub.line(containing: "no watch yet: invite one with: poolsensors pair")
        let broker = try await Broker.start()
        let probe = try Program(
            ["probe", "--server", "\(broker.host):\(broker.port)", "--rate", "20", "--json"], in: folder)
        let code = try #require(try await run("pair").first { $0.hasPrefix("psw2-poolsensors-") })
        _ = try await run("watch", "pair", code, "--name", "Kitchen")
        _ = try await watch.line(containing: "Link: connected")

        try await configure(broker)

        _ = try await watch.line(containing: "Lagoon: OK")
        probe.signal(SIGTERM)
        #expect(await probe.ended() == .exited(0))
        #expect(try await run("server", "test", "Garden").first == "Garden: ok, the server accepted the connection")
        for program in [watch, hub] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }

    // A broker that is killed forgets confirmed messages that it has not saved; one that is stopped saves them.
    @Test func `hub and watch killed, the broker ended: no confirmed reading is lost or stored twice`() async throws {
        var options = Broker.Configuration()
        options.isPersistent = true
        options.furtherLines = ["autosave_interval 1"]
        let broker = try await Broker.start(options)
        try await configure(broker)
        var hub = try startHub()
        _ = try await hub.line(containing: "server Garden: connected")
        let code = try #require(try await run("pair", "--name", "Wrist").first { $0.hasPrefix("psw2-poolsensors-") })
        _ = try await run("watch", "pair", code, "--name", "Wrist")
        var watch = try Program(["watch", "--name", "Wrist", "--json"], in: folder)
        let probe = try Program(
            ["probe", "--server", "\(broker.host):\(broker.port)", "--rate", "50", "--count", "400", "--json"],
            in: folder)
        _ = try await watch.line(containing: #""freshness":"live""#)

        hub.signal(SIGKILL)
        _ = await hub.ended()
        hub = try startHub()
        _ = try await hub.line(containing: "watch Wrist: linked")
        watch.signal(SIGKILL)
        _ = await watch.ended()
        watch = try Program(["watch", "--name", "Wrist", "--json"], in: folder)
        _ = try await watch.line(containing: #""state":"linked""#)
        await broker.stop()
        try await broker.restart()

        #expect(await probe.ended() == .exited(0))
        let last = try #require(probe.lines.compactMap(ProbeSummary.init).last)
        #expect(last.acknowledged == 400)
        try await poll("400 stored readings") { try await storedReadings() >= 400 }
        #expect(try await storedReadings() == 400)
        for program in [watch, hub] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }

    @Test func `what cannot run says why, and ends with a status of its own`() async throws {
        let hub = try startHub()
        _ = try await hub.line(containing: "listening on ")

        let second = try await Program.run(["hub", "--listen", hubEndpoint], in: folder)
        #expect(second.end == .exited(1))
        #expect(second.lines.last?.contains("already, as process") == true)
        let once = try await Program.run(["watch", "--once"], in: folder)
        #expect(once.end == .exited(69))
        #expect(once.lines.last?.contains("not paired with a hub yet") == true)
        let usage = try await Program.run(["hub", "--listen", "nowhere"], in: folder)
        #expect(usage.end == .exited(64))
        let nobody = try await Program.run(["server", "test", "--host", "127.0.0.1", "--port", "1"], in: folder)
        #expect(nobody.end == .exited(6))
        hub.signal(SIGHUP)
        #expect(await hub.ended() == .exited(0))
    }

    @Test func `a server with devices is not removed without being asked for, and not without an answer`() async throws
    {
        _ = try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--no-test")
        _ = try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")

        let blocked = try await Program.run(["server", "remove", "Garden", "--yes"], in: folder)
        #expect(blocked.end == .exited(1))
        #expect(blocked.lines.last?.contains("has the device \"Lagoon\"") == true)
        let unanswered = try await Program.run(["server", "remove", "Garden", "--with-devices"], in: folder)
        #expect(unanswered.end == .exited(1))
        #expect(unanswered.lines.last?.contains("give --yes") == true)
        #expect(try await run("server", "remove", "Garden", "--with-devices", "--yes") == ["removed server Garden"])
        #expect(try await run("device", "list").first?.hasPrefix("There is no device yet") == true)
    }

    @Test func `a watch that runs already is named with the option for another one`() async throws {
        let hub = try startHub()
        _ = try await hub.line(containing: "listening on ")
        let code = try #require(try await run("pair").first { $0.hasPrefix("psw2-poolsensors-") })
        _ = try await run("watch", "pair", code)
        let watch = try Program(["watch", "--plain", "--follow"], in: folder)
        _ = try await watch.line(containing: "Link: connected")
        let second = try #require(try await run("pair").first { $0.hasPrefix("psw2-poolsensors-") })

        for arguments in [["watch", "pair", second], ["watch", "--follow"]] {
            let (end, lines) = try await Program.run(arguments, in: folder)
            #expect(end == .exited(1), "\(lines)")
            #expect(
                lines.last?.hasPrefix("poolsensors: the watch \"watch\" runs on this machine already, as process ")
                    == true)
            #expect(
                lines.last?.hasSuffix("with --name, such as `poolsensors watch pair CODE --name Kitchen`") == true,
                "\(lines)")
        }
        _ = try await run("watch", "pair", second, "--name", "Kitchen")
        for program in [watch, hub] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0))
        }
    }
}
