import Testing

@Suite struct MessageRulesTests {
    private func found(_ text: String, page: String = "") -> [String] {
        unlistedMessageViolations(in: [planted("Sources/Pool/PoolHub/File.swift", text)], page: page).map(\.message)
    }

    @Test(arguments: [
        #"throw CommandFailure("the cat \(name) ate all of it")"#,
        #"enum Fault: Error { var words: String { "the cat ate all of it" } }"#,
        #"extension PetProblem { var words: String { "the cat " + "ate all of it" } }"#,
        #"return .refused("the cat \(called("a tom cat")) ate all of it")"#,
    ])
    func `a message that the page does not have is found`(text: String) {
        let messages = found(text)
        #expect(messages.count == 1 && messages[0].contains("ate all of it"))
        #expect(found(text, page: "| `the cat ate all\nof it` | |") == [])
    }

    @Test(arguments: [
        #"let title = "the cat ate all of it""#, #"throw CommandFailure("no cat")"#,
        #"enum Fault: Error { case code = "ate-all-of-it" }"#,
        #"enum Fault: Error { var words: String { language.pick("no cat", "le chat a tout mangé") } }"#,
    ])
    func `a text that is no message, or too short to look for, is not`(text: String) {
        #expect(found(text) == [])
    }

    @Test func `signs, escapes and backticks do not matter`() {
        #expect(found(#"throw CommandFailure("\"all of it\" is `eaten`: ")"#, page: "`\"all of it\" is eaten`") == [])
    }
}
