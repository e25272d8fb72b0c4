#if canImport(Testing)
    public import Testing

    /// Adds to each failed expectation of a test what happened on its pairs: the seed, the warnings and the timeline.
    ///
    ///     @Suite(.pairReports) struct LapsTests { … }
    ///
    /// A second failure of the same test gets what happened after the first one.
    public struct PairReports: TestTrait, SuiteTrait, TestScoping {
        /// It holds for the suites within a suite, too.
        public var isRecursive: Bool { true }

        /// Runs a test, or a case of one, with a log of its pairs.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let log = PairLog()
            let handler = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                let report = log.report()
                if !report.isEmpty { issue.comments.append(Comment(rawValue: report)) }
                return issue
            }
            try await PairLog.$current.withValue(log) {
                try await handler.provideScope(for: test, testCase: testCase) { try await function() }
            }
        }
    }

    extension Trait where Self == PairReports {
        /// With what happened on the pairs of a test in its failures.
        public static var pairReports: Self { PairReports() }
    }

    extension TestPair {
        /// Fails the test once for each warning of the pair.
        public func expectNoWarnings(sourceLocation: SourceLocation = #_sourceLocation) {
            for warning in warnings {
                Issue.record(Comment(rawValue: "a warning of the pair: \(warning)"), sourceLocation: sourceLocation)
            }
        }
    }
#endif
