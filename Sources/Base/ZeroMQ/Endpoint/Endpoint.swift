#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An address at which a socket listens, or to which it connects.
///
/// Its forms are: `tcp://host:port`, where the host is an IPv4 address, an IPv6 address in brackets, a host name, or
/// (for binding) an interface name or `*`; `ipc://path`, or `ipc://@name` for Linux's abstract names;
/// `inproc://name`. Endpoints with port 0 or `*`, or with host or path `*`, can only be bound: ``Socket/bind(_:)``
/// returns the actual ones. Source: zmq_tcp(7), zmq_ipc(7), zmq_inproc(7).
public struct Endpoint: Hashable, Sendable {
    /// The transport with its parts.
    public enum Transport: Hashable, Sendable {
        /// TCP; the host as written, and the port, 0 to let the system choose one.
        case tcp(host: String, port: UInt16)
        /// A Unix domain socket.
        case ipc(path: String)
        /// A name within one context.
        case inproc(name: String)
    }

    /// The transport with its parts.
    public let transport: Transport

    /// Reads an endpoint.
    ///
    /// - Throws: ``EndpointError`` with the text and what to write instead.
    public init(_ text: String) throws(EndpointError) {
        guard !text.utf8.contains(0) else { throw .containsZeroByte(text: text) }
        if let address = text.part(after: "tcp://") {
            transport = try Self.tcp(address, in: text)
        } else if let path = text.part(after: "ipc://") {
            transport = .ipc(path: try Self.name(path, limit: Self.ipcPathByteCountMax, in: text))
        } else if let name = text.part(after: "inproc://") {
            transport = .inproc(name: try Self.name(name, limit: Self.inprocNameByteCountMax, in: text))
        } else {
            throw .unknownTransport(text: text)
        }
    }

    /// Creates an in-process endpoint from a name that is known to be valid.
    init(inprocName: String) {
        transport = .inproc(name: inprocName)
    }

    /// The text in libzmq's format.
    public var text: String {
        switch transport {
        case .tcp(let host, let port): "tcp://\(host):\(port == 0 ? "*" : String(port))"
        case .ipc(let path): "ipc://\(path)"
        case .inproc(let name): "inproc://\(name)"
        }
    }

    /// Whether the system chooses a part of the endpoint, so that it can be bound but not connected to.
    public var isWildcard: Bool {
        switch transport {
        case .tcp(let host, let port): host == "*" || port == 0
        case .ipc(let path): path == "*"
        case .inproc: false
        }
    }

    /// The most bytes of an ipc path: the size of the system's socket address without its terminating zero.
    public static var ipcPathByteCountMax: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// The most bytes of an in-process name.
    public static var inprocNameByteCountMax: Int { 255 }
}

extension Endpoint: CustomStringConvertible {
    /// The text in libzmq's format.
    public var description: String { text }
}

extension Endpoint {
    private static func tcp(_ address: Substring, in text: String) throws(EndpointError) -> Transport {
        guard !address.isEmpty else { throw .emptyName(text: text) }
        guard let colon = address.lastIndex(of: ":"), !address.hasSuffix("]") else { throw .missingPort(text: text) }
        let host = String(address[..<colon])
        let port = address[address.index(after: colon)...]
        guard !port.isEmpty else { throw .missingPort(text: text) }
        guard isHost(host) else { throw .invalidHost(text: text, host: host) }
        if port == "*" { return .tcp(host: host, port: 0) }
        // UInt16 alone would also accept "+80".
        guard port.utf8.allSatisfy(isDigit), let number = UInt16(port) else {
            throw .invalidPort(text: text, port: String(port))
        }
        return .tcp(host: host, port: number)
    }

    private static func name(_ name: Substring, limit: Int, in text: String) throws(EndpointError) -> String {
        guard !name.isEmpty, name != "@" else { throw .emptyName(text: text) }
        guard name.utf8.count <= limit else {
            throw .nameTooLong(text: text, byteCount: name.utf8.count, limit: limit)
        }
        return String(name)
    }

    private static func isHost(_ host: String) -> Bool {
        if host == "*" { return true }
        if host.hasPrefix("["), host.hasSuffix("]") { return isIPv6(host.dropFirst().dropLast()) }
        if host.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) { return isIPv4(host) }
        return isName(host)
    }

    private static func isIPv4(_ host: String) -> Bool {
        var address = in_addr()
        // The C function only writes to the address that it gets.
        return unsafe inet_pton(AF_INET, host, &address) == 1
    }

    /// Whether it is an IPv6 address, with or without the zone that link-local addresses need (`fe80::1%eth0`).
    private static func isIPv6(_ host: Substring) -> Bool {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !isName(String(parts[1])) { return false }
        var address = in6_addr()
        // The C function only writes to the address that it gets.
        return unsafe inet_pton(AF_INET6, String(parts[0]), &address) == 1
    }

    /// Whether it is a host or interface name: labels of 1…63 letters, digits, `-` and `_`; 253 bytes in all.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 253
            && name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.allSatisfy(isNameByte)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension String {
    /// The text after a prefix; nil if the text does not start with it.
    fileprivate func part(after prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
