/// Decides for a session when to connect, what to subscribe to, and which messages to take: a value without a socket,
/// a clock or chance of its own.
///
///        ┌────────────────────waited─────────────────────┐
///        ▼                                               │
///     connecting ──────────────ended────────────────▶ waiting
///        │    ▲                                       ▲   ▲
///     accepted └───────────ended────────────┐         │   │
///        ▼                                  │         │   │
///     connected ──ended, all was kept───────┼─────────┘   │
///        │                                  │             │
///      ended, messages were not kept        │             │
///        ▼                                  │             │
///     connecting ──accepted──▶ connected    │             │
///     (stand-in)               (stand-in) ──┘             │
///        └────────────────────ended───────────────────────┘
///
///     every state ──stop──▶ stopped
///
/// What cannot be kept waits at the broker, in the session under the client's name. Meanwhile a stand-in, a client
/// without a name, is connected most of the time: it hears what comes, and can publish.
struct SessionStateMachine: Sendable {
    private enum State {
        case connecting(Attempt)
        case connected(Attempt, Link)
        case waiting(SessionProblem)
        /// The end, with the phase that was shown last.
        case stopped(SessionStatus.Phase)
    }

    /// Which client connects.
    private enum Attempt {
        /// The session's own.
        case own
        /// The stand-in, after the own one's connection ended so.
        case standIn(after: End, lasting: Duration)
    }

    /// A connection that the broker has accepted.
    private struct Link {
        let connection: SessionConnection
        let acceptedAt: ContinuousClock.Instant
        var subscribed: Set<TopicFilter> = []
        /// The filters of the unsubscribe packets that are not answered yet.
        var unsubscribing: [PacketIdentifier: [TopicFilter]] = [:]
        var copies = MessageCopies()
        /// The messages that are to be kept at the next pause.
        var arrived: [Message] = []
        /// Judges the backlog, or nil.
        var backlog: BacklogDetector?
    }

    /// How an attempt or a connection ended.
    enum End: Hashable, Sendable {
        /// There was no attempt, for this reason.
        case notTried(String)
        /// The client ended so.
        case ended(Client.EndReason)
    }

    /// What to do after an end.
    enum NextStep: Hashable, Sendable {
        /// Connect, as the session's own client or as the stand-in.
        case connect(asStandIn: Bool)
        /// Wait, then say so.
        case wait(Duration)
    }

    /// What to tell the broker, so that it delivers what is wanted.
    struct SubscriptionChange: Hashable, Sendable {
        /// What is to be remembered of the subscriptions before any packet is sent; nil if nothing changes.
        var remembered: Set<TopicFilter>?
        /// The subscriptions to end.
        var unsubscribe: [TopicFilter] = []
        /// The filters to subscribe to.
        var subscribe: [TopicFilter] = []
    }

    /// What to do with a message.
    enum Reception: Hashable, Sendable {
        /// Nothing until the next pause.
        case keep
        /// Drop it: it came already, by another filter.
        case dropCopy
        /// End the subscription to its topic: nobody wants it.
        case unsubscribe
    }

    /// What to do after messages were handled.
    enum AfterMessages: Hashable, Sendable {
        /// Let them be acknowledged.
        case acknowledge
        /// End the connection without an acknowledgement.
        case abort
    }

    private var state = State.connecting(.own)
    private var schedule = ReconnectSchedule()
    private var conflicts = ClientIDConflictDetector()
    private var subscriptions = Subscriptions()
    /// What the session at the broker may be subscribed to.
    private var remembered: Set<TopicFilter>
    private var shortfalls: [TopicFilter: SubscriptionAnswer.Outcome] = [:]
    private var storeProblem: String?

    /// Creates the machine of a session whose first attempt begins at once.
    ///
    /// - Parameter remembered: What the session at the broker may be subscribed to.
    init(remembered: Set<TopicFilter> = []) {
        self.remembered = remembered
    }

    /// What is known of the connection.
    var status: SessionStatus {
        SessionStatus(
            phase: phase, isCatchingUp: link?.backlog != nil,
            shortfalls: Set(shortfalls.keys).inOrder.compactMap { filter in
                shortfalls[filter].map { SubscriptionAnswer(filter: filter, outcome: $0) }
            }, storeProblem: storeProblem)
    }

    /// The connection that stands, or nil.
    var connection: SessionConnection? { link?.connection }

