/// A live message that an application wants to send.
public struct Message: Hashable, Sendable {
    /// The bytes to send; the engine does not interpret them.
    public var payload: [UInt8]
    /// Whether it asks for a reply.
    public var wantsReply: Bool
    /// The time to wait for the result, 1 ms…1 h; nil for the configured one.
    public var timeout: Duration?

    /// Creates a message.
    public init(payload: [UInt8], wantsReply: Bool, timeout: Duration? = nil) {
        self.payload = payload
        self.wantsReply = wantsReply
        self.timeout = timeout
    }
}

/// The identifier of a message that arrived, valid within its session.
public struct MessageID: Hashable, Sendable {
    /// The session.
    public let session: UInt64
    /// The number of the message in it.
    public let number: UInt64

    /// Creates an identifier.
    public init(session: UInt64, number: UInt64) {
        self.session = session
        self.number = number
    }
}

/// A live message that arrived.
public struct ReceivedMessage: Hashable, Sendable {
    /// The identifier to use for the answer.
    public var id: MessageID
    /// Whether the sender expects a payload; if not, an empty reply confirms the message.
    public var wantsReply: Bool
    /// The bytes that the other application sent.
    public var payload: [UInt8]
}

/// Why an application does not reply to a message.
public enum MessageRefusal: String, CaseIterable, Sendable {
    /// Its handler failed.
    case failed
    /// It has no handler for such a message.
    case noHandler
    /// Too many messages already wait for it.
    case busy
}

/// Why a message or a reply failed.
public enum MessageError: Error, Hashable, Sendable {
    /// There is no session: nothing was sent.
    case notReachable
    /// The payload exceeds the limit: nothing was sent.
    case payloadTooLarge(byteCount: Int, limit: Int)
    /// This many messages already wait for their result: nothing was sent.
    case tooManyMessages(limit: Int)
    /// No reply arrived in time; the other application may have acted on the message.
    case replyTimedOut
    /// The other application could not reply.
    case replyFailed(String)
    /// The message was not handled, or no confirmation arrived in time.
    case deliveryFailed(String)
    /// The session ended first; the other application may have acted on the message.
    case sessionReset
    /// No message with this identifier waits for a reply: it was answered, or its time limit has passed.
    case unknownMessage(MessageID)
}

extension MessageError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .notReachable: "there is no link: try again when there is"
        case .payloadTooLarge(let byteCount, let limit):
            "the message has \(byteCount) bytes, at most \(limit) can be sent: send less, or a file"
        case .tooManyMessages(let limit): "\(limit) messages wait for their answers already: try again in a while"
        case .replyTimedOut: "no reply came in time; the message may have been acted upon"
        case .replyFailed(let reason): "there is no reply: \(reason)"
        case .deliveryFailed(let reason): "the message was not handled: \(reason)"
        case .sessionReset: "the link was lost before the reply; the message may have been acted upon"
        case .unknownMessage: "no such message is waiting for a reply"
        }
    }
}
