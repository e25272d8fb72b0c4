import BrokerFixture
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(20))) struct SubscriptionTests {
    @Test(arguments: ProtocolVersion.allCases)
    func `each filter gets its own answer`(version: ProtocolVersion) async throws {
        var configuration = Broker.Configuration()
        configuration.subscribableTopics = ["open/#"]
        let broker = try await Broker.start(configuration)
        var probe = try await Probe.connected(options(version), to: broker)
        let filters = try ["secret/#", "open/a", "open/+"].map { try TopicFilter($0) }

        let identifier = try probe.client.subscribe(to: filters)

        let refusal = SubscriptionAnswer.Outcome.refused(version == .v5 ? .notAuthorized : .unspecifiedError)
        let outcomes = [refusal, .granted(.atLeastOnce), .granted(.atLeastOnce)]
        let answers = zip(filters, outcomes).map(SubscriptionAnswer.init)
        #expect(try await probe.next() == .subscribed(identifier, answers))
    }

    // A broker that gets its rights from an access control list says yes all the same.
    @Test func `what may not be read does not come`() async throws {
        var configuration = Broker.Configuration()
        configuration.accessControlList = ["topic readwrite open/#", "topic write secret/#"]
        let broker = try await Broker.start(configuration)
        var reader = try await Probe.connected(options(), to: broker)
        var writer = try await Probe.connected(options(), to: broker)
        try await reader.subscribe(to: "#")

        try await writer.publish("1", to: "secret/a")
        try await writer.publish("2", to: "open/a")

        #expect(try await reader.text() == "2")
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `a broker may grant less than was asked for`(version: ProtocolVersion) async throws {
        var configuration = Broker.Configuration()
        configuration.furtherLines = ["max_qos 1"]
        let broker = try await Broker.start(configuration)
        var probe = try await Probe.connected(options(version), to: broker)
        let filter = try TopicFilter("a")

        let identifier = try probe.client.subscribe(to: [filter], qualityOfService: .exactlyOnce)

        let answer = SubscriptionAnswer(filter: filter, outcome: .granted(.atLeastOnce))
        #expect(try await probe.next() == .subscribed(identifier, [answer]))
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `after unsubscribing nothing comes any more`(version: ProtocolVersion) async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(version), to: broker)
        var writer = try await Probe.connected(options(version), to: broker)
        try await reader.subscribe(to: "a")
        try await reader.subscribe(to: "b")

        let identifier = try reader.client.unsubscribe(from: [TopicFilter("a"), TopicFilter("never/subscribed")])
        #expect(try await reader.next() == .unsubscribed(identifier))

        try await writer.publish("1", to: "a")
        try await writer.publish("2", to: "b")
        #expect(try await reader.text() == "2")
    }

    @Test func `MQTT 3 has no options for subscriptions`() async throws {
        let broker = try await Broker.start()
        let probe = try await Probe.connected(options(.v311), to: broker)

        #expect(throws: MQTTError.notSupported(feature: "subscription options", .v311)) {
            try probe.client.subscribe(to: [TopicFilter("a")], options: .init(isWithoutOwnMessages: true))
        }
    }

    @Test func `a client can keep its own messages away`() async throws {
        let broker = try await Broker.start()
        var probe = try await Probe.connected(options(.v5), to: broker)
        var other = try await Probe.connected(options(.v5), to: broker)
        try await probe.subscribe(to: "a", options: .init(isWithoutOwnMessages: true))

        try await probe.publish("own", to: "a")
        try await other.publish("other", to: "a")

        #expect(try await probe.text() == "other")
    }

    @Test func `a client can ask which messages are kept`() async throws {
        let broker = try await Broker.start()
        var reader = try await Probe.connected(options(.v5), to: broker)
        var writer = try await Probe.connected(options(.v5), to: broker)
        try await reader.subscribe(to: "a", options: .init(keepsRetainFlag: true))

        try await writer.publish("kept", to: "a", isRetained: true)
        try await writer.publish("passing", to: "a")

        #expect(try await reader.message().isRetained)
        #expect(try await !reader.message().isRetained)
    }

    @Test(arguments: [
        (SubscriptionOptions.Replay.always, [true, true]), (.forNewSubscription, [true, false]),
        (.never, [false, false]),
    ])
    func `a client can say when kept messages are replayed`(
        replay: SubscriptionOptions.Replay, isReplayed: [Bool]
    ) async throws {
        let broker = try await Broker.start()
        var writer = try await Probe.connected(options(.v5), to: broker)
        try await writer.publish("kept", to: "a", isRetained: true)
        var reader = try await Probe.connected(options(.v5), to: broker)

        for isReplayed in isReplayed {
            try await reader.subscribe(to: "a", options: .init(replay: replay))
            try await writer.publish("marker", to: "a")

            if isReplayed { #expect(try await reader.text() == "kept") }
            #expect(try await reader.text() == "marker")
        }
    }
}
