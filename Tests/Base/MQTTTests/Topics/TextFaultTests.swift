import Testing

@testable import MQTT

@Suite struct TextFaultTests {
    @Test func `a text is shown in quotation marks`() {
        #expect("a/größe °C".asShown == "\"a/größe °C\"")
        #expect("".asShown == "\"\"")
    }

    @Test func `a long text is cut, and its length told`() {
        let limit = String(repeating: "ä", count: 80)

        #expect(limit.asShown == "\"\(limit)\"")
        #expect((limit + "b").asShown == "\"\(limit)…\" (161 bytes)")
    }

    @Test func `what could confuse a terminal is shown by its number`() {
        #expect("a\0b\u{1B}[2J\u{9B}\n".asShown == #""a\u{0}b\u{1B}[2J\u{9B}\u{A}""#)
    }

    @Test func `no error shows more of a text than that`() throws {
        let text = String(repeating: "x", count: 70_000)
        var named = Client.Options()
        named.clientIdentifier = text
        var known = Client.Options()
        known.credentials = Credentials(userName: text, password: nil)

        for make in [
            { _ = try TopicName(text) }, { _ = try TopicFilter(text) }, { _ = try Client(named) },
            { _ = try Client(known) }, { _ = try BrokerAddress(host: text, port: 1) },
        ] {
            #expect { try make() } throws: { error in
                "\(error)".contains("x…\" (70000 bytes)") && "\(error)".count < 300
            }
        }
    }

    @Test(arguments: [
        (TextProblem.empty, "it is empty; it needs 1…65535 bytes"),
        (.tooLong(byteCount: 65_536), "it has 65536 bytes; at most 65535 are allowed"),
        (.forbiddenCharacter("\u{1}"), "it holds the character U+0001; remove it"),
        (.forbiddenCharacter("\u{1FFFE}"), "it holds the character U+1FFFE; remove it"),
        (.wildcard("#"), "it holds #, which only a topic filter may"),
        (.wildcardNotAlone("+"), "+ must be alone in its level, as in a/+"),
        (.levelsAfterHash, "# must be the last level"),
    ])
    func `a fault is told with the way out`(fault: TextProblem, words: String) {
        #expect(fault.description == words)
    }
}
