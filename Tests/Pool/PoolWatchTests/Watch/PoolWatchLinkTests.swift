import InMemoryLogging
import Logging
import PoolModel
import SyncCore
import SyncStore
import SyncTransport
import Testing
import ZeroMQ

@testable import PoolWatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct PoolWatchLinkTests {
    /// The text of the hub's rejection, or of the transport's.
    private func refusal(_ watch: TestWatch) async -> String {
        await watch.waitForGlance { if case .refused = $0.link { true } else { false } }
        guard case .refused(let reason) = watch.glance.link else { return "" }
        return reason
    }

    @Test func `a folder that was never paired says so`() async throws {
        let watch = try await TestPlace().start()
        let glance = watch.glance
        #expect(glance.link == .unpaired)
        #expect(glance.deviceName == nil)
        #expect(glance.revision == nil)
        #expect(watch.watch.status.name == nil)
        watch.watch.retry()
        try await watch.stop()
    }

    @Test func `running a watch that was never paired only waits for the end`() async throws {
        let place = try TestPlace()
        let watch = try await place.start()
        // While another watch is paired, it has enough time to end wrongly and to release the folder.
        let hub = try TestHub()
        _ = try await hub.start()
        try await TestPlace().pair(with: hub)
        try await hub.stop()
        #expect(throws: FolderError.self) { _ = try WatchFolder(path: place.path).path }
        try await watch.stop()
    }

    @Test func `a hub with another key is not talked to`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let other = try TestHub()
        let otherEndpoint = try await other.start()

        let watch = try await place.start(endpoint: otherEndpoint)

        #expect(await refusal(watch).contains("\(otherEndpoint.text) breaks off each connection"))
        #expect(watch.glance.revision == nil)
        try await watch.stop()
        try await hub.stop()
        try await other.stop()
    }

    @Test func `a hub that does not know the watch says how to pair`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        try await hub.transport.unpair(try WatchFolder(path: place.path).keys.publicKey.peerKey)

        let watch = try await place.start()

        #expect(await refusal(watch).contains("`poolsensors watch pair CODE`"))
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a hub of another version says who must be upgraded`() async throws {
        let hub = try TestHub(schemaVersions: 4...5)
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        #expect(await refusal(watch).contains("upgrade the watch"))
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a hub that moved is found where the watch is told`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        try await hub.stop()
        let moved = try await hub.start()

        let watch = try await place.start(endpoint: moved)

        await watch.waitForLink()
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a watch started first finds its hub later, and the truth after the hub's restart`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        let place = try TestPlace()
        try await place.pair(with: hub)
        try await hub.stop()
        let watch = try await place.start()
        await watch.waitForGlance { glance in
            guard case .connecting(let words) = glance.link else { return false }
            return words.contains("nothing answers at \(endpoint.text)")
        }

        _ = try await hub.start(at: endpoint.text)
        await watch.waitForGlance { $0.link == .linked && $0.deviceName == "Lagoon" }
        try await hub.stop()
        await watch.waitForGlance { if case .lost = $0.link { true } else { false } }
        _ = try await hub.start(at: endpoint.text)
        try await hub.configure(try sampleConfiguration().selecting(device: spa.id))
        try hub.publish(goodReadings(of: spa.id, order: 1, temperature: 36))

        await watch.waitForGlance { $0.link == .linked && $0.deviceName == "Spa" && $0.gauges[0].value == 36 }
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `pairing with another hub forgets what the first one sent, pairing again with the same keeps it`()
        async throws
    {
        let hub = try TestHub()
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        try hub.publish(goodReadings(of: lagoon.id, order: 1))
        await watch.waitForGlance { $0.deviceName == "Lagoon" && $0.gauges[0].value == 25 }
        try await watch.stop()

        try await place.pair(with: hub, name: "again")
        let again = try await place.start()
        #expect(again.glance.deviceName == "Lagoon")
        #expect(again.glance.gauges[0].value == 25)
        try await again.stop()
        try await hub.stop()

        let other = try TestHub()
        _ = try await other.start()
        try await place.pair(with: other)
        try await other.stop()
        let fresh = try await place.start()
        #expect(fresh.glance.deviceName == nil)
        #expect(fresh.glance.revision == nil)
        #expect(fresh.watch.hub?.key == other.keys.publicKey)
        #expect(fresh.watch.status.devices == [])
        try await fresh.stop()
    }

    @Test func `the folder is held while the watch runs, and free when it has ended`() async throws {
        let place = try TestPlace()
        let watch = try await place.start()
        #expect(throws: FolderError.self) { _ = try WatchFolder(path: place.path).path }
        try await watch.stop()
        #expect(try WatchFolder(path: place.path).path == place.path)
    }

    @Test func `a damaged memory is moved aside, and the hub fills a new one`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        let place = try TestPlace()
        try await place.pair(with: hub)
        try Data("no database".utf8).write(to: URL(filePath: place.path + "/watch.sqlite"))

        let log = InMemoryLogHandler()
        let watch = try await place.start(logger: Logger(label: "watch") { _ in log })

        await watch.waitForGlance { $0.deviceName == "Lagoon" }
        #expect(log.entries.contains { $0.message.description.contains("moved aside") })
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `garbage from the hub is counted and said once, and the rest is shown`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        try await hub.configure(try sampleConfiguration())
        _ = try await hub.transport.transact([CellChange(key: cellKey(spa.id, "timing"), value: "soon")])
        let log = InMemoryLogHandler()
        let watch = try await place.start(logger: Logger(label: "watch") { _ in log })
        await watch.waitForGlance { $0.deviceName == "Lagoon" }

        // Of values that wait in one register, only the newest one has to arrive.
        let key = RegisterKey.device(spa.id).text
        for order: UInt64 in 1...3 {
            try hub.transport.publish(Register(key: key, order: order, value: [0xFF, 0x00]))
        }
        try hub.transport.publish(Register(key: "\u{202E}", order: 1, value: Array("{}".utf8)))
        try hub.publish(goodReadings(of: lagoon.id, order: 4))
        await watch.waitForTemperature(25)

        let status = watch.watch.status
        #expect((2...4).contains(status.undecodableRegisterCount))
        #expect(status.configurationProblemCount == 1)
        #expect(log.entries.count { $0.message == "a register cannot be read" } == 2)
        #expect(log.entries.count { $0.message == "a piece of the configuration was not taken as it is" } == 1)
        #expect(log.entries.allSatisfy { $0.level <= .info })
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `the status tells what a caller needs to compute what was lost`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        await watch.waitForLink()
        for order: UInt64 in 1...20 {
            try hub.publish(goodReadings(of: lagoon.id, order: order, temperature: Double(order)))
            // One after the other, so that none replaces another.
            await watch.waitForTemperature(Double(order))
        }
        let report = ServerReport(isConnected: true, since: Timestamp(milliseconds: 7))
        try hub.transport.publish(register(report, of: home.id, order: 1))
        await watch.wait { $0.status.servers.first?.report != nil }

        let status = watch.watch.status
        #expect(status.isLinked)
        #expect(status.name == "wrist")
        #expect(status.snapshotCount == 1)
        #expect(status.receivedCount == 20)
        #expect(
            status.devices == [
                .init(id: lagoon.id, name: "Lagoon", newestOrder: 20, receivedCount: 20)
            ])
        #expect(status.servers == [.init(id: home.id, name: "Home", report: report)])
        try await watch.stop()
        try await hub.stop()
    }
}
