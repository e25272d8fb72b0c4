import Dispatch
import Foundation
import Synchronization

/// What lies behind one `WCSession` object: its delegate, and the line that it speaks on.
final class SessionBacking: Sendable {
    /// What the session's observers wait for.
    let observations = ObserverTable()
    private let role: PeerState.Role
    /// Whether it is a default session, which changes its line with the active watch.
    private let followsActiveWatch: Bool
    private let state: Mutex<State>

    // Unchecked: delegates and handlers are the client's, used only as the client may expect; the rest is locked.
    private struct State: @unchecked Sendable {
        weak var delegate: (any WCSessionDelegate)?
        var line: PeerClient?
        /// The board, where the session does not belong to it but it to the session.
        var ownBoard: SessionRegistry?
        weak var board: SessionRegistry?
        /// The method that the delegate was found to lack during the call that is being made.
        var lacking: String?
        var backgroundTaskHandler: ((Set<WKRefreshBackgroundTask>) -> Void)?
    }

    /// A seat without a line; it gets one that is unpaired when it needs it.
    init(role: PeerState.Role, line: PeerClient? = nil, board: SessionRegistry? = nil, followsActiveWatch: Bool = false)
    {
        self.role = role
        self.followsActiveWatch = followsActiveWatch
        state = Mutex(State(line: line, board: board))
    }

    /// Ties the session to its line.
    func settle(_ session: WCSession) {
        line?.add(listener: session)
    }

    /// Makes the session the owner of its board instead of the other way round.
    func own(_ board: SessionRegistry) {
        state.withLock { state in
            state.ownBoard = board
            state.board = board
        }
    }

    var line: PeerClient? { state.withLock(\.line) }

    var view: SessionView { line?.view ?? SessionView() }

    /// The board that the delegate's code uses.
    var board: SessionRegistry? { state.withLock { $0.board } }

    // MARK: - Delegate

    var delegate: (any WCSessionDelegate)? { state.withLock { Unlocked($0.delegate) }.value }

    func set(delegate: (any WCSessionDelegate)?, of session: WCSession) {
        let given = Unlocked(delegate)
        let line = state.withLock { state in
            state.delegate = given.value
            return state.line
        }
        guard delegate != nil, let line, line.owner === session else { return }
        line.shell.handle(.delegateSet)
    }

    /// Notes that the delegate lacks a method.
    func note(lacking method: String) {
        state.withLock { $0.lacking = method }
    }

    /// The method that the delegate was found to lack since the last time.
    func takeLacking() -> String? {
        state.withLock { state in
            defer { state.lacking = nil }
            return state.lacking
        }
    }

    var backgroundTaskHandler: ((Set<WKRefreshBackgroundTask>) -> Void)? {
        get { state.withLock { Unlocked($0.backgroundTaskHandler) }.value }
        set {
            let given = Unlocked(newValue)
            state.withLock { $0.backgroundTaskHandler = given.value }
        }
    }

    // MARK: - Line

    func activate(_ session: WCSession) {
        if let fault = board?.start.fault { return fail(session, fault) }
        if followsActiveWatch, let wanted = board?.activeLine, wanted !== line,
            view.activationState == .notActivated
        {
            bind(session, to: wanted)
        }
        let line = usableLine(of: session)
        line.give(to: session)
        if delegate != nil { line.isActivating = true }
        line.shell.handle(.activate(hasDelegate: delegate != nil))
    }

    /// Another watch became the active one: the session goes over to it now, or by the next activation if it is active.
    func leave(_ session: WCSession, for next: PeerClient?) {
        guard let line, line !== next else { return bind(session, to: next) }
        guard line.view.activationState != .notActivated, line.owner === session else {
            guard line.owner === session, line.isActivating else { return bind(session, to: next) }
            // The activation that is under way goes on with the other watch.
            line.isActivating = false
            line.shell.handle(.leave)
            bind(session, to: next)
            return activate(session)
        }
        line.shell.handle(.leave)
    }

    /// The line, which is an unpaired one if there was none.
    func usableLine(of session: WCSession) -> PeerClient {
        if let line { return line }
        let unpaired = PeerClient.unpaired(role)
        let line = state.withLock { state in
            let line = state.line ?? unpaired
            state.line = line
            return line
        }
        line.add(listener: session)
        return line
    }

    /// The process's device could not be started (rule R10).
    private func fail(_ session: WCSession, _ fault: SessionSetupError) {
        let failing = Unlocked(session)
        DispatchQueue(label: "WatchConnectivity.fault").async {
            let session = failing.value
            session.delegate?.session(
                session, activationDidCompleteWith: .notActivated,
                error: WCError(.genericError, culprit: "\(fault)"))
        }
    }

    private func bind(_ session: WCSession, to next: PeerClient?) {
        let old = view
        let last = state.withLock { state in
            defer { state.line = next }
            return state.line
        }
        guard last !== next else { return }
        last?.remove(listener: session)
        next?.add(listener: session)
        observations.changed(session, from: old, to: view)
    }
}

/// Carries what is not Sendable out of a lock to the caller, who had it or will have it anyway.
// Unchecked: nobody else uses the box.
struct Unlocked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
