import SyncCore

extension PeerState {
    // MARK: - Activation

    /// The app activates its session (rules R8–R16).
    mutating func activate(hasDelegate: Bool) {
        guard hasDelegate else { return warn("activate: the session has no delegate, so nothing happens (rule R13)") }
        _ = isProcessMissing(for: "activate")
        note(.app("activate"))
        desk.isDelegateGone = false
        desk.call(.activationDidComplete(activation == .inactive ? .inactive : .activated, nil))
    }

    /// The session is active from now on: what waited for that is delivered by kinds (rules R14, R140).
    mutating func activated() {
        activation = .activated
        contexts.shown = contexts.received?.payload
        repeatContext(isLaunch: true)
        for kind in desk.drainOrder() {
            switch kind {
            case .contexts: contexts.inbox.modifyAll { $0.ticket = desk.nextTicket() }
            case .infos: infos.inbox.modifyAll { $0.ticket = desk.nextTicket() }
            case .files: files.inbox.modifyAll { $0.ticket = desk.nextTicket() }
            case .results: desk.retakeTickets()
            }
        }
    }

    /// Another watch becomes the app's (rules R22–R26).
    mutating func leave() {
        guard role == .phone, activation == .activated else {
            // The activation that may be under way goes on with the other watch.
            desk.withdraw()
            desk.calls.removeAll { $0 == .activationDidComplete(.activated, nil) }
            return note(.device("the session is not active, so there is nothing to leave"))
        }
        note(.device("the session is left for another watch"))
        activation = .inactive
        desk.withdraw()
        desk.calls.modifyAll { call in
            if call == .activationDidComplete(.activated, nil) { call = .activationDidComplete(.inactive, nil) }
        }
        desk.leavingLimit = desk.lastTicket
        // Rule R24.
        failMessages(.sessionInactive)
        desk.call(.didBecomeInactive)
    }

    // MARK: - The app's state

    /// The app's process runs, rests or ends.
    mutating func appBecomes(_ state: AppState) {
        guard state != appState else { return }
        note(.device("the app is \(state.rawValue)"))
        let wasRunning = appState.isRunning
        appState = state
        presenceChanged()
        switch state {
        case .notRunning: processEnded()
        case .suspended:
            desk.withdraw()
            // Rule R69.
            if role == .watch { failMessages(.notReachable) }
        case .background, .foreground:
            guard !wasRunning else { return }
            if desk.owesBackgroundTask, state == .background { desk.call(.backgroundTask) }
            desk.owesBackgroundTask = false
            if activation == .activated { repeatContext(isLaunch: false) }
        }
    }

    /// The app as the counterpart and live messages take it: in the background with high priority is in front (rule R37).
    var presence: AppState { appState == .background && hasPriority ? .foreground : appState }

    /// The app gets high priority in the background, or loses it (rule R37).
    mutating func priorityBecomes(_ hasPriority: Bool) {
        guard hasPriority != self.hasPriority else { return }
        note(.device("the app \(hasPriority ? "has" : "no longer has") high priority"))
        self.hasPriority = hasPriority
        presenceChanged()
    }

    private mutating func presenceChanged() {
        device.owesStatus = true
        guard role == .watch, presence != .foreground else { return }
        declineWaitingMessages(.notReachable, "the watch app is not in front")
    }

    /// What is live ends with the process; queues, contexts and results do not (rules R72, R90, R93, R94).
    private mutating func processEnded() {
        endedProcessCount += 1
        hasPriority = false
        backgroundTime = BackgroundTime()
        forgetMessages()
        desk.forget()
        activation = .notActivated
        contexts.shown = nil
        contexts.inbox.removeAll { $0.isReplay }
        contexts.inbox.keepLast()
        files.progress = []
    }
}
