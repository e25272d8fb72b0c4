/// The broker's answer to one filter of a subscribe packet.
public struct SubscriptionAnswer: Hashable, Sendable {
    /// The result for a filter.
    public enum Outcome: Hashable, Sendable {
        /// Messages are delivered, with at most this quality of service; it may be lower than requested.
        case granted(QualityOfService)
        /// No messages are delivered.
        ///
        /// A broker of MQTT 3.1.1 gives no reason: ``ReasonCode/unspecifiedError``.
        case refused(ReasonCode)
    }

    /// The requested filter.
    public let filter: TopicFilter
    /// The result.
    public let outcome: Outcome

    /// Creates an answer.
    public init(filter: TopicFilter, outcome: Outcome) {
        self.filter = filter
        self.outcome = outcome
    }

    /// Whether messages are delivered.
    public var isGranted: Bool {
        if case .granted = outcome { true } else { false }
    }
}

extension SubscriptionAnswer.Outcome {
    /// Reads one code of a SUBACK packet: 0…2 grants, everything else refuses.
    init(code: Int32) {
        let number = UInt8(truncatingIfNeeded: code)
        self = QualityOfService(rawValue: number).map { .granted($0) } ?? .refused(ReasonCode(rawValue: number))
    }
}
