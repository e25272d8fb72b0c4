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
            #expect(throws: JSONFault.self) { try JSONValue(decoding: Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: [
        "01", "-0", "+1", "1.0", "1e3", "9223372036854775808", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
        "{\"a\":1,\"a\":2}", "[1,]", "{,}", "nul", "[1 2]", "1 2", "", "\u{FEFF}1", "\"a\nb\"",
    ])
    func `what is not canonical is refused`(_ text: String) {
        #expect(throws: JSONFault.self) { try JSONValue(decoding: Array(text.utf8)) }
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
        #expect(throws: JSONFault.tooDeep) { try JSONValue(decoding: deep(JSONValue.depthLimit + 1)) }
        #expect(throws: JSONFault.tooDeep) { try JSONValue(decoding: deep(100_000)) }
    }

    @Test func `bytes that are not UTF-8 are no text`() {
        #expect(throws: JSONFault.notText(offset: 0)) { try JSONValue(decoding: [0x22, 0xFF, 0x22]) }
    }
}
