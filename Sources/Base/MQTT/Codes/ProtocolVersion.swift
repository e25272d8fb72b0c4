internal import CMosquitto

/// A version of MQTT.
public enum ProtocolVersion: String, CaseIterable, Sendable {
    /// MQTT 3.1.1, the most widespread one.
    case v311 = "3.1.1"
    /// MQTT 5.0: with reason codes, properties and session expiry.
    case v5 = "5"

    /// libmosquitto's number for the version.
    var number: Int32 {
        switch self {
        case .v311: MQTT_PROTOCOL_V311
        case .v5: MQTT_PROTOCOL_V5
        }
    }
}

extension ProtocolVersion: CustomStringConvertible {
    /// The name and number, such as `MQTT 3.1.1`.
    public var description: String { "MQTT \(rawValue)" }
}
