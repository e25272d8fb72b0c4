internal import CMosquitto

/// A list of MQTT 5.0 properties that is being built; it owns memory of libmosquitto.
@safe
struct PropertyList: ~Copyable {
    private var first: OpaquePointer?

    init() {}

    deinit {
        var first = unsafe first
        unsafe mosquitto_property_free_all(&first)
    }

    /// Lets libmosquitto read the list; nil for an empty list.
    func withPointer<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        unsafe body(first)
    }

    /// Passes the ownership of the list to libmosquitto, if the call succeeds.
    ///
    /// - Parameter body: Returns libmosquitto's result; after success libmosquitto frees the list.
    /// - Returns: That result.
    mutating func handOver(_ body: (OpaquePointer?) -> Int32) -> Int32 {
        let result = unsafe body(first)
        if result == 0 { unsafe first = nil }
        return result
    }

    mutating func add(_ property: mqtt5_property, _ value: UInt32) throws(MQTTError) {
        let result = unsafe mosquitto_property_add_int32(&first, Int32(property.rawValue), value)
        try check("mosquitto_property_add_int32", result)
    }

    mutating func add(_ property: mqtt5_property, _ text: String, named name: String) throws(MQTTError) {
        try Self.require(text, named: name)
        let result = unsafe mosquitto_property_add_string(&first, Int32(property.rawValue), text)
        try check("mosquitto_property_add_string", result)
    }

    mutating func add(_ pair: MessageProperties.UserProperty) throws(MQTTError) {
        try Self.require(pair.name, named: "name of a user property")
        try Self.require(pair.value, named: "value of a user property")
        let result = unsafe mosquitto_property_add_string_pair(
            &first, Int32(MQTT_PROP_USER_PROPERTY.rawValue), pair.name, pair.value)
        try check("mosquitto_property_add_string_pair", result)
    }

    private static func require(_ text: String, named name: String) throws(MQTTError) {
        if let fault = TextValidation.fault(of: text) {
            throw .invalidOption(name: name, value: text.asShown, expected: "another text: \(fault)")
        }
    }
}

extension PropertyList {
    /// Adds the properties of a message.
    init(_ properties: MessageProperties) throws(MQTTError) {
        self.init()
        if let seconds = properties.expirySeconds { try add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, seconds) }
        if let type = properties.contentType { try add(MQTT_PROP_CONTENT_TYPE, type, named: "contentType") }
        for pair in properties.userProperties { try add(pair) }
    }
}
