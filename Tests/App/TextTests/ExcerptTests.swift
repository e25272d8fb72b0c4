import Testing

@testable import Text

@Suite struct ExcerptTests {
    @Test(arguments: [
        ("", "\"\""), ("abc", "\"abc\""), ("é 露", "\"é 露\""), ("\u{1B}[2J", "\"\\u{1b}[2J\""),
        ("a\r\nb", "\"a\\u{d}\\u{a}b\""),
        ("\u{202E}x\u{200B}", "\"\\u{202e}x\\u{200b}\""), ("\u{E000}", "\"\\u{e000}\""), ("12345", "\"1234…\""),
    ])
    func `foreign text is quoted, short and on one line`(text: String, shown: String) {
        #expect("\(Excerpt(text, scalarCountMax: text == "12345" ? 4 : 60))" == shown)
    }
}
