package import SyncCore

/// One device's half of a pairing: the state between an app's session and the engine.
///
/// It outlives the app's process.
///
/// It is a pure state machine: after the start and after each ``handle(_:at:)``, drain ``nextOutput()`` until it
/// returns nil.
///
///     the session ── calls ──▶ ┌───────────┐ ── requests ──▶ the engine ──▶ the other device
///                              │ PeerState │
///     the delegate ◀─ calls ── └───────────┘ ◀─── events ─── the engine ◀── the other device
///                                    │ records
///                                  a disk
///
/// Each lane has its own type: status of the devices, contexts, messages, user info, files, cancellations. They share
/// a ``PeerCore``, and its queue of delegate calls, which calls the app with one thing at a time.
package struct PeerState: Sendable {
    package typealias Role = SessionSetup.Side
    package typealias AppState = SessionSetup.AppState

    /// What a peer gets at its start; it never changes.
    package struct Configuration: Hashable, Sendable {
        package var role: Role
        /// The limits of payloads, and the behaviour where Apple's is disputed.
        package var behaviour: SessionBehaviour
        /// Whether the trace has more than warnings; writing its lines costs more than most of the work.
        package var isTraced: Bool
        /// Whether what the app sends leaves at the next ``Input/timeReached``, at once or a millisecond later, instead of
        /// within the call: until then it can be cancelled, overtaken, or lost with the app.
        package var sendsAfterCalls: Bool

        package init(
            role: Role, behaviour: SessionBehaviour = SessionBehaviour(), isTraced: Bool = true,
            sendsAfterCalls: Bool = false
        ) {
            self.role = role
            self.behaviour = behaviour
            self.isTraced = isTraced
            self.sendsAfterCalls = sendsAfterCalls
        }
    }

    private(set) var core: PeerCore
    private var generator: SplitMix64
    private(set) var endedProcessCount: UInt64 = 0
    private var status = StatusExchange()
    private(set) var contexts: ContextQueue
    private var messages = MessageQueue()
    private(set) var infos: UserInfoQueue
    private(set) var files: FileQueue
    private(set) var infoInbox = Inbox<ReceivedItem>()
    private(set) var fileInbox = Inbox<FileOffer>()
    private var cancellations: CancellationQueue
    /// Whether something that the app sent leaves at the next ``Input/timeReached``.
    private var isSendingLater = false

    /// Starts a peer.
    ///
    /// - Parameters:
    ///   - configuration: What never changes while the process runs.
    ///   - stored: The contents of its store, by key.
    ///   - storedTransfers: The contents of the engine's store at the same time.
    ///   - seed: 64 random bits, different at each start.
    package init(
        configuration: Configuration, stored: [String: [UInt8]], storedTransfers: StoredTransfers, seed: UInt64
    ) {
        generator = SplitMix64(seed: seed)
        core = PeerCore(configuration, stored)
        contexts = ContextQueue(stored, &generator, &core.delegateCalls)
        infos = UserInfoQueue(stored)
        files = FileQueue(stored)
        cancellations = CancellationQueue(stored)
        reconcile(storedTransfers, isStart: true)
    }

    package var configuration: Configuration { core.configuration }

    // MARK: - Inputs

    /// Handles an input.
    package mutating func handle(_ input: Input, at moment: Moment) {
        beginTurn(at: moment)
        messages.timeReached(&core)
        core.backgroundTimeReached()
        isSendingLater = input != .timeReached && (isSendingLater || core.configuration.sendsAfterCalls && input.sends)
        take(input)
        notice()
        pump()
        deliverNext()
        core.endBackgroundTime()
    }

    private mutating func beginTurn(at moment: Moment) {
        core.beginTurn(at: moment)
        infos.look(core)
    }

    private mutating func take(_ input: Input) {
        if core.appState == .suspended, let name = input.callName { core.warnOfSuspension(name) }
        switch input {
        case .activate(let hasDelegate): activate(hasDelegate: hasDelegate)
        case .delegateSet: delegateSet()
        case .leave: leave()
        case .delivered(let id, let handling): delivered(id, handling)
        case .reply(let id, let payload): messages.reply(payload, to: id, &core)
        case .appState(let state): appBecomes(state)
        case .priority(let hasPriority): priorityBecomes(hasPriority)
        case .backgroundTaskCompleted: core.backgroundTime.completed()
        case .backgroundTaskCompletedAgain: core.backgroundTaskCompletedAgain()
        case .chosen(let isChosen):
            guard core.isChosen != isChosen else { return }
            core.isChosen = isChosen
            status.changed()
        case .send(let token, let live, let hasErrorHandler, let hasDelegate):
            messages.send(live, as: token, hasErrorHandler: hasErrorHandler, hasDelegate: hasDelegate, &core)
        case .updateContext(let payload, let hasDelegate):
            contexts.update(payload, hasDelegate: hasDelegate, &core)
        case .transferUserInfo(let id, let payload, let isComplication, let hasDelegate):
            infos.transfer(id, payload, isComplication: isComplication, hasDelegate: hasDelegate, &core)
        case .transferFile(let id, let path, let metadata, let copy, let hasDelegate):
            files.transfer(id, path: path, metadata: metadata, copy: copy, hasDelegate: hasDelegate, &core)
        case .cancel(let id): if !infos.cancel(id, &core) { files.cancel(id, &core) }
        case .link(let isOpen): linkBecomes(isOpen: isOpen)
        case .paired(let isPaired): pairingBecomes(isPaired)
        case .installed(let isInstalled): installationBecomes(isInstalled)
        case .complication(let isEnabled):
            core.note(.device("the complication is \(isEnabled ? "on" : "off") the face"))
            core.device.own.isComplicationEnabled = isEnabled
            ownChanged()
        case .locked(let isLocked):
            core.note(.device("the device is \(isLocked ? "locked after a reboot" : "unlocked")"))
            core.device.own.isLocked = isLocked
            status.changed()
        case .watchOnly(let isWatchOnly):
            core.device.own.isWatchOnly = isWatchOnly
            ownChanged()
        case .engineAnswered(let tag, let answer): if let question = core.question(tag) { answered(question, answer) }
        case .engineEvent(.exchange(let event)): exchangeTells(event)
        case .engineEvent(.files(let event)): filesTell(event)
        case .engineEnding: core.isEngineEnding = true
        case .engineStarted(let storedTransfers):
            core.isEngineEnding = false
            reconcile(storedTransfers, isStart: false)
        case .fileCopied(let id, let copied): files.copied(id, copied, &core)
        case .fileNotCopied(let id, let code): files.notCopied(id, code, &core)
        case .persisted(let record): stored(record, isDurable: true)
        case .persistFailed(let record, let reason):
            core.warn("the disk did not take \(record.changes.map(\.key).joined(separator: ", ")): \(reason)")
            stored(record, isDurable: false)
        case .timeReached: break
        }
    }

    /// The next output; nil when all were taken.
    package mutating func nextOutput() -> Output? { core.nextOutput() }

    /// Sends what can be sent now.
    private mutating func pump() {
        core.storeAgain()
        status.send(&core)
        guard !isSendingLater else { return }
        contexts.send(&core)
        messages.handOver(&core)
        infos.handOver(&core)
        files.handOver(&core)
        cancellations.send(&core)
    }

    /// The latest time for the next ``Input/timeReached``.
    package var nextDeadline: Instant? {
        [
            status.deadline, contexts.deadline, infos.deadline, files.deadline, cancellations.deadline,
            messages.deadline(core), infos.budget.deadline(core), core.storeDeadline, core.backgroundTime.deadline,
            isSendingLater ? core.now : nil,
        ].compactMap(\.self).min()
    }

    // MARK: - Answers of the disk and the engine

    private mutating func stored(_ record: Record, isDurable: Bool) {
        switch core.step(after: record) {
        case nil: break
        case .lasting: if !isDurable { core.storeLater(record) }
        case .copy(let number): if isDurable { files.copyStored(number, &core) } else { core.storeLater(record) }
        case .ownContext(let context): contexts.stored(context, isDurable: isDurable, &core)
        case .receivedContext(let context, let message):
            contexts.stored(context, in: message, isDurable: isDurable, &core)
        case .counterpart(let message): status.stored(in: message, isDurable: isDurable, &core)
        case .userInfo(let number): infos.stored(number, isDurable: isDurable, &core)
        case .userInfoRecall(let numbers): infos.recallStored(numbers, isDurable: isDurable, &core)
        case .file(let number): files.stored(number, isDurable: isDurable, &core)
        case .fileEnd(let engineID): if isDurable, let engineID { core.tell(.resultTaken(engineID)) }
        case .cancellation(let id, let message):
            guard isDurable else {
                cancellations.forget(id)
                return core.decline(message, .genericError, "the cancelling could not be stored")
            }
            core.delegateCalls.withdraw { $0 == .info(id) || $0 == .file(id) }
            infoInbox.discard(id, &core)
            fileInbox.discard(id, &core)
            core.confirm(message)
        }
    }

    private mutating func answered(_ question: PeerCore.Question, _ answer: TransferAnswer?) {
        switch question {
        case .status: status.answered(answer, &core)
        case .context(let version): contexts.answered(version, answer, &core)
        case .message(let token): messages.answered(token, answer, &core)
        case .reply:
            guard case .exchange(.failed(let fault)) = answer else { return }
            core.warn("a reply did not reach its sender: \(fault)")
        case .userInfo(let number, let id): infos.answered(number, id, answer, &core)
        case .userInfoCancelled(let number, let id):
            if infos.cancelled(number, id, answer, &core), let number { cancellations.drop(id, .userInfo(number)) }
        case .userInfoRecalled(let number, let id): infos.recalled(number, id, answer, &core)
        case .file(let number): files.answered(number, answer, &core)
        case .fileCancelled(let number, let id):
            if files.cancelled(number, id, answer) { cancellations.drop(id, .file(number)) }
        case .cancellation(let id):
            switch cancellations.answered(id, answer, at: core.now) {
            case .userInfo(let number): infos.remove(number, &core)
            case .file(let number): files.remove(number, &core)
            case nil: break
            }
        case .acknowledgement: break
        }
    }

    private mutating func exchangeTells(_ event: Exchange.Event) {
        switch event {
        case .itemReceived(let item): infoInbox.arrived(item, cancellations, &core)
        case .itemDelivered(let id): infos.delivered(id, isDropping: cancellations.isDropping(id), &core)
        case .itemsLost(_, let numbers):
            core.warn("the other device was restored and lost user info that it had: numbers \(numbers)")
        case .messageReceived(let message): received(message)
        case .dropped(let drop): core.note(.link("a frame was dropped: \(drop)"))
        case .notStored(let reason): core.warn("the engine's disk did not take a record: \(reason)")
        }
    }

    /// A message of the engine arrived: an envelope of one of the lanes.
    private mutating func received(_ message: ReceivedMessage) {
        switch Envelope(message.payload) {
        case .status(let status): self.status.received(status, in: message.id, &core)
        case .context(let version, let payload):
            contexts.arrived(ContextQueue.Versioned(version: version, payload: payload), in: message.id, &core)
        case .drop(let id): cancellations.received(id, in: message.id, &core)
        case .live(let isData, let timeout, let payload):
            messages.arrived(message, payload, isData: isData, timeoutMilliseconds: timeout, &core)
        case nil:
            core.warn("a message of the other device is not one that this version knows, and was declined")
            core.decline(message.id, .genericError, "no envelope that this version knows")
        }
    }

    private mutating func filesTell(_ event: FileExchange.Event) {
        switch event {
        case .sent(let id, let byteCount, let total): files.sent(id, byteCount, of: total, &core)
        case .ended(let result): files.ended(result, &core)
        case .received(let offer): fileInbox.arrived(offer, cancellations, &core)
        case .receiving: break
        case .receiveFailed(let offer, let failure):
            core.note(.link("← file \(offer.id.shortName) failed: \(failure.words)"))
        case .dropped(let drop): core.note(.link("a frame was dropped: \(drop)"))
        case .notStored(let reason): core.warn("the engine's disk did not take a record: \(reason)")
        }
    }

    /// Determines the stage of each transfer from the engine's contents.
    private mutating func reconcile(_ storedTransfers: StoredTransfers, isStart: Bool) {
        for (id, number) in infos.reconcile(storedTransfers, &core) { cancellations.drop(id, .userInfo(number)) }
        files.reconcile(storedTransfers, isStart: isStart, &core)
    }

    // MARK: - Activation

    /// The app activates its session.
    private mutating func activate(hasDelegate: Bool) {
        guard hasDelegate else {
            return core.warn("activate: the session has no delegate, so nothing happens")
        }
        _ = core.isProcessMissing(for: "activate")
        core.note(.app("activate"))
        core.delegateCalls.delegateSet()
        core.delegateCalls.call(.activationDidComplete(core.activation == .inactive ? .inactive : .activated, nil))
    }

    /// The app set another delegate.
    private mutating func delegateSet() {
        core.delegateCalls.delegateSet()
        guard core.activation != .notActivated else { return }
        core.warn(
            """
            the delegate was set after the activation had completed, so it misses activationDidCompleteWith and every \
            call that an earlier delegate got: set it before activate()
            """)
    }

    /// The session is active from now on: content that waited for that is delivered in the order of its kinds.
    private mutating func activated() {
        core.activation = .activated
        activationChanged()
        contexts.activated(&core)
        for kind in core.delegateCalls.drainOrder() {
            switch kind {
            case .contexts: contexts.retakeTickets(&core.delegateCalls)
            case .infos: infoInbox.retakeTickets(&core.delegateCalls)
            case .files: fileInbox.retakeTickets(&core.delegateCalls)
            case .results: core.delegateCalls.retakeTickets()
            }
        }
    }

    /// The counterpart has to know it: a phone's one if the default session is for another watch.
    private mutating func activationChanged() {
        if core.role == .watch || !core.isChosen { status.changed() }
    }

    /// The app is switched to another watch.
    private mutating func leave() {
        guard core.role == .phone, core.activation == .activated else {
            core.delegateCalls.dropActivation()
            return core.note(.device("the session is not active, so there is nothing to leave"))
        }
        core.note(.device("the session is left for another watch"))
        core.activation = .inactive
        core.delegateCalls.leave()
        // A switch of watches fails the messages that have no result yet.
        messages.failAll(.sessionInactive, &core)
        core.delegateCalls.call(.didBecomeInactive)
    }

    // MARK: - The app's state

    var appState: AppState { core.appState }

    /// The app's process starts, is suspended, or ends.
    private mutating func appBecomes(_ state: AppState) {
        guard state != core.appState else { return }
        core.note(.device("the app is \(state.rawValue)"))
        let wasRunning = core.appState.isRunning
        core.appState = state
        presenceChanged()
        switch state {
        case .notRunning: processEnded()
        case .suspended:
            core.backgroundTime.returnTime()
            core.delegateCalls.withdraw()
            // The messages of a suspended watch app that have no result yet fail.
            if core.role == .watch { messages.failAll(.notReachable, &core) }
        case .background, .foreground:
            if state == .foreground { core.backgroundTime.returnTime() }
            guard !wasRunning else { return }
            if core.backgroundTime.isOwed, state == .background {
                core.backgroundTime.lend()
                core.delegateCalls.call(.backgroundTask)
            }
            core.backgroundTime.isOwed = false
            if core.activation == .activated { contexts.replay(isLaunch: false, &core) }
        }
    }

    /// The app gets high priority in the background, or loses it.
    private mutating func priorityBecomes(_ hasPriority: Bool) {
        guard hasPriority != core.hasPriority else { return }
        core.note(.device("the app \(hasPriority ? "has" : "no longer has") high priority"))
        core.hasPriority = hasPriority
        presenceChanged()
    }

    private mutating func presenceChanged() {
        status.changed()
        guard core.role == .watch, core.presence != .foreground else { return }
        messages.declineWaiting(.notReachable, "the watch app is not in front", &core)
    }

    /// The process ended: live messages end with it; queues, contexts and results do not.
    private mutating func processEnded() {
        endedProcessCount += 1
        core.hasPriority = false
        core.backgroundTime = BackgroundTime()
        messages.processEnded(&core)
        core.delegateCalls.processEnded()
        core.activation = .notActivated
        contexts.processEnded()
        files.processEnded()
    }

    // MARK: - The devices

    private mutating func linkBecomes(isOpen: Bool) {
        core.note(.link("the link \(isOpen ? "opened" : "closed")"))
        core.device.isLinked = isOpen
        status.linkChanged()
        if !isOpen {
            core.device.counterpartNow = nil
            messages.linkClosed(&core)
        }
        contexts.linkChanged()
        cancellations.linkChanged()
    }

    private mutating func pairingBecomes(_ isPaired: Bool) {
        guard core.device.isPaired != isPaired else { return }
        core.note(.device(isPaired ? "paired" : "unpaired"))
        core.device.isPaired = isPaired
        core.store([core.device.ownChange])
        guard !isPaired else { return }
        // Nothing of a pairing stays after its end.
        core.device.counterpart = nil
        core.device.counterpartNow = nil
        core.store([StoredChange(key: DeviceSide.Key.counterpart, value: nil)])
        failTransfers(core.role == .phone ? .deviceNotPaired : .companionAppNotInstalled)
        discardContent()
        infos.forgetHeld()
        files.forgetHeld()
    }

    private mutating func installationBecomes(_ isInstalled: Bool) {
        guard core.device.own.isInstalled != isInstalled else { return }
        core.note(.device(isInstalled ? "the app was installed" : "the app was removed"))
        core.device.own.isInstalled = isInstalled
        ownChanged()
        guard !isInstalled else { return }
        // The app's folder is removed with the app, and no app is left to notify.
        core.delegateCalls.discardEnds()
        infos.discardAll(&core)
        files.discardAll(&core)
        cancellations.discard()
        discardContent()
    }

    private mutating func ownChanged() {
        status.changed()
        core.store([core.device.ownChange])
    }

    /// Ends everything outstanding with an error.
    private mutating func failTransfers(_ code: WCError.Code) {
        infos.failAll(code, &core)
        files.failAll(code, &core)
    }

    /// Removes the contexts, and everything that arrived and was not delivered.
    private mutating func discardContent() {
        contexts.discard(&generator, &core)
        infoInbox.discardAll(&core)
        fileInbox.discardAll(&core)
        messages.declineWaiting(.deliveryFailed, "the app is gone", &core)
        core.delegateCalls.withdrawContent()
    }

    /// Compares the facts with those after the last input, and notifies the app of changes.
    private mutating func notice() {
        let (facts, before) = (core.facts, core.knownFacts)
        guard facts != before else { return }
        core.knownFacts = facts
        if facts.isCounterpartInstalled != before.isCounterpartInstalled { counterpartInstalled(facts) }
        if before.isReachable, !facts.isReachable { messages.reachabilityLost(&core) }
        guard core.activation != .notActivated else { return }
        if core.role == .phone {
            var (left, right) = (facts, before)
            (left.isReachable, right.isReachable) = (false, false)
            if left != right { core.delegateCalls.call(.watchStateDidChange) }
        } else if facts.isCounterpartInstalled != before.isCounterpartInstalled {
            core.delegateCalls.call(.companionAppInstalledDidChange)
        }
        if facts.isReachable != before.isReachable, core.activation == .activated {
            core.delegateCalls.call(.reachabilityDidChange)
        }
    }

    private mutating func counterpartInstalled(_ facts: SessionFacts) {
        if core.role == .phone { core.put(.watchDirectory(exists: facts.isCounterpartInstalled)) }
        if facts.isCounterpartInstalled {
            contexts.linkChanged()
        } else if facts.isPaired {
            failTransfers(core.role == .phone ? .watchAppNotInstalled : .companionAppNotInstalled)
            contexts.counterpartRemoved(&generator, &core)
        }
    }

    // MARK: - Delivery

    /// Starts the next call of the app, if no call is in progress.
    private mutating func deliverNext() {
        guard core.delegateCalls.isIdle, core.appState.isRunning, let due = nextDue() else { return }
        core.put(.call(core.delegateCalls.emit(due)))
    }

    private mutating func nextDue() -> DelegateCallQueue.Due? {
        if let due = core.delegateCalls.nextPlain() { return due }
        guard core.activation != .notActivated else { return nil }
        if let due = files.nextProgress() { return due }
        if let due = messages.due(at: core.now), core.delegateCalls.admits(due) { return due }
        if !core.delegateCalls.isDelegateGone {
            let content = [contexts.due, infoInbox.due, fileInbox.due, nextEnd].compactMap(\.self)
            if let due = content.min(by: { $0.ticket < $1.ticket }), core.delegateCalls.admits(due) { return due }
        }
        guard core.delegateCalls.isLeft() else { return nil }
        return DelegateCallQueue.Due(ticket: 0, kind: .plain, call: .didDeactivate)
    }

    private var nextEnd: DelegateCallQueue.Due? {
        guard let (ticket, kind) = core.delegateCalls.nextEnd else { return nil }
        let call: Call? =
            switch kind {
            case .infoResult(let number): infos.endCall(number)
            case .fileResult(let number): files.endCall(number)
            case .plain, .message, .context, .info, .file, .progress: nil
            }
        return call.map { DelegateCallQueue.Due(ticket: ticket, kind: kind, call: $0) }
    }

    /// A call is about to run on the session's queue; returns nil if it must not run any more.
    ///
    /// If the call reports a change, the app's view changes here, so that the app sees the new values during the
    /// call. Drain ``nextOutput()`` afterwards as well.
    package mutating func begin(_ id: DeliveryID, at moment: Moment) -> Call? {
        beginTurn(at: moment)
        guard core.appState.isRunning, let call = core.delegateCalls.begin(id)?.call else { return nil }
        core.note(.call(call.words))
        switch call {
        case .activationDidComplete(let state, let code):
            if state == .activated, code == nil, core.activation == .notActivated { activated() }
        case .didDeactivate:
            core.activation = .notActivated
            contexts.deactivated()
            activationChanged()
        case .context(let payload): contexts.show(payload)
        case .backgroundTask: core.backgroundTime.given(core.behaviour.backgroundTaskTime, at: core.now)
        case .messageWithReply(let message, _, _): messages.awaitReply(to: message, at: core.now)
        case .didBecomeInactive, .watchStateDidChange, .companionAppInstalledDidChange, .reachabilityDidChange,
            .message, .userInfo, .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler,
            .messageSettled, .backgroundTaskExpired, .fileProgress:
            break
        }
        return call
    }

    /// Whether the app is being called with this, in the process in which the call began.
    package func isRunning(_ id: DeliveryID) -> Bool { core.delegateCalls.isRunning(id) }

    /// A call has returned.
    private mutating func delivered(_ id: DeliveryID, _ handling: Handling) {
        guard let returned = core.delegateCalls.end(id) else { return }
        switch returned.kind {
        case .plain: plainCallReturned(returned.call, handling)
        case .message(let id): messages.given(id, handling, &core)
        case .progress: break
        case .context, .info, .file, .infoResult, .fileResult:
            guard handling != .noDelegate else {
                core.delegateCalls.delegateMissing()
                return core.warn("the session has no delegate: what arrived waits for one")
            }
            if case .lacksMethod(let name) = handling { warnOfLoss(returned, name) }
            contentGiven(returned.kind)
        }
    }

    private mutating func contentGiven(_ kind: DelegateCallQueue.Kind) {
        switch kind {
        case .context(let ticket): contexts.given(ticket, &core)
        case .info(let id): infoInbox.given(id, &core)
        case .file(let id): fileInbox.given(id, &core)
        case .infoResult(let number):
            core.delegateCalls.endReported(kind)
            infos.endReported(number, &core)
        case .fileResult(let number):
            core.delegateCalls.endReported(kind)
            files.endReported(number, &core)
        case .plain, .message, .progress: break
        }
    }

    private mutating func plainCallReturned(_ call: Call, _ handling: Handling) {
        if let failure = call.failure {
            switch handling {
            case .handled: break
            case .lacksMethod(let name): core.warn("\(failure), and the delegate lacks \(name)")
            case .noDelegate: core.warn("\(failure), and there is no delegate")
            }
        } else if call.isChange, handling == .noDelegate {
            core.warn("the session has no delegate: it misses \(call.words)")
        }
        if call == .backgroundTaskExpired { core.backgroundTaskExpired() }
        if call == .backgroundTask, handling == .noDelegate { core.backgroundTime.leftAlone(at: core.now) }
        if case .activationDidComplete = call, handling == .noDelegate {
            core.warn("the session was activated, and its delegate is gone already")
        }
    }

    /// Writes warnings about failures that no handler observes.
    private mutating func warnOfLoss(_ returned: DelegateCallQueue.Delivery, _ name: String) {
        if let failure = returned.call.failure { return core.warn("\(failure), and the delegate lacks \(name)") }
        switch returned.kind {
        case .infoResult, .fileResult: core.note(.call("the delegate lacks \(name)"))
        case .plain, .message, .context, .info, .file, .progress:
            core.warn("the delegate does not implement \(name): what arrived is lost")
        }
    }
}
