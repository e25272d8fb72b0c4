/// Resolves the escapes of JSON texts that a scanner has checked.
enum JSONEscapes {
    /// The text without its escapes.
    static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var offset = text.startIndex
        while offset < text.endIndex {
            let byte = text[offset]
            offset += 1
            guard byte == UInt8(ascii: "\\"), offset < text.endIndex else {
                output.append(byte)
                continue
            }
            let name = text[offset]
            offset += 1
            if name == UInt8(ascii: "u") {
                append(scalar(text, &offset), to: &output)
            } else {
                output.append(JSONEscape.character(named: name) ?? name)
            }
        }
        return output
    }

    /// The scalar whose digits start at an offset; it may consist of two surrogate halves.
    private static func scalar(_ text: ArraySlice<UInt8>, _ offset: inout Int) -> UInt32 {
        func unit() -> UInt32 {
            defer { offset += 4 }
            return text[offset..<offset + 4].reduce(0) { $0 << 4 | UInt32(Hexadecimal.value(ofDigit: $1) ?? 0) }
        }
        let high = unit()
        guard (0xD800..<0xDC00).contains(high) else { return high }
        offset += 2
        return 0x10000 + (high - 0xD800) << 10 + (unit() - 0xDC00)
    }

    private static func append(_ scalar: UInt32, to output: inout [UInt8]) {
        output.append(contentsOf: String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8)
    }
}
