internal import CMosquitto

/// The options of an MQTT 5.0 subscription besides the quality of service; MQTT 3.1.1 has only the defaults.
///
/// Source: MQTT 5.0, section 3.8.3.1 "Subscription Options".
public struct SubscriptionOptions: Hashable, Sendable {
    /// When the broker replays retained messages.
    public enum Replay: CaseIterable, Hashable, Sendable {
        /// At every subscribe packet.
        case always
        /// Only if the subscription did not exist before.
        case forNewSubscription
        /// Never.
        case never
    }

    /// When retained messages are replayed; default: always, as in MQTT 3.1.1.
    public var replay: Replay
    /// Whether the client's own messages are held back; default: false.
    public var isWithoutOwnMessages: Bool
    /// Whether ``Message/isRetained`` is as published, instead of marking a replay; default: false.
    public var keepsRetainFlag: Bool

    /// Creates options.
    public init(replay: Replay = .always, isWithoutOwnMessages: Bool = false, keepsRetainFlag: Bool = false) {
        self.replay = replay
        self.isWithoutOwnMessages = isWithoutOwnMessages
        self.keepsRetainFlag = keepsRetainFlag
    }

    /// The bits in the packet.
    var bits: Int32 {
        var bits =
            switch replay {
            case .always: MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue
            case .forNewSubscription: MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue
            case .never: MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
            }
        if isWithoutOwnMessages { bits |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
        if keepsRetainFlag { bits |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
        return Int32(bits)
    }
}
