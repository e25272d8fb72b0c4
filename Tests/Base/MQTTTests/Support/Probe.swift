import BrokerFixture
import Testing

@testable import MQTT

/// A client whose events the test claims one by one.
struct Probe {
    let client: Client
    private var events: AsyncStream<Client.Event>.Iterator
    private let continuation: AsyncStream<Client.Event>.Continuation
    /// Who is at the other end, so that it stays there.
    private let peer: (any AnyObject & Sendable)?

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - options: The client's options.
    ///   - address: Where to connect to.
    ///   - peer: Who listens there.
    ///   - lookup: How to find the address.
    ///   - reacting: Called by the handler, before the test gets the event.
    /// - Throws: What making the client or its thread throws.
    init(
        _ options: Client.Options, to address: BrokerAddress, of peer: (any AnyObject & Sendable)? = nil,
        lookup: NameLookup = .system, reacting: @escaping @Sendable (Client, Client.Event) -> Void = { _, _ in }
    ) throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Client.Event.self)
        events = stream.makeAsyncIterator()
        self.continuation = continuation
        self.peer = peer
        let client = try Client(options)
        self.client = client
        try client.connect(to: address, lookup: lookup) { [weak client] event in
            if let client { reacting(client, event) }
            continuation.yield(event)
        }
    }

    /// Starts to connect to a broker.
    init(
        _ options: Client.Options, to broker: Broker,
        reacting: @escaping @Sendable (Client, Client.Event) -> Void = { _, _ in }
    ) throws {
        try self.init(
            options, to: BrokerAddress(host: broker.host, port: broker.port), of: broker, reacting: reacting)
    }

    /// Starts to connect to a broker that the test plays.
    init(_ options: Client.Options, to listener: ScriptedListener) throws {
        try self.init(options, to: BrokerAddress(host: listener.host, port: listener.port), of: listener)
    }

    /// Connects to an address at which a broker accepts it.
    static func connected(_ options: Client.Options, to address: BrokerAddress) async throws -> Probe {
        var probe = try Probe(options, to: address)
        _ = try await probe.acknowledgement()
        return probe
    }

    /// Connects to a broker that accepts it.
    static func connected(_ options: Client.Options, to broker: Broker) async throws -> Probe {
        var probe = try Probe(options, to: broker)
        _ = try await probe.acknowledgement()
        return probe
    }

    struct Unexpected: Error {
        let event: Client.Event
    }
}

// MARK: - Claiming

extension Probe {
    /// The next event.
    mutating func next() async throws -> Client.Event {
        let event = await events.next(isolation: #isolation)
        return try #require(event, "the test was cancelled before there was another event")
    }

    /// The next event, which must be that the broker accepted the connection.
    mutating func acknowledgement() async throws -> Client.ConnectAcknowledgement {
        let event = try await next()
        guard case .connected(let acknowledgement) = event else { throw Unexpected(event: event) }
        return acknowledgement
    }

    /// The next event, which must be a message.
    mutating func message() async throws -> Message {
        let event = try await next()
        guard case .message(let message) = event else { throw Unexpected(event: event) }
        return message
    }

    /// The text of the next event, which must be a message.
    mutating func text() async throws -> String { String(decoding: try await message().payload, as: UTF8.self) }

    /// The next event, which must be the end; nothing may follow until the client's thread is gone.
    mutating func end() async throws -> Client.EndReason {
        let event = try await next()
        guard case .ended(let reason) = event else { throw Unexpected(event: event) }
        try await onThreadOfItsOwn { [client] in client.close() }
        continuation.finish()
        let further = await events.next(isolation: #isolation)
        #expect(further == nil)
        return reason
    }
}

// MARK: - Doing

extension Probe {
    /// Subscribes, and waits until the broker has granted it.
    mutating func subscribe(
        to filter: String, _ quality: QualityOfService = .exactlyOnce, options: SubscriptionOptions = .init()
    ) async throws {
        let filter = try TopicFilter(filter)
        let identifier = try client.subscribe(to: [filter], qualityOfService: quality, options: options)
        let answer = SubscriptionAnswer(filter: filter, outcome: .granted(quality))
        let event = try await next()
        guard event == .subscribed(identifier, [answer]) else { throw Unexpected(event: event) }
    }

    /// Publishes, and waits until the broker has taken it.
    mutating func publish(
        _ payload: [UInt8], to topic: String, _ quality: QualityOfService = .atLeastOnce, isRetained: Bool = false,
        properties: MessageProperties = .init()
    ) async throws {
        let identifier = try client.publish(
            payload, to: TopicName(topic), qualityOfService: quality, isRetained: isRetained, properties: properties)
        let event = try await next()
        guard case .published(identifier, let reason) = event, !reason.isFailure else { throw Unexpected(event: event) }
    }

    /// Publishes a text, and waits until the broker has taken it.
    mutating func publish(
        _ text: String, to topic: String, _ quality: QualityOfService = .atLeastOnce, isRetained: Bool = false
    ) async throws {
        try await publish(Array(text.utf8), to: topic, quality, isRetained: isRetained)
    }

    /// Says goodbye, and waits for the end.
    mutating func disconnect() async throws {
        client.disconnect()
        #expect(try await end() == .closed)
    }
}

/// The options of a client for a test.
func options(
    _ version: ProtocolVersion = .v311, as identifier: String? = nil, session: Client.Options.Session = .clean
) -> Client.Options {
    var options = Client.Options()
    // How fast this machine is must not decide a test; those about this time set their own.
    options.connectTimeout = .seconds(3600)
    options.keepAliveSeconds = 3600
    options.protocolVersion = version
    options.clientIdentifier = identifier
    options.session = session
    return options
}

extension Client.Options.Session {
    /// Longer than any test.
    static let lasting = Self.persistent(expirySeconds: 3600)
}
