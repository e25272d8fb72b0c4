import BrokerFixture
import Brokers
import CommandSupport
import Foundation
import MQTT
import ProgramFixture
import TestSupport
import Testing

/// A home whose phone is away: brokers, bridges that die, other phones, and watches that only look.
@Suite(.timeLimit(.minutes(20))) struct FarHomeTests: HomeSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bridge(_ arguments: String...) throws -> Program {
        try Program(
            ["bridge", "--serial", "H001", "--air", folder.path("air")] + arguments, in: folder, program: Program.tars)
    }

    @Test func `T7 a movement at the device alone, by its timer, shows on the phone and on both watches`() async throws
    {
        var device = try device().program
        let phone = try await phone("--air", folder.path("air"))
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        let watches = try ["Left", "Right"].map { name in
            try Program(
                ["watch", "--name", name, "--plain", "--state", folder.path("s")], in: folder, program: Program.tars)
        }
        for watch in watches { _ = try await watch.line(containing: "Lamp  off") }
        await end(device)
        // Somebody sets the timer at the device.
        let path = URL(filePath: folder.path("d/device.json"))
        var memory = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        var record = try #require(memory["record"] as? [String: Any])
        var settings = try #require(record["settings"] as? [String: Any])
        let soon = Int64(Date().timeIntervalSince1970 * 1000) + 2000
        settings["timers"] = [["at": soon, "isDaily": false, "action": "on"] as [String: Any]]
        record["settings"] = settings
        memory["record"] = record
        try JSONSerialization.data(withJSONObject: memory).write(to: path)
        device = try self.device().program

        for watch in watches { _ = try await watch.line(containing: "Lamp  on") }
        #expect(try await tars("status").lines.contains { $0.contains("Lamp  on") })
        #expect(movements.count == 1)
        #expect(movements.first?.hasSuffix("timer") == true)
        for program in watches + [phone, device] { await end(program) }
    }

    @Test func `T33 another phone with the PIN takes a device over, and the first one moves nothing any more`()
        async throws
    {
        let (device, _) = try device()
        let first = try await phone("--air", folder.path("air"))
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        try await act("Lamp", "on", moves: 1)
        let second = try await phone(["--air", folder.path("air")], state: "t")
        let taken = try await tars(["add", "Mine", "--serial", "42", "--pin", "314159"], state: "t")
        #expect(taken.end == .exited(0), "\(taken.lines)")
        #expect(try await tars("do", "Lamp", "off").end != .exited(0))
        #expect(movements.count == 1)
        try await act("Mine", "off", moves: 2, state: "t")
        await end(first, second, device)
    }

    @Test func `T22 T33 phone and bridge reach a broker that has a certificate and wants a password`() async throws {
        let certificates = try await Certificates.make()
        var configuration = Broker.Configuration()
        configuration.certificates = certificates
        configuration.shownCertificate = certificates.address
        configuration.passwords = ["home": "a long password"]
        let broker = try await Broker.start(configuration)
        try Data("a long password\n".utf8).write(to: URL(filePath: folder.path("password")))
        let place = ["--broker", "\(broker.host):\(broker.port)", "--ca", certificates.authority]
        let user = ["--username", "home", "--password-file", folder.path("password")]
        let (device, _) = try device()
        let bridge = try Program(
            ["bridge", "--serial", "H001", "--air", folder.path("air")] + place + user, in: folder,
            program: Program.tars)
        let phone = try await phone(["--air", folder.path("air")] + place + user)
        _ = try await phone.line(containing: "broker: connected")
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        try await walkAway()
        try await act("Lamp", "on", moves: 1)
        #expect(movements.first?.hasSuffix("bridge") == true)

        for refused in [place, ["--broker", "\(broker.host):\(broker.port)"] + user] {
            let stranger = try await self.phone(refused, state: "t")
            _ = try await stranger.line(containing: "broker: not connected")
            await end(stranger)
        }
        await end(phone, bridge, device)
    }

    @Test func `T43 A7 state and presence are retained, and a bridge that dies with a command is known to be gone`()
        async throws
    {
        let broker = try await Broker.start()
        let place = ["--broker", "\(broker.host):\(broker.port)"]
        let (device, _) = try device()
        let bridge = try bridge(place[0], place[1])
        let phone = try await phone(["--air", folder.path("air")] + place)
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        try await walkAway()

        let settings = BrokerSettings(name: "Ear", host: broker.host, port: broker.port)
        let first = Ear(settings)
        await first.waits { $0.topic == "tars/000042/status" && $0.text == "online H000001" }
        // Who comes later learns it, too.
        let later = Ear(settings)
        await later.waits { $0.topic == "tars/000042/status" && $0.text == "online H000001" && $0.isRetained }
        await later.waits { $0.topic == "tars/H000001/status" && $0.text == "online" && $0.isRetained }
        await later.waits { $0.topic == "tars/000042/state" && $0.text.contains(#""on":false"#) && $0.isRetained }

        bridge.signal(SIGSTOP)
        let doing = Task { try await tars("do", "Lamp", "on") }
        await first.waits { $0.topic == "tars/000042/set" }
        bridge.signal(SIGKILL)
        let (end, lines) = try await doing.value
        #expect(end == .exited(1))
        #expect(lines.joined().contains("sent, and nothing said so"), "\(lines)")
        await first.waits { $0.topic == "tars/H000001/status" && $0.text == "offline" }
        try await poll("the phone knows that the bridge is gone") {
            let (end, lines) = try await tars("do", "Lamp", "on")
            return end == .exited(2) && lines.joined().contains("hub offline")
        }
        #expect(movements.isEmpty)
        let last = Ear(settings)
        await last.waits { $0.topic == "tars/H000001/status" && $0.text == "offline" && $0.isRetained }
        #expect(!last.heard.items.contains { $0.topic.hasSuffix("/set") }, "a command is never kept")
        #expect(await bridge.ended() != .exited(0))
        await self.end(phone, device)
    }

    @Test func `A2 a broker of MQTT 3_1_1 is spoken to in its version, and a command waits for nobody there`()
        async throws
    {
        let listener = try ScriptedListener()
        let phone = try await phone("--broker", "\(listener.host):\(listener.port)")
        // A refusal that is followed by the end of the connection may get lost; then it tries as before.
        var packets = Packets(try await listener.accept())
        var version = try await packets.next().body.dropFirst(6).first
        #expect(version == 5)
        while version == 5 {
            packets.peer.send([0x20, 0x02, 0x00, 0x01])
            packets.peer.close()
            packets = Packets(try await listener.accept())
            version = try await packets.next().body.dropFirst(6).first
        }
        #expect(version == 4)
        let peer = packets.peer
        peer.send([0x20, 0x02, 0x00, 0x00])
        _ = try await phone.line(containing: "broker: connected by MQTT 3.1.1")

        #expect(try await tars("add", "Kettle", "--tasmota", "kettle").end == .exited(0))
        let (end, lines) = try await tars("do", "Kettle", "on")
        #expect(end == .exited(2))
        #expect(lines.joined().contains("not known to be there, and MQTT 3.1.1 could deliver it late"), "\(lines)")
        let (topic, payload) = (Array("tele/kettle/LWT".utf8), Array("Online".utf8))
        peer.send([0x31, UInt8(2 + topic.count + payload.count), 0, UInt8(topic.count)] + topic + payload)
        try await poll("the kettle is there") { try await tars("do", "Kettle", "on").end != .exited(2) }
        var packet = try await packets.next()
        while packet.kind & 0xF0 != 0x30, packet.kind != 0 { packet = try await packets.next() }
        // At most once, not retained, and without properties.
        #expect(packet.kind == 0x30)
        let order = Array("cmnd/kettle/POWER".utf8)
        #expect(packet.body == [0, UInt8(order.count)] + order + Array("ON".utf8))
        await self.end(phone)
    }

    @Test func `T26 a shortcut among the desktop's programs is there once, runs, and goes with the shortcut`()
        async throws
    {
        let (device, _) = try device()
        let phone = try await phone("--air", folder.path("air"))
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        let path = try #require(try await tars("shortcut", "Bright", "Lamp", "on", "--desktop").lines.last)
        #expect(path.hasPrefix(folder.path(".local/share/applications/tars-")))
        #expect(movements.isEmpty, "to define it moves nothing")
        // Defined again, it is the same entry.
        #expect(try await tars("shortcut", "Bright", "Lamp", "toggle", "--desktop").lines.last == path)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path(".local/share/applications")).count == 1)
        let entry = try String(contentsOfFile: path, encoding: .utf8)
        #expect(entry.contains("\nName=Bright\n"))
        let command = try #require(entry.split(separator: "\n").first { $0.hasPrefix("Exec=") }).dropFirst(5)
        try await poll("the entry moves the motor") {
            if movements.isEmpty {
                _ = try await Program.run(["-c", String(command)], in: folder, program: "/bin/sh")
            }
            return movements.count == 1
        }
        #expect(try await tars("shortcut", "Bright", "--remove").end == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: path))
        await end(phone, device)
    }

    @Test func `a watch that may only look is told so, and an unknown grant is named`() async throws {
        let (device, _) = try device()
        let phone = try await phone("--air", folder.path("air"))
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        #expect(try await tars("watch", "--name", "Left", "--once").end == .exited(0))
        #expect(try await tars("watches").lines.contains { $0.contains("Left") && $0.contains("tars.actuate") })
        let unknown = try await tars("watches", "--grant", "Left", "tars.fly")
        #expect(unknown.end == .exited(64))
        #expect(unknown.lines.joined().contains("\"tars.fly\" is no grant: give tars.actuate"), "\(unknown.lines)")
        #expect(try await tars("watches", "--revoke", "Left", "tars.actuate").end == .exited(0))
        let refused = try await tars("watch", "--name", "Left", "--do", "Lamp on")
        #expect(refused.end == .exited(2))
        #expect(refused.lines.joined().contains("this watch may not do that"), "\(refused.lines)")
        #expect(movements.isEmpty)
        let named = try await tars("watch", "--name", "Left", "--rename", "Lamp", "--to", "Lantern")
        #expect(named.end == .exited(2), "\(named.lines)")
        #expect(named.lines.joined().contains("the phone did not take it"), "\(named.lines)")
        await end(phone, device)
    }
}

/// A client that hears everything of the motor devices at a broker.
private final class Ear: Sendable {
    struct Heard: Hashable, Sendable {
        var topic: String
        var text: String
        var isRetained: Bool
    }

    let heard = Recorder<Heard>()
    private let running: Task<Void, Never>

    init(_ settings: BrokerSettings) {
        let session = settings.session(
            password: nil, clientIdentifier: nil,
            onMessages: { [heard] messages in
                for message in messages {
                    heard.record(
                        Heard(
                            topic: message.topic.text, text: String(decoding: message.payload, as: UTF8.self),
                            isRetained: message.isRetained))
                }
                return .acknowledge
            })
        if let filter = try? TopicFilter("tars/#") { session.want([filter]) }
        running = Task { await session.run() }
    }

    deinit { running.cancel() }

    func waits(_ isWanted: @escaping @Sendable (Heard) -> Bool) async {
        await heard.wait { $0.contains(where: isWanted) }
    }
}
