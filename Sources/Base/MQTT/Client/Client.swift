/// One life of a connection to an MQTT broker: one attempt to connect, and if it succeeds one connection until it ends.
///
/// A client connects once. It never reconnects: the code that owns it makes the next one, when and if that is right.
///
/// ```swift
/// var options = Client.Options()
/// options.clientIdentifier = "kitchen"
/// let client = try Client(options)
/// try client.connect(to: BrokerAddress(host: "localhost", port: 1883)) { event in
///     // Runs on the client's network thread.
/// }
/// ```
///
/// **Events.** Whatever happens, the handler learns of it: after `connect` has returned without an error there is
/// exactly one ``Event/ended(_:)``, and it is the last event. When it is delivered, the socket is closed already.
///
/// **Threads.** `connect` starts one thread, which owns the socket and calls the handler; the handler is never called
/// twice at a time. It may wait, for instance until a message is on disk: meanwhile nothing is read from or written to
/// the broker, so it should return well within the keep alive interval. It may call every method but ``close()``.
/// All methods may be called from any thread. After `ended` the thread lets go of the handler and of what it holds.
///
/// **Delivery.** A message of QoS 1 is acknowledged after the handler has returned from the next ``Event/pause``. If
/// it cannot be kept, call ``abort()`` from the handler: it is not acknowledged, nor is any other since the last pause,
/// and a persistent session gets them again. A message may arrive twice in any case. QoS 2 is acknowledged before, so
/// that a process which ends inside the handler loses it.
///
/// A name lookup cannot be interrupted: after a timeout or ``close()`` its thread ends by itself, when the system gives
/// up; it calls nothing.
///
/// As a side effect libmosquitto sets the process to ignore SIGPIPE.
/// Source: libmosquitto 2.0.11, mosquitto.h.
public final class Client: Sendable {
    private let core: SharedClientState

    /// Creates a client that has not connected yet.
    ///
    /// - Throws: ``MQTTError/invalidOption(name:value:expected:)`` and
    ///   ``MQTTError/notSupported(feature:_:)`` for options outside their range,
    ///   ``MQTTError/unreadableFile(path:_:)`` for certificates, and what a lack of memory or descriptors brings.
    public init(_ options: Options = Options()) throws(MQTTError) {
        core = try SharedClientState(options)
    }

    /// Ends the connection as ``close()`` does; inside the handler without waiting for it.
    deinit {
        core.end()
    }

    /// Starts to connect; the outcome arrives as an event.
    ///
    /// A client connects once in its life: a second call traps.
    /// - Parameters:
    ///   - broker: Where the broker listens. If the name has several addresses, they are tried in turn.
    ///   - handler: Called on the network thread for each event, see above. It must not block forever.
    /// - Throws: ``MQTTError/systemCall(function:_:)`` when there is no thread to be had; then no event comes.
    public func connect(
        to broker: BrokerAddress, handler: @escaping @Sendable (Event) -> Void
    ) throws(MQTTError) {
        try core.connect(to: broker, lookup: .system, handler: handler)
    }

    /// Publishes a message; the bytes are copied.
    ///
    /// The broker's answer arrives as ``Event/published(_:_:)``, perhaps before this call has returned. Nothing is sent
    /// again on another connection: what is not answered when the connection ends is the caller's to publish again.
    /// - Parameters:
    ///   - payload: The bytes; at most 268,435,455 of them.
    ///   - topic: The topic.
    ///   - qualityOfService: How hard to try.
    ///   - isRetained: Whether the broker keeps it for later subscribers; with an empty payload it forgets what it
    ///     kept.
    ///   - properties: What the message says of itself; MQTT 5.0 only.
    /// - Returns: The number under which the answer comes.
    /// - Throws: ``MQTTError/notConnected`` before and after the connection,
    ///   ``MQTTError/tooManyOutstanding(limit:)``, ``MQTTError/payloadTooLarge(byteCount:)``,
    ///   ``MQTTError/packetTooLarge(byteCount:)``, ``MQTTError/qualityOfServiceNotSupported(_:)``,
    ///   ``MQTTError/notSupported(feature:_:)`` for properties in MQTT 3.1.1, and
    ///   ``MQTTError/invalidOption(name:value:expected:)`` for a property that is no text of MQTT.
    @discardableResult
    public func publish(
        _ payload: [UInt8], to topic: TopicName, qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = false, properties: MessageProperties = MessageProperties()
    ) throws(MQTTError) -> PacketIdentifier {
        try core.publish(
            Publication(
                payload: payload, topic: topic, qualityOfService: qualityOfService, isRetained: isRetained,
                properties: properties))
    }

    /// Subscribes to filters, all with the same quality of service; the answer is ``Event/subscribed(_:_:)``.
    ///
    /// - Parameters:
    ///   - filters: At least one; none traps.
    ///   - qualityOfService: The highest one that messages shall come with.
    ///   - options: What else to ask for; MQTT 5.0 only.
    /// - Returns: The number under which the answer comes.
    /// - Throws: ``MQTTError/notConnected`` before and after the connection,
    ///   ``MQTTError/notSupported(feature:_:)`` for options in MQTT 3.1.1.
    @discardableResult
    public func subscribe(
        to filters: [TopicFilter], qualityOfService: QualityOfService = .atLeastOnce,
        options: SubscriptionOptions = SubscriptionOptions()
    ) throws(MQTTError) -> PacketIdentifier {
        precondition(!filters.isEmpty, "a subscribe packet needs at least one filter")
        return try core.subscribe(to: filters, qualityOfService: qualityOfService, options: options)
    }

    /// Ends subscriptions; the answer is ``Event/unsubscribed(_:)``, also for filters that were not subscribed to.
    ///
    /// - Parameter filters: At least one; none traps.
    /// - Returns: The number under which the answer comes.
    /// - Throws: ``MQTTError/notConnected`` before and after the connection.
    @discardableResult
    public func unsubscribe(from filters: [TopicFilter]) throws(MQTTError) -> PacketIdentifier {
        precondition(!filters.isEmpty, "an unsubscribe packet needs at least one filter")
        return try core.unsubscribe(from: filters)
    }

    /// Asks the network thread to say goodbye and end the connection; returns at once.
    ///
    /// What was published before is sent first, and the broker has heard the goodbye before the connection ends, as far
    /// as that can be within a second; acknowledgements are not waited for. The broker does not publish the will. An
    /// attempt to connect is given up. ``Event/ended(_:)`` follows; before it only what had been read already, for that
    /// is acknowledged.
    public func disconnect() {
        core.request(.disconnect)
    }

    /// Asks the network thread to end the connection without a goodbye; returns at once.
    ///
    /// Nothing more is sent, in particular no acknowledgement of the messages of QoS 1 since the last pause: a
    /// persistent session gets them again. The broker publishes the will. Only ``Event/ended(_:)`` follows.
    public func abort() {
        core.request(.abort)
    }

    /// Ends the connection as ``disconnect()`` does, and waits until the handler has returned from ``Event/ended(_:)``.
    ///
    /// Afterwards the handler is never called again, and the thread is gone. May be called more than once, and on a
    /// client that never connected. Traps inside the handler, which it would wait for.
    public func close() {
        core.close()
    }
}

extension Client {
    /// Connects with another lookup of names than the system's.
    func connect(
        to broker: BrokerAddress, lookup: NameLookup, handler: @escaping @Sendable (Event) -> Void
    ) throws(MQTTError) {
        try core.connect(to: broker, lookup: lookup, handler: handler)
    }
}
