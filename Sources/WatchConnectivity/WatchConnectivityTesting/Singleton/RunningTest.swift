#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// A test of Swift Testing, as far as the running code is known to belong to it.
struct RunningTest: Hashable, Sendable {
    /// The test's name, as in its report.
    let name: String
    /// The test's identity.
    let key: String

    /// The test whose task the running code belongs to; nil on other queues and threads, and in XCTest, whose tests
    /// cannot be told apart.
    static var current: RunningTest? {
        #if canImport(Testing)
            Test.current.map { RunningTest(name: $0.displayName ?? $0.name, key: "\($0.id)") }
        #else
            nil
        #endif
    }

    /// Gets the failures of the running code instead of its test: for tests of the failures.
    @TaskLocal static var failures: (@Sendable (String) -> Void)?

    /// Fails the running test; without one, the run of tests.
    static func fail(_ text: String) {
        if let failures { return failures(text) }
        #if canImport(Testing)
            if let test = Test.current {
                Issue.record(Comment(rawValue: text), sourceLocation: test.sourceLocation)
            } else {
                Issue.record(Comment(rawValue: text))
            }
        #endif
        // It does nothing in a run of the other library.
        #if canImport(XCTest)
            XCTFail(text)
        #endif
    }
}
