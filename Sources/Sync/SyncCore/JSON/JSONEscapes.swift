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
            switch name {
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "u"): append(scalar(text, &offset), to: &output)
            default: output.append(name)
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
