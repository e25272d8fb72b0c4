import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// A hub and a watch on two machines: two network namespaces with a cable between them.
///
/// Only root may make them, and it takes Linux and `ip` (iproute2). Where that is missing, a warning stands in the
/// test's result.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TwoMachinesTests {
    @Test func `a watch on another machine is paired as pair says, and shows a reading`() async throws {
        guard let machines = try await TwoMachines.connected() else { return }
        do {
            try await play(on: machines)
        } catch {
            await machines.remove()
            throw error
        }
        await machines.remove()
    }

    private func play(on machines: TwoMachines) async throws {
        let hubHome = try TemporaryFolder()
        let watchHome = try TemporaryFolder()
        func atHub(_ arguments: [String]) throws -> Program { try machines.start(arguments, at: .hub, in: hubHome) }
        func run(_ arguments: String...) async throws -> [String] {
            let program = try atHub(arguments)
            #expect(await program.ended() == .exited(0), "\(arguments): \(program.lines)")
            return program.lines
        }

        let broker = try machines.startBroker(in: hubHome)
        _ = try await broker.line(containing: "running")
        var hub = try atHub(["hub", "--plain"])
        _ = try await hub.line(containing: "listening on tcp://127.0.0.1:7654")
        _ = try await run("server", "add", "--name", "Home", "--host", "127.0.0.1", "--no-test")
        _ = try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1", "--interval", "1h")

        let local = try await run("pair")
        #expect(local.contains { $0.contains("Only a watch on this machine can use it") }, "\(local)")
        // The command that `pair` proposes is typed as it stands.
        let proposed = try #require(local.first { $0.contains("hub --listen \(TwoMachines.hubAddress):7654") })
        let words = proposed.split(separator: " ").map(String.init)
        #expect(words.first == "poolsensors")
        hub.signal(SIGTERM)
        #expect(await hub.ended() == .exited(0))
        hub = try atHub(words.dropFirst() + ["--plain"])
        _ = try await hub.line(containing: "listening on tcp://\(TwoMachines.hubAddress):7654")

        let open = try await run("pair", "--output", hubHome.path("code.txt"))
        #expect(!open.contains { $0.contains("Only a watch on this machine") }, "\(open)")
        try FileManager.default.copyItem(atPath: hubHome.path("code.txt"), toPath: watchHome.path("code.txt"))
        let paired = try machines.start(
            ["watch", "pair", "--file", watchHome.path("code.txt"), "--name", "Kitchen"], at: .watch, in: watchHome)
        #expect(await paired.ended() == .exited(0), "\(paired.lines)")
        let watch = try machines.start(
            ["watch", "--plain", "--values", "--name", "Kitchen"], at: .watch, in: watchHome)
        _ = try await watch.line(containing: "Link: connected")

        let probe = try atHub(["probe", "--server", "127.0.0.1:1883", "--topic", "pool/sensor/1", "--rate", "2"])
        let reading = try await watch.line(containing: "Temperature: ")
        _ = await watch.line { $0.hasPrefix("Temperature: ") && $0.contains("°C") }
        #expect(!reading.isEmpty)
        for program in [watch, probe, hub] {
            program.signal(SIGTERM)
            #expect(await program.ended() == .exited(0), "\(program.lines)")
        }
        broker.signal(SIGTERM)
        _ = await broker.ended()
    }
}

/// Two network namespaces, each with a loopback of its own, and a cable between them.
private struct TwoMachines {
    enum Side: String {
        case hub
        case watch
    }

    /// Addresses for documentation, RFC 5737; nothing outside can be reached.
    static let hubAddress = "192.0.2.1"
    private static let watchAddress = "192.0.2.2"

    private let ip: String
    private let folder: TemporaryFolder
    private let mark: String

    /// Makes them; nil where that is not possible, with a warning that says why.
    static func connected() async throws -> TwoMachines? {
        let ip = LocalTools.path(of: "ip", environment: ProcessInfo.processInfo.environment)
        guard geteuid() == 0, let ip else {
            let missing = geteuid() == 0 ? "ip (iproute2) is not installed" : "only root may make network namespaces"
            Issue.record("nothing was tested: \(missing)", severity: .warning)
            return nil
        }
        let machines = TwoMachines(ip: ip, folder: try TemporaryFolder(), mark: "\(UUID().uuidString.prefix(6))")
        do {
            for side in [Side.hub, .watch] {
                let (end, lines) = try await Program.run(
                    ["netns", "add", machines.name(side)], in: machines.folder, program: ip)
                guard end == .exited(0) else {
                    await machines.remove()
                    Issue.record("nothing was tested: this system permits no namespaces: \(lines)", severity: .warning)
                    return nil
                }
            }
            let ends = ["ps\(machines.mark)h", "ps\(machines.mark)w"]
            try await machines.command(
                "link", "add", ends[0], "netns", machines.name(.hub), "type", "veth", "peer", "name", ends[1], "netns",
                machines.name(.watch))
            for (side, end, address) in [(Side.hub, ends[0], hubAddress), (.watch, ends[1], watchAddress)] {
                let inside = ["-n", machines.name(side)]
                try await machines.command(inside + ["address", "add", "\(address)/24", "dev", end])
                for device in ["lo", end] { try await machines.command(inside + ["link", "set", device, "up"]) }
            }
        } catch {
            await machines.remove()
            throw error
        }
        return machines
    }

    private func name(_ side: Side) -> String { "ps-\(mark)-\(side.rawValue)" }

    private func command(_ arguments: String...) async throws { try await command(arguments) }

    private func command(_ arguments: [String]) async throws {
        let (end, lines) = try await Program.run(arguments, in: folder, program: ip)
        try #require(end == .exited(0), "ip \(arguments.joined(separator: " ")): \(lines)")
    }

    /// Starts the program on one of them.
    func start(_ arguments: [String], at side: Side, in home: TemporaryFolder) throws -> Program {
        try Program(["netns", "exec", name(side), Program.path] + arguments, in: home, program: ip)
    }

    /// Starts a broker beside the hub; only that machine reaches it.
    func startBroker(in home: TemporaryFolder) throws -> Program {
        let broker = try #require(
            LocalTools.path(of: "mosquitto", environment: ProcessInfo.processInfo.environment))
        try "listener 1883 127.0.0.1\nallow_anonymous true\nuser root\n".write(
            toFile: home.path("mosquitto.conf"), atomically: true, encoding: .utf8)
        return try Program(
            ["netns", "exec", name(.hub), broker, "-c", home.path("mosquitto.conf")], in: home, program: ip)
    }

    /// Removes them; the cable goes with them.
    func remove() async {
        for side in [Side.hub, .watch] {
            // One that was never made is not there.
            _ = try? await Program.run(["netns", "del", name(side)], in: folder, program: ip)
        }
    }
}
