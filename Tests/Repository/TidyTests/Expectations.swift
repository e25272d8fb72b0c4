import Testing

/// Records every violation as an issue of its own, so that a failed run lists them all.
func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
    for violation in violations {
        Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
    }
}

/// A file that exists in a test only.
func planted(_ path: String, _ text: String) -> SwiftSource {
    SwiftSource(path: path, text: text)
}
