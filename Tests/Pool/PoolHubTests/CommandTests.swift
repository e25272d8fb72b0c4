import Foundation
import PoolControl
import PoolHub
import PoolModel
import Service
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

/// Commands with a stopped hub; those with a running hub use the same code.
@Suite struct CommandTests {
    private func server(_ name: String, port: Int = 1883) -> HubCommand {
        var draft = ServerPatch()
        draft.name = name
        draft.host = "127.0.0.1"
        draft.port = port
        return .edit(.addServer(draft))
    }

    private func device(_ name: String, topic: String, server: ServerID? = nil) -> HubCommand {
        var draft = DevicePatch()
        draft.name = name
        draft.topic = topic
        draft.serverID = server
        return .edit(.addDevice(draft))
    }

    private func report(_ folder: TestHubFolder) async throws -> HubState {
        guard case .state(let report) = try await HubClient.perform(.state, path: folder.path) else {
            throw NotRunning()
        }
        return report
    }

    @Test func `a patch that was made of a server or a pool makes another one alike`() {
        var server = Server(
            id: ServerID(high: 1, low: 1), name: "Home", host: "mqtt.lan", port: 8884, username: "hub", usesTLS: true,
            caFile: "/ca.pem", clientCertificate: .init(certificateFile: "/hub.pem", keyFile: "/hub.key"),
            protocolVersion: .v5, announcementPrefix: "homeassistant")
        server.note = "In the cellar"
        let plain = Server(id: server.id, name: "Ryokan", host: "broker.lan", port: 1884)
        #expect(ServerPatch(of: server).applied(to: plain) == server)
        #expect(ServerPatch(of: plain).applied(to: server) == plain)
        let pool = Pool(id: PoolID(high: 1, low: 1), name: "Garden", volume: 48)
        let bath = Pool(id: pool.id, name: "Bath", volume: nil)
        #expect(PoolPatch(of: pool).applied(to: bath) == pool)
        #expect(PoolPatch(of: bath).applied(to: pool) == bath)
    }

    @Test func `what a patch changes is enough to make one state of the other`() throws {
        let (empty, identity) = (PoolConfiguration(), ServerID(high: 1, low: 1))
        var other = AlertSettings()
        other.isEnabled = false
        (other.alertsOnValues, other.alertsOnMissing, other.alertsOnFaults) = (false, false, false)
        (other.alertsOnConnections, other.tellsRecoveries, other.repeatsUntilAcknowledged) = (false, false, false)
        (other.mutedQuantities, other.hysteresis) = ([.ph, .orp], [.ph: 0.1])
        (other.cooldownSeconds, other.longestRepeatSeconds, other.confirmationSamples) = (60, 3600, 5)
        (other.confirmationSeconds, other.missingDelaySeconds, other.connectionDelaySeconds) = (1, 2, 3)
        other.quietHours = QuietHours(startMinute: 1, endMinute: 2)
        (other.channels.terminal, other.channels.desktop) = (!other.channels.terminal, !other.channels.desktop)
        other.channels.watches.toggle()
        other.channels.mqtt = .init(topic: "alerts")
        other.channels.webhook = .init(url: "https://example.com", secretName: "door")
        let (all, standard) = (AlertSettingsPatch(of: other), AlertSettingsPatch(of: AlertSettings()))
        #expect(try all.changes(from: standard).applied(to: AlertSettings(), in: empty) == other)
        var back = AlertSettings()
        // A patch adds to the map of a hysteresis, and no screen takes from it.
        back.hysteresis = other.hysteresis
        #expect(try standard.changes(from: all).applied(to: other, in: empty) == back)
        #expect(all.changes(from: all) == AlertSettingsPatch())

        let server = Server(id: identity, name: "Home", host: "mqtt.lan", port: 8884, username: "hub", usesTLS: true)
        let plain = Server(id: identity, name: "Ryokan", host: "broker.lan", port: 1884, announcementPrefix: "ha")
        let (one, two) = (ServerPatch(of: server), ServerPatch(of: plain))
        #expect(two.changes(from: one).applied(to: server) == plain)
        #expect(one.changes(from: two).applied(to: plain) == server)
        #expect(one.changes(from: one) == ServerPatch())
        let device = DevicePatch(of: Device(id: DeviceID(high: 1, low: 1), name: "A", serverID: identity, topic: "a"))
        #expect(device.changes(from: device) == DevicePatch())
        #expect(device.changes(from: DevicePatch()) == device)
    }

