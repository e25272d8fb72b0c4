/// A reason code of MQTT 5.0, by which a broker explains its answer; numbers from 0x80 on are failures.
///
/// The answers of MQTT 3.1.1 are translated to it, see ``ConnectProblem`` and ``SubscriptionAnswer``. A number
/// without a name here is a valid value. Source: MQTT 5.0, section 2.4 "Reason Code".
public struct ReasonCode: RawRepresentable, Hashable, Sendable {
    /// The number in the packet.
    public let rawValue: UInt8

    /// Creates a reason code.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Whether it is a failure.
    public var isFailure: Bool { rawValue >= 0x80 }

    /// Whether the same request gets the same answer until someone changes the client's or the broker's configuration.
    public var isPermanentRefusal: Bool { Self.permanentRefusals.contains(self) }

    private static let permanentRefusals: Set<ReasonCode> = [
        .malformedPacket, .protocolError, .unsupportedProtocolVersion, .clientIdentifierNotValid,
        .badUserNameOrPassword, .notAuthorized, .banned, .badAuthenticationMethod, .topicFilterInvalid,
        .topicNameInvalid, .packetTooLarge, .payloadFormatInvalid, .retainNotSupported, .qualityOfServiceNotSupported,
        .serverMoved, .sharedSubscriptionsNotSupported, .subscriptionIdentifiersNotSupported,
        .wildcardSubscriptionsNotSupported,
    ]
}

extension ReasonCode {
    /// Success, or a normal end.
    public static let success = ReasonCode(rawValue: 0x00)
    /// The message was accepted, but nobody subscribes to its topic.
    public static let noMatchingSubscribers = ReasonCode(rawValue: 0x10)
    /// There was no such subscription to end.
    public static let noSubscriptionExisted = ReasonCode(rawValue: 0x11)
    /// The broker gives no reason.
    public static let unspecifiedError = ReasonCode(rawValue: 0x80)
    /// The broker could not read the packet.
    public static let malformedPacket = ReasonCode(rawValue: 0x81)
    /// The packet violates the protocol.
    public static let protocolError = ReasonCode(rawValue: 0x82)
    /// The broker refuses for an implementation-specific reason.
    public static let implementationSpecificError = ReasonCode(rawValue: 0x83)
    /// The broker does not support this version of MQTT.
    public static let unsupportedProtocolVersion = ReasonCode(rawValue: 0x84)
    /// The broker does not allow this client identifier.
    public static let clientIdentifierNotValid = ReasonCode(rawValue: 0x85)
    /// The broker does not know the user, or the password is wrong.
    public static let badUserNameOrPassword = ReasonCode(rawValue: 0x86)
    /// The client may not do this.
    public static let notAuthorized = ReasonCode(rawValue: 0x87)
    /// The broker is not available for service.
    public static let serverUnavailable = ReasonCode(rawValue: 0x88)
    /// The broker is overloaded; try later.
    public static let serverBusy = ReasonCode(rawValue: 0x89)
    /// The client is banned.
    public static let banned = ReasonCode(rawValue: 0x8A)
    /// The broker is shutting down.
    public static let serverShuttingDown = ReasonCode(rawValue: 0x8B)
    /// The authentication method does not match.
    public static let badAuthenticationMethod = ReasonCode(rawValue: 0x8C)
    /// The broker received nothing for one and a half keep alive intervals.
    public static let keepAliveTimeout = ReasonCode(rawValue: 0x8D)
    /// Another client has connected with the same client identifier.
    public static let sessionTakenOver = ReasonCode(rawValue: 0x8E)
    /// The broker does not accept the topic filter.
    public static let topicFilterInvalid = ReasonCode(rawValue: 0x8F)
    /// The broker does not accept the topic name.
    public static let topicNameInvalid = ReasonCode(rawValue: 0x90)
    /// The packet identifier is in use.
    public static let packetIdentifierInUse = ReasonCode(rawValue: 0x91)
    /// The packet identifier is not known.
    public static let packetIdentifierNotFound = ReasonCode(rawValue: 0x92)
    /// More messages were on their way than the receive maximum allows.
    public static let receiveMaximumExceeded = ReasonCode(rawValue: 0x93)
    /// The topic alias is not valid.
    public static let topicAliasInvalid = ReasonCode(rawValue: 0x94)
    /// The packet is larger than the other end accepts.
    public static let packetTooLarge = ReasonCode(rawValue: 0x95)
    /// The client sends too fast.
    public static let messageRateTooHigh = ReasonCode(rawValue: 0x96)
    /// A quota of the broker is used up.
    public static let quotaExceeded = ReasonCode(rawValue: 0x97)
    /// An administrator of the broker ended it.
    public static let administrativeAction = ReasonCode(rawValue: 0x98)
    /// The payload does not have the announced format.
    public static let payloadFormatInvalid = ReasonCode(rawValue: 0x99)
    /// The broker does not support retained messages.
    public static let retainNotSupported = ReasonCode(rawValue: 0x9A)
    /// The broker does not support this quality of service.
    public static let qualityOfServiceNotSupported = ReasonCode(rawValue: 0x9B)
    /// Another broker serves the client temporarily.
    public static let useAnotherServer = ReasonCode(rawValue: 0x9C)
    /// Another broker serves the client from now on.
    public static let serverMoved = ReasonCode(rawValue: 0x9D)
    /// The broker does not support shared subscriptions.
    public static let sharedSubscriptionsNotSupported = ReasonCode(rawValue: 0x9E)
    /// The client connects too often.
    public static let connectionRateExceeded = ReasonCode(rawValue: 0x9F)
    /// The connection has reached its time limit.
    public static let maximumConnectTime = ReasonCode(rawValue: 0xA0)
    /// The broker does not support subscription identifiers.
    public static let subscriptionIdentifiersNotSupported = ReasonCode(rawValue: 0xA1)
    /// The broker does not support wildcards.
    public static let wildcardSubscriptionsNotSupported = ReasonCode(rawValue: 0xA2)
}
