import Testing

@Suite struct CautionRulesTests {
    @Test(arguments: ["try! run()", "value as! Int", "fatalError()", "preconditionFailure()", "\"\\(try! run())\""])
    func `a trap without a reason is found`(line: String) {
        #expect(trapViolations(in: planted("Sources/Pool/PoolHub/File.swift", line)).count == 1)
    }

    @Test(arguments: ["try !isEmpty()", "value as? Int", "fatalError(\"no state\")", "// try! run()", "\"as! Int\""])
    func `careful code is not`(line: String) {
        #expect(trapViolations(in: planted("Sources/Pool/PoolHub/File.swift", line)) == [])
    }

    @Test(arguments: [
        "final class Box: @unchecked Sendable {}", "/// A box.\nfinal class Box: @unchecked Sendable {}",
        "// Far away.\n\nnonisolated(unsafe) var count = 0",
        "// Far away.\n\n@safe\nfinal class Box: @unchecked Sendable {}",
        "let a = 1 // beside\nnonisolated(unsafe) var count = 0",
    ])
    func `a promise without its reason is found`(text: String) {
        #expect(unexplainedPromiseViolations(in: planted("Sources/Base/ZeroMQ/File.swift", text)).count == 1)
    }

    @Test(arguments: [
        "// The library locks.\nfinal class Box: @unchecked Sendable {}",
        "// The library locks.\n/// A box.\n@safe\nfinal class Box: @unchecked Sendable {}",
        "/// A box.\n// The library locks.\n@safe final class Box: @unchecked Sendable {}",
        "    // Written once, before any thread starts.\n    nonisolated(unsafe) var count = 0",
    ])
    func `a promise with its reason is not`(text: String) {
        #expect(unexplainedPromiseViolations(in: planted("Sources/Base/ZeroMQ/File.swift", text)) == [])
    }

    // The forbidden words below are put together, so that this file does not hold them.

    @Test(arguments: [
        "try await Task.sl" + "eep(for: .seconds(1))", "usl" + "eep(1)", "nanosl" + "eep(&a, nil)", "sl" + "eep(1)",
    ])
    func `waiting for time in a test is found`(line: String) {
        #expect(sleepViolations(in: planted("Tests/Pool/PoolHubTests/File.swift", line)).count == 1)
        #expect(sleepViolations(in: planted("Tests/Support/TestSupport/File.swift", line)).count == 1)
        #expect(sleepViolations(in: planted("Sources/Pool/PoolHub/File.swift", line)) == [])
    }

    @Test func `only poll pauses between two looks`() {
        let line = "try? await Task.sl" + "eep(for: pause)"

        #expect(sleepViolations(in: planted("Tests/Support/TestSupport/Poll.swift", line)) == [])
    }

    @Test func `a clock of a test's own is not`() {
        let line = "func sl" + "eep(until deadline: Instant) {}"

        #expect(sleepViolations(in: planted("Tests/Pool/PoolHubTests/File.swift", line)) == [])
    }

    @Test(arguments: [
        "@Test(.dis" + "abled(\"slow\")) func a() {}", "@Test(.enabled(if: false)) func a() {}",
        "with" + "KnownIssue { run() }",
        "throw XCT" + "Skip()", "try Test.cancel()",
    ])
    func `a test that does not run is found`(line: String) {
        #expect(disabledTestViolations(in: planted("Tests/Pool/PoolHubTests/File.swift", line)).count == 1)
    }
}
