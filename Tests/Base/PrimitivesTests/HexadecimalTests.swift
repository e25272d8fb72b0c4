import Primitives
import Testing

@Suite struct HexadecimalTests {
    @Test func `sixteen digits are a number, and nothing else is`() {
        var generator = SplitMix64(seed: 4)
        for _ in 0..<200 {
            let number = generator.next() >> UInt64.random(in: 0..<64, using: &generator)
            let text = Hexadecimal.text(number)
            let digits = String(number, radix: 16)
            #expect(text == String(repeating: "0", count: 16 - digits.count) + digits)
            #expect(Hexadecimal.number(text) == number)
            #expect(Hexadecimal.text(high: number, low: 1) == text + "0000000000000001")
        }
        let digits = Set("0123456789abcdef".utf8)
        for byte in UInt8.min...UInt8.max {
            for position in [0, 7, 8, 15] {
                var text = Array("0123456789abcdef".utf8)
                text[position] = byte
                #expect((Hexadecimal.number(text.span) != nil) == digits.contains(byte))
                #expect((Hexadecimal.bytes(text.span) != nil) == digits.contains(byte))
            }
        }
        #expect(Hexadecimal.number("0123456789abcde") == nil)
    }

    @Test func `bytes and short numbers have two digits for each byte`() {
        #expect(Hexadecimal.text([0x00, 0x0A, 0xFF]) == "000aff")
        #expect(Hexadecimal.text(0x0012_ABCD as UInt32) == "0012abcd")
        #expect(Hexadecimal.bytes("000aff") == [0x00, 0x0A, 0xFF])
        #expect(Hexadecimal.bytes("000AFF") == nil && Hexadecimal.bytes("000") == nil)
    }

    @Test func `a digit of either case has its value`() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte < 0x80 ? UInt8(String(Unicode.Scalar(byte)), radix: 16) : nil
            #expect(Hexadecimal.value(ofDigit: byte) == expected)
        }
    }
}
