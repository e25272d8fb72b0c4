import BrokerFixture
import Foundation
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// Messages that a broker kept for the hub, and devices that a detection finds.
@Suite struct BrokerBacklogTests {
    @Test func `thousands of messages that waited come in order, and change the dashboard seldom`() async throws {
        // P13, pool-domain 5.3: 1000-message backlog replay on return.
        var configuration = Broker.Configuration()
        configuration.furtherLines = ["max_queued_messages 0"]
        let broker = try await Broker.start(configuration)
        let folder = try TestHubFolder()
        let first = TestHub(folder)
        try await first.start()
        try await first.configure(broker)
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"orp":500}"#)
        await first.waitForValue("Lagoon", .orp, 500)
        try await first.stop()

        try await publisher.publish((1...2000).map { "{\"orp\":\(500 + Double($0) / 8)}" })
        let second = TestHub(folder)
        try await second.start()
        await second.waitForValue("Lagoon", .orp, 750)

        let changes = second.events.items.count { if case .reading = $0 { true } else { false } }
        #expect(changes < 50, "\(changes) changes")
        #expect(try await second.report().devices.first?.storedReadings == 2001)
        try await second.stop()
        await broker.stop()
    }

    @Test func `a detection on a running hub proposes what it hears, and leaves nothing at the broker`() async throws {
        let broker = try await Broker.start()
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        try await hub.configure(broker)
        let publisher = try await Publisher(broker)
        try await publisher.publish(
            #"{"temperature":25.5,"pH":7.2,"chlorine":1.5,"orp":650}"#, to: "spa", isRetained: true)

        let server = try await hub.report().serverID("Broker \(broker.port)")
        _ = try await hub.perform(.detection(.begin(server, seconds: 600)))
        try await poll("an offer") {
            let answer = try await hub.perform(.detection(.look))
            guard case .detection(let progress) = answer else { return true }
            return !progress.offers.isEmpty
        }
        guard case .detection(let end) = try await hub.perform(.detection(.end)) else {
            Issue.record("no progress")
            return
        }
        #expect(end.isOver && end.secondsLeft == 0)
        #expect(end.offers.map(\.topic).contains("spa"))
        #expect(end.offers.first { $0.topic == "spa" }?.obstacle == nil)
        #expect(end.json.hasPrefix("{"))
        // The detection applied nothing.
        #expect(try await hub.report().devices.count == 1)
        try await hub.stop()
        await broker.stop()
    }

    @Test func `a hub at rest is detected for by the command itself`() async throws {
        let broker = try await Broker.start()
        let publisher = try await Publisher(broker)
        try await publisher.publish(#"{"ph":7.2}"#, to: "spa", isRetained: true)
        let folder = try TestHubFolder()
        var server = ServerPatch()
        server.name = "Home"
        server.host = broker.host
        server.port = broker.port
        _ = try await HubClient.perform(.edit(.addServer(server)), path: folder.path)

        let home = try await folder.report().serverID("Home")
        let answer = try await HubClient.perform(.detection(.begin(home, seconds: 1)), path: folder.path)
        guard case .detection(let progress) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(progress.isOver)
        #expect(progress.offers.map(\.topic) == ["spa"])
        let refused = await #expect(throws: (any Error).self) {
            try await HubClient.perform(.detection(.begin(home, seconds: 0)), path: folder.path)
        }
        #expect("\(try #require(refused))".contains("3600"))
        await broker.stop()
    }
}
