/// Determines when to try a broker again: exponential backoff with jitter, reset only after a connection that lasted.
///
/// So a broker that accepts connections and drops them at once is not overloaded, hubs that lost the same broker do
/// not reconnect at the same time, and a problem that only a person can resolve is retried slowly.
package struct ReconnectSchedule: Hashable, Sendable {
    /// The shortest wait if a person has to resolve something, such as a wrong password.
    static let attentionPause = Duration.seconds(15)

    /// The upper limit of the first wait.
    let shortest: Duration
    /// The longest wait.
    let longest: Duration
    /// How long a connection must last before earlier failures are forgotten.
    let proof: Duration
    private(set) var failureCount = 0

    /// Creates a schedule without a failure; the standard values are those of a hub.
    package init(
        shortest: Duration = .milliseconds(500), longest: Duration = .seconds(30), proof: Duration = .seconds(30)
    ) {
        self.shortest = shortest
        self.longest = longest
        self.proof = proof
    }

    /// The wait after a failed attempt or an ended connection: between half of the backoff and all of it.
    ///
    /// - Parameters:
    ///   - connectedFor: How long the connection lasted; nil if it was never established.
    ///   - needsAttention: Whether the same will happen until a person changes something.
    ///   - generator: The source of the jitter.
    /// - Returns: The time to wait.
    package mutating func wait(
        afterConnectionOf connectedFor: Duration?, needsAttention: Bool = false,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if let connectedFor, connectedFor >= proof { failureCount = 0 }
        let doublings = min(failureCount, 16)
        failureCount += 1
        let backoff = min(longest, shortest * (1 << doublings))
        let ceiling = needsAttention ? max(Self.attentionPause, backoff) : backoff
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }
}
