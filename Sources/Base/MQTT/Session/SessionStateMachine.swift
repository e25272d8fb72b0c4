/// Decides for a session when to connect, what to subscribe to, and which messages to accept.
///
/// It is a value without a socket, and gets the time and random numbers from its caller.
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
/// Messages that cannot be stored stay at the broker, in the session with the client's identifier. Meanwhile a
/// *stand-in*, a client without an identifier, is connected most of the time: it receives new messages without
/// storing them, and can publish.
struct SessionStateMachine: Sendable {
    private enum State {
        case connecting(Attempt)
        case connected(Attempt, Link)
        case waiting(SessionProblem)
        /// The end, with the phase before it.
        case stopped(SessionStatus.Phase)
    }

    /// The client that connects.
    private enum Attempt {
        /// The session's own client.
        case own
        /// The stand-in, after the own client's connection ended in this way.
        case standIn(after: End, lasting: Duration)
    }

    /// A connection that the broker has accepted.
    private struct Link {
        let connection: SessionConnection
        let acceptedAt: ContinuousClock.Instant
        var subscribed: Set<TopicFilter> = []
        /// The filters of the unsubscribe packets that the broker has not answered yet.
        var unsubscribing: [PacketIdentifier: [TopicFilter]] = [:]
        var copies = MessageCopies()
        /// The messages to store at the next pause.
        var arrived: [Message] = []
        /// Detects the end of the backlog; nil without a backlog.
        var backlog: BacklogDetector?
    }

    /// The end of an attempt or a connection.
    enum End: Hashable, Sendable {
        /// There was no attempt, for this reason.
        case notTried(String)
        /// The client ended, for this reason.
        case ended(Client.EndReason)
    }

    /// What to do after an end.
    enum NextStep: Hashable, Sendable {
        /// Connect, with the session's own client or with the stand-in.
        case connect(asStandIn: Bool)
        /// Wait, then call `waited()`.
        case wait(Duration)
    }

    /// The packets to send to the broker, so that it delivers the wanted messages.
    struct SubscriptionChange: Hashable, Sendable {
        /// The subscriptions to store before any packet is sent; nil if they stay the same.
        var remembered: Set<TopicFilter>?
        /// The subscriptions to end.
        var unsubscribe: [TopicFilter] = []
        /// The filters to subscribe to.
        var subscribe: [TopicFilter] = []
    }

    /// What to do with a message.
    enum Reception: Hashable, Sendable {
        /// Keep it until the next pause.
        case keep
        /// Drop it: another filter already delivered it.
        case dropCopy
        /// End the subscription to its topic, because no filter wants it.
        case unsubscribe
    }

    /// What to do after messages were handled.
    enum AfterMessages: Hashable, Sendable {
        /// Acknowledge them.
        case acknowledge
        /// End the connection without an acknowledgement.
        case abort
    }

    private var state = State.connecting(.own)
    private var schedule = ReconnectSchedule()
    private var conflicts = ClientIDConflictDetector()
    private var subscriptions = Subscriptions()
    /// The filters that the session at the broker may be subscribed to.
    private var remembered: Set<TopicFilter>
    private var shortfalls: [TopicFilter: SubscriptionAnswer.Outcome] = [:]
    private var storeProblem: String?

    /// Creates the machine of a session; its first attempt begins at once.
    ///
    /// - Parameter remembered: The filters that the session at the broker may be subscribed to.
    init(remembered: Set<TopicFilter> = []) {
        self.remembered = remembered
    }

    /// The status of the session.
    var status: SessionStatus {
        SessionStatus(
            phase: phase, isCatchingUp: link?.backlog != nil,
            shortfalls: Set(shortfalls.keys).inOrder.compactMap { filter in
                shortfalls[filter].map { SubscriptionAnswer(filter: filter, outcome: $0) }
            }, storeProblem: storeProblem)
    }

    /// The present connection, or nil.
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

