/// The text form of binary keys: five printable characters for each four bytes.
///
/// Source: RFC 32.
enum Z85 {
    private static let alphabet = Array(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

    /// Encodes bytes, whose number is a multiple of four.
    static func encode(_ bytes: [UInt8]) -> String {
        precondition(bytes.count.isMultiple(of: 4), "Z85 encodes groups of four bytes, not \(bytes.count) bytes")
        var characters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var value = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            var group: [UInt8] = []
            for _ in 0..<5 {
                group.append(alphabet[Int(value % 85)])
                value /= 85
            }
            characters += group.reversed()
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Decodes a text; nil unless it consists of groups of five characters of the alphabet that encode four bytes.
    static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 5) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: characters.count, by: 5) {
            var value: UInt64 = 0
            for character in characters[start..<start + 5] {
                guard let digit = alphabet.firstIndex(of: character) else { return nil }
                value = value * 85 + UInt64(digit)
            }
            guard let group = UInt32(exactly: value) else { return nil }
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: group >> $0) }
        }
        return bytes
    }
}
