import CommandSupport
import Platform
import PoolControl
import PoolHub
import PoolModel
import PoolScreens
import ProgramFixture
import TestSupport
import Testing

@testable import TerminalUI
@testable import poolsensors

/// What a person wants at the screens, against a hub that runs.
@Suite(.timeLimit(.minutes(20))) struct ConsoleCommandTests {
    /// A hub with a server and a device.
    private func furnished() async throws -> (ConsoleHub, DeviceID) {
        let hub = try await ConsoleHub()
        await hub.must(
            .edit(
                .addServer(
                    ServerPatch(of: Server(id: ServerID(high: 0, low: 0), name: "Home", host: "127.0.0.1", port: 1)))))
        let server = try #require(await hub.wait { !$0.hub.servers.isEmpty }.hub.servers.first).server.id
        await hub.must(
            .edit(
                .addDevice(
                    DevicePatch(
                        of: Device(
                            id: DeviceID(high: 0, low: 0), name: "Lagoon", serverID: server, topic: "pool/1")))))
        let device = try #require(await hub.wait { !$0.hub.devices.isEmpty }.hub.devices.first).device.id
        return (hub, device)
    }

    @Test func `the device that watches show is selected`() async throws {
        let (hub, device) = try await furnished()
        await hub.must(.edit(.selectDevice(device)))
        await hub.wait { $0.hub.selectedDevice?.id == device }
        await hub.must(.reconnect)
        try await hub.stop()
    }

    @Test func `an invitation is shown until a watch has used it`() async throws {
        let (hub, _) = try await furnished()
        await hub.must(.invite(name: "Wrist", validForSeconds: 60))
        let invitation = try #require(await hub.wait { $0.invitation != nil }.invitation)
        #expect(invitation.code.hasPrefix("psw2-poolsensors-"))
        #expect(invitation.usedBy == nil)

        let (end, lines) = try await Program.run(["watch", "pair", invitation.code], in: hub.folder)
        #expect(end == .exited(0), "\(lines)")

        let shown = await hub.wait { $0.invitation?.usedBy != nil }
        #expect(shown.invitation?.usedBy == "Wrist")
        #expect(shown.hub.watches.first?.link == .unheard)
        #expect(shown.events.contains { $0.text == "watch Wrist: paired" })

        var patch = LinkPatch()
        (patch.drop, patch.delayMilliseconds) = (0.3, 250)
        let wrist = try #require(shown.hub.watches.first).id
        await hub.must(.links(.set(watch: wrist, patch)))
        let disturbance = await hub.wait { $0.hub.watches.first?.disturbance != nil }.hub.watches.first?.disturbance
        #expect(disturbance?.drop == 0.3 && disturbance?.delayMilliseconds == 250)
        await hub.must(.links(.clear(watch: wrist)))
        await hub.wait { $0.hub.watches.first?.disturbance == nil }
        await hub.must(.unpair(wrist))
        await hub.wait { $0.hub.watches.isEmpty }
        try await hub.stop()
    }

    @Test func `what the hub declines is said in its words`() async throws {
        let (hub, _) = try await furnished()
        guard case .refused(let words) = await hub.perform(.alerts(.acknowledge(AlertEpisodeID(high: 1, low: 1))))
        else {
            Issue.record("acknowledged an alert that is not there")
            return
        }
        #expect(words.contains("alert"))
        guard case .refused = await hub.perform(.edit(.settle(conflict: ConflictID(bytes: [0xab]), restoring: true)))
        else {
            Issue.record("settled what is not there")
            return
        }
        try await hub.stop()
    }

    @Test func `charts and pages come from the history`() async throws {
        let (hub, device) = try await furnished()
        let query = ChartQuery(
            deviceID: device, quantity: .ph, from: Timestamp(milliseconds: 0), through: Timestamp(milliseconds: 1000),
            points: 40)
        hub.controller.carryOut(HubOrder(number: 1000, command: .history(query.request)))
        let chart = await hub.wait { $0.chart != nil }.chart
        #expect(chart?.query == query)
        #expect(chart?.series?.points.isEmpty == true)
        hub.controller.carryOut(
            HubOrder(number: 1001, command: .history(.page(device: device, before: nil, limit: 100))))
        #expect(await hub.wait { $0.readings != nil }.readings?.hasMore == false)
        try await hub.stop()
    }
}