    private var phase: SessionStatus.Phase {
        switch state {
        case .connecting: .connecting
        case .connected(_, let link): .connected(isSessionPresent: link.connection.isSessionResumed)
        case .waiting(let problem): .waiting(problem)
        case .stopped(let phase): phase
        }
    }

    private var link: Link? {
        guard case .connected(_, let link) = state else { return nil }
        return link
    }

    /// Changes what is known of the connection that stands, or nil.
    @discardableResult
    private mutating func changeLink<Result>(_ body: (inout Link) -> Result) -> Result? {
        guard case .connected(let attempt, var link) = state else { return nil }
        // Held once only, so that its collections change in place.
        state = .connecting(attempt)
        defer { state = .connected(attempt, link) }
        return body(&link)
    }
}

// MARK: - Connections

extension SessionStateMachine {
    /// The broker accepted the client.
    ///
    /// - Parameters:
    ///   - number: The number of the connection.
    ///   - isSessionPresent: Whether the broker goes on with the session of before; then it delivers first what it kept.
    ///   - now: The moment.
    /// - Returns: What to subscribe to: everything, also in a session that went on, because brokers forget, and replay
    ///   what they keep only so.
    mutating func accepted(
        _ number: UInt64, isSessionPresent: Bool, at now: ContinuousClock.Instant
    ) -> SubscriptionChange {
        guard case .connecting(let attempt) = state else { return SubscriptionChange() }
        let isStandIn: Bool
        switch attempt {
        case .own: isStandIn = false
        case .standIn: isStandIn = true
        }
        state = .connected(
            attempt,
            Link(
                connection: SessionConnection(
                    number: number, isSessionResumed: isSessionPresent, isStandIn: isStandIn),
                acceptedAt: now, backlog: isSessionPresent ? BacklogDetector() : nil))
        return align()
    }

    /// The attempt or the connection ended, or could not be begun.
    ///
    /// - Parameters:
    ///   - end: How it ended.
    ///   - now: The moment.
    ///   - generator: The source of the jitter.
    /// - Returns: What to do next.
    mutating func ended(
        _ end: End, at now: ContinuousClock.Instant, using generator: inout some RandomNumberGenerator
    ) -> NextStep {
        switch state {
        case .connecting(.own): return wait(after: end, lasting: nil, using: &generator)
        // The broker wants no stand-in, or is gone.
        case .connecting(.standIn(let own, let duration)): return wait(after: own, lasting: duration, using: &generator)
        case .connected(.own, let link):
            let duration = now - link.acceptedAt
            guard storeProblem != nil else { return wait(after: end, lasting: duration, using: &generator) }
            state = .connecting(.standIn(after: end, lasting: duration))
            return .connect(asStandIn: true)
        case .connected(.standIn, _):
            state = .connecting(.own)
            return .connect(asStandIn: false)
        case .waiting, .stopped: preconditionFailure("a session without a client heard of a client's end")
        }
    }

    /// The wait between two attempts is over.
    mutating func waited() -> NextStep {
        state = .connecting(.own)
        return .connect(asStandIn: false)
    }

    /// The session ends, with its connection if there is one: nothing more is shown but that no backlog comes.
    mutating func stop() {
        state = .stopped(phase)
    }

    private mutating func wait(
        after end: End, lasting duration: Duration?, using generator: inout some RandomNumberGenerator
    ) -> NextStep {
        var problem: SessionProblem
        switch end {
        case .notTried(let reason): problem = .notTried(reason)
        case .ended(let reason):
            problem = .ended(reason, wasConnected: duration != nil)
            conflicts.ended(reason, after: duration)
        }
        if let conflict = conflicts.conflict { problem = .clientIDConflict(conflict) }
        state = .waiting(problem)
        return .wait(
            schedule.wait(afterConnectionOf: duration, needsAttention: problem.needsAttention, using: &generator))
    }
}

// MARK: - Subscriptions

extension SessionStateMachine {
    /// Other filters are wanted from now on.
    ///
    /// - Parameters:
    ///   - filters: All of them.
    ///   - renewed: Those for which the broker must replay what it keeps, though they may be subscribed to already.
    /// - Returns: What to tell the broker; nothing without a connection.
    mutating func want(
        _ filters: Set<TopicFilter>, renewing renewed: Set<TopicFilter> = []
    ) -> SubscriptionChange {
        subscriptions = Subscriptions(filters)
        return align(renewing: renewed)
    }

