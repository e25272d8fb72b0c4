/// Receives live messages, each at most once and in order, and keeps them until the application replies.
///
/// Numbers increase strictly within a session. A message that arrives after a later one is not delivered, so that no
/// handler gets an older message after a newer one. Its sender learns that when its deadline passes.
///
/// A message occupies its place until the application answers it, even if its sender no longer waits. A sender
/// chooses its own time limits and ends sessions, so otherwise it could fill this side's memory with unanswered
/// messages. If the application never answers, the place becomes free after ``placeAfter``.
struct MessageReceiver: Sendable {
    /// The result of a received message.
    enum Verdict: Hashable, Sendable {
        /// The application handles it.
        case deliver
        /// It is a duplicate, or a later message arrived before it.
        case old
        /// Too many messages already wait for the application.
        case busy
    }

    /// The time after which the place of an unanswered message becomes free.
    static let placeAfter = Duration.seconds(600)

    private let countMax: Int
    private var highest: UInt64 = 0
    /// The deadlines of the senders of the waiting messages, by number.
    private var deadlines = SortedMap<UInt64, Instant>()
    /// When the places of unanswered messages become free at the latest, oldest first.
    private var places: [(id: MessageID, until: Instant)] = []

    /// Creates a receiver in which at most `countMax` messages wait.
    init(countMax: Int) {
        self.countMax = countMax
    }

    /// When the next sender stops waiting.
    var deadline: Instant? { deadlines.isEmpty ? nil : deadlines.pairs.lazy.map(\.value).min() }

    /// A session opened or ended: the senders of its messages no longer wait.
    mutating func reset() {
        highest = 0
        deadlines = SortedMap()
    }

    /// A message arrived.
    mutating func received(_ message: MessageFrame, session: UInt64, now: Instant) -> Verdict {
        guard message.number > highest else { return .old }
        highest = max(highest, message.number)
        places.removeAll { $0.until <= now }
        guard places.count < countMax else { return .busy }
        let timeout = Duration.milliseconds(message.timeoutMilliseconds)
        deadlines[message.number] = now.advanced(by: timeout)
        let id = MessageID(session: session, number: message.number)
        places.append((id, now.advanced(by: max(timeout, Self.placeAfter))))
        return .deliver
    }

    /// The application has answered a message, of whatever session.
    mutating func release(_ id: MessageID) {
        if let place = places.firstIndex(where: { $0.id == id }) { places.remove(at: place) }
    }

    /// The application answers a message of this session; false if its sender no longer waits.
    mutating func answered(_ number: UInt64) -> Bool {
        guard deadlines[number] != nil else { return false }
        deadlines[number] = nil
        return true
    }

    /// Forgets the messages whose senders no longer wait.
    mutating func deadlineReached(now: Instant) {
        guard let deadline, deadline <= now else { return }
        deadlines.removeAll { $1 <= now }
    }
}
