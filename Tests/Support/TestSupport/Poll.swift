/// What a test looked for again and again did not come.
public struct WaitedInVain: Error, CustomStringConvertible {
    /// What was looked for.
    public let description: String
}

/// Looks again and again until something is so.
///
/// - Parameters:
///   - what: What is waited for, as the failure says it.
///   - isolation: Where the caller runs, and the looks with it.
///   - isSo: Looks; between two looks lies a pause, in which others have the processor: of 1 to 20 ms, and at least twice as long
///     as the look took.
/// - Throws: ``WaitedInVain`` when it does not come for twenty minutes (for one, after the first wait in the process that was in
///   vain), or the test's own time is over; what `isSo` throws.
public func poll(
    _ what: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    until isSo: () async throws -> Bool
) async throws {
    let deadline = Patience.deadline
    var pause = Duration.milliseconds(1)
    var began = ContinuousClock.now
    while try await !isSo() {
        let isLate = ContinuousClock.now > deadline
        if isLate { Patience.exhaust() }
        if isLate || Task.isCancelled { throw WaitedInVain(description: "waited in vain: \(what())") }
        // A look that starts a process would otherwise take the time of what it waits for.
        let look = began.duration(to: .now)
        // A cancelled pause ends at once, and the next look sees it.
        try? await Task.sleep(for: max(pause, look * 2))
        pause = min(pause * 2, .milliseconds(20))
        began = .now
    }
}
