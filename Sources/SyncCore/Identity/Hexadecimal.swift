/// Hexadecimal text of numbers and bytes: lower case, fixed width.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The two digits of each byte.
    static func text(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            characters.append(digits[Int(byte >> 4)])
            characters.append(digits[Int(byte & 15)])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The sixteen digits of a number.
    static func text(_ number: UInt64) -> String {
        var characters = [UInt8](repeating: 0, count: 16)
        for position in 0..<16 {
            characters[position] = digits[Int(number >> (60 - 4 * UInt64(position)) & 15)]
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The bytes of an even number of digits; nil for any other text.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for start in stride(from: 0, to: characters.count, by: 2) {
            guard let upper = value(characters[start]), let lower = value(characters[start + 1]) else { return nil }
            bytes.append(upper << 4 | lower)
        }
        return bytes
    }

    /// The number of exactly sixteen digits; nil for any other text.
    static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.count == 16 else { return nil }
        var number: UInt64 = 0
        for character in text.utf8 {
            guard let digit = value(character) else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    /// The value of one lower-case digit, so that each number has exactly one text.
    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
