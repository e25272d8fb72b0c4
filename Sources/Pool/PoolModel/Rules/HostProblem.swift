/// Why a text is not the host of a server.
public enum HostProblem: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text starts with a scheme, such as `mqtt://`.
    case scheme(String)
    /// The text ends with a port, such as `:1883`.
    case port(String)
    /// The text is in square brackets, as in a URL.
    case brackets
    /// The text contains a character that no host name has.
    case character(Character)
    /// The text is longer than 253 bytes.
    case tooLong(byteCount: Int)
    /// A part between dots is empty, longer than 63 bytes, or starts or ends with a dash.
    case label(String)
    /// The text has the form of an IPv4 address, but is not valid.
    case notAnIPv4Address
    /// The text contains a colon, but is not an IPv6 address.
    case notAnIPv6Address

    /// The first problem of a text; nil for a host name, an IPv4 address or an IPv6 address.
    ///
    /// An IPv6 address may include its zone, such as `fe80::1%eth0`. It is not checked whether the host exists.
    public static func find(in host: String) -> HostProblem? {
        if host.isEmpty { return .empty }
        if let scheme = scheme(of: host) { return .scheme(scheme) }
        if host.utf8.first == UInt8(ascii: "[") { return .brackets }
        if host.utf8.contains(UInt8(ascii: ":")) { return flawOfColons(in: host) }
        if host.utf8.count > 253 { return .tooLong(byteCount: host.utf8.count) }
        if let invalidCharacter = host.first(where: { !isNameCharacter($0) }) { return .character(invalidCharacter) }
        return flawOfLabels(in: host)
    }

    private static func scheme(of host: String) -> String? {
        let text = Array(host.utf8)
        let mark = Array("://".utf8)
        guard text.count >= mark.count else { return nil }
        for start in 0...(text.count - mark.count) where text[start..<start + mark.count].elementsEqual(mark) {
            return String(decoding: text[..<(start + mark.count)], as: UTF8.self)
        }
        return nil
    }

    private static func flawOfColons(in host: String) -> HostProblem? {
        if InternetAddress.isIPv6(host) { return nil }
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let isPort = parts.count == 2 && !parts[1].isEmpty && parts[1].utf8.allSatisfy(InternetAddress.isDigit)
        return isPort ? .port(String(parts[1])) : .notAnIPv6Address
    }

    private static func flawOfLabels(in host: String) -> HostProblem? {
        // A final dot marks a complete name, "broker.example."; it is not a label.
        let name = host.count > 1 && host.hasSuffix(".") ? host.dropLast() : Substring(host)
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let broken = labels.first {
            $0.isEmpty || $0.utf8.count > 63 || $0.hasPrefix("-") || $0.hasSuffix("-")
        }
        if let broken { return .label(String(broken)) }
        // Every resolver treats a name whose last label is a number as an address, "10.1" as 10.0.0.1.
        guard let last = labels.last, last.utf8.allSatisfy(InternetAddress.isDigit) else { return nil }
        return InternetAddress.isIPv4(name) ? nil : .notAnIPv4Address
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        guard let byte = character.asciiValue, character.utf8.count == 1 else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return letters.contains(byte | 0x20) || InternetAddress.isDigit(byte) || ".-_".utf8.contains(byte)
    }
}

extension HostProblem: CustomStringConvertible {
    /// The problem and what to do, as the second half of a sentence.
    public var description: String {
        switch self {
        case .empty: "is empty: give a host name or an IP address"
        case .scheme(let scheme): "starts with \(Excerpt(scheme)): give the host alone; TLS is a separate setting"
        case .port(let port): "ends with a port: give the host alone, and \(port) as the port"
        case .brackets: "is in brackets: give the address without them"
        case .character(let character):
            "holds \(Excerpt(String(character))): only letters, digits, dots, dashes and underscores are possible"
                + " (other alphabets in their xn-- form)"
        case .tooLong(let byteCount): "has \(byteCount) bytes: a host name has at most 253"
        case .label(let label):
            "has the part \(Excerpt(label)): each part between dots has 1 to 63 characters and no dash at its ends"
        case .notAnIPv4Address: "is not an IPv4 address: that is four numbers from 0 to 255 with dots between them"
        case .notAnIPv6Address: "is not an IPv6 address: that is groups of up to four hexadecimal digits with colons"
        }
    }
}
