/// Why a call into libzmq failed.
///
/// Results that occur in normal operation are values, not errors: ``SendResult``, a nil received message, a poll that
/// timed out. Misuse that no caller can recover from (an invalid handle) traps. Source: the man pages zmq_bind(3),
/// zmq_connect(3), zmq_setsockopt(3), zmq_msg_send(3) of libzmq 4.3.4.
@nonexhaustive
public enum ZeroMQError: Error, Equatable, Sendable {
    /// The context was shut down (ETERM): close the socket and stop.
    case contextTerminated
    /// Another socket already listens at that endpoint (EADDRINUSE).
    case addressInUse(FailedCall)
    /// No interface of this machine has that address, or the name is unknown (EADDRNOTAVAIL, ENODEV).
    case addressNotAvailable(FailedCall)
    /// The system forbids it: a port below 1024, a folder that is not writable (EACCES, EPERM).
    case permissionDenied(FailedCall)
    /// The folder of an ipc path, or the endpoint to undo, does not exist (ENOENT, ENOTDIR).
    case notFound(FailedCall)
    /// The process or the context has no room for another socket (EMFILE, ENFILE).
    case tooManySockets(FailedCall)
    /// A value is out of its range, or the option does not fit this kind of socket (EINVAL).
    case invalidArgument(FailedCall)
    /// The socket's pattern requires another call first, such as a receive before a reply (EFSM).
    case outOfTurn(FailedCall)
    /// This libzmq was built without the feature (ENOTSUP, EPROTONOSUPPORT).
    case notSupported(FailedCall)
    /// Any other failure; its number is the `errno` of the system or of libzmq.
    case other(FailedCall)
}

/// A failed libzmq call: the function, its subject, and the error number.
public struct FailedCall: Hashable, Sendable {
    /// The name of the C function.
    public let function: String
    /// The subject of the call, in words; never a payload or a secret.
    public let subject: String
    /// The `errno` value.
    public let number: Int32

    /// Creates a description of a failed call.
    public init(function: String, subject: String, number: Int32) {
        self.function = function
        self.subject = subject
        self.number = number
    }
}

extension ZeroMQError {
    /// A constant label of the cause, for logs and metrics.
    public var code: String {
        switch self {
        case .contextTerminated: "context-terminated"
        case .addressInUse: "address-in-use"
        case .addressNotAvailable: "address-not-available"
        case .permissionDenied: "permission-denied"
        case .notFound: "not-found"
        case .tooManySockets: "too-many-sockets"
        case .invalidArgument: "invalid-argument"
        case .outOfTurn: "out-of-turn"
        case .notSupported: "not-supported"
        case .other: "other"
        }
    }

    /// The call that failed; nil when the context was shut down.
    public var failedCall: FailedCall? {
        switch self {
        case .contextTerminated: nil
        case .addressInUse(let call), .addressNotAvailable(let call), .permissionDenied(let call),
            .notFound(let call), .tooManySockets(let call), .invalidArgument(let call), .outOfTurn(let call),
            .notSupported(let call), .other(let call):
            call
        }
    }

    /// What the reader of the message can do about it; empty if there is no general advice.
    private var wayOut: String {
        switch self {
        case .contextTerminated: "Close the socket; nothing more can be sent or received."
        case .addressInUse: "Another program listens there: choose another port, or end that program."
        case .addressNotAvailable: "Use an address of this machine, or * for all of them."
        case .permissionDenied: "Use a port above 1023, or a folder that this user may write to."
        case .notFound(let call):
            call.function == "zmq_bind"
                ? "Create the folder first, or choose another." : "Undo only what was bound or connected."
        case .tooManySockets: "Close sockets, or raise maxSockets and the limit on open files."
        case .invalidArgument: "Correct the value, or leave the option at its default for this kind of socket."
        case .outOfTurn: "A REQ sends and then receives; a REP receives and then sends."
        case .notSupported: "Install a libzmq that was built with it."
        case .other: ""
        }
    }
}

extension ZeroMQError: CustomStringConvertible {
    /// The subject of the failed call, the reason, and what to do about it.
    public var description: String { (failedCall.map { "\($0.subject): " } ?? "") + reason }

    /// The reason, and what to do about it, for a text that names the subject.
    public var reason: String {
        guard let failedCall else { return "the ZeroMQ context was shut down. \(wayOut)" }
        return wayOut.isEmpty ? failedCall.reason : "\(failedCall.reason). \(wayOut)"
    }
}