    /// The filters of a subscription change are on their way in an unsubscribe packet.
    mutating func unsubscribing(_ packet: PacketIdentifier, _ filters: [TopicFilter]) {
        changeLink { $0.unsubscribing[packet] = filters }
    }

    /// The broker answered a subscribe packet: keeps what it refuses, and what it delivers with less care than was
    /// asked for.
    mutating func subscribed(_ answers: [SubscriptionAnswer]) {
        for answer in answers {
            switch answer.outcome {
            case .refused, .granted(.atMostOnce): shortfalls[answer.filter] = answer.outcome
            case .granted: shortfalls[answer.filter] = nil
            }
        }
    }

    /// The broker confirmed the end of subscriptions.
    ///
    /// - Returns: What is to be remembered from now on; nil if nothing changes.
    mutating func unsubscribed(_ packet: PacketIdentifier) -> Set<TopicFilter>? {
        guard let link, let gone = changeLink({ $0.unsubscribing.removeValue(forKey: packet) }) ?? nil,
            !link.connection.isStandIn
        else { return nil }
        return remember(remembered.subtracting(gone).union(subscriptions.needed))
    }

    /// Subscribes to what is wanted and not subscribed to, and the other way round.
    private mutating func align(renewing renewed: Set<TopicFilter> = []) -> SubscriptionChange {
        let needed = subscriptions.needed
        let before = changeLink { link in
            defer { link.subscribed = needed }
            // A stand-in has a session of its own, which ends with it.
            return (link.subscribed, link.connection.isStandIn)
        }
        guard let (subscribed, isStandIn) = before else { return SubscriptionChange() }
        let surplus = (isStandIn ? subscribed : subscribed.union(remembered)).subtracting(needed)
        for filter in surplus { shortfalls[filter] = nil }
        let missing = needed.subtracting(subscribed).union(subscriptions.covering(renewed))
        return SubscriptionChange(
            remembered: isStandIn ? nil : remember(needed.union(surplus)), unsubscribe: surplus.inOrder,
            subscribe: missing.inOrder)
    }

    private mutating func remember(_ filters: Set<TopicFilter>) -> Set<TopicFilter>? {
        defer { remembered = filters }
        return filters == remembered ? nil : filters
    }
}

// MARK: - Messages

extension SessionStateMachine {
    /// A message came.
    mutating func received(_ message: Message, at now: ContinuousClock.Instant) -> Reception {
        guard subscriptions.contains(message.topic) else { return .unsubscribe }
        let count = subscriptions.copyCount(of: message.topic)
        let reception = changeLink { link -> Reception in
            guard !link.copies.isCopy(message, copyCount: count, at: now) else { return .dropCopy }
            link.arrived.append(message)
            return .keep
        }
        return reception ?? .keep
    }

    /// Nothing else is read before the messages since the last pause are handled.
    ///
    /// - Returns: These messages and their connection; nil if there are none.
    mutating func paused() -> (messages: [Message], connection: SessionConnection)? {
        let arrived = changeLink { link in
            defer { link.arrived = [] }
            return (link.arrived, link.connection)
        }
        guard let (messages, connection) = arrived, !messages.isEmpty else { return nil }
        return (messages, connection)
    }

    /// The messages of a pause were handled.
    ///
    /// - Parameters:
    ///   - count: How many they were.
    ///   - disposition: What is to become of them.
    ///   - duration: How long that took.
    /// - Returns: What to do next.
    mutating func handled(
        _ count: Int, _ disposition: MessageDisposition, busyFor duration: Duration
    ) -> AfterMessages {
        changeLink { $0.backlog?.note(count, busyFor: duration) }
        switch disposition {
        case .acknowledge:
            // That a stand-in stores nothing is no success.
            if connection?.isStandIn == false { storeProblem = nil }
            return .acknowledge
        case .sendAgain(let reason):
            storeProblem = reason
            return .abort
        }
    }

    /// It is time to see whether a backlog is over.
    ///
    /// - Parameters:
    ///   - number: The number of the connection that it came on.
    ///   - pause: The time since the last look.
    /// - Returns: Whether it goes on, and another look is needed.
    mutating func lookedForBacklog(of number: UInt64, after pause: Duration) -> Bool {
        changeLink { link in
            guard link.connection.number == number else { return false }
            if link.backlog?.isOver(after: pause) == true { link.backlog = nil }
            return link.backlog != nil
        } ?? false
    }
}
