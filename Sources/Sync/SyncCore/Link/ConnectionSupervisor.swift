/// Supervises the connection below a watch's session: decides when to open a socket, when the engine has a
/// connection, and which status the application gets.
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
///              └─engine knows── ending ◀──replace── connected
///
/// A socket connects by itself, again and again, while the state is `connecting` or `connected`. After a denial, or
/// an answer that is not a handshake, the socket never connects again: the state is `resting` until another socket
/// replaces it. `replace` is a request for another socket; it comes from the engine, or from a change of the hub's
/// endpoint. In `waiting` it leads to `opening` at once.
package struct ConnectionSupervisor: Hashable, Sendable {
    /// The time limit of a handshake.
    package static let handshakeInterval = Duration.seconds(2)
    /// The wait after a denial; it doubles from the shortest to the longest.
    private static let denialWait = (shortest: Duration.seconds(1), longest: Duration.seconds(10))
    /// The wait after an answer that was no handshake.
    private static let wrongAnswerWait = Duration.milliseconds(500)
    /// The wait after the system had no room for a socket.
    private static let shortageWait = Duration.seconds(1)
    /// The number of broken handshakes in a row after which the peer counts as another program.
    private static let brokenHandshakeLimit = 2

    private enum State: Hashable, Sendable {
        /// The state in which a socket has to be opened.
        case opening(afterShortage: Bool)
        /// The state after the system had no room for a socket.
        case waiting(until: Instant)
        /// The state while the socket tries to connect; with the time when a peer accepted the last attempt, nil if
        /// none did.
        case connecting(answeredAt: Instant?)
        /// The state while an encrypted connection exists.
        case connected
        /// The state while the current socket cannot be used any more.
        case resting(until: Instant)
        /// The state after the connection was given up, before the engine is notified of that.
        case ending
    }

    /// What the driver has to do with the socket.
    package enum SocketDirective: Hashable, Sendable {
        /// Nothing.
        case keep
        /// Notify the engine that its connection is gone, then call again.
        case endConnection
        /// Close the socket, if there is one, and open a new one.
        case open
    }

    /// What the driver has to do when the system has no room for a socket.
    package enum ShortageDirective: Hashable, Sendable {
        /// Log it; if the status is not nil, report it to the application.
        case report(ConnectionStatus?)
        /// Nothing: the attempt before failed in the same way.
        case wait
    }

    /// What the driver has to do after a successful handshake.
    package enum HandshakeDirective: Hashable, Sendable {
        /// Report the status to the application unless it is nil, then notify the engine that it has a connection.
        case beginConnection(ConnectionStatus?)
        /// Nothing: the socket is about to be replaced.
        case ignore
    }

    /// What the driver has to do when the connection is lost.
    package enum LossDirective: Hashable, Sendable {
        /// Notify the engine.
        case endConnection
        /// Nothing: the engine had no connection.
        case ignore
    }

    /// Why a handshake failed.
    package enum HandshakeFailure: Hashable, Sendable {
        /// The hub knows the key's owner and refuses it.
        case denied
        /// The hub could not decide whether to admit the key.
        case undecided
        /// The connection ended during the handshake.
        case brokenOff
        /// The answer was no handshake.
        case wrongAnswer
    }

    /// The status that the application got last.
    package private(set) var status = ConnectionStatus.connecting
    private var state = State.opening(afterShortage: false)
    /// The number of handshakes in a row that the peer broke off.
    private var brokenHandshakeCount = 0
    /// The wait after the last denial; nil if none came since the last successful handshake.
    private var lastDenialWait: Duration?

    /// Starts without a socket.
    package init() {}

    /// When ``timeReached(at:)`` is due; nil if no deadline is set.
    package var deadline: Instant? {
        switch state {
        case .waiting(let until), .resting(let until): until
        case .opening, .connecting, .connected, .ending: nil
        }
    }

    // MARK: - The socket

    /// What the driver has to do with the socket now.
    package mutating func nextSocketDirective() -> SocketDirective {
        switch state {
        case .opening: return .open
        case .ending:
            state = .opening(afterShortage: false)
            return .endConnection
        case .waiting, .connecting, .connected, .resting: return .keep
        }
    }

    /// Whether ``nextSocketDirective()`` would change nothing.
    package var keepsSocket: Bool {
        switch state {
        case .waiting, .connecting, .connected, .resting: true
        case .opening, .ending: false
        }
    }

    /// A socket was opened, and tries to connect.
    package mutating func socketOpened() {
        state = .connecting(answeredAt: nil)
    }

    /// The system had no room for a socket.
    package mutating func socketDenied(at now: Instant) -> ShortageDirective {
        defer { state = .waiting(until: now.advanced(by: Self.shortageWait)) }
        guard case .opening(afterShortage: true) = state else { return .report(change(to: .unreachable)) }
        return .wait
    }

    /// Another socket is needed: the engine gave up the connection, or it counts as broken.
    package mutating func replaceSocket() {
        switch state {
        case .connected: state = .ending
        case .waiting: state = .opening(afterShortage: true)
        case .connecting, .resting: state = .opening(afterShortage: false)
        case .opening, .ending: break
        }
    }

    /// The endpoint of the hub changed.
    package mutating func endpointChanged() {
        brokenHandshakeCount = 0
        lastDenialWait = nil
        replaceSocket()
    }

    /// A person asks for a new attempt without further waiting.
    ///
    /// This does not replace a socket that is still trying: only the engine gives that up, because it knows whether
    /// the hub answers.
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

    // MARK: - Events of the socket

    /// A peer accepted the TCP connection; the handshake follows.
    package mutating func connectionTaken(at now: Instant) {
        switch state {
        case .connecting: state = .connecting(answeredAt: now)
        case .opening, .waiting, .connected, .resting, .ending: break
        }
    }

    /// The socket tries again; returns the status to report, nil if it did not change.
    package mutating func connectionRetried() -> ConnectionStatus? {
        guard case .connecting(let answeredAt) = state else { return nil }
        // If nothing accepted the last attempt, the peer that broke handshakes is gone.
        if answeredAt == nil { brokenHandshakeCount = 0 }
        state = .connecting(answeredAt: nil)
        return brokenHandshakeCount == 0 ? change(to: .unreachable) : nil
    }

    /// The handshake succeeded, and an encrypted connection exists.
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

    /// A handshake failed; returns the status to report, nil if it did not change.
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

    /// Counts a broken handshake, unless the hub is probably overloaded.
    ///
    /// A wrong key breaks each handshake, and does so at once. An overloaded hub is silent until the time limit of
    /// the handshake is nearly over.
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
