import BrokerFixture
import Testing

@testable import MQTT

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(20))) struct WillTests {
    private static func mourned(
        _ version: ProtocolVersion, as identifier: String = "mortal", delaySeconds: UInt32 = 0
    ) throws -> Client.Options {
        var options = options(version, as: identifier, session: .lasting)
        options.will = Will(
            topic: try TopicName("status/\(identifier)"), payload: Array("gone\0".utf8), delaySeconds: delaySeconds)
        return options
    }

    /// A client that sees what happens to the status.
    private func watcher(_ broker: Broker) async throws -> Probe {
        var watcher = try await Probe.connected(options(), to: broker)
        try await watcher.subscribe(to: "status/#")
        return watcher
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a client that goes without a goodbye leaves its will`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var watcher = try await watcher(broker)
        var mortal = try await Probe.connected(Self.mourned(version), to: broker)

        mortal.client.abort()

        #expect(try await mortal.end() == .closed)
        let message = try await watcher.message()
        #expect(message.payload == Array("gone\0".utf8))
        #expect(message.qualityOfService == .atLeastOnce)
        // It is kept for those who come later.
        var latecomer = try await self.watcher(broker)
        #expect(try await latecomer.message().isRetained)
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a process that is killed leaves its will`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var watcher = try await watcher(broker)

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [port = broker.port as Int, version = version.rawValue as String] in
            let version = try #require(ProtocolVersion(rawValue: version))
            let client = try Client(WillTests.mourned(version))
            try client.connect(to: BrokerAddress(host: "127.0.0.1", port: port)) { event in
                if case .connected = event { _ = kill(getpid(), SIGKILL) }
            }
            waitToBeEnded()
        }

        #expect(try await watcher.message().payload == Array("gone\0".utf8))
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a client that says goodbye leaves none`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var watcher = try await watcher(broker)
        var mortal = try await Probe.connected(Self.mourned(version), to: broker)

        try await mortal.disconnect()

        var other = try await Probe.connected(options(), to: broker)
        try await other.publish("marker", to: "status/other")
        #expect(try await watcher.text() == "marker")
    }

    @Test func `a delayed will is forgotten when the client returns`() async throws {
        let broker = try await Broker.start()
        var watcher = try await watcher(broker)
        var mortal = try await Probe.connected(Self.mourned(.v5, delaySeconds: 3000), to: broker)

        mortal.client.abort()
        #expect(try await mortal.end() == .closed)
        #expect(await broker.logLine(containing: "Client mortal closed its connection.") != nil)
        var returned = try Probe(options(.v5, as: "mortal", session: .lasting), to: broker)

        #expect(try await returned.acknowledgement().isSessionPresent)
        try await returned.publish("back", to: "status/mortal")
        #expect(try await watcher.text() == "back")
    }
}
