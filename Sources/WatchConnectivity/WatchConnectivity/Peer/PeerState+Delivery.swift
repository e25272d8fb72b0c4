package import SyncCore

extension PeerState {
    // MARK: - Choosing

    /// Whether content arrived that the app has not had (rules R132, R133).
    var hasContentPending: Bool {
        !contexts.inbox.isEmpty || !infos.inbox.isEmpty || !files.inbox.isEmpty
    }

    /// Calls the app with what is next, if it is in no call.
    mutating func deliverNext() {
        guard desk.inFlight == nil, appState.isRunning, let (kind, call) = next() else { return }
        put(.call(desk.emit(kind, call), call))
    }

    private mutating func next() -> (DelegateCallQueue.Kind, Call)? {
        if let call = desk.calls.popFirst() { return (.plain, call) }
        guard activation != .notActivated else { return nil }
        if let progress = nextProgress() { return progress }
        let limit = desk.leavingLimit ?? .max
        if let message = messages.inbox.first, message.ticket <= limit, message.heldUntil <= moment.monotonic {
            let call: Call =
                message.wantsReply
                ? .messageWithReply(message.id, message.payload, isData: message.isData)
                : .message(message.payload, isData: message.isData)
            return (.message(message.id), call)
        }
        if !desk.isDelegateGone, let content = nextContent(limit: limit) { return content }
        guard desk.leavingLimit != nil else { return nil }
        // All that had arrived is delivered (rule R22).
        desk.leavingLimit = nil
        return (.plain, .didDeactivate)
    }

    private mutating func nextProgress() -> (DelegateCallQueue.Kind, Call)? {
        while let id = files.progress.first {
            files.progress.removeFirst()
            guard let file = file(id), let byteCount = file.byteCount else { continue }
            return (.progress(id), .fileProgress(id, byteCount: file.sentByteCount, of: byteCount))
        }
        return nil
    }

    private func nextContent(limit: UInt64) -> (DelegateCallQueue.Kind, Call)? {
        let context = contexts.inbox.first?.ticket ?? .max
        let info = infos.inbox.first?.ticket ?? .max
        let file = files.inbox.first?.ticket ?? .max
        let result = desk.results.first?.ticket ?? .max
        let lowest = min(context, info, file, result)
        guard lowest <= limit, lowest < .max else { return nil }
        if lowest == context, let pending = contexts.inbox.first {
            return (.context(pending.ticket), .context(pending.context.payload))
        }
        if lowest == info, let arrived = infos.inbox.first {
            return (.info(arrived.item.id), .userInfo(arrived.item.payload))
        }
        if lowest == file, let arrived = files.inbox.first { return (.file(arrived.offer.id), .file(arrived.offer)) }
        return desk.results.first.flatMap(resultCall)
    }

    private func resultCall(_ result: DelegateCallQueue.Result) -> (DelegateCallQueue.Kind, Call)? {
        switch result.kind {
        case .info(let number):
            guard let entry = infos.entries[number], case .finished(let code) = entry.stage else { return nil }
            return (.infoResult(number), .didFinishUserInfo(outstanding(entry, number), code))
        case .file(let number):
            guard let entry = files.entries[number], case .finished(let code, _) = entry.stage else { return nil }
            return (.fileResult(number), .didFinishFile(entry.outstanding, code))
        }
    }

    // MARK: - Calling

    /// A call is about to run on the session's queue; false if it must not run any more.
    ///
    /// What the app sees changes here if the call tells of a change, so that it sees it within the call (R9, R77).
    /// Drain ``nextOutput()`` then, too.
    package mutating func begin(_ id: DeliveryID, at moment: Moment) -> Bool {
        beginTurn(at: moment)
        guard let inFlight = desk.inFlight, inFlight.id == id, !inFlight.isBegun, appState.isRunning else {
            return false
        }
        desk.inFlight?.isBegun = true
        note(.call(inFlight.call.words))
        switch inFlight.call {
        case .activationDidComplete(let state, let code):
            if state == .activated, code == nil, activation == .notActivated { activated() }
        case .didDeactivate:
            activation = .notActivated
            contexts.shown = nil
        case .context(let payload): contexts.shown = payload
        case .backgroundTask: backgroundTaskGiven()
        case .messageWithReply(let message, _, _):
            messages.awaited[message] = messages.inbox.all.first { $0.id == message }?.deadline ?? moment.monotonic
        case .didBecomeInactive, .watchStateDidChange, .companionAppInstalledDidChange, .reachabilityDidChange,
            .message, .userInfo, .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler,
            .messageSettled, .backgroundTaskExpired, .fileProgress:
            break
        }
        return true
    }

