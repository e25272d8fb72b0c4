import Platform

/// Where a request comes from.
package enum ClientAddress {
    /// The address of a client, with which limits count.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - forwarded: The value of `X-Forwarded-For`, in which each proxy names who asked it, the last one at the end.
    ///   - isBehindProxy: Whether a proxy on this machine is believed. Otherwise the header means nothing, because
    ///     anybody can send it.
    /// - Returns: The address without port and zone; of version 6 its network.
    package static func text(peer: String, forwarded: String?, isBehindProxy: Bool) -> String {
        guard isBehindProxy, LocalAddresses.isLoopback(peer), let forwarded else { return counted(peer) }
        // From the end on: what stands before the first address that is not this machine was sent by the client.
        for hop in forwarded.split(separator: ",").reversed() {
            guard let address = address(hop) else { break }
            if address.isLoopback { continue }
            return counted(address)
        }
        return counted(peer)
    }

    /// The address in one part of the header, which may have a port and brackets.
    private static func address(_ text: Substring) -> IPAddress? {
        let text = text.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        if let whole = IPAddress(text) { return whole }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return IPAddress(text[..<end].dropFirst()) }
        return text.lastIndex(of: ":").flatMap { IPAddress(text[..<$0]) }
    }

    private static func counted(_ peer: String) -> String {
        // Without the zone of a link-local address.
        IPAddress(peer.prefix { $0 != "%" }).map(counted) ?? peer
    }

    /// A network of version 6 counts as one, because its owner has all of its addresses.
    private static func counted(_ address: IPAddress) -> String {
        guard address.isVersion6 else { return address.text }
        if let inside = address.mapped { return inside.text }
        let network = IPAddress(bytes: Array(address.bytes[..<8]) + [UInt8](repeating: 0, count: 8))
        return address.isLoopback ? address.text : "\(network?.text ?? address.text)/64"
    }
}

extension IPAddress {
    /// The address of version 4 that is written as one of version 6; nil for others.
    fileprivate var mapped: IPAddress? {
        let head = [UInt8](repeating: 0, count: 10) + [255, 255]
        return isVersion6 && bytes.starts(with: head) ? IPAddress(bytes: Array(bytes[12...])) : nil
    }

    fileprivate var isLoopback: Bool { LocalAddresses.isLoopback((mapped ?? self).text) }
}
