/// Takes live messages from a link, each at most once and in order, and lets them wait for the application's reply.
///
/// Numbers rise strictly within a session: what was overtaken is not delivered, so that no handler sees the past after
/// the present. Its sender learns that by the deadline.
///
/// A message keeps its place until the application answers it, even if nobody waits for the answer any more: its sender
/// chooses when to give up, and ends sessions, and must not fill this side's memory with what waits here. An application
/// that never answers gets the place back after ``placeAfter``.
struct MessageReceiver: Sendable {
    /// What became of a message.
    enum Verdict: Hashable, Sendable {
        /// The application handles it.
        case deliver
        /// It was here before, or was overtaken.
        case old
        /// Too many messages wait for the application.
        case busy
    }

    /// The time for which a message has its place at least, unless the application answers.
    static let placeAfter = Duration.seconds(600)

    private let countMax: Int
    private let flaws: DesignFlaws
    private var highest: UInt64 = 0
    /// When the senders of the messages that wait give up, by number.
    private var deadlines = SortedMap<UInt64, Instant>()
    /// When the places of the messages that the application has are free at the latest, oldest first.
    private var places: [(id: MessageID, until: Instant)] = []

    /// Creates a receiver that lets so many messages wait.
    init(countMax: Int, flaws: DesignFlaws) {
        self.countMax = countMax
        self.flaws = flaws
    }

    /// When the next message is no longer waited for.
    var deadline: Instant? { deadlines.isEmpty ? nil : deadlines.pairs.lazy.map(\.value).min() }

    /// The messages that the application has not answered.
    var count: Int { places.count }

    /// A session opened or ended: its messages are no longer waited for.
    mutating func reset() {
        highest = 0
        deadlines = SortedMap()
    }

    /// A message arrived.
    mutating func received(_ message: MessageFrame, session: UInt64, now: Instant) -> Verdict {
        guard message.number > highest || flaws.contains(.messagesTwice) else { return .old }
        highest = max(highest, message.number)
        places.removeAll { $0.until <= now }
        guard places.count < countMax else { return .busy }
        let timeout = Duration.milliseconds(message.timeoutMilliseconds)
        deadlines[message.number] = now.advanced(by: timeout)
        let id = MessageID(session: session, number: message.number)
        places.append((id, now.advanced(by: max(timeout, Self.placeAfter))))
        return .deliver
    }

    /// The application is done with a message of any session.
    mutating func release(_ id: MessageID) {
        if let place = places.firstIndex(where: { $0.id == id }) { places.remove(at: place) }
    }

    /// The application answers a message of this session; false if nobody waits for that.
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
