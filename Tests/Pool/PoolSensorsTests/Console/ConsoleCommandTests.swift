import CommandSupport
import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import PoolScreens
import ProgramFixture
import TestSupport
import Testing
import WaterChemistry

@testable import TerminalUI
@testable import poolsensors

/// What a person wants at the screens, against a hub that runs.
@Suite(.timeLimit(.minutes(20))) struct ConsoleCommandTests {
    private func server(_ name: String = "Home", port: Int = 1) -> ServerPatch {
        ServerPatch(of: Server(id: ServerID(high: 0, low: 0), name: name, host: "127.0.0.1", port: port))
    }

    private func device(
        _ name: String, _ server: ServerID, topic: String, interval: Int = Device.defaultIntervalSeconds,
        pool: PoolID? = nil
    ) -> DevicePatch {
        DevicePatch(
            of: Device(
                id: DeviceID(high: 0, low: 0), name: name, serverID: server, topic: topic,
                expectedIntervalSeconds: interval, poolID: pool))
    }

    private func pool(_ name: String, volume: Double?) -> PoolPatch {
        PoolPatch(of: Pool(id: PoolID(high: 0, low: 0), name: name, volume: volume))
    }

    /// A hub with a server and a device.
    private func furnished() async throws -> (ConsoleHub, ServerID, DeviceID) {
        let hub = try await ConsoleHub()
        await hub.must(.edit(.addServer(server())))
        let server = try #require(await hub.wait { !$0.hub.servers.isEmpty }.hub.servers.first).server.id
        await hub.must(.edit(.addDevice(device("Lagoon", server, topic: "pool/1"))))
        let device = try #require(await hub.wait { !$0.hub.devices.isEmpty }.hub.devices.first).device.id
        return (hub, server, device)
    }

    @Test func `servers, devices and pools are added, changed as a whole and removed`() async throws {
        let (hub, server, device) = try await furnished()
        var patch = self.server("Garden", port: 2)
        patch.username = "me"
        patch.password = "wet"
        await hub.must(.edit(.editServer(server, patch)))
        var shown = await hub.wait { $0.hub.servers.first?.hasPassword == true }
        #expect(shown.hub.servers.first?.server.name == "Garden")
        #expect(shown.hub.servers.first?.server.username == "me")
        await hub.must(.edit(.editServer(server, self.server("Garden", port: 2))))
        shown = await hub.wait { $0.hub.servers.first?.server.username == nil }
        #expect(shown.hub.servers.first?.hasPassword == true)

        await hub.must(.edit(.addPool(self.pool("Garden pool", volume: 40))))
        let pool = try #require(await hub.wait { !$0.hub.pools.isEmpty }.hub.pools.first)
        #expect(pool.volume == 40)
        await hub.must(
            .edit(.editDevice(device, self.device("Big one", server, topic: "pool/2", interval: 30, pool: pool.id))))
        shown = await hub.wait { $0.hub.devices.first?.device.name == "Big one" }
        #expect(shown.hub.devices.first?.device.poolID == pool.id)
        #expect(shown.hub.devices.first?.device.expectedIntervalSeconds == 30)
        await hub.must(.edit(.editDevice(device, self.device("Big one", server, topic: "pool/2"))))
        await hub.wait { $0.hub.devices.first?.device.poolID == nil }
        await hub.must(.edit(.editPool(pool.id, self.pool("Pond", volume: nil))))
        shown = await hub.wait { $0.hub.pools.first?.name == "Pond" }
        #expect(shown.hub.pools.first?.volume == nil)
        await hub.must(.edit(.removePool(pool.id)))

        await hub.must(.edit(.selectDevice(device)))
        await hub.wait { $0.hub.selectedDevice?.id == device }
        #expect(
            await hub.perform(.edit(.removeServer(server, cascading: false)))
                == .serverHasDevices(server: "Garden", devices: ["Big one"]))
        await hub.must(.edit(.removeServer(server, cascading: true)))
        await hub.wait { $0.hub.servers.isEmpty && $0.hub.devices.isEmpty && $0.hub.pools.isEmpty }
        try await hub.stop()
    }

    @Test func `limits and calibrations are changed and taken back`() async throws {
        let (hub, _, device) = try await furnished()
        let limits = Limits(criticalLow: 6, low: 7, high: 7.5, criticalHigh: 8)
        await hub.must(.edit(.setLimits(.device(device), .ph, limits)))
        await hub.wait { $0.hub.devices.first?.device.limits[.ph] == limits }
        await hub.must(.edit(.setLimits(.device(device), .ph, nil)))
        await hub.wait { $0.hub.devices.first?.device.limits[.ph] == nil }
        let preset = try #require(LimitsPreset.all.first)
        await hub.must(.edit(.applyPreset(preset.key, .device(device))))
        await hub.wait { $0.hub.devices.first?.device.limits.isEmpty == false }

        let calibration = Calibration(
            slope: 1, offset: 0.2, method: .manual, points: [], validFrom: Timestamp(milliseconds: 1000),
            madeAt: Timestamp(milliseconds: 1000), author: "hub")
        await hub.must(.edit(.addCalibration(device, .temperature, calibration, isForced: false, dropsOldest: false)))
        await hub.wait { $0.hub.devices.first?.device.calibrations[.temperature]?.versions.count == 1 }
        await hub.must(.edit(.removeCalibration(device, .temperature, validFrom: Timestamp(milliseconds: 1000))))
        await hub.wait { $0.hub.devices.first?.device.calibrations[.temperature] == nil }
        try await hub.stop()
    }

    @Test func `settings of alerts and of the history are changed`() async throws {
        let (hub, _, _) = try await furnished()
        var patch = AlertSettingsPatch()
        patch.cooldownSeconds = 60
        patch.mute(.orp, true)
        await hub.must(.alerts(.change(patch)))
        #expect(
            await hub.wait { $0.hub.alerts.settings.cooldownSeconds == 60 }.hub.alerts.settings.mutedQuantities == [
                .orp
            ])
        await hub.must(.alerts(.setSigningSecret("s3cret", name: "door")))
        await hub.must(.alerts(.test))
        guard case .refused = await hub.perform(.alerts(.acknowledge(AlertEpisodeID(high: 1, low: 1)))) else {
            Issue.record("acknowledged an alert that is not there")
            return
        }
        var history = HistorySettings()
        history.rawDays = 7
        await hub.must(.edit(.setHistory(history)))
        await hub.wait { $0.hub.history.rawDays == 7 }
        await hub.must(.edit(.setExport(nil)))
        try await hub.stop()
    }

    @Test func `an invitation is shown until a watch has used it`() async throws {
        let (hub, _, _) = try await furnished()
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

        var disturbance = LinkDisturbance()
        (disturbance.drop, disturbance.delayMilliseconds) = (0.3, 250)
        let wrist = try #require(shown.hub.watches.first).id
        await hub.must(.links(.set(watch: wrist, LinkPatch(disturbance))))
        let disturbed = await hub.wait { $0.hub.watches.first?.disturbance != nil }
        #expect(disturbed.hub.watches.first?.disturbance == disturbance)
        await hub.must(.links(.clear(watch: wrist)))
        await hub.wait { $0.hub.watches.first?.disturbance == nil }
        await hub.must(.unpair(wrist))
        await hub.wait { $0.hub.watches.isEmpty }
        try await hub.stop()
    }

    @Test func `what the hub declines is said in its words`() async throws {
        let (hub, server, _) = try await furnished()
        guard case .refused(let words) = await hub.perform(.unpair(WatchID(bytes: 1...32))) else {
            Issue.record("unpaired nobody")
            return
        }
        #expect(words.contains("the watch 01020304 is not paired any more"))
        guard case .refused(let port) = await hub.perform(.edit(.editServer(server, self.server(port: 70_000)))) else {
            Issue.record("took the port 70000")
            return
        }
        #expect(port.contains("70000"))
        let vanished = PoolID(high: 1, low: 1)
        guard case .refused(let gone) = await hub.perform(.edit(.removePool(vanished))) else {
            Issue.record("removed a pool that is not there")
            return
        }
        #expect(gone.contains("\(vanished)"))
        guard await hub.perform(.testServer(server)).refusal != nil else {
            Issue.record("nobody listens at port 1")
            return
        }
        guard case .refused = await hub.perform(.edit(.settle(conflict: ConflictID(bytes: [0xab]), restoring: true)))
        else {
            Issue.record("settled what is not there")
            return
        }
        try await hub.stop()
    }

    @Test func `charts, pages, exports and deletions come from the history`() async throws {
        let (hub, server, device) = try await furnished()
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
        let path = hub.folder.path("out.csv")
        await hub.must(.history(.export(HistoryExport(path: path, devices: [device]))))
        #expect(FileManager.default.fileExists(atPath: path))
        guard case .refused = await hub.perform(.history(.export(HistoryExport(path: path)))) else {
            Issue.record("replaced a file without being asked to")
            return
        }
        #expect(
            await hub.perform(.deleteReadings(of: device, through: .now, expected: nil))
                == .history(.deletion(readings: 0, isDone: false)))
        await hub.must(.deleteReadings(of: device, through: .now, expected: 0))
        await hub.must(.detection(.begin(server, seconds: 5)))
        #expect(await hub.wait { $0.hub.detection != nil }.hub.detection?.serverID == server)
        await hub.must(.detection(.end))
        await hub.must(.reconnect)
        try await hub.stop()
    }
}
