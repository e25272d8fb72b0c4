import Testing

@testable import Text

@Suite struct JSONScannerTests {
    private func scan(_ text: String) throws(JSONParsingError) -> JSONValue {
        try JSONScanner.scan(Array(text.utf8), depthMax: 8)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "Aé€"),
        (#""\ud83c\udfca""#, "🏊"), (#""\ud83c""#, "\u{FFFD}"), (#""\udfca\ud83c""#, "\u{FFFD}\u{FFFD}"),
        (#""\ud83cx""#, "\u{FFFD}x"), (#""\ud83c\n""#, "\u{FFFD}\n"), (#""\ud83c\u0041""#, "\u{FFFD}A"),
        (#""é🏊""#, "é🏊"),
    ])
    func `a string is read with its escapes`(source: String, string: String) throws {
        #expect(try scan(source) == .string(string))
    }

    @Test(arguments: ["0", "-0", "10", "-1.5", "1e5", "1E+5", "1.25e-10", "123456789012345678901234567890"])
    func `a number is kept as written`(number: String) throws {
        #expect(try scan(number) == .number(number))
    }

    @Test(arguments: ["01", "-01", "1.", ".1", "1e", "1e+", "--1", "1.2.3", "1-2", "+1"])
    func `what breaks the grammar of numbers is not a number`(text: String) {
        #expect(throws: JSONParsingError.self) { try scan(text) }
    }

    @Test func `members keep their order and their repeated keys`() throws {
        let value = try scan(#"{"b":1,"a":[null,true,false],"b":{}}"#)
        #expect(
            value
                == .object([
                    .init(key: "b", value: .number("1")),
                    .init(key: "a", value: .array([.null, .bool(true), .bool(false)])),
                    .init(key: "b", value: .object([])),
                ]))
    }

    @Test(arguments: [
        ("", JSONParsingError.Kind.unexpectedEnd, 0), ("[1,", .unexpectedEnd, 3),
        ("{\"a\":1 1}", .unexpectedByte(0x31), 7),
        ("1 2", .trailingBytes, 2), ("01", .badNumber, 0), ("[-01]", .badNumber, 2), ("\"\\q\"", .badEscape, 3),
        ("\"\u{1}\"", .controlCharacter, 1), ("[[[[[[[[[", .tooDeep, 8), ("nil", .unexpectedByte(0x6E), 0),
        ("\"abc", .unexpectedEnd, 4), ("-", .unexpectedByte(0x2D), 0), ("-true", .unexpectedByte(0x2D), 0),
    ])
    func `a fault says what and where`(text: String, kind: JSONParsingError.Kind, offset: Int) {
        #expect(throws: JSONParsingError(kind: kind, offset: offset)) { try scan(text) }
    }

    @Test func `every beginning of a value is a fault or a shorter value, never a trap`() {
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",null,true,{"b":NaN}],"c":"🏊"}"#.utf8)
        for count in 0..<text.count {
            #expect(throws: JSONParsingError.self) { try JSONScanner.scan(Array(text[..<count]), depthMax: 8) }
        }
        #expect(throws: Never.self) { try JSONScanner.scan(text, depthMax: 8) }
    }
}
