/// Why a text is not an endpoint.
@nonexhaustive
public enum EndpointError: Error, Equatable, Sendable {
    /// The text starts with none of the transports.
    case unknownTransport(text: String)
    /// A TCP endpoint has no port.
    case missingPort(text: String)
    /// The port is neither a number in 0…65535 nor `*`.
    case invalidPort(text: String, port: String)
    /// The host is not an IPv4 address, not an IPv6 address in brackets, not a name, and not `*`.
    case invalidHost(text: String, host: String)
    /// The part after the transport is empty.
    case emptyName(text: String)
    /// The path or name is longer than the transport allows.
    case nameTooLong(text: String, byteCount: Int, limit: Int)
    /// The text contains a zero byte, which would terminate it early.
    case containsZeroByte(text: String)
}

extension EndpointError: CustomStringConvertible {
    /// The text, its error, and the valid forms.
    public var description: String {
        switch self {
        case .unknownTransport(let text):
            "'\(text)' is not an endpoint: write tcp://host:port, ipc://path or inproc://name"
        case .missingPort(let text):
            "'\(text)' has no port: write tcp://host:port, such as tcp://127.0.0.1:5555"
        case .invalidPort(let text, let port):
            "'\(text)' has the port '\(port)': write a number in 0…65535, or * to let the system choose"
        case .invalidHost(let text, let host):
            "'\(text)' has the host '\(host)': write an IPv4 address, an IPv6 address in brackets, a name, or *"
        case .emptyName(let text):
            "'\(text)' ends too early: write a path or a name after it"
        case .nameTooLong(let text, let byteCount, let limit):
            "'\(text)' has a path or name of \(byteCount) bytes: use one of at most \(limit)"
        case .containsZeroByte(let text):
            "'\(text)' contains a zero byte: leave it out"
        }
    }
}
