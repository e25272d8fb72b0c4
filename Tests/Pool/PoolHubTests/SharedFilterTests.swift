import BrokerFixture
import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub

/// Several devices with the same wildcard filters, on a real broker.
@Suite(.timeLimit(.minutes(20))) struct SharedFilterTests {
    private let hub: TestHub

    init() throws { hub = TestHub(try TestHubFolder()) }

    private func add(_ name: String, topic: String, _ value: String) async throws {
        var draft = DevicePatch()
        draft.name = name
        draft.topic = topic
        draft.mapping = .set(DeviceMapping(values: [try ValueSource(notation: value)]))
        _ = try await hub.perform(.edit(.addDevice(draft)))
    }

    /// The stored raw values of a quantity of a device, oldest first.
    private func stored(_ name: String, _ quantity: Quantity) async throws -> [Double] {
        let request = HistoryRequest.page(device: try await hub.report().deviceID(name), before: nil, limit: 100)
        guard case .history(.page(let rows)) = try await hub.perform(.history(request)) else { throw NotRunning() }
        return rows.reversed().compactMap { $0.raw[quantity] }
    }

    @Test func `devices behind one filter each get their own values, once, also when one of them goes`() async throws {
        // X10, S12
        let broker = try await Broker.start()
        try await hub.start()
        try await hub.configure(broker, topic: "end", name: "Last")
        try await add("Tank", topic: "plant/tank", "temperature=plant/##tank.temperature")
        _ = await broker.logLine(containing: "plant/# (QoS 1)")
        try await add("North", topic: "plant/north", "ph=plant/+/state#north.ph")
        try await add("South", topic: "plant/south", "ph=plant/+/state#south.ph")
        // When the broker has received the subscription of a device, the hub knows all devices that were added before.
        try await add("Mark", topic: "mark", "ph=ph")
        _ = await broker.logLine(containing: "mark (QoS 1)")
        let publisher = try await Publisher(broker)

        try await publisher.publish(#"{"north":{"ph":7.1}}"#, to: "plant/1/state")
        try await publisher.publish(#"{"south":{"ph":7.2}}"#, to: "plant/2/state")
        try await publisher.publish(
            #"{"north":{"ph":7.3},"south":{"ph":7.4},"tank":{"temperature":25}}"#, to: "plant/3/state")
        try await publisher.publish(#"{"tank":{"temperature":26}}"#, to: "plant")
        try await publisher.publish(#"{"tank":{"temperature":27},"north":{"ph":7.9}}"#, to: "plant/1/deeper/state")
        try await publisher.publish(#"{"ph":7.0}"#, to: "end")
        await hub.waitForValue("Last", .ph, 7)
        #expect(try await stored("North", .ph) == [7.1, 7.3])
        #expect(try await stored("South", .ph) == [7.2, 7.4])
        #expect(try await stored("Tank", .temperature) == [25, 26, 27])

        #expect(
            !broker.log.contains { $0.contains("plant/+/state (QoS") },
            "a narrow filter is not subscribed to as long as a wide one is")
        _ = try await hub.perform(.edit(.removeDevice(hub.report().deviceID("Tank"))))
        _ = await broker.logLine(containing: "plant/+/state (QoS 1)")
        try await publisher.publish(#"{"north":{"ph":7.5},"south":{"ph":7.6}}"#, to: "plant/4/state")
        await hub.waitForValue("South", .ph, 7.6)
        #expect(try await stored("North", .ph) == [7.1, 7.3, 7.5])
        #expect(try await stored("South", .ph) == [7.2, 7.4, 7.6])

        try await hub.stop()
        await broker.stop()
    }
}
