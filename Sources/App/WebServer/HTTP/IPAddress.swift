import Text

/// An address of the Internet Protocol: 4 bytes, or 16 of version 6.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Reads an address, such as `192.168.1.20` or `fd00::1`; nil if it is none.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let bytes = text.contains(":") ? Self.version6(text) : Self.version4(text) else { return nil }
        self.bytes = bytes
    }

    /// An address of 4 or 16 bytes; nil for others.
    package init?(bytes: [UInt8]) {
        guard [4, 16].contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    package var isVersion6: Bool { bytes.count == 16 }

    /// The address as browsers write it.
    ///
    /// Source: RFC 5952, without its dotted forms.
    package var text: String {
        guard isVersion6 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        // The first of the longest runs of two zeros or more is left out.
        var longest = 0..<0
        for start in groups.indices {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.endIndex
            if end - start > max(1, longest.count) { longest = start..<end }
        }
        func text(_ groups: ArraySlice<Int>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }

    /// The address as it stands in a URL.
    package var host: String { isVersion6 ? "[\(text)]" : text }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.allSatisfy(\.isASCIIDigit) ? UInt8($0) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func version6(_ text: Substring) -> [UInt8]? {
        guard let range = text.firstRange(of: "::") else {
            let bytes = groups(text)
            return bytes?.count == 16 ? bytes : nil
        }
        guard let head = groups(text[..<range.lowerBound]), let tail = groups(text[range.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// The bytes of groups between colons, the last of which may be an address of version 4.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let last = version4(part) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count),
                    part.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
