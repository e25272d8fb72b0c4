package import SyncCore
import Synchronization

/// Runs a companion on its ports, for one session: the one place where a companion is locked.
///
/// Everything may be called on any thread, and from within the calls of the app. What the app is called with runs on
/// the ports' queue, outside of the lock.
package final class PeerDriver: Sendable {
    private enum Phase {
        /// What the companion wants at its start was not carried out.
        case unstarted
        case running
        /// Its device is gone, so that nothing comes of anything any more.
        case ended
    }

    private struct State {
        var companion: PeerState
        weak var app: (any PeerApp)?
        /// The view that the app was told of last.
        var told: SessionView
        /// Whether the queue is about to tell the app of a newer one.
        var isTelling = false
        /// The answer to the update of the context that is being carried out.
        var contextAnswer: WCError.Code??
        var deadline: Instant?
        var phase = Phase.unstarted
    }

    /// What its companion does where Apple's behaviour is disputed.
    let behaviour: SessionBehaviour
    private let ports: any PeerEnvironment
    private let state: Mutex<State>

    /// Takes the companion over; nothing happens before ``start()`` or the first input.
    package init(_ companion: PeerState, ports: any PeerEnvironment) {
        self.ports = ports
        behaviour = companion.configuration.behaviour
        state = Mutex(State(companion: companion, told: companion.view))
    }

    /// Carries out what the companion wants at its start; call it when the ports can answer to the shell.
    package func start() {
        state.withLock { start(&$0) }
    }

    /// Does so once: another thread may tell the companion something before the code that made it starts it.
    private func start(_ state: inout State) {
        guard state.phase == .unstarted else { return }
        state.phase = .running
        carryOut(&state)
    }

    /// Attaches the session above, which is told of changes from now on and held weakly; nil detaches it.
    package func attach(_ app: (any PeerApp)?) {
        state.withLock { state in
            state.app = app
            state.told = state.companion.view
        }
    }

    /// The device has lost its power: who still speaks to this companion is told so by the trace, and nothing else
    /// happens.
    package func end() {
        state.withLock { state in
            state.app = nil
            state.phase = .ended
        }
    }

    /// Whether the device is gone; what an app still wants of it is pointed out.
    private func isOver(_ state: borrowing State, _ input: PeerState.Input) -> Bool {
        guard state.phase == .ended else { return false }
        if let wish = input.wish {
            ports.trace(
                .warning(
                    "\(wish) by a session of a device that lost its power: switch it on, and take `device.session` anew"
                ))
        }
        return true
    }

    // MARK: - Looking

    /// What the app sees now.
    package var view: SessionView { state.withLock { $0.companion.view } }

    /// The user info that is not received, failed or cancelled yet, oldest first.
    package var outstandingUserInfo: [PeerState.OutstandingUserInfo] {
        state.withLock { $0.companion.outstandingUserInfo }
    }

    /// The files that are not received, failed or cancelled yet, oldest first.
    package var outstandingFiles: [PeerState.OutstandingFile] { state.withLock { $0.companion.outstandingFiles } }

    /// One of the outstanding user infos, nil if it no longer exists.
    package func userInfo(_ id: RandomID) -> PeerState.OutstandingUserInfo? {
        state.withLock { $0.companion.userInfo(id) }
    }

    /// One of the outstanding files, nil if it no longer exists.
    package func file(_ id: RandomID) -> PeerState.OutstandingFile? {
        state.withLock { $0.companion.file(id) }
    }

    /// The names of the copies that are in use; any other copy of this pairing is left from a crash.
    package var copies: Set<String> { state.withLock { $0.companion.copies } }

    // MARK: - Doing

    /// Takes in what happened, and carries out what is to be done.
    package func handle(_ input: PeerState.Input) {
        state.withLock { state in
            if isOver(state, input) { return }
            start(&state)
            state.companion.handle(input, at: ports.moment)
            carryOut(&state)
        }
    }

    /// Queues a file; when it returns, the transfer is durable, and what becomes of the file's path does not matter.
    package func transferFile(
        _ id: RandomID, path: String, metadata: PeerState.Payload?, hasDelegate: Bool
    ) {
        let isWelcome = state.withLock { $0.companion.core.refusal(hasDelegate: hasDelegate) == nil }
        // Outside of the lock: a file that cannot be held is copied, which takes its time.
        let copy = isWelcome ? ports.hold(id, path: path) : nil
        handle(.transferFile(id, path: path, metadata: metadata, copy: copy, hasDelegate: hasDelegate))
    }

    /// Replaces the context; durable when it returns.
    ///
    /// - Returns: Why not, nil if it is accepted.
    package func updateContext(_ payload: PeerState.Payload, hasDelegate: Bool) -> WCError.Code? {
        let input = PeerState.Input.updateContext(payload, hasDelegate: hasDelegate)
        return state.withLock { state in
            if isOver(state, input) { return .genericError }
            start(&state)
            state.contextAnswer = nil
            state.companion.handle(input, at: ports.moment)
            carryOut(&state)
            return state.contextAnswer ?? .genericError
        }
    }

    /// Does what the companion wants, and what follows from that.
    private func carryOut(_ state: inout State) {
        var stored: [PeerState.Input] = []
        var storedCount = 0
        repeat {
            while let output = state.companion.nextOutput() {
                if case .persist(let record) = output {
                    stored.append(persist(record))
                } else {
                    carryOut(output, &state)
                }
            }
            guard storedCount < stored.count else { break }
            state.companion.handle(stored[storedCount], at: ports.moment)
            storedCount += 1
        } while true
        let deadline = state.companion.nextDeadline
        if deadline != state.deadline {
            state.deadline = deadline
            ports.wake(at: deadline)
        }
        if !state.isTelling, state.app != nil, state.companion.view != state.told {
            state.isTelling = true
            ports.enqueue { self.tellView() }
        }
    }

    private func persist(_ record: PeerState.Record) -> PeerState.Input {
        do {
            try ports.persist(record)
            return .persisted(record)
        } catch {
            return .persistFailed(record, reason: "\(error)")
        }
    }

    private func carryOut(_ output: PeerState.Output, _ state: inout State) {
        switch output {
        case .persist: break
        case .engine(let tag, let request): ports.ask(request, tag: tag)
        case .copyFile(let id, let path): ports.copyFile(id, path: path)
        case .releaseCopy(let file): ports.releaseCopy(file)
        case .letGo(let id): ports.letGo(id)
        // The name alone: what is taken back while the queue is busy leaves no content in it.
        case .call(let id): ports.enqueue { self.run(id) }
        case .answered(let code): state.contextAnswer = .some(code)
        case .launchApp(let reason): ports.launchApp(reason)
        case .endApp: ports.endApp()
        case .watchDirectory(let exists): ports.watchDirectory(exists: exists)
        case .trace(let event): ports.trace(event)
        }
    }

    // MARK: - On the queue

    /// Tells the app how its view has changed.
    private func tellView() {
        let (app, old, new) = state.withLock { state in
            state.isTelling = false
            let change = (state.app, state.told, state.companion.view)
            state.told = change.2
            return change
        }
        if old != new { app?.viewChanged(from: old, to: new) }
    }

    /// Calls the app, if the call still stands.
    private func run(_ id: PeerState.DeliveryID) {
        let (call, app) = state.withLock { state in
            let call = state.companion.begin(id, at: ports.moment)
            carryOut(&state)
            return (call, state.app)
        }
        guard let call else { return }
        tellView()
        handle(.delivered(id, app.map { take(call, id, by: $0) } ?? .noDelegate))
    }

    private func take(
        _ call: PeerState.Call, _ id: PeerState.DeliveryID, by app: any PeerApp
    ) -> PeerState.Handling {
        guard case .file(let offer) = call else { return app.take(call, path: nil) }
        // A file that is there no more was given before, and the process ended before that was durable.
        guard let path = ports.path(of: offer) else { return .handled }
        let handling = app.take(call, path: path)
        // Rules R119 and R120: what was not moved within the call goes; without a delegate there was no call.
        if handling != .noDelegate, state.withLock({ $0.companion.isBegun(id) }) { ports.remove(offer) }
        return handling
    }
}

extension PeerState.Input {
    /// What an app wants of its session, by the name of the call; nil for what comes from elsewhere, or by itself.
    fileprivate var wish: String? {
        switch self {
        case .activate: "activate"
        case .send(_, let live, _, _): live.isData ? "sendMessageData" : "sendMessage"
        case .updateContext: "updateApplicationContext"
        case .transferUserInfo(_, _, isComplication: true, _): "transferCurrentComplicationUserInfo"
        case .transferUserInfo: "transferUserInfo"
        case .transferFile: "transferFile"
        case .delegateSet, .leave, .cancel, .delivered, .reply, .appState, .priority, .backgroundTaskCompleted, .link,
            .paired, .installed, .complication, .locked, .watchOnly, .engineAnswered, .engineEvent, .engineEnding,
            .engineStarted, .fileCopied, .fileNotCopied, .persisted, .persistFailed, .timeReached:
            nil
        }
    }
}