    @Test func `what was configured is there the next time`() async throws {
        // P2, P10, P22, P113
        let folder = try TestHubFolder()
        _ = try await HubClient.perform(server("Home"), path: folder.path)
        _ = try await HubClient.perform(device("Lagoon", topic: "pool/sensor/main"), path: folder.path)
        _ = try await HubClient.perform(device("Spa", topic: "pool/sensor/spa"), path: folder.path)
        _ = try await HubClient.perform(.edit(.removeDevice(report(folder).deviceID("Spa"))), path: folder.path)
        _ = try await HubClient.perform(.edit(.selectDevice(nil)), path: folder.path)
        _ = try await HubClient.perform(.edit(.selectDevice(report(folder).deviceID("Lagoon"))), path: folder.path)

        let report = try await report(folder)
        #expect(report.servers.map(\.name) == ["Home"])
        #expect(report.devices.map(\.name) == ["Lagoon"])
        #expect(report.devices.first?.isSelected == true)
        #expect(report.isRunning == false)
        #expect(report.revision == 6)
    }

    @Test func `the first device is selected when it is added, and no other one`() async throws {
        let folder = try TestHubFolder()
        _ = try await HubClient.perform(server("Home"), path: folder.path)
        let first = try await HubClient.perform(device("Lagoon", topic: "a"), path: folder.path)
        guard case .done("added device Lagoon on a; watches show it") = first else {
            Issue.record("answered \(first)")
            return
        }
        #expect(try await report(folder).selectedDevice?.name == "Lagoon")
        let second = try await HubClient.perform(device("Spa", topic: "b"), path: folder.path)
        guard case .done("added device Spa on b") = second else {
            Issue.record("answered \(second)")
            return
        }
        #expect(try await report(folder).selectedDevice?.name == "Lagoon")
    }

    @Test func `a server with devices is not removed silently`() async throws {
        // P26
        let folder = try TestHubFolder()
        _ = try await HubClient.perform(server("Home"), path: folder.path)
        _ = try await HubClient.perform(device("Lagoon", topic: "a"), path: folder.path)

        let answer = try await HubClient.perform(
            .edit(.removeServer(report(folder).serverID("Home"), cascading: false)), path: folder.path)
        guard case .serverHasDevices(server: "Home", devices: ["Lagoon"]) = answer else {
            Issue.record("answered \(answer)")
            return
        }
        #expect(try await report(folder).servers.count == 1)
        _ = try await HubClient.perform(
            .edit(.removeServer(report(folder).serverID("Home"), cascading: true)), path: folder.path)
        #expect(try await report(folder).servers.isEmpty)
        #expect(try await report(folder).devices.isEmpty)
    }

    @Test func `a password is kept apart and never shown`() async throws {
        // P7, P115
        let folder = try TestHubFolder()
        var draft = ServerPatch()
        draft.name = "Home"
        draft.host = "broker"
        draft.username = "hub"
        draft.password = "wet-secret"
        _ = try await HubClient.perform(.edit(.addServer(draft)), path: folder.path)

        let report = try await report(folder)
        #expect(report.servers.first?.hasPassword == true)
        #expect(!String(decoding: try CanonicalJSON.encode(report), as: UTF8.self).contains("wet-secret"))
        let running = TestHub(folder)
        try await running.start()
        #expect(try await running.report().servers.first?.hasPassword == true)
        try await running.stop()
    }

