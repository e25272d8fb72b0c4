/// Checks whether bytes are UTF-8.
///
/// Source: The Unicode Standard, table 3-7 "Well-Formed UTF-8 Byte Sequences".
enum UTF8Check {
    /// Whether the bytes of a range are UTF-8; the range lies within the bytes.
    static func isText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let lead = bytes[offset]
            offset += 1
            if lead < 0x80 { continue }
            // The number of continuation bytes, and the allowed range of the first of them, which excludes overlong
            // forms, surrogates and scalars beyond U+10FFFF.
            let count: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: count = 1
            case 0xE0: (count, second) = (2, 0xA0...0xBF)
            case 0xED: (count, second) = (2, 0x80...0x9F)
            case 0xE1...0xEF: count = 2
            case 0xF0: (count, second) = (3, 0x90...0xBF)
            case 0xF4: (count, second) = (3, 0x80...0x8F)
            case 0xF1...0xF3: count = 3
            default: return false
            }
            guard range.upperBound - offset >= count, second.contains(bytes[offset]) else { return false }
            for position in offset + 1..<offset + count where bytes[position] & 0xC0 != 0x80 { return false }
            offset += count
        }
        return true
    }
}
