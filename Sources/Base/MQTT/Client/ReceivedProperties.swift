internal import CMosquitto

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The properties of a packet, which libmosquitto provides during a callback.
// The pointer is valid only during the callback; the value must not be kept longer.
@safe
struct ReceivedProperties {
    private let first: OpaquePointer?

    /// Wraps a list; nil for a packet without properties.
    init(borrowing first: OpaquePointer?) {
        unsafe self.first = first
    }

    func byte(_ property: mqtt5_property) -> UInt8? {
        var value: UInt8 = 0
        let found = unsafe mosquitto_property_read_byte(first, Int32(property.rawValue), &value, false)
        return unsafe found == nil ? nil : value
    }

    func number16(_ property: mqtt5_property) -> UInt16? {
        var value: UInt16 = 0
        let found = unsafe mosquitto_property_read_int16(first, Int32(property.rawValue), &value, false)
        return unsafe found == nil ? nil : value
    }

    func number32(_ property: mqtt5_property) -> UInt32? {
        var value: UInt32 = 0
        let found = unsafe mosquitto_property_read_int32(first, Int32(property.rawValue), &value, false)
        return unsafe found == nil ? nil : value
    }

    func text(_ property: mqtt5_property) -> String? {
        var copy: UnsafeMutablePointer<CChar>?
        guard unsafe mosquitto_property_read_string(first, Int32(property.rawValue), &copy, false) != nil else {
            return nil
        }
        return unsafe Self.take(copy)
    }

    /// The pairs in their order.
    var userProperties: [MessageProperties.UserProperty] {
        var pairs: [MessageProperties.UserProperty] = []
        var position = unsafe first
        // The first read includes the first property; later reads begin after the last pair found.
        var isLater = false
        while true {
            var name: UnsafeMutablePointer<CChar>?
            var value: UnsafeMutablePointer<CChar>?
            unsafe position = mosquitto_property_read_string_pair(
                position, Int32(MQTT_PROP_USER_PROPERTY.rawValue), &name, &value, isLater)
            guard unsafe position != nil, let name = unsafe Self.take(name), let value = unsafe Self.take(value) else {
                return pairs
            }
            pairs.append(MessageProperties.UserProperty(name: name, value: value))
            isLater = true
        }
    }

    /// The properties of a message.
    var ofMessage: MessageProperties {
        guard unsafe first != nil else { return MessageProperties() }
        return MessageProperties(
            expirySeconds: number32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL), contentType: text(MQTT_PROP_CONTENT_TYPE),
            userProperties: userProperties)
    }

    /// The properties of an accepted connection.
    func acknowledgement(isSessionPresent: Bool) -> Client.ConnectAcknowledgement {
        var acknowledgement = Client.ConnectAcknowledgement(isSessionPresent: isSessionPresent)
        acknowledgement.assignedClientIdentifier = text(MQTT_PROP_ASSIGNED_CLIENT_IDENTIFIER)
        acknowledgement.serverKeepAliveSeconds = number16(MQTT_PROP_SERVER_KEEP_ALIVE)
        acknowledgement.sessionExpirySeconds = number32(MQTT_PROP_SESSION_EXPIRY_INTERVAL)
        acknowledgement.maximumQualityOfService = byte(MQTT_PROP_MAXIMUM_QOS).flatMap(QualityOfService.init)
        acknowledgement.isRetainAvailable = byte(MQTT_PROP_RETAIN_AVAILABLE).map { $0 != 0 }
        acknowledgement.maximumPacketByteCount = number32(MQTT_PROP_MAXIMUM_PACKET_SIZE)
        acknowledgement.receiveMaximum = number16(MQTT_PROP_RECEIVE_MAXIMUM)
        return acknowledgement
    }

    /// Copies a text that libmosquitto allocated for the caller, and frees it.
    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text = unsafe text else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
