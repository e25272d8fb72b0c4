import SyncCore

extension PeerState {
    // MARK: - Sending

    /// The app replaces its context: it is durable before the answer (rules R72–R84).
    mutating func updateContext(_ payload: Payload, hasDelegate: Bool) {
        let what = "updateApplicationContext"
        if let code = refusal(of: what, hasDelegate: hasDelegate)
            ?? fault(of: payload, limit: contextByteCountMax, what)
        {
            note(.app("\(what): \(code.rawValue)"))
            return put(.answered(code))
        }
        guard case .bytes(let bytes) = payload, let incarnation = contexts.incarnation else { return }
        if bytes == contexts.lastSet {
            // Rule R81.
            warn("\(what): the context equals the one that was set before, so it is not sent; change something in it")
            return put(.answered(nil))
        }
        contexts.lastNumber += 1
        contexts.lastSet = bytes
        let version = ContextVersion(incarnation: incarnation, number: contexts.lastNumber)
        let context = ContextQueue.Versioned(version: version, payload: bytes)
        note(.app("\(what): context \(version.number), \(bytes.count) bytes"))
        var name = ByteWriter()
        name.put(incarnation)
        store([
            StoredChange(key: ContextQueue.Key.incarnation, value: name.bytes),
            StoredChange(key: ContextQueue.Key.own, value: context.packed),
        ]) { me, isDurable in me.contextStored(context, isDurable: isDurable) }
    }

    private var contextByteCountMax: Int { min(behaviour.contextByteCountMax, Self.contextByteCountLimit) }

    private mutating func contextStored(_ context: ContextQueue.Versioned, isDurable: Bool) {
        guard isDurable else {
            contexts.lastSet = contexts.own?.payload
            return put(.answered(.genericError))
        }
        contexts.own = context
        contexts.unsent.append(context)
        if !device.isLinked {
            contexts.unsent.keepLast()
        } else if contexts.unsent.count > ContextQueue.unsentCountMax {
            warn("\(contexts.unsent.count) contexts wait for the link; only the newest is kept")
            contexts.unsent.keepLast()
        }
        put(.answered(nil))
    }

    /// The link, or whether there is an app at its other end, changed: only the newest context still counts.
    mutating func contextLinkChanged() {
        contexts.retryAt = nil
        contexts.pause = DeviceSide.pauseMin
        contexts.unsent = Line()
        if let own = contexts.own, own.version.number > contexts.acknowledged { contexts.unsent.append(own) }
    }

    /// Sends the oldest update that waits, if none is under way.
    mutating func sendContext() {
        if let due = contexts.retryAt, due <= moment.monotonic { contexts.retryAt = nil }
        guard device.isLinked, desk.noticed.isCounterpartInstalled, contexts.underWay == nil, contexts.retryAt == nil,
            let context = contexts.unsent.first
        else { return }
        let number = context.version.number
        contexts.underWay = number
        note(.link("→ context \(number), \(context.payload.count) bytes"))
        let envelope = Envelope.context(context.version, context.payload)
        let message = Message(payload: envelope.encoded, wantsReply: false, timeout: .seconds(10))
        ask(.message(message)) { me, answer in me.contextAnswered(context.version, answer) }
    }

    private mutating func contextAnswered(_ version: ContextVersion, _ answer: TransferAnswer?) {
        contexts.underWay = nil
        guard version.incarnation == contexts.incarnation else { return }
        guard case .exchange(.delivered) = answer else {
            note(.link("context \(version.number) was not confirmed: \(Self.words(of: answer))"))
            guard device.isLinked else { return }
            contexts.retryAt = moment.monotonic.advanced(by: contexts.pause)
            contexts.pause = min(contexts.pause * 2, DeviceSide.pauseMax)
            return
        }
        contexts.pause = DeviceSide.pauseMin
        contexts.unsent.removeAll { $0.version.number <= version.number }
        guard version.number > contexts.acknowledged else { return }
        contexts.acknowledged = version.number
        var packer = ByteWriter()
        packer.put(version.number)
        store([StoredChange(key: ContextQueue.Key.acknowledged, value: packer.bytes)])
    }

