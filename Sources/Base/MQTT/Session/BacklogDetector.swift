/// Tells when a broker has delivered what it kept: then messages come with pauses, while a backlog comes as fast as it
/// is taken in.
struct BacklogDetector: Hashable, Sendable {
    /// The messages of one look that are a trickle.
    static let trickle = 12

    private var messageCount = 0
    private var busy = Duration.zero

    /// So many messages were taken in, which took so long.
    mutating func note(_ count: Int, busyFor duration: Duration) {
        messageCount += count
        busy += duration
    }

    /// Whether it is over, judged by what came since the last look.
    mutating func isOver(after pause: Duration) -> Bool {
        defer { self = BacklogDetector() }
        return messageCount < Self.trickle && busy < pause / 2
    }
}
