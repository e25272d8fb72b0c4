import Foundation
import Logging
import PoolControl
import PoolHub
import PoolModel
import SyncCore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

/// Permitted edits of watches reach the configuration, and others do not.
@Suite(.timeLimit(.minutes(20))) struct EditTests {
    private func configured() async throws -> TestHub {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        var server = ServerPatch()
        server.name = "Home"
        server.host = "127.0.0.1"
        server.port = 1
        _ = try await hub.perform(.edit(.addServer(server)))
        for name in ["Lagoon", "Spa"] {
            var device = DevicePatch()
            device.name = name
            device.topic = "pool/\(name)"
            _ = try await hub.perform(.edit(.addDevice(device)))
        }
        _ = try await hub.perform(.edit(.selectDevice(hub.report().deviceID("Lagoon"))))
        return hub
    }

    private func id(_ name: String, at hub: TestHub) async throws -> DeviceID {
        try #require(try await hub.report().devices.first { $0.name == name }).id
    }

    private func log(_ hub: TestHub, last count: Int) async throws -> [ConfigurationLogEntry] {
        guard case .log(let notes) = try await hub.perform(.log(last: count)) else { throw NotRunning() }
        return notes
    }

    @Test func `a watch renames a device, and the log says who did`() async throws {
        let hub = try await configured()
        let watch = try await EditingWatch(hub, name: "Kitchen")
        let lagoon = try await id("Lagoon", at: hub)

        #expect(try await watch.write(#"{"name":"Big pool"}"#, "device", lagoon, "name") == nil)

        #expect(try await hub.report().devices.map(\.name) == ["Big pool", "Spa"])
        let note = try #require(try await log(hub, last: 1).first)
        #expect(note.author == "Kitchen")
        #expect(note.changes.map(\.value) == [#""Big pool""#])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `V16 a conflict names who changed the value of the hub, and the hub where nobody is named`() async throws
    {
        let hub = try await configured()
        let watch = try await EditingWatch(hub, name: "Kitchen")
        let lagoon = try await id("Lagoon", at: hub)
        var patch = DevicePatch()
        patch.topic = "pool/west"
        _ = try await hub.perform(.edited(by: "web:Ada", ifRevision: nil, .edit(.editDevice(lagoon, patch))))
        #expect(try await watch.write(#"{"topic":"stolen"}"#, "device", lagoon, "source") == .readOnly)
        #expect(try await watch.write(#"{"serverID":"x"}"#, "device", lagoon, "membership") == .readOnly)

        let conflicts = try await hub.report().conflicts
        #expect(Set(conflicts.map { $0.winner?.author }) == ["web:Ada", "hub"])
        #expect(conflicts.allSatisfy { $0.loser.author == "Kitchen" })
        #expect(conflicts.first { $0.winner?.author == "web:Ada" }?.winner?.value?.contains("pool/west") == true)
        let logged = try await log(hub, last: 10).flatMap(\.conflicts)
        #expect(Set(logged.map { $0.winner?.author }) == ["web:Ada", "hub"])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `P99 what is the hub's alone, and what it could not read, is rejected and logged`() async throws {
        let hub = try await configured()
        let watch = try await EditingWatch(hub, name: "Kitchen")
        let lagoon = try await id("Lagoon", at: hub)

        #expect(try await watch.write(#"{"name":""}"#, "device", lagoon, "name") == .invalid)
        #expect(try await watch.write(#"{"topic":"stolen"}"#, "device", lagoon, "source") == .readOnly)
        #expect(try await watch.write(#"{"serverID":"x"}"#, "device", lagoon, "membership") == .readOnly)

        let report = try await hub.report()
        #expect(report.devices.map(\.device.topic) == ["pool/Lagoon", "pool/Spa"])
        #expect(report.conflicts.map(\.rule).sorted() == ["invalid", "readOnly", "readOnly"])
        let invalid = try #require(report.conflicts.first { $0.rule == "invalid" })
        #expect(invalid.loser.author == "Kitchen")
        guard case .refused(let words) = try await hub.perform(.edit(.settle(conflict: invalid.id, restoring: true)))
        else {
            Issue.record("what cannot be read was restored")
            return
        }
        #expect(words.contains("is empty"))
        _ = try await hub.perform(.edit(.settle(conflict: invalid.id, restoring: false)))
        #expect(try await hub.report().conflicts.count == 2)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `the merge of two good edits is mended by the hub, and the edits are not refused`() async throws {
        let hub = try await configured()
        let watch = try await EditingWatch(hub, name: "Kitchen")
        let spa = try await id("Spa", at: hub)
        let server = try #require(try await hub.report().servers.first).id
        // The watch selects the device and sets its limits; meanwhile the hub has removed it.
        _ = try await hub.perform(.edit(.removeDevice(hub.report().deviceID("Spa"))))
        _ = try await watch.write(
            #"{"deviceID":"\#(spa)","serverID":"\#(server)"}"#, "pref", DeviceID(high: 0, low: 1), "selection")
        _ = try await watch.write(
            #"{"criticalHigh":9,"criticalLow":6,"high":8,"low":7}"#, "device", spa, "limits-ph")

        await hub.events.wait { events in
            let words = events.compactMap { if case .notice(let words) = $0 { words } else { nil } }
            return words.contains { $0.contains("The selection") } && words.contains { $0.contains("limits-ph") }
        }
        let report = try await hub.report()
        #expect(report.devices.map(\.name) == ["Lagoon"])
        #expect(report.problems == [])
        let authors = try await log(hub, last: 4).map(\.author)
        #expect(authors.filter { $0 == "Kitchen" }.count == 2 && authors.filter { $0 == "hub" }.count == 2)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a hub that was put back from its backup says so, and begins a new epoch`() async throws {
        let hub = try await configured()
        let backup = try TestHubFolder()
        guard case .done = try await hub.perform(.backUp(backup.path)) else {
            Issue.record("no backup")
            return
        }
        guard case .refused = try await hub.perform(.backUp(backup.path)) else {
            Issue.record("a backup was overwritten")
            return
        }
        _ = try await hub.perform(.edit(.removeDevice(hub.report().deviceID("Spa"))))
        let epochs = Set(try await log(hub, last: 100).map(\.epoch))
        try await hub.stop()
        for name in try FileManager.default.contentsOfDirectory(atPath: hub.folder.path)
        where name.hasPrefix("hub.sqlite") {
            try FileManager.default.removeItem(atPath: "\(hub.folder.path)/\(name)")
        }
        try FileManager.default.copyItem(
            atPath: "\(backup.path)/hub.sqlite", toPath: "\(hub.folder.path)/hub.sqlite")

        try await hub.start()
        await hub.events.wait { $0.contains { $0.isNotice(containing: "is an old copy") } }
        #expect(try await hub.report().devices.map(\.name) == ["Lagoon", "Spa"])
        #expect(epochs.isDisjoint(with: [try #require(try await log(hub, last: 1).first).epoch]))
        try await hub.stop()

        let count = hub.events.items.count { $0.isNotice(containing: "is an old copy") }
        try await hub.start()
        #expect(hub.events.items.count { $0.isNotice(containing: "is an old copy") } == count, "it is said once")
        try await hub.stop()
    }
}

extension HubEvent {
    fileprivate func isNotice(containing text: String) -> Bool {
        guard case .notice(let words) = self else { return false }
        return words.contains(text)
    }
}

/// A watch that sends any edit, without the rules of the real program.
private final class EditingWatch: Sendable {
    private let transport: WatchTransport
    private let task: Task<Void, any Error>
    private let confirmed = Recorder<ConfirmedEdit>()

    private struct Forgetful: WatchStorage {
        func write(_ record: WatchEngine.Record) throws {}
    }

    init(_ hub: TestHub, name: String) async throws {
        guard case .invitation(let text, _) = try await hub.perform(.invite(name: name, validForSeconds: 3600)) else {
            throw NotRunning()
        }
        let code = try InvitationCode(text)
        let keys = try CurveKeyPair()
        _ = try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: "poolsensors", patience: .seconds(600))
        transport = WatchTransport(
            configuration: .init(
                endpoint: code.endpoint, hubKey: code.hubKey, keys: keys,
                engine: .init(name: name, app: "poolsensors", schemaVersions: 1...1, node: keys.publicKey.peerKey.node)),
            state: WatchEngine.State(newIncarnation: RandomID(high: 1, low: 2)), storage: Forgetful(),
            logger: Logger(label: "watch"),
            onEvent: { [confirmed] event in
                guard case .engine(.editsConfirmed(let edits)) = event else { return }
                for edit in edits { confirmed.record(edit) }
            })
        task = Task { [transport] in try await transport.run() }
    }

    /// Writes a value and waits for the result; nil if it takes effect.
    func write(_ value: String, _ kind: String, _ record: DeviceID, _ group: String) async throws -> Conflict.Rule? {
        let key = CellKey(kind: kind, record: RandomID(high: record.high, low: record.low), group: group)
        guard case .accepted(let edit) = try await transport.edit([CellChange(key: key, value: value)]) else {
            throw NotRunning()
        }
        await confirmed.wait { $0.contains { $0.edit.id == edit.id } }
        return confirmed.items.first { $0.edit.id == edit.id }?.rule
    }

    func stop() async throws {
        task.cancel()
        try await task.value
    }
}
