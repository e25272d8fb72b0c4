import Foundation
import Testing

@Suite struct TestDefaultsTests {
    /// Without it a plain `swift test` would start all tests at once.
    @Test func `the number of tests that run at a time is set before the tests begin`() {
        let width = ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"]
        #expect(width.flatMap { Int($0) } != nil)
    }
}
