import PoolModel

/// A broker as people write it: `HOST`, `HOST:PORT`, `[IPv6]:PORT`.
struct ServerAddress: Hashable, Sendable {
    static let expected = "HOST:PORT, such as 192.168.1.10:1883 or [fe80::1]:1883"

    /// The host, an IPv6 address without brackets.
    var host: String
    /// The port; nil if none was given.
    var port: Int?

    /// Reads a text; nil if it is no such address.
    init?(_ text: String) {
        let (hostText, portText) = Self.parts(text)
        if let portText {
            // The setting's error says what is expected.
            guard let number = try? Server.port(from: portText) else { return nil }
            port = number
        }
        host = hostText
        let id = ServerID(high: 0, low: 0)
        // `Server` checks the host; only whether it accepts it matters here.
        guard (try? Server(id: id, name: "probe", host: host).validate()) != nil else { return nil }
    }

    private static func parts(_ text: String) -> (host: String, port: String?) {
        if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
            let host = String(text[text.index(after: text.startIndex)..<close])
            let rest = text[text.index(after: close)...]
            if rest.isEmpty { return (host, nil) }
            return rest.hasPrefix(":") ? (host, String(rest.dropFirst())) : (text, nil)
        }
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        // Several colons without brackets are an IPv6 address without a port.
        return pieces.count == 2 ? (String(pieces[0]), String(pieces[1])) : (text, nil)
    }
}

extension ServerAddress: CustomStringConvertible {
    /// The address as people write it.
    var description: String {
        port.map { "\(HostAndPort(host: host, port: $0))" } ?? HostAndPort.written(host)
    }
}
