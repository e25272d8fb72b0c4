internal import CMosquitto

/// The result of a libmosquitto function; 0 is success.
///
/// Source: `enum mosq_err_t` in mosquitto.h of libmosquitto 2.0.11.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// libmosquitto's number.
    public let rawValue: Int32

    /// Creates a result code.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    init(_ code: mosq_err_t) {
        rawValue = Int32(code.rawValue)
    }

    static let success = ResultCode(MOSQ_ERR_SUCCESS)
    static let outOfMemory = ResultCode(MOSQ_ERR_NOMEM)
    static let protocolError = ResultCode(MOSQ_ERR_PROTOCOL)
    static let invalidArgument = ResultCode(MOSQ_ERR_INVAL)
    static let notConnected = ResultCode(MOSQ_ERR_NO_CONN)
    static let connectionLost = ResultCode(MOSQ_ERR_CONN_LOST)
    static let tls = ResultCode(MOSQ_ERR_TLS)
    static let payloadTooLarge = ResultCode(MOSQ_ERR_PAYLOAD_SIZE)
    static let systemError = ResultCode(MOSQ_ERR_ERRNO)
    static let nameLookupFailed = ResultCode(MOSQ_ERR_EAI)
    static let malformedText = ResultCode(MOSQ_ERR_MALFORMED_UTF8)
    static let keepAlive = ResultCode(MOSQ_ERR_KEEPALIVE)
    static let malformedPacket = ResultCode(MOSQ_ERR_MALFORMED_PACKET)
    static let duplicateProperty = ResultCode(MOSQ_ERR_DUPLICATE_PROPERTY)
    static let qualityOfServiceNotSupported = ResultCode(MOSQ_ERR_QOS_NOT_SUPPORTED)
    static let packetTooLarge = ResultCode(MOSQ_ERR_OVERSIZE_PACKET)
}

extension ResultCode: CustomStringConvertible {
    /// libmosquitto's message, without the full stop at its end.
    public var description: String {
        // 2.0.11 has no message for this number. The other messages are constants of the library.
        let words = self == .keepAlive ? "Keep alive exceeded" : unsafe String(cString: mosquitto_strerror(rawValue))
        return String(words.hasSuffix(".") ? words.dropLast() : words[...])
    }
}
