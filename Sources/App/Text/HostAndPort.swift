/// Where a program listens or connects, as people write it for each program here.
///
/// It is `HOST:PORT`, with an IPv6 address in brackets; `tcp://` may stand before it.
package struct HostAndPort: Equatable, Sendable {
    /// What is expected, for messages.
    package static let expected = "HOST:PORT"

    /// A name, an IPv4 address, `*` for all addresses, or an IPv6 address without brackets.
    package let host: String
    /// The port; `*` lets the system choose one where that is possible.
    package let port: String

    /// Joins a host, an IPv6 address without brackets, and a port.
    package init(host: String, port: Int) {
        self.host = host
        self.port = "\(port)"
    }

    /// Reads a text; nil if it has another form.
    package init?(_ text: String) {
        let address = text.hasPrefix("tcp://") ? text.dropFirst(6) : text[...]
        guard let colon = address.lastIndex(of: ":"), colon > address.startIndex, !address.contains("/") else {
            return nil
        }
        port = String(address[address.index(after: colon)...])
        guard port == "*" || UInt16(port) != nil && port.allSatisfy(\.isNumber) else { return nil }
        let name = address[..<colon]
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        guard isBracketed || !name.contains(":") else { return nil }
        host = String(isBracketed ? name.dropFirst().dropLast() : name)
        guard !host.isEmpty else { return nil }
    }
}

extension HostAndPort: CustomStringConvertible {
    /// The text, without `tcp://`.
    package var description: String { "\(Self.written(host)):\(port)" }

    /// A host as it stands before a port: an IPv6 address in brackets.
    package static func written(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
