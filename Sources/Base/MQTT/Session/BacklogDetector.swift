/// Detects when a broker has delivered its backlog: from then on messages come with pauses, while a backlog comes as
/// fast as it is handled.
struct BacklogDetector: Hashable, Sendable {
    /// With fewer messages than this between two checks, the backlog is over.
    static let trickle = 12

    private var messageCount = 0
    private var busy = Duration.zero

    /// Records that `count` messages were handled in this time.
    mutating func note(_ count: Int, busyFor duration: Duration) {
        messageCount += count
        busy += duration
    }

    /// Whether the backlog is over, judged by the messages since the last check.
    mutating func isOver(after pause: Duration) -> Bool {
        defer { self = BacklogDetector() }
        return messageCount < Self.trickle && busy < pause / 2
    }
}
