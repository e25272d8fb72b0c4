internal import CMosquitto
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Owns a `struct mosquitto`; releasing it closes the socket.
///
/// `publish`, `subscribe` and `unsubscribe` may be called from any thread while the network thread works: in threaded
/// mode they append to queues that libmosquitto locks. Everything else belongs to one thread at a time: first the one
/// that creates the client, then its network thread.
// Unchecked, because the pointer is raw. The pointer never changes, libmosquitto locks what the threads share (see
// above), and the last owner of this object frees it, so no call can be in progress then.
@safe
final class Handle: @unchecked Sendable {
    /// libmosquitto's client; code that passes it on must keep this object alive meanwhile.
    let pointer: OpaquePointer
    private let protocolVersion: ProtocolVersion
    /// Whether OpenSSL must compare the broker's certificate with the host.
    private let comparesHost: Bool

    /// libmosquitto counts its initialisations without a lock, so this happens only once.
    private static let setUpResult = mosquitto_lib_init()

    init(_ options: Client.Options) throws(MQTTError) {
        try check("mosquitto_lib_init", Self.setUpResult)
        let isClean = options.session == .clean
        guard let pointer = unsafe Self.make(options.clientIdentifier, isClean) else {
            throw .systemCall(function: "mosquitto_new", .last)
        }
        unsafe self.pointer = pointer
        protocolVersion = options.protocolVersion
        comparesHost = options.tls?.verification == .full
        try configure(options)
    }

    deinit {
        unsafe mosquitto_destroy(pointer)
    }

    private static func make(_ identifier: String?, _ isClean: Bool) -> OpaquePointer? {
        guard let identifier else { return unsafe mosquitto_new(nil, isClean, nil) }
        return unsafe mosquitto_new(identifier, isClean, nil)
    }
}

// MARK: - Functions for any thread

extension Handle {
    func publish(_ publication: Publication) throws(MQTTError) -> PacketIdentifier {
        let byteCount = publication.payload.count
        guard byteCount <= Int(MQTT_MAX_PAYLOAD) else { throw .payloadTooLarge(byteCount: byteCount) }
        if protocolVersion == .v311, !publication.properties.isEmpty {
            throw .notSupported(feature: "properties of messages", protocolVersion)
        }
        var identifier: Int32 = 0
        let properties = try PropertyList(publication.properties)
        let result = unsafe properties.withPointer { properties in
            unsafe publication.payload.withUnsafeBytes { payload in
                unsafe mosquitto_publish_v5(
                    pointer, &identifier, publication.topic.text, Int32(payload.count), payload.baseAddress,
                    Int32(publication.qualityOfService.rawValue), publication.isRetained, properties)
            }
        }
        switch ResultCode(rawValue: result) {
        case .payloadTooLarge: throw .payloadTooLarge(byteCount: byteCount)
        case .packetTooLarge: throw .packetTooLarge(byteCount: byteCount)
        case .qualityOfServiceNotSupported: throw .qualityOfServiceNotSupported(publication.qualityOfService)
        default: return try Self.identifier(identifier, from: "mosquitto_publish_v5", result)
        }
    }

    func subscribe(
        to filters: [TopicFilter], qualityOfService: QualityOfService, options: SubscriptionOptions
    ) throws(MQTTError) -> PacketIdentifier {
        if protocolVersion == .v311, options != SubscriptionOptions() {
            throw .notSupported(feature: "subscription options", protocolVersion)
        }
        var identifier: Int32 = 0
        let result = unsafe withCStrings(filters.map(\.text)) { texts in
            unsafe mosquitto_subscribe_multiple(
                pointer, &identifier, Int32(texts.count), texts.baseAddress, Int32(qualityOfService.rawValue),
                options.bits, nil)
        }
        return try Self.identifier(identifier, from: "mosquitto_subscribe_multiple", result)
    }

    func unsubscribe(from filters: [TopicFilter]) throws(MQTTError) -> PacketIdentifier {
        var identifier: Int32 = 0
        let result = unsafe withCStrings(filters.map(\.text)) { texts in
            unsafe mosquitto_unsubscribe_multiple(pointer, &identifier, Int32(texts.count), texts.baseAddress, nil)
        }
        return try Self.identifier(identifier, from: "mosquitto_unsubscribe_multiple", result)
    }

    private static func identifier(
        _ number: Int32, from function: StaticString, _ result: Int32
    ) throws(MQTTError) -> PacketIdentifier {
        try check(function, result)
        guard let identifier = PacketIdentifier(number) else {
            preconditionFailure("\(function) succeeded without a packet identifier (\(number))")
        }
        return identifier
    }
}

// MARK: - Functions for the network thread

extension Handle {
    /// The descriptor of the socket; nil before it is opened and after it is closed.
    var socket: Int32? {
        let descriptor = unsafe mosquitto_socket(pointer)
        return descriptor < 0 ? nil : descriptor
    }

    /// Whether data wait to be sent.
    var wantsToWrite: Bool { unsafe mosquitto_want_write(pointer) }

    /// Starts to connect to the first address of the host, in the family of the local address if one is given.
    ///
    /// - Returns: The result; ``ResultCode/tls`` if the certificate could not be compared with the host as demanded.
    func connect(host: String, port: Int, keepAliveSeconds: UInt16, localAddress: String?) -> ResultCode {
        let keepAlive = Int32(keepAliveSeconds)
        let result =
            if let localAddress {
                unsafe mosquitto_connect_bind_async(pointer, host, Int32(port), keepAlive, localAddress)
            } else {
                unsafe mosquitto_connect_async(pointer, host, Int32(port), keepAlive)
            }
        if comparesHost, result == 0, !compareCertificate(with: host) { return .tls }
        return ResultCode(rawValue: result)
    }

    /// Handles the data that have arrived: calls the callback for each packet, and queues the answers.
    ///
    /// - Returns: The result, and whether everything was read.
    func read() -> (result: ResultCode, isDrained: Bool) {
        errno = 0
        let result = ResultCode(rawValue: unsafe mosquitto_loop_read(pointer, 1))
        return (result, errno == EAGAIN)
    }

    /// Sends queued data, as far as the socket accepts them.
    func write() -> ResultCode {
        errno = 0
        return ResultCode(rawValue: unsafe mosquitto_loop_write(pointer, 1))
    }

    /// Handles the keep alive.
    func tick() -> ResultCode { ResultCode(rawValue: unsafe mosquitto_loop_misc(pointer)) }

    /// Queues DISCONNECT; when it is written, the socket is closed.
    func disconnect() -> ResultCode { ResultCode(rawValue: unsafe mosquitto_disconnect(pointer)) }
}
