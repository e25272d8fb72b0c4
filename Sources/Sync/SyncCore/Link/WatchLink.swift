/// The watch's side of a session: sends the greeting, keeps the heartbeat, and knows whether the hub answers.
///
///     down ──connected──▶ greeting ──────────WELCOME──────────▶ open
///                          │ ▲ │ ▲                               │
///                          │ │ └─┘ no answer: greet again        │
///                          │ └───retryAt has come───┐            │
///                          └─────────REFUSE──────▶ refused ◀─────┘ REFUSE
///
/// These arrows begin in more than one state:
///
///     any ──connected──▶ greeting          what an earlier connection had is over, a refusal's time, too
///     any ──disconnected──▶ down           the connection is lost; the engine says so after BYE, too, and when it gives
///                                          the session up itself
///     greeting, open ──given up──▶ down    three greetings, or three heartbeats, without an answer: connect anew
struct WatchLink: Hashable, Sendable {
    /// The time limit for the answer to a greeting.
    static let greetingPatience = Duration.seconds(1)
    /// The number of greetings without an answer after which the watch reconnects.
    static let greetingLimit = 3
    /// The heartbeats without an answered ping after which the watch reconnects.
    static let silenceLimit = 3

    enum State: Hashable, Sendable {
        /// The state without a connection.
        case down
        /// The state while a greeting waits for its answer.
        case greeting(nonce: UInt64, attempt: Int, deadline: Instant)
        /// The state after the hub declined.
        case refused(Refusal, retryAt: Instant)
        /// The state while the hub answers.
        case open(OpenSession)
    }

    /// The state of an open session.
    struct OpenSession: Hashable, Sendable {
        /// The session's identifier.
        var id: UInt64
        /// The time between two pings.
        let heartbeat: Duration
        /// The number of the last ping that was sent, 0 before the first.
        private(set) var lastPing: UInt64 = 0
        private(set) var lastPingSent: Instant
        /// The highest ping answered.
        private(set) var answered: UInt64 = 0
        /// When the hub last answered.
        private(set) var lastAnswer: Instant
        /// When the next ping is due.
        private(set) var nextPing: Instant
        /// When the hub counts as silent.
        private(set) var silence: Instant

        var deadline: Instant { min(nextPing, silence) }
        /// Whether the hub has answered every ping.
        var isAnswered: Bool { answered == lastPing }

        /// Opens a session.
        ///
        /// The first ping is due at once: it shows the hub that its welcome arrived.
        init(id: UInt64, heartbeat: Duration, now: Instant) {
            self.id = id
            self.heartbeat = heartbeat
            (lastPingSent, nextPing) = (now, now)
            lastAnswer = now
            silence = now.advanced(by: heartbeat * WatchLink.silenceLimit)
        }

        /// The next ping, which the caller sends now.
        mutating func ping(now: Instant) -> Ping {
            lastPing += 1
            lastPingSent = now
            nextPing = now.advanced(by: heartbeat)
            return Ping(number: lastPing)
        }

        /// Records that the hub answered a ping.
        mutating func pongReceived(_ number: UInt64, now: Instant) {
            answered = number
            lastAnswer = now
            silence = now.advanced(by: heartbeat * WatchLink.silenceLimit)
        }
    }

    /// What the engine has to do.
    enum Action: Hashable, Sendable {
        /// Greet with this nonce.
        case greet(nonce: UInt64)
        /// Send this ping.
        case ping(Ping, session: UInt64)
        /// Close the connection and open another.
        case reconnect
        /// Nothing.
        case none
    }

    private(set) var state = State.down
    /// When the hub last answered; nil before the first time.
    private(set) var lastAnswer: Instant?

    /// The open session, nil without one.
    var session: OpenSession? {
        switch state {
        case .open(let session): session
        case .down, .greeting, .refused: nil
        }
    }

    /// Whether a greeting waits for its answer.
    var isGreeting: Bool {
        switch state {
        case .greeting: true
        case .down, .refused, .open: false
        }
    }

    /// When ``deadlineReached(now:nonce:)`` is due.
    var deadline: Instant? {
        switch state {
        case .down: nil
        case .greeting(_, _, let deadline): deadline
        case .refused(_, let retryAt): retryAt
        case .open(let session): session.deadline
        }
    }

    /// The transport has a new connection: the session of an earlier connection is over.
    ///
    /// The engine also calls this when it held back a greeting until the store was done: that greeting was not sent.
    mutating func connected(now: Instant, nonce: UInt64) -> Action {
        greet(nonce: nonce, attempt: 1, now: now)
    }

    /// The transport lost its connection.
    mutating func disconnected() {
        state = .down
    }

    /// The hub opened a session.
    ///
    /// - Returns: False if the welcome does not answer the last greeting, or answers it a second time.
    mutating func welcomed(_ welcome: Welcome, session id: UInt64, now: Instant) -> Bool {
        switch state {
        case .greeting(let nonce, _, _) where nonce == welcome.nonce:
            let heartbeat = Duration.milliseconds(Int64(welcome.heartbeatMilliseconds))
            state = .open(OpenSession(id: id, heartbeat: heartbeat, now: now))
            lastAnswer = now
            return true
        case .down, .greeting, .refused, .open:
            // A duplicate, or the answer to an abandoned greeting.
            return false
        }
    }

    /// The hub refused.
    ///
    /// - Returns: False if the refusal answers neither the last greeting nor the open session.
    mutating func refused(_ refusal: Refusal, nonce: UInt64, session: UInt64, now: Instant) -> Bool {
        switch state {
        case .greeting(let expected, _, _) where expected == nonce: break
        case .open(let open) where open.id == session: break
        case .down, .greeting, .refused, .open: return false
        }
        let wait = max(100, Int64(refusal.retryAfterMilliseconds))
        state = .refused(refusal, retryAt: now.advanced(by: .milliseconds(wait)))
        return true
    }

    /// The hub answered a ping.
    ///
    /// - Returns: The round trip time, nil if the answer is not for the newest ping.
    mutating func pongReceived(_ pong: Pong, now: Instant) -> Duration? {
        switch state {
        case .open(var session) where pong.number > session.answered && pong.number <= session.lastPing:
            let isLatest = pong.number == session.lastPing
            session.pongReceived(pong.number, now: now)
            lastAnswer = now
            state = .open(session)
            return isLatest ? session.lastPingSent.duration(to: now) : nil
        case .down, .greeting, .refused, .open:
            return nil
        }
    }

    /// What is due now; `nonce` is used for a new greeting.
    ///
    /// A greeting that is repeated on the same connection keeps its nonce, so a late answer to it still counts.
    mutating func deadlineReached(now: Instant, nonce: UInt64) -> Action {
        switch state {
        case .down: return .none
        case .greeting(let sent, let attempt, let deadline):
            guard deadline <= now else { return .none }
            guard attempt < Self.greetingLimit else { return giveUp() }
            return greet(nonce: sent, attempt: attempt + 1, now: now)
        case .refused(_, let retryAt):
            return retryAt <= now ? greet(nonce: nonce, attempt: 1, now: now) : .none
        case .open(var session):
            guard session.silence > now else { return giveUp() }
            guard session.nextPing <= now else { return .none }
            let ping = session.ping(now: now)
            state = .open(session)
            return .ping(ping, session: session.id)
        }
    }

    private mutating func greet(nonce: UInt64, attempt: Int, now: Instant) -> Action {
        state = .greeting(nonce: nonce, attempt: attempt, deadline: now.advanced(by: Self.greetingPatience))
        return .greet(nonce: nonce)
    }

    private mutating func giveUp() -> Action {
        state = .down
        return .reconnect
    }
}
