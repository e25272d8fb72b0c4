import BrokerFixture
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(20))) struct MessageTests {
    private static let payloads: [[UInt8]] = [
        [], [0], Array("a\0b\0".utf8), Array(0...255), Array("{\"pH\": 7.2}".utf8),
        (0..<262_144).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) },
    ]

    @Test(arguments: ProtocolVersion.allCases, QualityOfService.allCases)
    func `a message arrives as it was sent`(version: ProtocolVersion, quality: QualityOfService) async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(version), to: broker)
        var writer = try await Probe.connected(options(version), to: broker)
        try await reader.subscribe(to: "pool/+")

        for payload in Self.payloads {
            try await writer.publish(payload, to: "pool/größe", quality)

            let message = try await reader.message()
            #expect(message.payload == payload)
            #expect(message.topic.text == "pool/größe")
            #expect(message.qualityOfService == quality)
            #expect((message.packetIdentifier == nil) == (quality == .atMostOnce))
            #expect(!message.isRetained)
            #expect(message.properties.isEmpty)
        }
        try await reader.disconnect()
        try await writer.disconnect()
    }

    @Test(arguments: QualityOfService.allCases, QualityOfService.allCases)
    func `the lower quality of service wins`(
        published: QualityOfService, subscribed: QualityOfService
    ) async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(), to: broker)
        var writer = try await Probe.connected(options(), to: broker)
        try await reader.subscribe(to: "a", subscribed)

        try await writer.publish("x", to: "a", published)

        #expect(try await reader.message().qualityOfService == min(published, subscribed))
    }

    @Test(arguments: QualityOfService.allCases)
    func `many messages arrive once and in their order`(quality: QualityOfService) async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(), to: broker)
        var writer = try await Probe.connected(options(), to: broker)
        try await reader.subscribe(to: "a")

        for number in 0..<500 {
            try writer.client.publish(Array("\(number)".utf8), to: TopicName("a"), qualityOfService: quality)
        }

        for number in 0..<500 { #expect(try await reader.text() == "\(number)") }
        for _ in 0..<500 {
            guard case .published = try await writer.next() else { throw NotPublished() }
        }
        try await reader.disconnect()
    }

    // Rows P12 and X18.
    @Test(arguments: ProtocolVersion.allCases)
    func `a kept message is replayed to anybody who comes later, and says so`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var writer = try await Probe.connected(options(version), to: broker)
        try await writer.publish("old", to: "a", isRetained: true)
        var reader = try await Probe.connected(options(version), to: broker)

        try await reader.subscribe(to: "#")
        let replayed = try await reader.message()
        try await writer.publish("new", to: "a", isRetained: true)
        let live = try await reader.message()

        #expect(replayed.payload == Array("old".utf8) && replayed.isRetained)
        #expect(live.payload == Array("new".utf8) && !live.isRetained)
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `an empty message that is to be kept clears what was kept`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var writer = try await Probe.connected(options(version), to: broker)
        try await writer.publish("old", to: "a", isRetained: true)

        try await writer.publish("", to: "a", isRetained: true)

        var reader = try await Probe.connected(options(version), to: broker)
        try await reader.subscribe(to: "#")
        try await writer.publish("marker", to: "b")
        #expect(try await reader.text() == "marker")
    }

    @Test func `the properties of MQTT 5 travel with the message`() async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(.v5), to: broker)
        var writer = try await Probe.connected(options(.v5), to: broker)
        try await reader.subscribe(to: "a")
        let pairs = [("unit", "mV"), ("", ""), ("unit", "größe")]
        let properties = MessageProperties(
            expirySeconds: 3600, contentType: "application/json",
            userProperties: pairs.map { MessageProperties.UserProperty(name: $0.0, value: $0.1) })

        try await writer.publish([1], to: "a", properties: properties)
        let message = try await reader.message()

        var received = message.properties
        // The broker counts it down.
        let expiry = try #require(received.expirySeconds)
        #expect((3500...3600).contains(expiry))
        received.expirySeconds = 3600
        #expect(received == properties)
    }

    @Test func `properties that cannot be sent are refused`() async throws {
        let broker = try await Broker.start()
        let old = try await Probe.connected(options(.v311), to: broker)
        let new = try await Probe.connected(options(.v5), to: broker)
        let typed = MessageProperties(contentType: "text/plain")
        let broken = MessageProperties(userProperties: [.init(name: "a", value: "b\0")])

        #expect(throws: MQTTError.notSupported(feature: "properties of messages", .v311)) {
            try old.client.publish([], to: TopicName("a"), properties: typed)
        }
        #expect {
            try new.client.publish([], to: TopicName("a"), properties: broken)
        } throws: { error in
            "\(error)".hasPrefix(#"value of a user property is "b\u{0}", expected another text"#)
        }
    }

    @Test func `a payload beyond what MQTT can carry is refused`() async throws {
        let broker = try await Broker.start()
        let probe = try await Probe.connected(options(), to: broker)
        let byteCount = 268_435_456
        // Its bytes are never looked at, so they need not be there.
        let payload = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { $1 = byteCount }

        #expect(throws: MQTTError.payloadTooLarge(byteCount: byteCount)) {
            try probe.client.publish(payload, to: TopicName("a"))
        }
    }

    @Test func `a broker of MQTT 5 tells when nobody listens or the client may not publish`() async throws {
        var configuration = Broker.Configuration()
        configuration.accessControlList = ["topic readwrite open/#"]
        let broker = try await Broker.start(configuration)
        var probe = try await Probe.connected(options(.v5), to: broker)

        let unheard = try probe.client.publish([], to: TopicName("open/a"))
        #expect(try await probe.next() == .published(unheard, .noMatchingSubscribers))
        let forbidden = try probe.client.publish([], to: TopicName("secret/a"))
        #expect(try await probe.next() == .published(forbidden, .notAuthorized))
    }

    @Test func `no more messages are outstanding than the options allow`() async throws {
        let broker = try await Broker.start()
        var options = options()
        options.maximumOutstandingPublishes = 3
        var probe = try await Probe.connected(options, to: broker)
        let topic = try TopicName("a")

        broker.suspend()
        let identifiers = try (0..<3).map { _ in try probe.client.publish([], to: topic) }
        #expect(throws: MQTTError.tooManyOutstanding(limit: 3)) { try probe.client.publish([], to: topic) }

        broker.resume()
        for identifier in identifiers { #expect(try await probe.next() == .published(identifier, .success)) }
        try probe.client.publish([], to: topic)
    }

    private struct NotPublished: Error {}
}
