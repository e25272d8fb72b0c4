/// How long to wait before the next attempt: twice as long after each failure, with jitter, up to ten seconds.
struct RetryPause {
    private static let shortest = 0.25
    private static let longest = 10.0
    /// The time that a connection must last to reset the pause.
    private static let proof = Duration.seconds(5)

    private var failureCount = 0

    /// The pause after an attempt failed or a connection ended.
    ///
    /// - Parameters:
    ///   - connectedFor: How long the connection lasted; nil if it never existed.
    ///   - generator: The source of the jitter.
    /// - Returns: The pause.
    mutating func next(afterConnectionOf connectedFor: Duration?, using generator: inout some RandomNumberGenerator)
        -> Duration
    {
        if let connectedFor, connectedFor >= Self.proof { failureCount = 0 }
        let ceiling = min(Self.longest, Self.shortest * Double(1 << min(failureCount, 10)))
        failureCount += 1
        return .seconds(ceiling * Double.random(in: 0.5...1, using: &generator))
    }
}
