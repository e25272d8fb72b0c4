import Testing

@Suite struct ConformanceRulesTests {
    private let names: Set = ["a stale welcome is ignored", "plainName"]

    /// A page on which every number has a row, with some rows replaced.
    private func page(_ replacements: [String: String] = [:]) -> String {
        Conformance.numbers.map { replacements[$0] ?? "| \($0) | what | not yet | comes later |" }.joined(
            separator: "\n")
    }

    private func violations(_ replacements: [String: String]) -> [Violation] {
        conformanceViolations(in: page(replacements), testNames: names)
    }

    @Test func `a page with one row for each number is complete`() {
        #expect(Conformance.numbers.count == 472)
        #expect(violations([:]) == [])
    }

    @Test(arguments: [
        ("P1", "P1 has no row", ""),
        ("R164", "R164 has 2 rows", "| R164 | what | not yet | later |\n| R164 | what | not yet | later |"),
        ("X3", "X3 has the unknown state `done`", "| X3 | what | done | `plainName` |"),
        ("L2", "L2 has the unknown state ``", "| L2 | what |"),
        ("V4", "V4 says neither where it is shown nor why not yet", "| V4 | what | not yet | |"),
        (
            "P2", "P2 names `no such test`, which is neither a test nor a command",
            "| P2 | what | works | `no such test` |"
        ),
        (
            "P2", "P2 names `renamed`, which is neither a test nor a command",
            "| P2 | what | partly | `plainName`, `renamed` |"
        ),
        ("P2", "P2 claims `partly`, but names no test and no command", "| P2 | what | partly | plainName |"),
        ("P2", "P2 claims `works`, but names no test and no command", "| P2 | what | works | `.ci/web-api` |"),
    ])
    func `a row that is missing, doubled or unfounded is found`(number: String, message: String, row: String) {
        #expect(violations([number: row]).map(\.message) == [message])
    }

    @Test func `a number that does not exist is found`() {
        let text = page() + "\n| P119 | what | not yet | later |"

        #expect(
            conformanceViolations(in: text, testNames: []).map(\.message) == ["P119 is a number that does not exist"])
    }

    @Test(arguments: [
        "`a stale welcome is ignored`", "seen in `plainName`, not in others", "`poolsensors demo --for 10s`",
        "`synclab bench sync`", "`plainName` and `a stale welcome is ignored`; `.ci/web-api`",
    ])
    func `a claim that names a test or a command is founded`(evidence: String) {
        #expect(violations(["P2": "| P2 | what | works | \(evidence) |"]) == [])
    }

    @Test func `the names of tests are read from the source`() {
        let text = """
            @Suite struct ATests {
                @Test func plainName() {}
                @Test(arguments: [1, 2])
                func `a stale welcome is ignored`(n: Int) {}
                func helper() {}
                // @Test func notThis() {}
            }
            """

        #expect(planted("Tests/A/ATests.swift", text).testNames == ["plainName", "a stale welcome is ignored"])
    }
}
