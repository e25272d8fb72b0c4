import Platform
package import SyncCore

/// Runs a peer in its environment, for one session; the only place where the peer's state is locked.
///
/// All members may be called on any thread, even during a call of the app. The app is called on the environment's
/// queue, outside the lock.
package final class PeerDriver: Sendable {
    private enum Phase {
        /// The peer's initial outputs were not carried out yet.
        case unstarted
        case running
        /// The device is gone; nothing has an effect any more.
        case ended
    }

    private struct State {
        var peerState: PeerState
        weak var app: (any PeerApp)?
        /// The last view that the app was notified of.
        var reported: SessionView
        /// Whether the queue is about to notify the app of a newer view.
        var isReportQueued = false
        /// The answer to the update of the context in progress.
        var contextAnswer: WCError.Code??
        var deadline: Instant?
        var phase = Phase.unstarted
    }

    /// The configured behaviour where Apple's is disputed.
    let behaviour: SessionBehaviour
    private let environment: any PeerEnvironment
    private let state: Lock<State>

    /// Takes over the peer's state; nothing happens before ``start()`` or the first input.
    package init(_ peerState: PeerState, environment: any PeerEnvironment) {
        self.environment = environment
        behaviour = peerState.configuration.behaviour
        state = Lock(State(peerState: peerState, reported: peerState.view))
    }

    /// Carries out the peer's initial outputs; call it when the environment can call the driver.
    package func start() {
        state.withLock { start(&$0) }
    }

    /// Does that once: another thread may send an input before the code that created the driver starts it.
    private func start(_ state: inout State) {
        guard state.phase == .unstarted else { return }
        state.phase = .running
        carryOut(&state)
    }

    /// Attaches the app's side, which is notified of changes from now on; held weakly, nil detaches it.
    package func attach(_ app: (any PeerApp)?) {
        state.withLock { state in
            state.app = app
            state.reported = state.peerState.view
        }
    }

    /// The device was powered off.
    ///
    /// Later calls have no effect, except a warning in the trace.
    package func end() {
        state.withLock { state in
            state.app = nil
            state.phase = .ended
        }
    }

    /// Whether the device is gone; writes a warning if the input is a request of an app.
    private func isOver(_ state: borrowing State, _ input: PeerState.Input) -> Bool {
        guard state.phase == .ended else { return false }
        if let requestName = input.requestName {
            environment.trace(
                .warning(
                    "\(requestName) by a session of a device that lost its power: switch it on, and take `device.session` again"
                ))
        }
        return true
    }

    // MARK: - Reading

    /// The app's present view of the session.
    package var view: SessionView { state.withLock { $0.peerState.view } }

    /// The user info that is not received, failed or cancelled yet, oldest first.
    package var outstandingUserInfo: [PeerState.OutstandingUserInfo] {
        state.withLock { $0.peerState.outstandingUserInfo }
    }

    /// The files that are not received, failed or cancelled yet, oldest first.
    package var outstandingFiles: [PeerState.OutstandingFile] { state.withLock { $0.peerState.outstandingFiles } }

    /// One of the outstanding user info entries, nil if it is not outstanding any more.
    package func userInfo(_ id: RandomID) -> PeerState.OutstandingUserInfo? {
        state.withLock { $0.peerState.userInfo(id) }
    }

    /// One of the outstanding files, nil if it is not outstanding any more.
    package func file(_ id: RandomID) -> PeerState.OutstandingFile? {
        state.withLock { $0.peerState.file(id) }
    }

    // MARK: - Inputs

    /// Handles an input, and carries out the outputs.
    package func handle(_ input: PeerState.Input) {
        state.withLock { state in
            if isOver(state, input) { return }
            start(&state)
            state.peerState.handle(input, at: environment.moment)
            carryOut(&state)
        }
    }

    /// Queues a file.
    ///
    /// When it returns, the transfer is durable, and the app may do anything with the file.
    package func transferFile(
        _ id: RandomID, path: String, metadata: PeerState.Payload?, hasDelegate: Bool
    ) {
        let isAccepted = state.withLock { $0.peerState.core.refusal(hasDelegate: hasDelegate) == nil }
        // Outside the lock, because a file that cannot be held is copied here, which takes time.
        let copy = isAccepted ? environment.hold(id, path: path) : nil
        handle(.transferFile(id, path: path, metadata: metadata, copy: copy, hasDelegate: hasDelegate))
    }

    /// Replaces the context; durable when it returns.
    ///
    /// - Returns: The error, nil if the context is accepted.
    package func updateContext(_ payload: PeerState.Payload, hasDelegate: Bool) -> WCError.Code? {
        let input = PeerState.Input.updateContext(payload, hasDelegate: hasDelegate)
        return state.withLock { state in
            if isOver(state, input) { return .genericError }
            start(&state)
            state.contextAnswer = nil
            state.peerState.handle(input, at: environment.moment)
            carryOut(&state)
            return state.contextAnswer ?? .genericError
        }
    }

    /// Carries out the peer's outputs, and those that follow from them.
    private func carryOut(_ state: inout State) {
        var stored: [PeerState.Input] = []
        var storedCount = 0
        repeat {
            while let output = state.peerState.nextOutput() {
                if case .persist(let record) = output {
                    stored.append(persist(record))
                } else {
                    carryOut(output, &state)
                }
            }
            guard storedCount < stored.count else { break }
            state.peerState.handle(stored[storedCount], at: environment.moment)
            storedCount += 1
        } while true
        let deadline = state.peerState.nextDeadline
        if deadline != state.deadline {
            state.deadline = deadline
            environment.wake(at: deadline)
        }
        if !state.isReportQueued, state.app != nil, state.peerState.view != state.reported {
            state.isReportQueued = true
            environment.enqueue { self.reportView() }
        }
    }

    private func persist(_ record: PeerState.Record) -> PeerState.Input {
        do {
            try environment.persist(record)
            return .persisted(record)
        } catch {
            return .persistFailed(record, reason: "\(error)")
        }
    }

    private func carryOut(_ output: PeerState.Output, _ state: inout State) {
        switch output {
        case .persist: break
        case .engine(let tag, let request): environment.ask(request, tag: tag)
        case .copyFile(let id, let path): environment.copyFile(id, path: path)
        case .releaseCopy(let file): environment.releaseCopy(file)
        case .releaseOriginal(let id): environment.releaseOriginal(id)
        // Only the identifier is queued, so a withdrawn call leaves no content in a busy queue.
        case .call(let id): environment.enqueue { self.run(id) }
        case .answered(let code): state.contextAnswer = .some(code)
        case .launchApp(let reason): environment.launchApp(reason)
        case .suspendApp: environment.suspendApp()
        case .endApp: environment.endApp()
        case .watchDirectory(let exists): environment.watchDirectory(exists: exists)
        case .trace(let event): environment.trace(event)
        }
    }

    /// Writes a warning for developers to the trace.
    func warn(_ text: String) { environment.trace(.warning(text)) }

    // MARK: - Work on the queue

    /// Notifies the app of the change of its view.
    private func reportView() {
        let (app, old, new) = state.withLock { state in
            state.isReportQueued = false
            let change = (state.app, state.reported, state.peerState.view)
            state.reported = change.2
            return change
        }
        if old != new { app?.viewChanged(from: old, to: new) }
    }

    /// Makes a call of the app, if the call was not withdrawn.
    private func run(_ id: PeerState.DeliveryID) {
        let (call, app) = state.withLock { state in
            let call = state.peerState.begin(id, at: environment.moment)
            carryOut(&state)
            return (call, state.app)
        }
        guard let call else { return }
        reportView()
        handle(.delivered(id, app.map { take(call, id, by: $0) } ?? .noDelegate))
    }

    private func take(
        _ call: PeerState.Call, _ id: PeerState.DeliveryID, by app: any PeerApp
    ) -> PeerState.Handling {
        guard case .file(let offer) = call else { return app.take(call, path: nil) }
        // A missing file was delivered before, and the process ended before that was durable.
        guard let path = environment.path(of: offer) else { return .handled }
        let handling = app.take(call, path: path)
        // What the app did not move during the call is removed; without a delegate there was no call.
        if handling != .noDelegate, state.withLock({ $0.peerState.isRunning(id) }) { environment.remove(offer) }
        return handling
    }
}

extension PeerState.Input {
    /// The name of the app's request; nil for an input that is not a request of the app.
    fileprivate var requestName: String? {
        switch self {
        case .cancel, .reply, .backgroundTaskCompleted, .backgroundTaskCompletedAgain: nil
        default: callName
        }
    }
}
