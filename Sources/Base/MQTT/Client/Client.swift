/// A single connection to an MQTT broker: one attempt to connect, and if it succeeds one connection until it ends.
///
/// A client connects once. It never reconnects: its owner creates the next client when necessary.
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
/// **Events.** After `connect` has returned without an error there is exactly one ``Event/ended(_:)``, and it is the
/// last event. The socket is already closed when it is delivered.
///
/// **Threads.** `connect` starts one thread, which owns the socket and calls the handler, one call at a time. The
/// handler may block, for instance until a message is on disk. Meanwhile nothing is read from or written to the
/// broker, so it should return well within the keep alive interval. It may call every method except ``close()``. All
/// methods may be called from any thread. After `ended` the thread releases the handler and everything that the
/// handler holds.
///
/// **Delivery.** A message of QoS 1 is acknowledged after the handler has returned from the next ``Event/pause``. If
/// it cannot be stored, call ``abort()`` from the handler: no message since the last pause is then acknowledged, and
/// a persistent session gets them again. A message may always arrive twice. QoS 2 is acknowledged before the handler
/// is called, so a process that ends inside the handler loses the message.
///
/// A name lookup cannot be interrupted. After a timeout or ``close()`` its thread ends by itself when the system
/// gives up; it calls nothing.
///
/// As a side effect, libmosquitto makes the process ignore SIGPIPE. Source: libmosquitto 2.0.11, mosquitto.h.
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

    /// Ends the connection as ``close()`` does; inside the handler it does not wait.
    deinit {
        core.end()
    }

    /// Starts to connect; the result arrives as an event.
    ///
    /// A client connects only once: a second call traps.
    ///
    /// - Parameters:
    ///   - broker: The broker's address. If the name has several addresses, they are tried in turn.
    ///   - handler: Called on the network thread for each event, see above. It must not block without limit.
    /// - Throws: ``MQTTError/systemCall(function:_:)`` when no thread can be created; no event follows then.
    public func connect(
        to broker: BrokerAddress, handler: @escaping @Sendable (Event) -> Void
    ) throws(MQTTError) {
        try core.connect(to: broker, lookup: .system, handler: handler)
    }

    /// Publishes a message; the bytes are copied.
    ///
    /// The broker's answer arrives as ``Event/published(_:_:)``, perhaps before this call has returned. Nothing is
    /// sent again on another connection: the caller has to publish unanswered messages again.
    ///
    /// - Parameters:
    ///   - payload: The bytes; at most 268,435,455 of them.
    ///   - topic: The topic.
    ///   - qualityOfService: The quality of service.
    ///   - isRetained: Whether the broker keeps it for later subscribers; with an empty payload it deletes the kept
    ///     message.
    ///   - properties: The properties of the message; MQTT 5.0 only.
    /// - Returns: The identifier with which the answer arrives.
    /// - Throws: ``MQTTError/notConnected`` before and after the connection,
    ///   ``MQTTError/tooManyOutstanding(limit:)``, ``MQTTError/payloadTooLarge(byteCount:)``,
    ///   ``MQTTError/packetTooLarge(byteCount:)``, ``MQTTError/qualityOfServiceNotSupported(_:)``,
    ///   ``MQTTError/notSupported(feature:_:)`` for properties in MQTT 3.1.1, and
    ///   ``MQTTError/invalidOption(name:value:expected:)`` for a property that is not a valid text of MQTT.
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
    ///   - filters: At least one; an empty list traps.
    ///   - qualityOfService: The highest quality of service for messages.
    ///   - options: Further options; MQTT 5.0 only.
    /// - Returns: The identifier with which the answer arrives.
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
    /// - Parameter filters: At least one; an empty list traps.
    /// - Returns: The identifier with which the answer arrives.
    /// - Throws: ``MQTTError/notConnected`` before and after the connection.
    @discardableResult
    public func unsubscribe(from filters: [TopicFilter]) throws(MQTTError) -> PacketIdentifier {
        precondition(!filters.isEmpty, "an unsubscribe packet needs at least one filter")
        return try core.unsubscribe(from: filters)
    }

    /// Requests a normal end of the connection with DISCONNECT; returns at once.
    ///
    /// Earlier publishes are sent first, and the broker has read DISCONNECT before the connection ends, as far as
    /// that is possible within a second; acknowledgements are not awaited. The broker does not publish the will. An
    /// attempt to connect is abandoned. ``Event/ended(_:)`` follows; before it only messages that were already read,
    /// because those are acknowledged.
    public func disconnect() {
        core.request(.disconnect)
    }

    /// Requests the end of the connection without DISCONNECT; returns at once.
    ///
    /// Nothing more is sent, in particular no acknowledgement of the messages of QoS 1 since the last pause, so a
    /// persistent session gets them again. The broker publishes the will. Only ``Event/ended(_:)`` follows.
    public func abort() {
        core.request(.abort)
    }

    /// Ends the connection as ``disconnect()`` does, and waits until the handler has returned from ``Event/ended(_:)``.
    ///
    /// Afterwards the handler is never called again, and the thread has ended. May be called more than once, and on a
    /// client that never connected. Traps inside the handler, because it would wait for itself.
    public func close() {
        core.close()
    }
}

extension Client {
    /// Connects with a name lookup other than the system's.
    func connect(
        to broker: BrokerAddress, lookup: NameLookup, handler: @escaping @Sendable (Event) -> Void
    ) throws(MQTTError) {
        try core.connect(to: broker, lookup: lookup, handler: handler)
    }
}
