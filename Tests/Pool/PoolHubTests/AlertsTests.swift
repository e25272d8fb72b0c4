import BrokerFixture
import Foundation
import MQTT
import PoolControl
import PoolHub
import PoolModel
import SyncCore
import TestSupport
import Testing
import ZeroMQ

/// The alerts of a hub with a real broker, a web server and a watch.
@Suite struct AlertsTests {
    private let critical = #"{"temperature":26.0,"ph":9.1,"chlorine":1.5,"orp":650}"#

    private func settings(web: TinyWebServer?, topic: String? = nil) -> AlertSettingsPatch {
        var draft = AlertSettingsPatch()
        draft.webhookURL = web.map { "http://127.0.0.1:\($0.port)/hook" }
        draft.webhookSecretName = web == nil ? nil : "hook"
        draft.mqttTopic = topic
        return draft
    }

    @Test func `a limit that is crossed is told once on every channel, with one id`() async throws {
        // P57, P64, P70, P71, P74, V7, V19
        let broker = try await Broker.start()
        let web = try TinyWebServer()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        _ = try await hub.perform(.alerts(.setSigningSecret("top secret", name: "hook")))
        try await hub.useWebhook(settings(web: web, topic: "home/alerts"))
        let listener = try await Listener(broker, to: "home/alerts")
        let watch = try await LinkedWatch(pairedBy: hub)
        try watch.start(at: try await hub.endpoint)
        await watch.links.wait { !$0.isEmpty }
        let publisher = try await Publisher(broker)

        try await publisher.publish(#"{"temperature":26.0,"ph":9.1}"#)
        await hub.events.wait { !TestHub.notices($0).isEmpty }
        await web.requests.wait { !$0.isEmpty }
        await listener.messages.wait { !$0.isEmpty }
        await watch.items.wait { LinkedWatch.ids($0).count >= 2 }
        // A notice about another alert comes after a repeated delivery about the first one.
        try await publisher.publish(#"{"temperature":26.0,"ph":9.1,"orp":400}"#)
        await hub.events.wait { TestHub.notices($0).contains { $0.key.quantity == .orp } }
        await web.requests.wait { $0.count >= 2 }
        await listener.messages.wait { $0.count >= 2 }
        await watch.items.wait { LinkedWatch.ids($0).count >= 4 }

        let notices = TestHub.notices(hub.events.items)
        #expect(notices.count == 2)
        #expect(notices[0].kind == .raised && notices[0].severity == .critical)
        #expect(notices[0].value == 9.1 && notices[0].limit == 8)
        #expect(notices[0].text.contains("9.1") && notices[0].text.contains("8"))
        #expect(web.requests.items.map(\.id) == notices.map(\.id))
        #expect(web.requests.items.allSatisfy { $0.isSigned(with: "top secret") })
        #expect(listener.messages.items.map(\.payload) == notices.map(\.body))
        // Two items each: the notification, and the complication's colour.
        let ids = LinkedWatch.ids(watch.items.items)
        #expect(Set(ids) == Set(notices.map(\.id)) && ids.count == 4)
        await watch.registers.wait { LinkedWatch.alerts($0)?.alerts.count == 2 }
        #expect(try await hub.alerts().state.alerts.count == 2)
        #expect(try await hub.alerts().notices.map(\.id) == notices.map(\.id).reversed())

        try await watch.stop()
        try await hub.stop()
        web.stop()
        await broker.stop()
    }

    @Test func `an alert that an offline watch acknowledged is not repeated, and its answer goes with its end`()
        async throws
    {
        // P64, V19; the acknowledgement is an ordinary edit
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        var draft = AlertSettingsPatch()
        draft.confirmationSamples = 1
        _ = try await hub.perform(.alerts(.change(draft)))
        let watch = try await LinkedWatch(pairedBy: hub)
        try watch.start(at: try await hub.endpoint)
        let publisher = try await Publisher(broker)
        try await publisher.publish(critical)
        await watch.registers.wait { LinkedWatch.alerts($0)?.alerts.isEmpty == false }
        let alert = try #require(watch.alerts?.alerts.first)
        try await hub.stop()

        try await watch.edit([AlertState.acknowledgement(of: alert).change.cell])
        try await watch.stop()
        try await hub.start()
        await hub.waitForServer("Broker \(broker.port)", isConnected: true)
        try watch.start(at: try await hub.endpoint)
        await watch.registers.wait { LinkedWatch.alerts($0)?.alerts.first?.isAcknowledged == true }
        #expect(try await hub.alerts().state.alerts.map(\.isAcknowledged) == [true])

        // The value is inside its limits again: the episode ends, and the hub removes the answer.
        let revision = try await hub.report().revision
        let count = hub.events.items.count
        try await publisher.publish(critical.replacingOccurrences(of: "9.1", with: "7.2"))
        await hub.events.wait { events in
            events.dropFirst(count).contains { event in
                guard case .configured(let now) = event else { return false }
                return now > revision
            }
        }
        #expect(try await hub.alerts().state.alerts.isEmpty)
        #expect(TestHub.notices(hub.events.items).map(\.kind) == [.raised, .recovered])
        try await watch.stop()
        try await hub.stop()
        await broker.stop()
    }

    @Test func `a notice that was raised before a restart is delivered after it under its own id`() async throws {
        // V7; no notice is sent before it is durable, and a sent one is recognised by its id
        let broker = try await Broker.start()
        let web = try TinyWebServer(status: "503 Service Unavailable")
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        _ = try await hub.perform(.alerts(.setSigningSecret("s", name: "hook")))
        try await hub.useWebhook(settings(web: web))
        let publisher = try await Publisher(broker)
        try await publisher.publish(critical)
        await web.requests.wait { !$0.isEmpty }
        try await hub.stop()

        web.answer("200 OK")
        let before = web.requests.items.count
        try await hub.start()
        await web.requests.wait { $0.count > before }
        try await hub.stop()

        #expect(Set(web.requests.items.map(\.id)).count == 1)
        #expect(Set(TestHub.notices(hub.events.items).map(\.id)).count == 1)
        web.stop()
        await broker.stop()
    }

    @Test func `a redirection is not followed`() async throws {
        let broker = try await Broker.start()
        let elsewhere = try TinyWebServer()
        let web = try TinyWebServer(
            status: "307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(elsewhere.port)/")
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        _ = try await hub.perform(.alerts(.setSigningSecret("s", name: "hook")))
        try await hub.useWebhook(settings(web: web))
        _ = try await hub.perform(.alerts(.test))
        await web.requests.wait { !$0.isEmpty }
        try await poll("a request elsewhere, or the trouble") {
            if !elsewhere.requests.items.isEmpty { return true }
            return try await hub.alerts().channels.first { $0.channel == .webhook }?.trouble != nil
        }
        #expect(elsewhere.requests.items.isEmpty)
        #expect(try await hub.alerts().channels[3].trouble?.contains("307") == true)
        try await hub.stop()
        web.stop()
        elsewhere.stop()
        await broker.stop()
    }

    @Test func `the test button tells every permitted channel, and a desktop that is not there is denied`() async throws
    {
        // P68, P69
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let watch = try await LinkedWatch(pairedBy: hub)
        try watch.start(at: try await hub.endpoint)
        await watch.links.wait { !$0.isEmpty }
        _ = try await hub.perform(.alerts(.test))
        await hub.events.wait { TestHub.notices($0).map(\.kind) == [.test] }
        await watch.items.wait { !$0.isEmpty }
        let desktop = try await hub.alerts().channels.first { $0.channel == .desktop }
        #expect(desktop?.authorization == .denied)
        #expect(LinkedWatch.ids(watch.items.items) == TestHub.notices(hub.events.items).map(\.id))
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `settings, answers and the list work at rest`() async throws {
        let folder = try TestHubFolder()
        var draft = AlertSettingsPatch()
        draft.cooldownSeconds = 600
        draft.mqttTopic = "home/alerts"
        _ = try await HubClient.perform(.alerts(.change(draft)), path: folder.path)
        guard case .alerts(let report) = try await HubClient.perform(.alerts(.report(notices: 5)), path: folder.path)
        else { throw NotRunning() }
        #expect(report.settings.cooldownSeconds == 600)
        #expect(report.settings.channels.mqtt?.topic == "home/alerts")
        #expect(report.state.alerts.isEmpty && !report.isRunning)
        draft.cooldownSeconds = 5
        let episode = AlertEpisodeID(high: 0, low: 1)
        await #expect(throws: (any Error).self) {
            try await HubClient.perform(.alerts(.change(draft)), path: folder.path)
        }
        await #expect(throws: AlertMatchError.notFound("\(episode)", count: 0)) {
            try await HubClient.perform(.alerts(.acknowledge(episode)), path: folder.path)
        }
    }
}

extension ConfigurationChange {
    /// The change in the form of the engine.
    fileprivate var cell: CellChange {
        let cell = CellKey(
            kind: key.kind, record: RandomID(high: key.record.high, low: key.record.low), group: key.group)
        switch self {
        case .upsert(let entry): return CellChange(key: cell, value: String(decoding: entry.value, as: UTF8.self))
        case .delete: return CellChange(key: cell, value: nil)
        }
    }
}
