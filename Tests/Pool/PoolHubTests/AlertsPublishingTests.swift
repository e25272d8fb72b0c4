import BrokerFixture
import Foundation
import MQTT
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// The hub's announcements for Home Assistant on a real broker.
@Suite struct AlertsPublishingTests {
    private func announce(_ prefix: String, _ hub: TestHub, _ broker: Broker) async throws {
        var draft = ServerPatch()
        draft.announcementPrefix = prefix
        let count = hub.events.items.count
        _ = try await hub.perform(.edit(.editServer(hub.report().serverID("Broker \(broker.port)"), draft)))
        // The connection is a new one now. A server without devices has none.
        guard !prefix.isEmpty else { return }
        await hub.events.wait { events in
            events.dropFirst(count).contains { event in
                guard case .server(_, let state) = event else { return false }
                return state.isConnected
            }
        }
    }

    private func payloads(_ listener: Listener, _ suffix: String) -> [String] {
        listener.messages.items.filter { $0.topic.text.hasSuffix(suffix) }.map {
            String(decoding: $0.payload, as: UTF8.self)
        }
    }

    /// Waits for a message on a topic with this ending, whose payload contains these words.
    private func wait(for words: String, on ending: String, _ listener: Listener) async {
        await listener.messages.wait { messages in
            messages.contains {
                $0.topic.text.hasSuffix(ending) && String(decoding: $0.payload, as: UTF8.self).contains(words)
            }
        }
    }

    @Test func `devices are announced retained with values, status and alerts, and taken back`() async throws {
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        try await announce("ha", hub, broker)
        let live = try await Listener(broker, to: "#")
        let publisher = try await Publisher(broker)
        await live.messages.wait { $0.contains { $0.topic.text.hasPrefix("ha/device/") } }
        try await publisher.publish(#"{"temperature":26.0,"ph":9.1}"#)
        await wait(for: "ON", on: "/alerts/ph", live)
        await live.messages.wait { messages in
            messages.contains {
                $0.topic.text.hasPrefix("ha/device/") && String(decoding: $0.payload, as: UTF8.self).contains("_ph")
            }
        }
        await wait(for: #""ph":9.1"#, on: "/values", live)
        await wait(for: "critical", on: "/status", live)

        // A later subscriber receives the retained messages, and no retained values; live ones may come.
        let later = try await Listener(broker, to: "#")
        await later.messages.wait { $0.contains { $0.topic.text.hasSuffix("/alerts/ph") } }
        await later.messages.wait { $0.contains { $0.topic.text.hasPrefix("ha/device/") } }
        #expect(!later.messages.items.contains { $0.topic.text.hasSuffix("/values") && $0.isRetained })
        later.close()

        // Home Assistant has started, so everything is sent again.
        let before = live.messages.items.count
        try await publisher.publish("online", to: "ha/status")
        await live.messages.wait { $0.dropFirst(before).contains { $0.topic.text.hasPrefix("ha/device/") } }

        _ = try await hub.perform(.edit(.removeDevice(hub.report().deviceID("Lagoon"))))
        await live.messages.wait { messages in
            messages.contains { $0.topic.text.hasPrefix("ha/device/") && $0.payload.isEmpty }
                && messages.contains { $0.topic.text.hasSuffix("/alerts/orp") && $0.payload.isEmpty }
        }
        try await hub.stop()
        await broker.stop()
    }

    @Test func `each quantity has its own availability, and an alert keeps its words`() async throws {
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        try await announce("ha", hub, broker)
        let live = try await Listener(broker, to: "#")
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"temperature":26.0,"ph":9.1}"#)
        await wait(for: "ON", on: "/alerts/ph", live)
        for value in ["9.2", "9.3"] {
            try await publisher.publish(#"{"temperature":26.0,"ph":\#(value)}"#)
            await wait(for: value, on: "/values", live)
        }

        // A later subscriber receives the retained messages first.
        let later = try await Listener(broker, to: "#")
        for suffix in ["/availability/temperature", "/availability/ph", "/availability/orp", "/alerts/device"] {
            await later.messages.wait { $0.contains { $0.topic.text.hasSuffix(suffix) } }
        }
        #expect(payloads(later, "/availability/temperature") == ["online"])
        #expect(payloads(later, "/availability/ph") == ["online"])
        #expect(payloads(later, "/availability/orp") == ["offline"])
        #expect(payloads(later, "/alerts/device") == [#"{"state":"OFF","text":""}"#])
        #expect(payloads(later, "/alerts/storage") == [#"{"state":"OFF","text":""}"#])
        let levels = later.messages.items.map { $0.topic.text.split(separator: "/") }
        #expect(levels.contains { $0.count == 4 && $0[2] == "alerts" })
        later.close()
        let words = Set(payloads(live, "/alerts/ph").filter { $0.contains("ON") })
        #expect(words == [#"{"severity":"critical","state":"ON","text":"pH too high"}"#])
        #expect(payloads(live, "/config").contains { $0.contains("connection alert") })
        try await hub.stop()
        await broker.stop()
    }

    @Test func `a prefix that goes away takes its announcements along`() async throws {
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        try await announce("ha", hub, broker)
        let live = try await Listener(broker, to: "#")
        await live.messages.wait { $0.contains { $0.topic.text.hasPrefix("ha/device/") && !$0.payload.isEmpty } }
        try await announce("", hub, broker)
        // The device and the hub itself.
        await live.messages.wait { messages in
            let gone = messages.filter { $0.topic.text.hasPrefix("ha/device/") && $0.payload.isEmpty }
            return Set(gone.map(\.topic.text)).count == 2
        }
        try await hub.stop()
        await broker.stop()
    }
}
