import Testing

@Suite struct LexerTests {
    private func words(_ text: String) -> [String] {
        SwiftLexer(text).tokens.filter(\.isWord).map(\.text)
    }

    @Test(arguments: [
        ("let a = b // let c", ["let", "a", "b"]),
        ("let a /* let /* nested */ c */ = b", ["let", "a", "b"]),
        (#"say("let c")"#, ["say"]),
        (#"say("a \"quoted\" word") + b"#, ["say", "b"]),
        (#"say("sum \(a + say("in \(b)")) end") + c"#, ["say", "a", "say", "b", "c"]),
        (##"say(#"no \(code) "here""#) + b"##, ["say", "b"]),
        (##"say(#"but \#(code) here"#) + b"##, ["say", "code", "b"]),
        ("say(\"\"\"\n  let \"c\" \\(d)\n  \"\"\") + b", ["say", "d", "b"]),
        ("func `let it be \"quoted\"`() {}", ["func", "`let it be \"quoted\"`"]),
        (#"let pattern = /"[a-z]+/ ; b"#, ["let", "pattern", "b"]),
        (##"let pattern = #/"a/b/# ; b"##, ["let", "pattern", "b"]),
        ("total / count / \"text\".count", ["total", "count", "count"]),
        ("let a = \"unfinished\nlet b", ["let", "a", "let", "b"]),
    ])
    func `only code gives tokens`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func `lines are counted through comments, strings and joined lines`() {
        let text = "/* 1\n 2 */\nlet a = \"\"\"\n  4 \\\n  5\n  \"\"\"\nlast"

        let lexer = SwiftLexer(text)

        #expect(lexer.tokens.last == SwiftToken(text: "last", line: 7, startsLine: true, followsBlank: true))
        #expect(lexer.prose.map(\.line) == [1, 2, 3, 4, 5, 6].filter { [1, 2, 4, 5, 6].contains($0) })
    }

    @Test func `a comment's lines and a string's pieces are kept as prose`() {
        let prose = SwiftLexer("let a = \"one \\(two) three\" // four").prose

        #expect(prose.map(\.text) == ["one ", " three", "// four"])
        #expect(prose.map(\.kind) == [.string, .string, .comment])
    }

    @Test(arguments: ["\"", "\"\"\"", "#\"", "/*", "`", "/", "#/", "\"\\", "\"\\(", "\\", "é", "\r\n", "\"\"\"\n\\("])
    func `any text gives an answer`(text: String) {
        #expect(SwiftLexer(text).tokens.count <= text.utf8.count)
    }
}
