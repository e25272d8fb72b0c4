import Testing

@Suite struct ThreatModelRulesTests {
    private func violations(_ row: String, heading: String = "| limit | in the code | test |") -> [Violation] {
        threatModelViolations(
            path: "Docs/page.md", text: "# Title\n\n\(heading)\n|---|---|---|\n\(row)\n\nEnd\n",
            testNames: ["one", "two"],
            sources: [("Sources/Sync/A/Gate.swift", "static let most = 4096\n")])
    }

    @Test(arguments: [
        ("| most | `Gate`: `most = 4096` | none |", "the row names no test"),
        ("| most | `Gate`: `most = 4096` | `one`, `three` |", "the row names the test `three`, which does not exist"),
        ("| most | 4096 | `one` |", "the row does not say where its limit is in the code"),
        (
            "| most | `Gate`: `most = 8192` | `one` |",
            "the row has a limit that is not in the code: `most = 8192` in Gate.swift"
        ),
        (
            "| most | `ate`: `most = 4096` | `one` |",
            "the row has a limit that is not in the code: `most = 4096` in ate.swift"
        ),
    ])
    func `a row that nothing shows is found`(row: String, message: String) {
        #expect(violations(row) == [Violation(path: "Docs/page.md", line: 5, message: message)])
    }

    @Test func `a row with its tests and its limit is not`() {
        #expect(violations("| most | `Gate`: `most = 4096` | `one`, `two` |") == [])
        #expect(violations("| what | words | `two` |", heading: "| who | what | test |") == [])
    }

    @Test func `a page without a row is found, and other tables do not count`() {
        #expect(violations("| a | b | c |", heading: "| a | b | c |").map(\.line) == [1])
    }
}
