/// When to try a broker again: exponential backoff with jitter, forgotten only after a connection has proved itself.
///
/// A broker that accepts and drops at once is not hammered, hubs that lost the same broker do not come back in step,
/// and what only a person can mend is tried slowly.
struct ReconnectSchedule: Hashable, Sendable {
    /// The first wait at most.
    static let shortest = Duration.milliseconds(500)
    /// The longest wait.
    static let longest = Duration.seconds(30)
    /// The shortest wait while a person has to mend something, such as a password.
    static let attention = Duration.seconds(15)
    /// The time that a connection must last for earlier failures to be forgotten.
    static let proof = Duration.seconds(30)

    private(set) var failureCount = 0

    /// The wait after an attempt failed or a connection ended: between half of the backoff and all of it.
    ///
    /// - Parameters:
    ///   - connectedFor: How long the connection lasted, nil if it never stood.
    ///   - needsAttention: Whether the same will happen until a person changes something.
    ///   - generator: The source of the jitter.
    /// - Returns: The time to wait.
    mutating func wait(
        afterConnectionOf connectedFor: Duration?, needsAttention: Bool,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if let connectedFor, connectedFor >= Self.proof { failureCount = 0 }
        let doublings = min(failureCount, 16)
        failureCount += 1
        let backoff = min(Self.longest, Self.shortest * (1 << doublings))
        let ceiling = needsAttention ? max(Self.attention, backoff) : backoff
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }
}
