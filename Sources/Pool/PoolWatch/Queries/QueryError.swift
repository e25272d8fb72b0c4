internal import SyncCore

/// Why the hub did not answer a question.
@nonexhaustive
public enum QueryError: Error, Equatable, Sendable {
    /// The watch was never paired.
    case notPaired
    /// There is no link to the hub.
    case notReachable
    /// No answer came in time, or the link was lost meanwhile.
    case noAnswer
    /// The hub declined, for this reason.
    case refused(String)
    /// The answer cannot be read by this version.
    case unreadable(String)
}

extension QueryError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .notPaired: "this watch is not paired with a hub yet: run `poolsensors watch pair`"
        case .notReachable: "there is no link to the hub: try again when there is"
        case .noAnswer: "the hub did not answer in time: try again"
        case .refused(let reason): reason
        case .unreadable(let reason): "the hub gave an answer that this version cannot read (\(reason))"
        }
    }
}

extension QueryError {
    /// The error for a person that results from a fault of the messages.
    init(_ fault: MessageError) {
        switch fault {
        case .notReachable: self = .notReachable
        case .replyTimedOut, .sessionReset, .deliveryFailed, .unknownMessage: self = .noAnswer
        case .replyFailed(let reason): self = .refused(reason)
        case .payloadTooLarge, .tooManyMessages: self = .refused("too much was asked at once: try again in a while")
        }
    }
}