    /// Changes the present connection; returns nil without one.
    @discardableResult
    private mutating func changeLink<Result>(_ body: (inout Link) -> Result) -> Result? {
        guard case .connected(let attempt, var link) = state else { return nil }
        // The link is taken out of `state`, so that there is only one reference and its collections change in place.
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
    ///   - isSessionPresent: Whether the broker has resumed an earlier session; if so, it first delivers what it
    ///     kept.
    ///   - now: The time.
    /// - Returns: What to subscribe to: everything, even in a resumed session, because brokers may forget
    ///   subscriptions, and replay retained messages only after a subscribe packet.
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

    /// The attempt or the connection ended, or could not be started.
    ///
    /// - Parameters:
    ///   - end: The end.
    ///   - now: The time.
    ///   - generator: The source of the jitter.
    /// - Returns: What to do next.
    mutating func ended(
        _ end: End, at now: ContinuousClock.Instant, using generator: inout some RandomNumberGenerator
    ) -> NextStep {
        switch state {
        case .connecting(.own): return wait(after: end, lasting: nil, using: &generator)
        // The broker does not accept the stand-in, or is gone.
        case .connecting(.standIn(let own, let duration)): return wait(after: own, lasting: duration, using: &generator)
        case .connected(.own, let link):
            let duration = now - link.acceptedAt
            guard storeProblem != nil else { return wait(after: end, lasting: duration, using: &generator) }
            state = .connecting(.standIn(after: end, lasting: duration))
            return .connect(asStandIn: true)
        case .connected(.standIn, _):
            state = .connecting(.own)
            return .connect(asStandIn: false)
        case .waiting, .stopped: preconditionFailure("a session without a client got a client's end")
        }
    }

    /// The wait between two attempts is over.
    mutating func waited() -> NextStep {
        state = .connecting(.own)
        return .connect(asStandIn: false)
    }

    /// The session ends, together with its connection.
    ///
    /// The status then no longer changes, except that no backlog is reported.
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
    /// Changes the wanted filters.
    ///
    /// - Parameters:
    ///   - filters: All wanted filters.
    ///   - renewed: The filters for which the broker should replay retained messages, even if they are already
    ///     subscribed to.
    /// - Returns: The packets to send; none without a connection.
    mutating func want(
        _ filters: Set<TopicFilter>, renewing renewed: Set<TopicFilter> = []
    ) -> SubscriptionChange {
        subscriptions = Subscriptions(filters)
        return align(renewing: renewed)
    }

    /// The filters of a subscription change were sent in an unsubscribe packet.
    mutating func unsubscribing(_ packet: PacketIdentifier, _ filters: [TopicFilter]) {
        changeLink { $0.unsubscribing[packet] = filters }
    }

    /// The broker answered a subscribe packet: records refused filters, and those that the broker delivers with a
    /// lower quality of service than requested.
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
    /// - Returns: The subscriptions to store from now on; nil if they stay the same.
    mutating func unsubscribed(_ packet: PacketIdentifier) -> Set<TopicFilter>? {
        guard let link, let gone = changeLink({ $0.unsubscribing.removeValue(forKey: packet) }) ?? nil,
            !link.connection.isStandIn
        else { return nil }
        return remember(remembered.subtracting(gone).union(subscriptions.needed))
    }

    /// Subscribes to wanted filters that are not subscribed to, and unsubscribes from the others.
    private mutating func align(renewing renewed: Set<TopicFilter> = []) -> SubscriptionChange {
        let needed = subscriptions.needed
        let before = changeLink { link in
            defer { link.subscribed = needed }
            // A stand-in has a separate session, which ends with it.
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
    /// A message arrived.
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
    /// - Returns: These messages with their connection; nil if there are none.
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
    ///   - count: The number of messages.
    ///   - disposition: Whether they were stored.
    ///   - duration: How long the handling took.
    /// - Returns: What to do next.
    mutating func handled(
        _ count: Int, _ disposition: MessageDisposition, busyFor duration: Duration
    ) -> AfterMessages {
        changeLink { $0.backlog?.note(count, busyFor: duration) }
        switch disposition {
        case .acknowledge:
            // A stand-in stores nothing, so its acknowledgement does not show that storing works again.
            if connection?.isStandIn == false { storeProblem = nil }
            return .acknowledge
        case .sendAgain(let reason):
            storeProblem = reason
            return .abort
        }
    }

    /// Checks whether the backlog is over.
    ///
    /// - Parameters:
    ///   - number: The number of the connection that has the backlog.
    ///   - pause: The time since the last check.
    /// - Returns: Whether the backlog continues, so that another check is needed.
    mutating func backlogChecked(of number: UInt64, after pause: Duration) -> Bool {
        changeLink { link in
            guard link.connection.number == number else { return false }
            if link.backlog?.isOver(after: pause) == true { link.backlog = nil }
            return link.backlog != nil
        } ?? false
    }
}
