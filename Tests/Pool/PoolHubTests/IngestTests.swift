import BrokerFixture
import Foundation
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// A hub that receives readings from a real broker.
@Suite struct IngestTests {
    @Test func `a message becomes a reading of the device of its topic`() async throws {
        // P12, P57, X1, X10
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        var spa = DevicePatch()
        spa.name = "Spa"
        spa.topic = "pool/sensor/spa"
        _ = try await hub.perform(.edit(.addDevice(spa)))
        _ = await broker.logLine(containing: "pool/sensor/spa (QoS")
        let publisher = try await Publisher(broker)

        try await publisher.publish(#"{"temperature":25.5,"pH":7.2,"chlorine":1.5,"orp":650}"#)
        await hub.waitForValue("Lagoon", .ph, 7.2)
        try await publisher.publish("temp:36.0,ph:7.4\r\n", to: "pool/sensor/spa")
        await hub.waitForValue("Spa", .ph, 7.4)

        // A value is shown before it is stored.
        try await poll("both readings are stored") {
            try await hub.report().devices.map(\.storedReadings) == [1, 1]
        }
        let report = try await hub.report()
        #expect(report.devices.map(\.name) == ["Lagoon", "Spa"])
        #expect(report.devices[1].readings?.values[.chlorine] == nil)
        #expect(report.counts?.formats == ["json": 1, "text": 1])
        try await hub.stop()
        await broker.stop()
    }

    @Test func `garbage is counted by reason and never becomes a reading`() async throws {
        // P49–P54
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        let publisher = try await Publisher(broker)

        try await publisher.publish([0xFF, 0xFE], to: "pool/sensor/main")
        try await publisher.publish("<html>502</html>")
        try await publisher.publish("{}")
        try await publisher.publish(#"{"ph":99,"orp":700}"#)
        await hub.waitForValue("Lagoon", .orp, 700)

        let counts = try #require(try await hub.report().counts)
        #expect(counts.rejected == ["not_text": 1, "not_readable": 1])
        #expect(counts.passedOver == ["no_known_quantity": 1])
        #expect(counts.quarantined == 1)
        #expect(counts.stored == 1)
        try await hub.stop()
        await broker.stop()
    }

    @Test func `a retained message is shown as last known and never stored`() async throws {
        // P12, X18
        let broker = try await Broker.start()
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"ph":7.3}"#, isRetained: true)
        let hub = TestHub(try TestHubFolder())
        try await hub.start()

        try await hub.configure(broker)
        await hub.waitForValue("Lagoon", .ph, 7.3)

        let device = try #require(try await hub.report().devices.first)
        #expect(device.storedReadings == 0)
        #expect(device.readings?.values[.ph]?.isLastKnown == true)
        #expect(device.readings?.lastSeen == nil)
        try await hub.stop()
        await broker.stop()
    }

    @Test func `readings published while the hub is away are taken in when it is back, once each`() async throws {
        // P13, P16
        let broker = try await Broker.start()
        let folder = try TestHubFolder()
        let first = TestHub(folder)
        try await first.start()
        try await first.configure(broker)
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"ph":7.01}"#)
        await first.waitForValue("Lagoon", .ph, 7.01)
        try await first.stop()

        for hundredth in 2...9 {
            try await publisher.publish("{\"ph\":7.0\(hundredth)}")
        }
        let second = TestHub(folder)
        try await second.start()
        await second.waitForValue("Lagoon", .ph, 7.09)

        #expect(try await second.report().devices.first?.storedReadings == 9)
        try await second.stop()
        await broker.stop()
    }

    @Test func `a hub whose history was lost does not repeat orders that watches have seen`() async throws {
        let broker = try await Broker.start()
        let folder = try TestHubFolder()
        let first = TestHub(folder)
        try await first.start()
        try await first.configure(broker)
        let publisher = try await Publisher(broker)
        for hundredth in 1...9 {
            try await publisher.publish("{\"ph\":7.0\(hundredth)}")
        }
        await first.waitForValue("Lagoon", .ph, 7.09)
        let seen = try #require(try await first.report().devices.first?.readings?.order)
        try await first.stop()

        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("history") {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        }
        let second = TestHub(folder)
        try await second.start()
        await second.waitForServer("Broker \(broker.port)", isConnected: true)
        try await publisher.publish(#"{"ph":7.5}"#)
        await second.waitForValue("Lagoon", .ph, 7.5)

        #expect(try #require(try await second.report().devices.first?.readings?.order) > seen)
        try await second.stop()
        await broker.stop()
    }

    @Test func `data flows again after the broker was killed and started again`() async throws {
        // P14, X9
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)

        await broker.kill()
        await hub.waitForServer("Broker \(broker.port)", isConnected: false)
        try await broker.restart()
        await hub.waitForServer("Broker \(broker.port)", isConnected: true)
        let publisher = try await Publisher(broker)
        // The subscription is renewed just after the connection; an earlier message would have no subscriber.
        _ = await broker.logLine(containing: "pool/sensor/main (QoS 1)")
        try await publisher.publish(#"{"ph":7.7}"#)
        await hub.waitForValue("Lagoon", .ph, 7.7)

        try await hub.stop()
        await broker.stop()
    }

    @Test func `two brokers deliver at the same time, each to its own device`() async throws {
        // P1, X7, X10: both devices have the same topic.
        let brokers = [try await Broker.start(), try await Broker.start()]
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        for (index, broker) in brokers.enumerated() {
            try await hub.configure(broker, name: "Pool \(index)")
        }

        for (index, broker) in brokers.enumerated() {
            try await Publisher(broker).publish("{\"ph\":7.\(index + 1)}")
        }
        await hub.waitForValue("Pool 0", .ph, 7.1)
        await hub.waitForValue("Pool 1", .ph, 7.2)

        try await poll("both are stored") { try await hub.report().devices.map(\.storedReadings) == [1, 1] }
        try await hub.stop()
        for broker in brokers {
            await broker.stop()
        }
    }

    @Test func `a device that moved to another topic gets only that topic's readings`() async throws {
        // P25
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker, topic: "old")
        var edit = DevicePatch()
        edit.topic = "new"
        _ = try await hub.perform(.edit(.editDevice(hub.report().deviceID("Lagoon"), edit)))
        _ = await broker.logLine(containing: "new (QoS 1)")
        _ = await broker.logLine(containing: "Received UNSUBSCRIBE")
        let publisher = try await Publisher(broker)

        try await publisher.publish(#"{"ph":6.9}"#, to: "old")
        try await publisher.publish(#"{"ph":7.1}"#, to: "new")
        await hub.waitForValue("Lagoon", .ph, 7.1)

        try await poll("it is stored") { try await hub.report().devices.first?.storedReadings == 1 }
        try await hub.stop()
        await broker.stop()
    }
}
