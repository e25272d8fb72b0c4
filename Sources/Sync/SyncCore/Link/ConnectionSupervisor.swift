/// Supervises the connection below a watch's session: when to open a socket, when the engine has a connection, and what
/// the application is told of it.
///
///                 ┌───────until──────── waiting
///                 ▼                        ▲
///     ──────▶ opening ──no socket──────────┘
///              ▲ ▲ │
///              │ │ └──socket opened──▶ connecting ──denied, wrong answer──▶ resting
///              │ │                      │ │ ▲                                │
///              │ └─────────replace──────┘ │ └──────────┐                     │
///              ├──────────────────────────│────────────│────until, replace───┘
///              │               handshake  │            │ connection lost
///              │                          ▼            │
///              └──engine told── ending ◀──replace── connected
///
/// A socket connects by itself, again and again, as long as it is `connecting` or `connected`. After a denial, or after an
/// answer that is no handshake, it never does: it is `resting` until another one takes its place. `replace` is the wish for
/// another socket, of the engine or because the hub listens elsewhere; in `waiting` it leads to `opening` at once.
package struct ConnectionSupervisor: Hashable, Sendable {
    /// The time that a handshake may take.
    package static let handshakeInterval = Duration.seconds(2)
    /// The wait after a denial: it doubles from the shortest to the longest.
    private static let denialWait = (shortest: Duration.seconds(1), longest: Duration.seconds(10))
    /// How long a hub is left alone that answers with no handshake.
    private static let wrongAnswerWait = Duration.milliseconds(500)
    /// The wait after the system had no room for a socket.
    private static let shortageWait = Duration.seconds(1)
    /// The handshakes in a row that something breaks off until it is taken for another program.
    private static let brokenHandshakeLimit = 2

    private enum State: Hashable, Sendable {
        /// The state while a socket is to be opened.
        case opening(afterShortage: Bool)
        /// The state while the system has no room for a socket.
        case waiting(until: Instant)
        /// The state while the socket tries to connect; with the time when something took its last attempt, nil if nothing
        /// did.
        case connecting(answeredAt: Instant?)
        /// The state while an encrypted connection stands.
        case connected
        /// The state while the socket is of no more use.
        case resting(until: Instant)
        /// The state while the connection is given up and the engine does not know it.
        case ending
    }

    /// What is to be done about the socket.
    package enum SocketDirective: Hashable, Sendable {
        /// Nothing.
        case keep
        /// Tell the engine that its connection is gone, then ask again.
        case endConnection
        /// Close the socket, if there is one, and open another.
        case open
    }

    /// What is to be done when there is no socket to be had.
    package enum ShortageDirective: Hashable, Sendable {
        /// Log it, and tell the application this status unless it is nil.
        case report(ConnectionStatus?)
        /// Nothing: it was so the last time.
        case wait
    }

    /// What is to be done when a handshake succeeded.
    package enum HandshakeDirective: Hashable, Sendable {
        /// Tell the application this status unless it is nil, then the engine that it has a connection.
        case beginConnection(ConnectionStatus?)
        /// Nothing: the socket is about to be replaced.
        case ignore
    }

    /// What is to be done when the connection is lost.
    package enum LossDirective: Hashable, Sendable {
        /// Tell the engine.
        case endConnection
        /// Nothing: the engine had no connection.
        case ignore
    }

    /// Why a handshake failed.
    package enum HandshakeFailure: Hashable, Sendable {
        /// The hub knows whose key it is, and turns it away.
        case denied
        /// The hub cannot tell whom to admit.
        case undecided
        /// The connection ended within the handshake.
        case brokenOff
        /// The answer was no handshake.
        case wrongAnswer
    }

    /// What the application was told last.
    package private(set) var status = ConnectionStatus.connecting
    private var state = State.opening(afterShortage: false)
    /// The handshakes in a row that something broke off.
    private var brokenHandshakeCount = 0
    /// The wait after the last denial, nil if none came since the last handshake that succeeded.
    private var lastDenialWait: Duration?

    /// Starts without a socket.
    package init() {}

    /// When ``timeReached(at:)`` has something to do, nil if it never will.
    package var deadline: Instant? {
        switch state {
        case .waiting(let until), .resting(let until): until
        case .opening, .connecting, .connected, .ending: nil
        }
    }

    // MARK: - The socket

    /// What is to be done about the socket now.
    package mutating func nextSocketDirective() -> SocketDirective {
        switch state {
        case .opening: return .open
        case .ending:
            state = .opening(afterShortage: false)
            return .endConnection
        case .waiting, .connecting, .connected, .resting: return .keep
        }
    }

    /// Whether ``nextSocketDirective()`` leaves all as it is.
    package var keepsSocket: Bool {
        switch state {
        case .waiting, .connecting, .connected, .resting: true
        case .opening, .ending: false
        }
    }

    /// A socket is open, and tries to connect.
    package mutating func socketOpened() {
        state = .connecting(answeredAt: nil)
    }

    /// The system had no room for a socket.
    package mutating func socketDenied(at now: Instant) -> ShortageDirective {
        defer { state = .waiting(until: now.advanced(by: Self.shortageWait)) }
        guard case .opening(afterShortage: true) = state else { return .report(change(to: .unreachable)) }
        return .wait
    }

    /// Another socket is wanted: the engine gave the connection up, or it counts as broken.
    package mutating func replaceSocket() {
        switch state {
        case .connected: state = .ending
        case .waiting: state = .opening(afterShortage: true)
        case .connecting, .resting: state = .opening(afterShortage: false)
        case .opening, .ending: break
        }
    }

    /// The hub listens elsewhere.
    package mutating func endpointChanged() {
        brokenHandshakeCount = 0
        lastDenialWait = nil
        replaceSocket()
    }

    /// A person wants no more waiting.
    ///
    /// A socket that still tries is the engine's to give up: it knows whether the hub answers.
    package mutating func retryRequested() {
        lastDenialWait = nil
        switch state {
        case .waiting, .resting: replaceSocket()
        case .opening, .connecting, .connected, .ending: break
        }
    }

    /// Time has passed.
    package mutating func timeReached(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        replaceSocket()
    }

    // MARK: - What the socket tells

    /// Something took the connection; the handshake follows.
    package mutating func connectionTaken(at now: Instant) {
        switch state {
        case .connecting: state = .connecting(answeredAt: now)
        case .opening, .waiting, .connected, .resting, .ending: break
        }
    }

    /// The socket tries again; gives the status to tell, nil if it did not change.
    package mutating func connectionRetried() -> ConnectionStatus? {
        guard case .connecting(let answeredAt) = state else { return nil }
        // What broke a handshake is gone, if nothing answered since.
        if answeredAt == nil { brokenHandshakeCount = 0 }
        state = .connecting(answeredAt: nil)
        return brokenHandshakeCount == 0 ? change(to: .unreachable) : nil
    }

    /// An encrypted connection stands.
    package mutating func handshakeSucceeded() -> HandshakeDirective {
        switch state {
        case .connecting, .connected:
            state = .connected
            brokenHandshakeCount = 0
            lastDenialWait = nil
            return .beginConnection(change(to: .connected))
        case .opening, .waiting, .resting, .ending: return .ignore
        }
    }

    /// A handshake failed; gives the status to tell, nil if it did not change.
    package mutating func handshakeFailed(_ failure: HandshakeFailure, at now: Instant) -> ConnectionStatus? {
        guard case .connecting(let answeredAt) = state else { return nil }
        switch failure {
        case .denied, .undecided:
            let wait = min(lastDenialWait.map { $0 * 2 } ?? Self.denialWait.shortest, Self.denialWait.longest)
            lastDenialWait = wait
            state = .resting(until: now.advanced(by: wait))
            return change(to: failure == .denied ? .notAdmitted : .unfinished)
        case .brokenOff:
            return handshakeBroken(answeredAt: answeredAt, at: now)
        case .wrongAnswer:
            state = .resting(until: now.advanced(by: Self.wrongAnswerWait))
            return handshakeBroken(answeredAt: answeredAt, at: now)
        }
    }

    /// The connection ended.
    package mutating func connectionLost() -> LossDirective {
        switch state {
        case .connected:
            state = .connecting(answeredAt: nil)
            return .endConnection
        case .opening, .waiting, .connecting, .resting, .ending: return .ignore
        }
    }

    /// A connection that breaks in the handshake looks like a wrong key; a wrong key does it each time, and at once.
    ///
    /// A hub that has too much to do is silent until the time for the handshake is over.
    private mutating func handshakeBroken(answeredAt: Instant?, at now: Instant) -> ConnectionStatus? {
        if let answeredAt, answeredAt.advanced(by: Self.handshakeInterval * 3 / 4) <= now {
            brokenHandshakeCount = 0
            return change(to: .unfinished)
        }
        brokenHandshakeCount += 1
        return brokenHandshakeCount < Self.brokenHandshakeLimit ? nil : change(to: .notThisHub)
    }

    private mutating func change(to new: ConnectionStatus) -> ConnectionStatus? {
        defer { status = new }
        return status == new ? nil : new
    }
}
