/// The broker's "no" to a connect packet.
///
/// ``reason`` is the same for both versions of MQTT, so that `ReasonCode.notAuthorized ~= refusal` answers for both;
/// ``number`` is what stood in the packet.
/// Source: MQTT 3.1.1, section 3.2.2.3, and MQTT 5.0, section 3.2.2.2.
public struct ConnectRefusal: Hashable, Sendable {
    /// The version of MQTT in which the broker was asked.
    public let protocolVersion: ProtocolVersion
    /// The number in the packet: 1…5 in MQTT 3.1.1, 0x80… in MQTT 5.0.
    public let number: UInt8
    /// The broker's own words; only some brokers of MQTT 5.0 give any.
    public let words: String?

    /// Creates a refusal.
    public init(protocolVersion: ProtocolVersion, number: UInt8, words: String? = nil) {
        self.protocolVersion = protocolVersion
        self.number = number
        self.words = words
    }

    /// The reason, translated to MQTT 5.0 where the broker spoke MQTT 3.1.1.
    public var reason: ReasonCode {
        guard protocolVersion == .v311 else { return ReasonCode(rawValue: number) }
        return switch number {
        case 1: .unsupportedProtocolVersion
        case 2: .clientIdentifierNotValid
        case 3: .serverUnavailable
        case 4: .badUserNameOrPassword
        case 5: .notAuthorized
        default: .unspecifiedError
        }
    }

    /// Whether the same connect packet is refused until someone changes the client's or the broker's configuration.
    public var isPermanent: Bool { reason.isPermanentRefusal }

    /// Whether the refusal is for that reason.
    public static func ~= (reason: ReasonCode, refusal: ConnectRefusal) -> Bool { refusal.reason == reason }
}

extension ConnectRefusal: CustomStringConvertible {
    /// The reason, the number in the packet, and the broker's own words where it gave any.
    public var description: String {
        let text =
            switch protocolVersion {
            case .v311: "\(reason), CONNACK \(number) of \(protocolVersion)"
            case .v5: "\(reason)"
            }
        return words.map { "\(text): \($0)" } ?? text
    }
}
