#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The addresses of this machine at which others can reach it.
package enum LocalAddresses {
    /// The addresses of all interfaces that are up, without loopback and link-local ones: IPv4 first, IPv6 in brackets.
    package static var all: [String] {
        // The system makes the list; it is read only until it is freed below.
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: [String] = []
        var next = unsafe first
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            let flags = unsafe Int32(truncatingIfNeeded: entry.pointee.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, let address = unsafe entry.pointee.ifa_addr,
                let text = unsafe text(of: address), isReachable(text), !found.contains(text)
            else { continue }
            found.append(text)
        }
        return found.filter { !$0.hasPrefix("[") } + found.filter { $0.hasPrefix("[") }
    }

    /// Whether other machines may reach an address: it is no loopback and no link-local one.
    package static func isReachable(_ host: String) -> Bool {
        !isLoopback(host) && !host.hasPrefix("169.254.") && !host.lowercased().hasPrefix("[fe80:")
    }

    /// Whether only this machine reaches an address or host name.
    package static func isLoopback(_ host: String) -> Bool {
        host.hasPrefix("127.") || ["localhost", "[::1]", "::1", "lo"].contains(host.lowercased())
    }

    /// An address as it is written in an endpoint; nil if it is of another family.
    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = unsafe Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var host = [CChar](repeating: 0, count: 256)
        let result = unsafe getnameinfo(
            address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return family == AF_INET ? text : "[\(text)]"
    }
}