    @Test func `a name is found although the key of the passwords is lost`() async throws {
        let folder = try TestHubFolder()
        var draft = ServerPatch()
        draft.name = "Home"
        draft.host = "broker"
        draft.password = "wet-secret"
        _ = try await HubClient.perform(.edit(.addServer(draft)), path: folder.path)
        _ = try await HubClient.perform(device("Lagoon", topic: "a"), path: folder.path)
        try FileManager.default.removeItem(atPath: HubFolder.defaultKeyPath(path: folder.path))

        await #expect(throws: (any Error).self) { try await report(folder) }
        guard case .state(let names) = try await HubClient.perform(.names, path: folder.path) else {
            throw NotRunning()
        }
        #expect(names.servers.map(\.name) == ["Home"] && names.devices.map(\.name) == ["Lagoon"])
        _ = try await HubClient.perform(.edit(.selectDevice(names.deviceID("Lagoon"))), path: folder.path)
        let running = TestHub(folder)
        try await running.start()
        guard case .state(let told) = try await running.perform(.names) else { throw NotRunning() }
        #expect(told.devices.first?.isSelected == true)
        try await running.stop()
    }

    @Test func `a running hub is asked instead of its files`() async throws {
        let folder = try TestHubFolder()
        let hub = TestHub(folder)
        try await hub.start()

        _ = try await HubClient.perform(server("Home"), path: folder.path)
        let seen = try await report(folder)
        #expect(seen.isRunning)
        #expect(seen.servers.map(\.name) == ["Home"])
        #expect(seen.endpoint?.hasPrefix("tcp://127.0.0.1:") == true)
        guard
            case .invitation(let code, _) = try await HubClient.perform(
                .invite(name: nil, validForSeconds: 60), path: folder.path)
        else {
            Issue.record("no invitation")
            return
        }
        #expect(code.hasPrefix("psw2-poolsensors-"))
        try await hub.stop()
    }

    @Test func `a command of another version is refused in words, and the next one is carried out`() async throws {
        let folder = try TestHubFolder()
        let hub = TestHub(folder)
        try await hub.start()
        let endpoint = try Endpoint(HubFolder.controlEndpoint(path: folder.path))

        for text in [#"{"addPool":{"_0":{}}}"#, "", "\u{0}"] {
            let bytes = try await ControlClient.ask(Array(text.utf8), at: endpoint, patience: .seconds(60))
            guard case .refused(let words) = try CanonicalJSON.decode(HubReply.self, from: try #require(bytes)) else {
                Issue.record("not refused: \(text)")
                continue
            }
            #expect(words.hasPrefix("this hub does not know the command: it is of another version"))
        }

        _ = try await HubClient.perform(server("Home"), path: folder.path)
        #expect(try await report(folder).servers.map(\.name) == ["Home"])
        try await hub.stop()
    }

    @Test func `an invitation needs a hub that runs`() async throws {
        let folder = try TestHubFolder()
        await #expect(throws: ServiceFailure.self) {
            try await HubClient.perform(.invite(name: nil, validForSeconds: 60), path: folder.path)
        }
    }

    @Test func `a bad edit is refused and names the value`() async throws {
        // P4, P5, P33
        let folder = try TestHubFolder()
        let error = await #expect(throws: ConfigurationError.self) {
            try await HubClient.perform(server("Home", port: 65_536), path: folder.path)
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("65536"))
        _ = try await HubClient.perform(server("Home"), path: folder.path)
        await #expect(throws: ConfigurationError.self) {
            try await HubClient.perform(device("Lagoon", topic: "pool/#"), path: folder.path)
        }
        #expect(try await report(folder).revision == 1)
    }

    @Test func `edits at the same moment all count`() async throws {
        let folder = try TestHubFolder()
        let hub = TestHub(folder)
        try await hub.start()
        _ = try await hub.perform(server("Home"))
        try await withThrowingTaskGroup(of: HubReply.self) { group in
            for number in 0..<6 {
                group.addTask { try await hub.perform(device("Pool \(number)", topic: "t/\(number)")) }
            }
            for try await answer in group {
                guard case .done = answer else {
                    Issue.record("answered \(answer)")
                    continue
                }
            }
        }
        #expect(try await hub.report().devices.count == 6)
        try await hub.stop()
    }
}
