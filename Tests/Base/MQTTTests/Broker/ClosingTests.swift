import BrokerFixture
import Platform
import Testing

@testable import MQTT

/// The ways in which a client ends.
@Suite(.timeLimit(.minutes(20))) struct ClosingTests {
    /// The events of a client, for tests that let go of it.
    private struct Ears {
        let events: AsyncStream<Client.Event>
        let hear: @Sendable (Client.Event) -> Void

        init() {
            let (events, continuation) = AsyncStream.makeStream(of: Client.Event.self)
            self.events = events
            hear = { event in
                continuation.yield(event)
                if case .ended = event { continuation.finish() }
            }
        }

        /// How it ended.
        func end() async -> Client.EndReason? {
            for await event in events {
                if case .ended(let reason) = event { return reason }
            }
            return nil
        }
    }

    /// The only one who holds a client.
    private final class Owner: Sendable {
        let client: Lock<Client?>

        init(_ client: Client) {
            self.client = Lock(client)
        }
    }

    /// Says when it goes.
    private final class Token: Sendable {
        private let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void) {
            self.onEnd = onEnd
        }

        deinit {
            onEnd()
        }
    }

    @Test func `closing from several threads ends it once`() async throws {
        let broker = try await Broker.start()
        var probe = try await Probe.connected(options(as: "someone"), to: broker)

        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [client = probe.client] in try await onThreadOfItsOwn { client.close() } }
            }
            try await group.waitForAll()
        }

        #expect(try await probe.end() == .closed)
        #expect(await broker.logLine(containing: "Client someone disconnected.") != nil)
    }

    // The system gives the name of a thread that has ended to the next one, which must not be taken for it.
    @Test func `a closed client can be closed again from any thread`() async throws {
        let port = try ClosedPort()

        for _ in 0..<20 {
            let probe = try Probe(options(), to: BrokerAddress(host: "127.0.0.1", port: port.port))
            for _ in 0..<3 { try await onThreadOfItsOwn { [client = probe.client] in client.close() } }
        }
    }

    @Test func `a client that never connected can be closed`() async throws {
        let client = try Client()

        try await onThreadOfItsOwn { client.close() }

        #expect(throws: MQTTError.notConnected) { try client.publish([], to: TopicName("a")) }
        #expect(throws: MQTTError.notConnected) { try client.subscribe(to: [TopicFilter("a")]) }
        #expect(throws: MQTTError.notConnected) { try client.unsubscribe(from: [TopicFilter("a")]) }
    }

    @Test func `closing gives up an attempt to connect`() async throws {
        let listener = try ScriptedListener()
        var probe = try Probe(options(), to: listener)
        let peer = try await listener.accept()
        try await peer.receive()

        try await onThreadOfItsOwn { [client = probe.client] in client.close() }

        #expect(try await probe.end() == .closed)
        withExtendedLifetime(peer) {}
    }

    @Test(arguments: QualityOfService.allCases)
    func `what was published before the goodbye is sent`(quality: QualityOfService) async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(), to: broker)
        try await reader.subscribe(to: "a")
        let writer = try await Probe.connected(options(), to: broker)

        // As many as may be on their way at a time.
        let texts = (0..<20).map { "\($0)" + String(repeating: "x", count: 10_000) }
        for text in texts { try writer.client.publish(Array(text.utf8), to: TopicName("a"), qualityOfService: quality) }
        try await onThreadOfItsOwn { [client = writer.client] in client.close() }

        // A message of QoS 2 is delivered when its sender has released it, for which the goodbye does not wait.
        if quality != .exactlyOnce {
            for text in texts { #expect(try await reader.text() == text) }
        }
    }

    // A system that gets what nobody reads any more answers with a reset, and the broker forgets what was said before.
    @Test func `a goodbye is heard though not everything was read`() async throws {
        let broker = try await Broker.start()
        var watcher = try await Probe.connected(options(), to: broker)
        try await watcher.subscribe(to: "status")
        var mortal = options()
        mortal.will = Will(topic: try TopicName("status"), payload: Array("gone".utf8))
        let topic = try TopicName("status")
        let isEnough = Gate()
        var reader = try Probe(mortal, to: broker) { client, event in
            guard case .message = event else { return }
            isEnough.waitUntilOpen()
            for word in ["last", "words"] { _ = try? client.publish(Array(word.utf8), to: topic) }
            client.disconnect()
        }
        _ = try await reader.acknowledgement()
        try await reader.subscribe(to: "a")

        var writer = try await Probe.connected(options(), to: broker)
        for _ in 0..<100 { try await writer.publish("x", to: "a") }
        isEnough.open()

        #expect(try await watcher.text() == "last")
        #expect(try await watcher.text() == "words")
        try await writer.publish("marker", to: "status")
        #expect(try await watcher.text() == "marker")
        withExtendedLifetime(reader) {}
    }

    @Test(arguments: [false, true])
    func `a goodbye to a broker that does not read is not waited for long`(isSuspended: Bool) async throws {
        let broker = try await Broker.start()
        var probe = try await Probe.connected(options(), to: broker)
        if isSuspended { broker.suspend() }

        // More than the system keeps for the broker.
        let payload = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<40 { try probe.client.publish(payload, to: TopicName("a"), qualityOfService: .atMostOnce) }
        probe.client.disconnect()

        var event = try await probe.next()
        while case .published = event { event = try await probe.next() }
        #expect(event == .ended(.closed))
    }

    @Test func `a client that nobody holds says goodbye`() async throws {
        let broker = try await Broker.start()
        let ears = Ears()
        try await onThreadOfItsOwn { [hear = ears.hear, port = broker.port] in
            let connected = Gate()
            let client = try Client(options(as: "someone"))
            try client.connect(to: BrokerAddress(host: "127.0.0.1", port: port)) { event in
                hear(event)
                if case .connected = event { connected.open() }
            }
            connected.waitUntilOpen()
            withExtendedLifetime(client) {}
        }

        #expect(await ears.end() == .closed)
        #expect(await broker.logLine(containing: "Client someone disconnected.") != nil)
    }

    @Test func `the last one to let go may be the handler`() async throws {
        let broker = try await Broker.start()
        let ears = Ears()
        let owner = Owner(try Client(options(as: "someone")))
        try owner.client.withLock { $0 }?.connect(to: BrokerAddress(host: broker.host, port: broker.port)) {
            [hear = ears.hear] event in
            hear(event)
            if case .connected = event { _ = owner.client.withLock { $0.take() } }
        }

        #expect(await ears.end() == .closed)
        #expect(await broker.logLine(containing: "Client someone disconnected.") != nil)
    }

    @Test func `the thread lets go of the handler and of what it holds`() async throws {
        let broker = try await Broker.start()
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)

        try {
            let token = Token { continuation.finish() }
            let client = try Client(options())
            // The handler holds the client, which holds the thread, which holds the handler.
            try client.connect(to: BrokerAddress(host: broker.host, port: broker.port)) { event in
                if case .connected = event { client.disconnect() }
                withExtendedLifetime(token) {}
            }
        }()

        for await _ in ends {}
    }

    @Test func `mistakes trap with the way out`() async throws {
        let closing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let listener = try ScriptedListener()
            let client = try Client()
            try client.connect(to: BrokerAddress(host: listener.host, port: ClosedPort().port)) { _ in client.close() }
            waitToBeEnded()
        }
        let connecting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let listener = try ScriptedListener()
            let client = try Client()
            for _ in 0..<2 { try client.connect(to: BrokerAddress(host: listener.host, port: listener.port)) { _ in } }
        }
        let subscribing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Client().subscribe(to: [])
        }

        #expect(words(of: closing).contains("close() inside the handler would wait for itself; call disconnect()"))
        #expect(words(of: connecting).contains("a client connects once, this one is connecting; make a new one"))
        #expect(words(of: subscribing).contains("a subscribe packet needs at least one filter"))
    }

    private func words(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
