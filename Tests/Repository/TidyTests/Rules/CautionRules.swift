/// Code that stops the process without saying why.
func trapViolations(in source: SwiftSource) -> [Violation] {
    let wayOut = [
        "try!": "let the error travel, or handle it",
        "as!": "use `as?` and say what happens otherwise",
        "fatalError()": "say which state was impossible",
        "preconditionFailure()": "say which state was impossible",
        "assertionFailure()": "say which state was impossible",
    ]
    return wayOut.sorted { $0.key < $1.key }.flatMap { code, advice in
        source.places(of: code).map { source.violation(at: $0, "`\(code)`: \(advice)") }
    }
}

/// Promises that the compiler cannot check, without the reason in the line above.
///
/// Attributes and documentation may stand between the reason and the promise.
func unexplainedPromiseViolations(in source: SwiftSource) -> [Violation] {
    ["@unchecked Sendable", "nonisolated(unsafe)"].flatMap { promise in
        source.places(of: promise).filter { !source.hasReason(above: source.tokens[$0].line) }.map {
            source.violation(at: $0, "`\(promise)` needs its reason in a `//` comment in the line above")
        }
    }
}

extension SwiftSource {
    /// Whether a plain comment stands above this line, with nothing but attributes and documentation between.
    fileprivate func hasReason(above line: Int) -> Bool {
        var line = line - 1
        while line > 0 {
            if let comment = prose.first(where: { $0.line == line && $0.kind == .comment && $0.startsLine }) {
                if !comment.text.hasPrefix("///") { return true }
            } else if !tokens.contains(where: { $0.line == line && $0.startsLine && $0.text == "@" }) {
                return false
            }
            line -= 1
        }
        return false
    }
}

/// Tests that wait for time to pass instead of for the event.
func sleepViolations(in source: SwiftSource) -> [Violation] {
    // `poll` is the one place that pauses: between two looks, for all tests.
    guard source.isTest, source.path != "Tests/Support/TestSupport/Poll.swift" else { return [] }
    // The names are put together here, so that this file does not hold what it forbids.
    return ["", "u", "nano"].map { $0 + "sleep" + "(" }.flatMap { code in
        source.places(of: code).filter { source.text(at: $0 - 1) != "func" }.map {
            source.violation(at: $0, "`\(code)…)` in a test: wait for the event, or turn the clock by hand")
        }
    }
}

/// Tests that exist but do not run.
func disabledTestViolations(in source: SwiftSource) -> [Violation] {
    guard source.isTest else { return [] }
    let switches = [".dis" + "abled(", ".enabled(if", "with" + "KnownIssue", "XCT" + "Skip", "Test.cancel("]
    return switches.flatMap { code in
        source.places(of: code).map { source.violation(at: $0, "`\(code)`: a test runs or goes") }
    }
}