    /// A call has returned.
    mutating func delivered(_ id: DeliveryID, _ handling: Handling) {
        guard let returned = desk.inFlight, returned.id == id, returned.isBegun else { return }
        desk.inFlight = nil
        switch returned.kind {
        case .plain: plainCallReturned(returned.call, handling)
        case .message(let id):
            if let message = messages.inbox.all.first(where: { $0.id == id }) { messageGiven(message, handling) }
        case .progress: break
        case .context, .info, .file, .infoResult, .fileResult:
            guard handling != .noDelegate else {
                desk.isDelegateGone = true
                return warn("the session has no delegate: what arrived waits for one")
            }
            if case .lacksMethod(let name) = handling { warnOfLoss(returned, name) }
            contentGiven(returned.kind)
        }
    }

    private mutating func contentGiven(_ kind: DelegateCallQueue.Kind) {
        switch kind {
        case .context(let ticket):
            if let pending = contexts.inbox.first, pending.ticket == ticket { contextGiven(pending) }
        case .info(let id):
            guard infos.inbox.all.contains(where: { $0.item.id == id }) else { return }
            infos.inbox.remove { $0.item.id == id }
            infos.given.append([id])
            tell(.consumedItem(id))
        case .file(let id):
            guard files.inbox.all.contains(where: { $0.offer.id == id }) else { return }
            files.inbox.remove { $0.offer.id == id }
            files.given.append([id])
            tell(.consumedFile(id))
        case .infoResult(let number):
            desk.results.remove { $0.kind == .info(number) }
            if case .finished = infos.entries[number]?.stage { removeInfo(number) }
        case .fileResult(let number):
            desk.results.remove { $0.kind == .file(number) }
            if case .finished = files.entries[number]?.stage { removeFile(number) }
        case .plain, .message, .progress: break
        }
    }

    private mutating func plainCallReturned(_ call: Call, _ handling: Handling) {
        if let failure = call.failure {
            switch handling {
            case .handled: break
            case .lacksMethod(let name): warn("\(failure), and the delegate lacks \(name)")
            case .noDelegate: warn("\(failure), and there is no delegate")
            }
        }
        if call == .backgroundTaskExpired { backgroundTaskExpired() }
        if case .activationDidComplete = call, handling == .noDelegate {
            warn("the session was activated, and its delegate is gone already")
        }
    }

    /// Points out what nobody observes (rules R49, R104).
    private mutating func warnOfLoss(_ returned: DelegateCallQueue.InFlight, _ name: String) {
        if let failure = returned.call.failure { return warn("\(failure), and the delegate lacks \(name)") }
        switch returned.kind {
        case .infoResult, .fileResult: note(.call("the delegate lacks \(name)"))
        case .plain, .message, .context, .info, .file, .progress:
            warn("the delegate does not implement \(name): what arrived is lost")
        }
    }
}

extension PeerState.Call {
    /// The failed transfer whose end it tells, in words; nil for other calls.
    fileprivate var failure: String? {
        switch self {
        case .didFinishUserInfo(let info, let code?): "user info \(info.id.shortName) failed with \(code.rawValue)"
        case .didFinishFile(let file, let code?): "file \(file.path) failed with \(code.rawValue)"
        case .activationDidComplete, .didBecomeInactive, .didDeactivate, .watchStateDidChange,
            .companionAppInstalledDidChange, .reachabilityDidChange, .message, .messageWithReply, .context, .userInfo,
            .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler, .messageSettled, .backgroundTask,
            .backgroundTaskExpired, .fileProgress:
            nil
        }
    }
}
