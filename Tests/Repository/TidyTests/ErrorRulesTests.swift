import Testing

@Suite struct ErrorRulesTests {
    @Test(arguments: [
        "enum Fault: Error { case bad(Int) }", "public struct Fault: Error, Hashable {}",
        "extension Part {\n    enum Fault: Sendable, Error {}\n}\nextension Other: CustomStringConvertible {}",
        "struct A { enum Fault: Error {} }\nstruct B { enum Fault: Error {} }\nextension A.Fault: CustomStringConvertible {}",
    ])
    func `an error without words is found`(text: String) {
        #expect(!wordlessErrorViolations(in: [planted("Sources/Sync/SyncCore/File.swift", text)]).isEmpty)
    }

    @Test(arguments: [
        "enum Fault: Error, CustomStringConvertible {}", "struct Box: Sendable {}",
        "enum Fault: Error {}\nextension Part.Fault: CustomStringConvertible { var description: String { \"bad\" } }",
    ])
    func `one with words is not`(text: String) {
        #expect(wordlessErrorViolations(in: [planted("Sources/Sync/SyncCore/File.swift", text)]) == [])
    }

    @Test func `the number of an error in a text is found, in code it is not`() {
        // Put together, so that no rule takes this file for an example.
        let word = "err" + "no"
        let found = errorNumberViolations(in: planted("Sources/Sync/SyncCore/File.swift", "let a = \"(\(word) 2)\""))
        #expect(found.count == 1)
        #expect(
            errorNumberViolations(in: planted("Sources/Sync/SyncCore/File.swift", "if \(word) == 2 { stop() }")) == [])
    }
}
