/// The broker's answer to one filter of a subscribe packet.
public struct SubscriptionAnswer: Hashable, Sendable {
    /// What became of the filter.
    public enum Outcome: Hashable, Sendable {
        /// Messages come, with at most this quality of service; it may be lower than was asked for.
        case granted(QualityOfService)
        /// No message comes. A broker of MQTT 3.1.1 gives no reason: ``ReasonCode/unspecifiedError``.
        case refused(ReasonCode)
    }

    /// The filter that was asked for.
    public let filter: TopicFilter
    /// What became of it.
    public let outcome: Outcome

    /// Creates an answer.
    public init(filter: TopicFilter, outcome: Outcome) {
        self.filter = filter
        self.outcome = outcome
    }

    /// Whether messages come.
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
