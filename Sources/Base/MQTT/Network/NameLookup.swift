internal import Platform
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An address of a host, as text that needs no lookup.
struct NumericAddress: Hashable, Sendable {
    /// The version of the Internet Protocol.
    enum Family: Hashable, Sendable {
        case ipv4
        case ipv6

        /// The local address that means "any" in this family.
        var anyAddress: String {
            switch self {
            case .ipv4: "0.0.0.0"
            case .ipv6: "::"
            }
        }
    }

    let family: Family
    let text: String
}

/// A function that finds the addresses of a host; it may block without limit.
struct NameLookup: Sendable {
    /// The lookup failed; with the system's error message.
    struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        let words: String

        var description: String { words }
    }

    let addresses: @Sendable (_ host: String) -> Result<[NumericAddress], Failure>

    /// The operating system's lookup; the addresses are in its order of preference.
    static let system = NameLookup { host in lookUp(host, flags: 0) }

    /// The address, if the host is an address already; nil for a name.
    static func numericAddress(_ host: String) -> NumericAddress? {
        // A failure only means that the host is a name.
        guard case .success(let addresses) = lookUp(host, flags: AI_NUMERICHOST) else { return nil }
        return addresses.first
    }

    private static func lookUp(_ host: String, flags: Int32) -> Result<[NumericAddress], Failure> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = flags
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, nil, &hints, &list)
        guard result == 0 else {
            // EAI_SYSTEM means that errno has the cause.
            let error = Errno.last
            let words = result == EAI_SYSTEM ? "\(error)" : words(of: result)
            return .failure(Failure(words: words))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [NumericAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            let address = unsafe numericAddress(of: entry)
            if let address, !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.ai_next
        }
        return addresses.isEmpty ? .failure(Failure(words: "no internet address")) : .success(addresses)
    }

    /// The words for a number of `getaddrinfo`, which libmosquitto leaves in `errno`.
    static func words(of number: Int32) -> String {
        // The system returns a constant text.
        unsafe String(cString: gai_strerror(number))
    }

    private static func numericAddress(of entry: addrinfo) -> NumericAddress? {
        let family: NumericAddress.Family
        switch unsafe entry.ai_family {
        case AF_INET: family = .ipv4
        case AF_INET6: family = .ipv6
        default: return nil
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = unsafe getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return NumericAddress(family: family, text: String(decoding: bytes, as: UTF8.self))
    }
}
