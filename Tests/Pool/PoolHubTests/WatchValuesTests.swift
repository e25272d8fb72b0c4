import BrokerFixture
import Foundation
import PoolControl
import PoolModel
import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// The values that watches receive of a device, and what they keep after the hub has removed it.
@Suite(.timeLimit(.minutes(20))) struct WatchValuesTests {
    /// The newest values of a device that a watch received; nil before the first ones.
    private static func values(_ id: DeviceID, _ registers: [Register]) -> QuantityMap<LatestValue>? {
        registers.last { $0.key == RegisterKey.device(id).text }
            .flatMap { try? CanonicalJSON.decode(DeviceReadings.self, from: $0.value) }?.values
    }

    @Test func `each measurement reaches the watch by itself as it is taken in, all quantities of it`() async throws {
        // P105, X11, X13
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        let id = try #require(try await hub.report().devices.first).id
        let watch = try await LinkedWatch(pairedBy: hub)
        try watch.start(at: try await hub.endpoint)
        await watch.links.wait { !$0.isEmpty }
        let publisher = try await Publisher(broker)

        for number in 1...50 {
            let ph = 7 + Double(number) / 100
            try await publisher.publish(#"{"pH":\#(ph),"temperature":25.5,"chlorine":1.5,"orp":650}"#)
            await watch.registers.wait { Self.values(id, $0)?[.ph]?.value == ph }
        }
        let newest = try #require(Self.values(id, watch.registers.items))
        #expect(Quantity.listed { _ in false }.map { newest[$0]?.value } == [25.5, 7.5, 1.5, 650])
        try await watch.stop()
        try await hub.stop()
        await broker.stop()
    }

    @Test func `values of a removed device leave every watch, also one that was away`() async throws {
        // P30, X12
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        let id = try #require(try await hub.report().devices.first).id
        let (near, far) = (
            try await LinkedWatch(pairedBy: hub, name: "near"), try await LinkedWatch(pairedBy: hub, name: "far")
        )
        for watch in [near, far] { try watch.start(at: try await hub.endpoint) }
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"ph":7.2}"#)
        for watch in [near, far] {
            await watch.registers.wait { Self.values(id, $0)?[.ph]?.value == 7.2 }
        }
        try await far.stop()

        _ = try await hub.perform(.edit(.removeDevice(hub.report().deviceID("Lagoon"))))

        await near.registers.wait { Self.values(id, $0)?.pairs.isEmpty == true }
        try far.start(at: try await hub.endpoint)
        await far.registers.wait { Self.values(id, $0)?.pairs.isEmpty == true }
        for watch in [near, far] { try await watch.stop() }
        try await hub.stop()
        await broker.stop()
    }
}
