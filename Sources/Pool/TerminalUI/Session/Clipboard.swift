/// The clipboard of a terminal: the control sequence OSC 52, which most terminals understand and the others ignore.
enum Clipboard {
    /// The most bytes that are copied; terminals refuse longer sequences.
    static let byteCountMax = 8192

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes that put a text into the clipboard, as far as it fits.
    static func sequence(for text: String) -> [UInt8] {
        var text = text
        while text.utf8.count > byteCountMax { text.removeLast() }
        return Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + Array("\u{1B}\\".utf8)
    }

    /// Bytes in the notation of RFC 4648, section 4.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 3).flatMap { start -> [UInt8] in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
            return (0..<4).map { $0 <= group.count ? digits[bits >> (18 - 6 * $0) & 63] : UInt8(ascii: "=") }
        }
    }
}
