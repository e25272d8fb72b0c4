import Testing

@Suite struct SuiteNameRulesTests {
    private func violations(_ text: String) -> [Violation] {
        suiteNameViolations(
            path: "Docs/internals/engine.md", text: text, typeNames: ["MergeTests"],
            files: ["Sources/Sync/SyncTransport/StrayTests.swift", "Tests/Sync/SyncTransportTests/FaultTests.swift"])
    }

    @Test(arguments: [
        "`MissingTests`", "`MergeTests`, `MissingTests`",
        "[`GoneTests`](../Tests/Sync/SyncTransportTests/FaultTests.swift)",
        "`Tests/MissingTests`", "`StrayTests`",
    ])
    func `a name that no suite bears is found`(line: String) {
        #expect(violations("# Title\n`a\n`\(line)\n").map(\.line) == [3])
    }

    @Test(arguments: [
        "`MergeTests`", "`FaultTests`", "`SyncTransportTests`", "`Tests/Sync/SyncTransportTests`", "MissingTests",
        "`a test of MergeTests with others`", "`a` MissingTests `b`",
    ])
    func `a suite, a file or a folder of tests is not`(line: String) {
        #expect(violations("# Title\n\n\(line)\n") == [])
    }

    @Test func `the names of types are read from the source`() {
        let text = """
            @Suite(.serialized) struct ATests {
                enum Inner {}
                // struct NotThisTests {}
            }
            extension BTests {}
            final class CTests {}
            """

        #expect(Set(planted("Tests/A/ATests.swift", text).typeNames) == ["ATests", "Inner", "BTests", "CTests"])
    }
}
