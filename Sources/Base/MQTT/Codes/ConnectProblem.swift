/// The broker's refusal of a connect packet.
///
/// ``reason`` is the same for both versions of MQTT, so `ReasonCode.notAuthorized ~= refusal` works for both;
/// ``number`` is the number in the packet. Source: MQTT 3.1.1, section 3.2.2.3, and MQTT 5.0, section 3.2.2.2.
public struct ConnectProblem: Hashable, Sendable {
    /// The version of MQTT of the connect packet.
    public let protocolVersion: ProtocolVersion
    /// The number in the packet: 1…5 in MQTT 3.1.1, 0x80… in MQTT 5.0.
    public let number: UInt8
    /// The broker's text; only some brokers of MQTT 5.0 send one.
    public let words: String?

    /// Creates a refusal.
    public init(protocolVersion: ProtocolVersion, number: UInt8, words: String? = nil) {
        self.protocolVersion = protocolVersion
        self.number = number
        self.words = words
    }

    /// The reason, translated to MQTT 5.0 if the broker answered in MQTT 3.1.1.
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

    /// Whether the refusal has this reason.
    public static func ~= (reason: ReasonCode, refusal: ConnectProblem) -> Bool { refusal.reason == reason }
}

extension ConnectProblem: CustomStringConvertible {
    /// The reason, the number in the packet, and the broker's text if it sent one.
    public var description: String {
        let text =
            switch protocolVersion {
            case .v311: "\(reason), CONNACK \(number) of \(protocolVersion)"
            case .v5: "\(reason)"
            }
        return words.map { "\(text): \($0)" } ?? text
    }
}
