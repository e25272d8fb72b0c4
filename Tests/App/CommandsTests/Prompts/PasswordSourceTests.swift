import Testing

@testable import Commands

@Suite struct PasswordSourceTests {
    static let situations: [(String?, Bool, Bool, Bool, Bool, PasswordSource)] = [
        ("f", true, true, true, true, PasswordSource.file("f")), (nil, true, true, true, true, .standardInput),
        (nil, false, true, true, true, .removed), (nil, false, false, true, true, .prompt),
        (nil, false, false, true, false, .unchanged), (nil, false, false, false, true, .unchanged),
    ]

    @Test(arguments: situations)
    func `the first that is there counts, and only a person is asked`(
        file: String?, usesStandardInput: Bool, isRemoved: Bool, wantsPrompt: Bool, isTerminal: Bool,
        source: PasswordSource
    ) {
        #expect(
            PasswordSource(
                file: file, usesStandardInput: usesStandardInput, isRemoved: isRemoved, wantsPrompt: wantsPrompt,
                isTerminal: isTerminal) == source)
    }

    @Test(arguments: [
        ("secret\n", "secret"), ("secret", "secret"), ("secret\r\nmore\r\n", "secret"), (" s p \n", " s p "), ("", ""),
        ("\nsecond", ""), ("secret\r", "secret"),
    ])
    func `a password is the first line, without its end and with its blanks`(text: String, password: String) {
        #expect(PasswordSource.firstLine(of: text) == password)
    }
}
