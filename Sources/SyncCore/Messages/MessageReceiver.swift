/// Takes live messages from a link, each at most once and in order, and lets them wait for the application's reply.
///
/// Numbers rise strictly within a session: what was overtaken is not delivered, so that no handler sees the past after
/// the present. Its sender learns that by the deadline.
struct MessageReceiver: Hashable, Sendable {
    /// What became of a message.
    enum Verdict: Hashable, Sendable {
        /// The application handles it.
        case deliver
        /// It was here before, or was overtaken.
        case old
        /// Too many messages wait for the application.
        case busy
    }

    private let countMax: Int
    private let flaws: DesignFlaws
    private var highest: UInt64 = 0
    /// When the senders of the messages that wait give up, by number.
    private var deadlines = SortedMap<UInt64, Instant>()

    /// Creates a receiver that lets so many messages wait.
    init(countMax: Int, flaws: DesignFlaws) {
        self.countMax = countMax
        self.flaws = flaws
    }

    /// When the next message is no longer waited for.
    var deadline: Instant? { deadlines.isEmpty ? nil : deadlines.pairs.lazy.map(\.value).min() }

    /// A session opened or ended: its messages are no longer waited for.
    mutating func reset() {
        highest = 0
        deadlines = SortedMap()
    }

    /// A message arrived.
    mutating func received(_ message: MessageFrame, now: Instant) -> Verdict {
        guard message.number > highest || flaws.contains(.messagesTwice) else { return .old }
        highest = max(highest, message.number)
        guard deadlines.count < countMax else { return .busy }
        deadlines[message.number] = now.advanced(by: .milliseconds(message.timeoutMilliseconds))
        return .deliver
    }

    /// The application answers a message; false if nobody waits for that.
    mutating func answered(_ number: UInt64) -> Bool {
        guard deadlines[number] != nil else { return false }
        deadlines[number] = nil
        return true
    }

    /// Forgets the messages whose senders have given up.
    mutating func deadlineReached(now: Instant) {
        guard let deadline, deadline <= now else { return }
        deadlines.removeAll { $1 <= now }
    }
}
