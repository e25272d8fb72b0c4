/// Hexadecimal text of numbers and bytes: lower case, fixed width.
package enum Hexadecimal {
    /// The sixteen digits of a number in two words, starting at the least significant byte.
    package static func words(_ number: UInt64) -> (UInt64, UInt64) {
        (digits(UInt32(truncatingIfNeeded: number >> 32)), digits(UInt32(truncatingIfNeeded: number)))
    }

    /// The two digits of each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            characters.append(digit(byte >> 4))
            characters.append(digit(byte & 15))
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The sixteen digits of a number.
    package static func text(_ number: UInt64) -> String {
        // Exactly sixteen bytes are requested and written.
        unsafe String(unsafeUninitializedCapacity: 16) { buffer in
            unsafe store(number, in: UnsafeMutableRawBufferPointer(buffer), at: 0)
            return 16
        }
    }

    /// The eight digits of a number.
    package static func text(_ number: UInt32) -> String {
        String(text(UInt64(number)).suffix(8))
    }

    /// The thirty-two digits of a 128-bit number in two halves.
    package static func text(high: UInt64, low: UInt64) -> String {
        // Exactly thirty-two bytes are requested and written.
        unsafe String(unsafeUninitializedCapacity: 32) { buffer in
            unsafe store(high, in: UnsafeMutableRawBufferPointer(buffer), at: 0)
            unsafe store(low, in: UnsafeMutableRawBufferPointer(buffer), at: 16)
            return 32
        }
    }

    /// Appends the sixteen digits of a number.
    package static func append(_ number: UInt64, to output: inout OutputSpan<UInt8>) {
        let words = words(number)
        for digits in [words.0, words.1] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                output.append(UInt8(truncatingIfNeeded: digits >> shift))
            }
        }
    }

    /// The bytes of an even number of digits; nil for any other text.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        bytes(Array(text.utf8).span)
    }

    /// The bytes of an even number of digits; nil for any others.
    package static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var isWrong = false
        for start in stride(from: 0, to: digits.count, by: 2) {
            let upper = value(digits[start], &isWrong)
            bytes.append(upper << 4 | value(digits[start + 1], &isWrong))
        }
        return isWrong ? nil : bytes
    }

    /// The number of exactly sixteen digits; nil for any other text.
    package static func number(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.count == 16 else { return nil }
        return number(Array(text.utf8).span)
    }

    /// The number of exactly sixteen digits; nil for any others.
    package static func number(_ digits: Span<UInt8>) -> UInt64? {
        guard digits.count == 16, let high = half(digits, at: 0), let low = half(digits, at: 8) else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    /// The number of eight digits, computed in parallel.
    private static func half(_ text: Span<UInt8>, at offset: Int) -> UInt32? {
        // The load checks its range, and any bit pattern is a valid number.
        let word = UInt64(bigEndian: unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        // Letters have the seventh bit set and count from 9. Characters that are not digits do not survive the
        // conversion back.
        let nibbles = word & 0x0F0F_0F0F_0F0F_0F0F &+ (word >> 6 & 0x0101_0101_0101_0101) &* 9
        let pairs = (nibbles | nibbles >> 4) & 0x00FF_00FF_00FF_00FF
        let quads = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
        let number = UInt32(truncatingIfNeeded: quads | quads >> 16)
        return digits(number) == word.byteSwapped ? number : nil
    }

    /// The value of one digit of either case; nil for any other character.
    package static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The digit of a value below 16.
    @inline(__always)
    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The value of one lower-case digit, so that each number has exactly one text.
    ///
    /// It has no branches, because digits are random.
    @inline(__always)
    private static func value(_ character: UInt8, _ isWrong: inout Bool) -> UInt8 {
        let decimal = character &- UInt8(ascii: "0")
        let letter = character &- UInt8(ascii: "a")
        isWrong = isWrong || !(decimal < 10 || letter < 6)
        return decimal < 10 ? decimal : letter &+ 10
    }

    /// Writes the sixteen digits of a number at an offset of a buffer.
    private static func store(_ number: UInt64, in buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        let words = words(number)
        // The callers request room for whole numbers.
        unsafe buffer.storeBytes(of: words.0.littleEndian, toByteOffset: offset, as: UInt64.self)
        unsafe buffer.storeBytes(of: words.1.littleEndian, toByteOffset: offset + 8, as: UInt64.self)
    }

    /// The eight digits of a number, computed in parallel; the first one is the lowest byte.
    private static func digits(_ number: UInt32) -> UInt64 {
        var nibbles = UInt64(number)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Adding 6 carries into the fifth bit for values above 9; their digits start at "a", 39 places after "9".
        let isLetter = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 39).byteSwapped
    }
}
