import BrokerFixture
import Platform
import Testing

@testable import MQTT

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the broker keeps for a client that is away, and what it sends again.
@Suite(.timeLimit(.minutes(20))) struct SessionTests {
    /// Makes a session with a subscription to everything, and leaves it.
    private func leaveSession(_ version: ProtocolVersion, at broker: Broker) async throws {
        var reader = try Probe(options(version, as: "reader", session: .lasting), to: broker)
        #expect(try await reader.acknowledgement().isSessionPresent == false)
        try await reader.subscribe(to: "#")
        try await reader.disconnect()
    }

    /// Comes back to the session.
    private func returned(
        _ version: ProtocolVersion, to broker: Broker, pausingAfter messageCount: Int = 1,
        reacting: @escaping @Sendable (Client, Client.Event) -> Void = { _, _ in }
    ) async throws -> Probe {
        var options = options(version, as: "reader", session: .lasting)
        options.messagesBetweenPauses = messageCount
        var reader = try Probe(options, to: broker, reacting: reacting)
        #expect(try await reader.acknowledgement().isSessionPresent)
        return reader
    }

    private func publish(
        _ texts: [String], _ quality: QualityOfService = .atLeastOnce, at broker: Broker
    ) async throws {
        var writer = try await Probe.connected(options(), to: broker)
        for text in texts { try await writer.publish(text, to: "a", quality) }
        try await writer.disconnect()
    }

    // Row P16: a restart finds its own session.
    @Test(arguments: ProtocolVersion.allCases)
    func `a session keeps the messages that came meanwhile`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        try await leaveSession(version, at: broker)

        try await publish(["1", "2", "3"], at: broker)

        var reader = try await returned(version, to: broker)
        for text in ["1", "2", "3"] {
            let message = try await reader.message()
            #expect(message.payload == Array(text.utf8))
            #expect(message.qualityOfService == .atLeastOnce)
            #expect(!message.isRetained)
        }
        try await reader.disconnect()
    }

    @Test func `a clean session keeps nothing`() async throws {
        let broker = try await Broker.start()
        try await leaveSession(.v311, at: broker)
        try await publish(["1"], at: broker)

        var clean = try Probe(options(as: "reader"), to: broker)
        #expect(try await clean.acknowledgement().isSessionPresent == false)
        try await clean.disconnect()

        var reader = try Probe(options(as: "reader", session: .lasting), to: broker)
        #expect(try await reader.acknowledgement().isSessionPresent == false)
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a broker that saves its sessions keeps them when it is restarted`(version: ProtocolVersion) async throws {
        var configuration = Broker.Configuration()
        configuration.isPersistent = true
        let broker = try await Broker.start(configuration)
        try await leaveSession(version, at: broker)
        try await publish(["1"], at: broker)

        await broker.stop()
        try await broker.restart()

        var reader = try await returned(version, to: broker)
        #expect(try await reader.text() == "1")
    }

    // Row P13: what could not be stored is not acknowledged.
    @Test(arguments: ProtocolVersion.allCases)
    func `a message that the handler objects to comes again`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        try await leaveSession(version, at: broker)
        try await publish(["1", "2"], at: broker)

        for _ in 0..<3 {
            var objector = try await returned(version, to: broker) { client, event in
                if case .message = event { client.abort() }
            }
            #expect(try await objector.text() == "1")
            #expect(try await objector.end() == .closed)
        }

        var reader = try await returned(version, to: broker)
        #expect(try await reader.text() == "1")
        #expect(try await reader.text() == "2")
        try await reader.disconnect()
        // Now that they were acknowledged they do not come again.
        try await publish(["3"], at: broker)
        var again = try await returned(version, to: broker)
        #expect(try await again.text() == "3")
    }

    // What is kept together is acknowledged together.
    @Test func `messages between two pauses come again unless the handler has returned from the second`() async throws {
        let broker = try await Broker.start()
        try await leaveSession(.v311, at: broker)
        let texts = (1...20).map { "\($0)" }
        try await publish(texts, at: broker)

        for _ in 0..<2 {
            var objector = try await returned(.v311, to: broker, pausingAfter: 4) { client, event in
                if case .pause = event { client.abort() }
            }
            // A pause comes early where the broker has not sent the next message yet.
            var event = try await objector.next()
            var count = 0
            while case .message(let message) = event {
                count += 1
                #expect(message.payload == Array("\(count)".utf8))
                event = try await objector.next()
            }
            #expect(event == .pause && (1...4).contains(count))
            #expect(try await objector.end() == .closed)
        }

        var reader = try await returned(.v311, to: broker, pausingAfter: 4)
        var received: [String] = []
        var sincePause = 0
        while received.count < texts.count || sincePause > 0 {
            switch try await reader.next() {
            case .message(let message):
                received.append(String(decoding: message.payload, as: UTF8.self))
                sincePause += 1
                #expect(sincePause <= 4)
            case .pause:
                #expect(sincePause > 0)
                sincePause = 0
            case let event: throw Probe.Unexpected(event: event)
            }
        }
        #expect(received == texts)
    }

    // The messages are many, so that others have been read when the handler objects.
    @Test func `after an objection nothing is delivered and nothing lost`() async throws {
        let broker = try await Broker.start()
        try await leaveSession(.v311, at: broker)
        let texts = (1...50).map { "\($0)" }
        try await publish(texts, at: broker)

        var objector = try await returned(.v311, to: broker) { client, event in
            if case .message(let message) = event, message.payload == Array("7".utf8) { client.abort() }
        }
        for text in texts.prefix(7) { #expect(try await objector.text() == text) }
        #expect(try await objector.end() == .closed)

        var reader = try await returned(.v311, to: broker)
        var received: Set<String> = []
        while received.count < 50, case .message(let message) = try await reader.next() {
            received.insert(String(decoding: message.payload, as: UTF8.self))
            // Those before the objection may come twice, unless their acknowledgement got through.
            if received.contains("50") { break }
        }
        #expect(received.isSuperset(of: texts.dropFirst(6)))
    }

    // A goodbye acknowledges what was read, so nothing that was read may be swallowed.
    @Test func `what a goodbye acknowledges was delivered`() async throws {
        let broker = try await Broker.start()
        try await leaveSession(.v311, at: broker)
        let texts = (1...50).map { "\($0)" }
        try await publish(texts, at: broker)
        let received = Lock<Set<String>>([])

        for _ in 0..<50 where received.withLock({ $0.count }) < 50 {
            var reader = try Probe(options(as: "reader", session: .lasting), to: broker) { client, event in
                guard case .message(let message) = event else { return }
                _ = received.withLock { $0.insert(String(decoding: message.payload, as: UTF8.self)) }
                client.disconnect()
            }
            _ = try await reader.acknowledgement()
            var event = try await reader.next()
            while case .message = event { event = try await reader.next() }
            #expect(event == .ended(.closed))
        }

        #expect(received.withLock { $0 } == Set(texts))
    }

    // Row P13: a message is acknowledged only after the handler has returned.
    @Test(arguments: ProtocolVersion.allCases)
    func `a process that ends inside the handler gets the message again`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        try await leaveSession(version, at: broker)
        try await publish(["1"], at: broker)

        await endInsideHandler(version, at: broker)

        var reader = try await returned(version, to: broker)
        #expect(try await reader.text() == "1")
    }

    // Which is why nobody should use it for what must not be lost.
    @Test func `a process that ends inside the handler loses a message of QoS 2`() async throws {
        let broker = try await Broker.start()
        try await leaveSession(.v311, at: broker)
        try await publish(["1"], .exactlyOnce, at: broker)

        await endInsideHandler(.v311, at: broker)

        try await publish(["2"], .exactlyOnce, at: broker)
        var reader = try await returned(.v311, to: broker)
        #expect(try await reader.text() == "2")
    }

    private func endInsideHandler(_ version: ProtocolVersion, at broker: Broker) async {
        await #expect(processExitsWith: .exitCode(7)) {
            [port = broker.port as Int, version = version.rawValue as String] in
            let version = try #require(ProtocolVersion(rawValue: version))
            let client = try Client(options(version, as: "reader", session: .lasting))
            try client.connect(to: BrokerAddress(host: "127.0.0.1", port: port)) { event in
                if case .message = event { _exit(7) }
            }
            waitToBeEnded()
        }
    }
}