    // MARK: - Receiving

    /// A context arrived: it is durable before it is confirmed.
    mutating func received(_ context: ContextQueue.Versioned, in message: MessageID) {
        note(.link("← context \(context.version.number), \(context.payload.count) bytes"))
        guard device.own.isInstalled else { return decline(message, notInstalledCode, "the app is not installed") }
        guard isNews(context.version) else { return confirm(message) }
        store([StoredChange(key: ContextQueue.Key.received, value: context.packed)]) { me, isDurable in
            guard isDurable else { return me.decline(message, .genericError, "the context could not be stored") }
            if me.isNews(context.version) { me.contextArrived(context) }
            me.confirm(message)
        }
    }

    private func isNews(_ version: ContextVersion) -> Bool {
        guard let last = contexts.received?.version, last.incarnation == version.incarnation else { return true }
        return version.number > last.number
    }

    private mutating func contextArrived(_ context: ContextQueue.Versioned) {
        contexts.received = context
        // An app that runs gets each of them (rule R73); for one that does not there is one place (rule R72).
        if !appState.isRunning || activation == .notActivated {
            desk.withdraw { if case .context = $0 { true } else { false } }
            contexts.inbox = Line()
        }
        if let pending = ContextQueue.Pending(ticket: desk.nextTicket(), arrival: context) {
            contexts.inbox.append(pending)
        }
        skipOldContext()
        launchWatchApp(.context)
    }

    /// Of more contexts than may wait the oldest goes; the one that the app is being called with does not wait any more.
    private mutating func skipOldContext() {
        let waiting = contexts.inbox.all.filter { !desk.isBegun(.context($0.ticket)) }
        guard waiting.count > ContextQueue.inboxCountMax, let oldest = waiting.first else { return }
        let number = oldest.context.version.number
        warn("context \(number) is skipped: \(ContextQueue.inboxCountMax) newer ones wait for the app")
        desk.withdraw { $0 == .context(oldest.ticket) }
        contexts.inbox.removeAll { $0.ticket == oldest.ticket }
    }

    /// The app has had a context.
    mutating func contextGiven(_ pending: ContextQueue.Pending) {
        contexts.inbox.popFirst()
        guard contexts.givenVersion != pending.context.version else { return }
        contexts.givenVersion = pending.context.version
        let name = ContextQueue.Versioned(version: pending.context.version, payload: [])
        store([StoredChange(key: ContextQueue.Key.given, value: name.packed)])
    }

    /// Delivers the last context once more, where that is asked for (rules R79, R86).
    mutating func repeatContext(isLaunch: Bool) {
        if isLaunch, behaviour.deliversLaunchContextTwice, var again = contexts.inbox.all.last {
            again.ticket = desk.nextTicket()
            contexts.inbox.append(again)
        }
        guard behaviour.replaysContexts, contexts.inbox.isEmpty,
            var again = ContextQueue.Pending(ticket: desk.nextTicket(), arrival: contexts.received)
        else { return }
        again.isReplay = true
        contexts.inbox.append(again)
    }

    /// The contexts of this pairing or of this app are gone; the numbering goes on.
    mutating func discardContexts() {
        contexts.own = nil
        contexts.lastSet = nil
        contexts.unsent = Line()
        contexts.retryAt = nil
        contexts.received = nil
        contexts.givenVersion = nil
        contexts.inbox = Line()
        contexts.shown = nil
        contexts.incarnation = RandomID(using: &generator)
        contexts.lastNumber = 0
        contexts.acknowledged = 0
        let keys = [
            ContextQueue.Key.incarnation, ContextQueue.Key.own, ContextQueue.Key.acknowledged,
            ContextQueue.Key.received,
            ContextQueue.Key.given,
        ]
        store(keys.map { StoredChange(key: $0, value: nil) })
    }
}
