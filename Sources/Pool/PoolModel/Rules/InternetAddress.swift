/// The text forms of Internet addresses.
///
/// Source: RFC 4291, section 2.2 (IPv6 text forms) and RFC 4007, section 11 (zones).
enum InternetAddress {
    /// Whether a text is four decimal numbers from 0 to 255 with dots between them.
    ///
    /// A leading zero is refused, because some resolvers read such a number as octal.
    static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(isDigit) else { return false }
                guard part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0") else { return false }
                return Int(part).map { $0 <= 255 } ?? false
            }
    }

    /// Whether a text is an IPv6 address, with or without a zone.
    static func isIPv6(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !isZone(parts[1]) { return false }
        let halves = halves(of: Array(parts[0].utf8))
        // Two runs of zeros would be ambiguous.
        guard halves.count <= 2 else { return false }
        let counts = halves.enumerated().map { index, half in
            groupCount(of: half, endsAddress: index == halves.count - 1)
        }
        guard let first = counts[0] else { return false }
        guard counts.count == 2 else { return first == 8 }
        guard let second = counts[1] else { return false }
        return first + second <= 7
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The parts before and after each "::", which stands for a run of zeros.
    private static func halves(of address: [UInt8]) -> [ArraySlice<UInt8>] {
        let colon = UInt8(ascii: ":")
        var halves: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index < address.count {
            if address[index] == colon, index + 1 < address.count, address[index + 1] == colon {
                halves.append(address[start..<index])
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        halves.append(address[start...])
        return halves
    }

    /// The number of 16-bit groups in a run; nil if one is malformed, zero for an empty run.
    private static func groupCount(of run: ArraySlice<UInt8>, endsAddress: Bool) -> Int? {
        if run.isEmpty { return 0 }
        let groups = run.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        for (index, group) in groups.enumerated() {
            if (1...4).contains(group.count), group.allSatisfy(isHexadecimal) {
                count += 1
            } else if endsAddress, index == groups.count - 1, isIPv4(String(decoding: group, as: UTF8.self)) {
                count += 2
            } else {
                return nil
            }
        }
        return count
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isZone(_ zone: some StringProtocol) -> Bool {
        !zone.isEmpty
            && zone.utf8.allSatisfy {
                isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "._-".utf8.contains($0)
            }
    }
}
