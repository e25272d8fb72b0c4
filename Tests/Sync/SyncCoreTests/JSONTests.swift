import Testing

@testable import SyncCore

@Suite struct JSONTests {
    private static let document: JSONValue = .members([
        "b": .array([.integer(-1), .null, .bool(true), .string("é\n\"\\\u{1}")]), "a": .members([:]),
        "n": .hexadecimal(0xFFFF_0000_1111_2222), "e": .array([]),
    ])

    @Test func `a value survives its bytes, and equal values have equal bytes`() throws {
        let bytes = Self.document.encoded
        #expect(try JSONValue(decoding: bytes) == Self.document)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"a":{},"b":[-1,null,true,"é\n\"\\\u0001"],"e":[],"n":"ffff000011112222"}"#)
    }

    @Test func `each beginning of a document is truncated or wrong, never a value`() {
        let bytes = Self.document.encoded
        for count in bytes.indices {
            #expect(throws: JSONError.self) { try JSONValue(decoding: Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: [
        "01", "-0", "+1", "1.0", "1e3", "9223372036854775808", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
        "{\"a\":1,\"a\":2}", "[1,]", "{,}", "nul", "[1 2]", "1 2", "", "\u{FEFF}1", "\"a\nb\"",
    ])
    func `what is not canonical is refused`(_ text: String) {
        #expect(throws: JSONError.self) { try JSONValue(decoding: Array(text.utf8)) }
    }

    @Test func `surrogates and blanks are read`() throws {
        let text = " { \"a\" : [ \"\\ud83d\\ude00\" ] } "
        #expect(try JSONValue(decoding: Array(text.utf8)) == .members(["a": .array([.string("😀")])]))
    }

    @Test func `nesting ends at its limit`() {
        let deep = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONValue(decoding: deep(JSONValue.depthLimit)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(decoding: deep(JSONValue.depthLimit + 1)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(decoding: deep(100_000)) }
    }

    @Test func `bytes that are not UTF-8 are no text`() {
        #expect(throws: JSONError.notText(offset: 0)) { try JSONValue(decoding: [0x22, 0xFF, 0x22]) }
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xE2, 0x82, 0x41],
        ] as [[UInt8]])
    func `second spellings, surrogates and halves of letters are no text`(_ bytes: [UInt8]) {
        #expect(throws: JSONError.notText(offset: 0)) { try JSONValue(decoding: [0x22] + bytes + [0x22]) }
    }

    @Test func `each scalar is text, as Swift has it`() throws {
        for number in stride(from: UInt32(0), through: 0x10FFFF, by: 97) {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let text = JSONValue.string("a\(scalar)")
            #expect(try JSONValue(decoding: text.encoded) == text)
        }
    }

    @Test(arguments: [Int64.min, .max, 0, 9, 10, -10, 99, 100, 1_000_000_007])
    func `whole numbers have their shortest digits`(_ number: Int64) throws {
        let bytes = JSONValue.array([.integer(number), .bool(false)]).encoded
        #expect(String(decoding: bytes, as: UTF8.self) == "[\(number),false]")
        #expect(try JSONValue(decoding: bytes) == .array([.integer(number), .bool(false)]))
    }

    @Test func `names stand in the order of their bytes, and a later pair replaces an earlier one`() {
        let value: JSONValue = .members([
            "ab": .integer(1), "é": .integer(2), "": .integer(3), "a": .integer(4), "ab": .integer(5), "Z": .integer(6),
        ])
        #expect(String(decoding: value.encoded, as: UTF8.self) == #"{"":3,"Z":6,"a":4,"ab":5,"é":2}"#)
        #expect(value["ab"] == .integer(5))
        #expect(value["b"] == nil)
    }

    @Test(arguments: [#"{"b":1,"a":2,"b":3}"#, #"{"a":1,"\u0061":2}"#, #"{"z":1,"a":{"x":1,"x":2}}"#])
    func `a name stands once, in whatever order and spelling`(_ text: String) {
        #expect {
            try JSONValue(decoding: Array(text.utf8))
        } throws: { error in
            if case JSONError.duplicateName = error { true } else { false }
        }
    }

    @Test func `a number in hexadecimal digits is the text of them`() {
        let (number, text): (JSONValue, JSONValue) = (.hexadecimal(0x0123_4567_89AB_CDEF), .string("0123456789abcdef"))
        #expect(number == text)
        #expect(number.hashValue == text.hashValue)
        #expect(number.string == text.string)
        #expect(number.encoded == text.encoded)
        #expect(text.hexadecimal == 0x0123_4567_89AB_CDEF)
    }
}
