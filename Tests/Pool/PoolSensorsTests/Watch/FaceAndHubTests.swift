import Platform
import PoolControl
import PoolModel
import PoolWatch
import SyncTransport
import TerminalUI
import TestSupport
import Testing

@testable import PoolHub
@testable import poolsensors

/// The actions of a user on a watch's face, with a hub and a watch in one process.
@Suite(.timeLimit(.minutes(20))) struct FaceAndHubTests {
    private let folder: TemporaryFolder
    private let hub: StageHub
    private let lagoon: DeviceID

    /// A hub with a device that has a day of values, and a paired watch.
    init() async throws {
        folder = try TemporaryFolder()
        hub = StageHub(in: folder)
        var server = ServerPatch()
        (server.name, server.host, server.port) = ("Home", "127.0.0.1", 1)
        try await hub.perform(.edit(.addServer(server)))
        for (name, topic) in [("Lagoon", "pool/1"), ("Spa", "pool/2")] {
            var device = DevicePatch()
            (device.name, device.topic) = (name, topic)
            try await hub.perform(.edit(.addDevice(device)))
        }
        guard case .state(let report) = try await hub.perform(.state),
            let device = report.devices.first(where: { $0.name == "Lagoon" })
        else { throw TestFault("no device") }
        lagoon = device.id
        try await hub.perform(.edit(.selectDevice(lagoon)))
        let now = Timestamp.now
        func sample(_ hours: Int64) -> (values: QuantityMap<Double>, at: Timestamp) {
            let moment = now.advanced(byMilliseconds: 0 - hours * 3_600_000 - 60_000)
            return (values: [.ph: 7.1 + Double(hours) / 100, .temperature: 25.5], at: moment)
        }
        try hub.record([sample(20), sample(10), sample(0)], of: lagoon)
        try await hub.start()
        guard case .invitation(let code, _) = try await hub.perform(.invite(name: nil, validForSeconds: 600))
        else { throw TestFault("no invitation") }
        var watch = try WatchFolder(path: folder.path("watch"))
        _ = try await watch.pair(InvitationCode(code), name: "wrist", patience: .seconds(600))
    }

    private struct TestFault: Error {
        var what: String
        init(_ what: String) { self.what = what }
    }

    private func startWatch() async throws -> StageWatch {
        let watch = try StageWatch(path: folder.path("watch"))
        await watch.wait { $0.glance.link == .linked && $0.shownDeviceID != nil }
        return watch
    }

    @Test func `r asks the hub, which says how old the newest value is and that its broker is away`() async throws {
        let watch = try await startWatch()
        watch.press(.character("r"))
        await watch.wait { $0.remark?.text.hasPrefix("newest value 1 min old") ?? false }
        #expect(watch.facts.remark?.text.contains("answered in") == true)
        await watch.stop()
        try await hub.stop()
    }

    @Test func `the history comes from the hub, and stays with its age when the hub is gone`() async throws {
        let watch = try await startWatch()
        watch.press(.character("2"), .character("g"))
        await watch.wait { $0.chart?.series?.points.count == 3 }
        #expect(watch.facts.chart?.series?.points.map(\.mean) == [7.3, 7.2, 7.1])
        #expect(watch.text.contains("pH of Lagoon"))

        try await hub.stop()
        await watch.wait { $0.glance.link != .linked }
        watch.press(.character("r"))
        await watch.wait { $0.chart?.isAsking == false && $0.chart?.trouble != nil }
        #expect(watch.facts.chart?.series?.points.count == 3)
        #expect(watch.text.contains("no link to the hub"))
        #expect(watch.text.contains("as it was"))
        await watch.stop()
    }

    @Test func `a watch that was not there shows the day that the hub knows`() async throws {
        let watch = try await startWatch()
        await watch.wait { $0.glance.gauges.first { $0.quantity == .ph }?.history.compactMap(\.self).count == 3 }
        let day = watch.facts.glance.gauges.first { $0.quantity == .ph }?.history.compactMap(\.self)
        #expect(day == [7.3, 7.2, 7.1])
        await watch.stop()
        try await hub.stop()
    }

    @Test func `a limit changed without the hub waits, is shown at once, and is accepted when the hub is back`()
        async throws
    {
        let watch = try await startWatch()
        try await hub.stop()
        await watch.wait { $0.glance.link != .linked }
        // Menu, limits, pH, the field of the upper limit.
        watch.press(.enter, .down, .down, .enter, .down, .enter, .down, .control("u"), .home)
        for _ in 0..<4 { watch.press(.delete) }
        watch.type("7.4")
        #expect(watch.text.contains("enter saves it"))
        watch.press(.enter)
        await watch.wait { $0.pending.first != nil }

        #expect(watch.facts.configuration.device(lagoon)?.limits(for: .ph).high == 7.4)
        #expect(watch.facts.glance.pendingEdits.count == 1)
        watch.press(.escape, .escape, .character("e"))
        #expect(watch.text.contains("waits for the hub"))

        try await hub.start()
        await watch.wait { $0.pending.isEmpty && $0.outcomes.first?.kind == .accepted }
        #expect(watch.text.contains("accepted"))
        #expect(watch.facts.glance.pendingEdits.isEmpty)
        guard case .state(let report) = try await hub.perform(.state) else { throw TestFault("no report") }
        var limits = Quantity.ph.facts.limits
        limits.high = 7.4
        #expect(report.devices.first { $0.id == lagoon }?.limits[.ph] == limits)
        await watch.stop()
        try await hub.stop()
    }

    @Test func `a name that lost is shown with the other one, and taken back by a key`() async throws {
        let watch = try await startWatch()
        try await hub.stop()
        await watch.wait { $0.glance.link != .linked }
        // Names, the first device.
        watch.press(.enter, .down, .down, .down, .down, .enter, .enter, .control("u"))
        watch.type("Big pool")
        watch.press(.enter)
        await watch.wait { $0.glance.deviceName == "Big pool" }
        var draft = DevicePatch()
        draft.name = "Large"
        try await hub.perform(.edit(.editDevice(lagoon, draft)))

        try await hub.start()
        watch.press(.escape, .escape, .character("c"))
        await watch.wait { $0.glance.conflicts.count == 1 && $0.glance.pendingEdits.isEmpty }
        #expect(watch.facts.glance.deviceName == "Large")
        #expect(watch.facts.outcomes.first?.kind == .conflicting)
        watch.press(.enter)
        #expect(watch.text.contains("\"Big pool\"") && watch.text.contains("by wrist"))
        #expect(watch.text.contains("\"Large\"") && watch.text.contains("by hub"))

        watch.press(.character("u"))
        await watch.wait { $0.glance.conflicts.isEmpty && $0.glance.deviceName == "Big pool" }
        await watch.wait { $0.outcomes.first?.kind == .accepted && $0.outcomes.first?.edit.settles != nil }
        guard case .state(let report) = try await hub.perform(.state) else { throw TestFault("no report") }
        #expect(report.devices.contains { $0.name == "Big pool" })
        await watch.stop()
        try await hub.stop()
    }

    @Test func `edits of one device on both sides are both kept, and the watch says so`() async throws {
        let watch = try await startWatch()
        try await hub.stop()
        await watch.wait { $0.glance.link != .linked }
        watch.press(.enter, .down, .down, .down, .down, .enter, .enter, .control("u"))
        watch.type("Big pool")
        watch.press(.enter)
        await watch.wait { $0.pending.first != nil }
        let limits = Limits(criticalLow: 6, low: 7, high: 7.5, criticalHigh: 8)
        try await hub.perform(.edit(.setLimits(.device(lagoon), .ph, limits)))

        try await hub.start()
        await watch.wait { $0.outcomes.first?.kind == .merged }
        #expect(watch.facts.outcomes.first?.merge?.hasPrefix("kept both: pH limits of the device") == true)
        #expect(watch.facts.configuration.device(lagoon)?.limits(for: .ph) == limits)
        await watch.stop()
        try await hub.stop()
    }

    @Test func `a quantity is muted by the hub only while it answers`() async throws {
        let watch = try await startWatch()
        // Limits, temperature, the switch.
        watch.press(.enter, .down, .down, .enter, .enter)
        await watch.wait { $0.muted == [] }
        watch.press(.up, .character(" "))
        await watch.wait { $0.muted == [.temperature] }
        #expect(watch.text.contains("off, space changes it"))

        try await hub.stop()
        await watch.wait { $0.glance.link != .linked }
        watch.press(.character(" "))
        await watch.wait { $0.remark?.text.contains("needs the link") ?? false }
        #expect(watch.facts.muted == [.temperature])
        await watch.stop()
    }

    @Test func `the crown turns to the next device on this watch only; enter in the list selects it everywhere`()
        async throws
    {
        let watch = try await startWatch()
        watch.press(.down)
        await watch.wait { $0.glance.deviceName == "Spa" }
        #expect(watch.facts.configuration.selection.deviceID == lagoon)
        watch.press(.enter, .enter)
        #expect(watch.text.contains("Lagoon") && watch.text.contains("Spa"))
        watch.press(.enter)
        await watch.wait { $0.configuration.selectedDevice?.name == "Spa" && $0.glance.pendingEdits.isEmpty }
        guard case .state(let report) = try await hub.perform(.state) else { throw TestFault("no report") }
        #expect(report.devices.first { $0.isSelected }?.name == "Spa")
        await watch.stop()
        try await hub.stop()
    }

    @Test func `edits that wait because too many conflicts of this watch are open say so`() async throws {
        let watch = try await startWatch()
        try await hub.stop()
        await watch.wait { $0.glance.link != .linked }
        for number in 1...60 {
            let edit = WatchEdit.renameDevice(lagoon, to: "Name \(number)")
            _ = try await WatchClient.perform(.edit(edit), path: folder.path("watch"))
        }
        var draft = DevicePatch()
        draft.name = "Large"
        try await hub.perform(.edit(.editDevice(lagoon, draft)))

        try await hub.start()
        watch.press(.character("e"))
        await watch.wait { $0.glance.uploadObstacle?.contains("too many conflicts of this watch") ?? false }
        #expect(watch.text.contains("Edits wait: too many conflicts of this watch"))
        #expect(watch.facts.glance.pendingEdits.isEmpty == false)
        await watch.stop()
        try await hub.stop()
    }
}
