// XCTest of Apple's systems reports failures in another way, and this package is not used there. A program that is linked statically
// has no XCTest.
#if os(Linux) && canImport(XCTest)
    public import XCTest

    /// A test case of XCTest whose failures say what happened on the pairs of the test: the seed, the warnings and the
    /// timeline.
    ///
    ///     final class LapsTests: PairTestCase { … }
    ///
    /// A second failure of the same test gets what happened after the first one.
    open class PairTestCase: XCTestCase {
        private let log = PairLog()

        /// Runs the test with a log of its pairs.
        open override func invokeTest() {
            PairLog.$current.withValue(log) { super.invokeTest() }
        }

        /// Records a failure with what happened on the pairs.
        open override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            let report = log.report()
            super.recordFailure(
                withDescription: report.isEmpty ? description : "\(description)\n\(report)", inFile: filePath,
                atLine: lineNumber, expected: expected)
        }

        /// Fails the test once for each warning of a pair.
        public func expectNoWarnings(_ pair: TestPair, file: StaticString = #filePath, line: UInt = #line) {
            for warning in pair.warnings { XCTFail("a warning of the pair: \(warning)", file: file, line: line) }
        }
    }
#endif
