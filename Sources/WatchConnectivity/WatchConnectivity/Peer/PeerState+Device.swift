import SyncCore

extension PeerState {
    /// What the devices' states mean for the app.
    var facts: SessionFacts {
        let counterpart = device.counterpart
        var facts = SessionFacts(isPaired: device.isPaired)
        facts.isCounterpartInstalled =
            device.isPaired && counterpart?.isInstalled == true && counterpart?.isWatchOnly == false
        switch role {
        case .phone:
            facts.isComplicationEnabled = facts.isCounterpartInstalled && counterpart?.isComplicationEnabled == true
        case .watch: facts.isComplicationEnabled = device.own.isComplicationEnabled
        }
        facts.isReachable = device.isLinked && facts.isCounterpartInstalled && (isAwake || behaviour.claimsReachability)
        return facts
    }

    /// Whether the apps are in the states that live messages need: rules R35, R36 and R41.
    private var isAwake: Bool {
        switch role {
        case .phone: device.counterpartNow?.appState == .foreground
        case .watch: presence == .foreground && device.counterpartNow?.isLocked == false
        }
    }

    mutating func linkBecomes(isOpen: Bool) {
        note(.link("the link \(isOpen ? "opened" : "closed")"))
        device.isLinked = isOpen
        device.owesStatus = true
        device.statusRetryAt = nil
        device.statusPause = DeviceSide.pauseMin
        if !isOpen {
            device.counterpartNow = nil
            linkClosed()
        }
        contextLinkChanged()
        drops.retryAt = nil
    }

    mutating func pairingBecomes(_ isPaired: Bool) {
        guard device.isPaired != isPaired else { return }
        note(.device(isPaired ? "paired" : "unpaired"))
        device.isPaired = isPaired
        store([device.ownChange])
        guard !isPaired else { return }
        // Rule R157: nothing of a pairing outlives it.
        device.counterpart = nil
        device.counterpartNow = nil
        store([StoredChange(key: DeviceSide.Key.counterpart, value: nil)])
        failTransfers(role == .phone ? .deviceNotPaired : .companionAppNotInstalled)
        discardContent()
        // The engine's part of the pairing is gone, too.
        infos.held = [:]
        infos.heldByteCount = 0
        files.held = []
    }

    mutating func installationBecomes(_ isInstalled: Bool) {
        guard device.own.isInstalled != isInstalled else { return }
        note(.device(isInstalled ? "the app was installed" : "the app was removed"))
        device.own.isInstalled = isInstalled
        ownChanged()
        guard !isInstalled else { return }
        // The app's folder goes with the app, and there is nobody to tell.
        discardTransfers()
        discardContent()
    }

    mutating func complicationBecomes(isEnabled: Bool) {
        note(.device("the complication is \(isEnabled ? "on" : "off") the face"))
        device.own.isComplicationEnabled = isEnabled
        ownChanged()
    }

    mutating func lockBecomes(_ isLocked: Bool) {
        note(.device("the device is \(isLocked ? "locked after a reboot" : "unlocked")"))
        device.own.isLocked = isLocked
        device.owesStatus = true
    }

    mutating func watchOnlyBecomes(_ isWatchOnly: Bool) {
        device.own.isWatchOnly = isWatchOnly
        ownChanged()
    }

    private mutating func ownChanged() {
        device.owesStatus = true
        store([device.ownChange])
    }

    /// The contexts, and what arrived and was not delivered, are gone.
    private mutating func discardContent() {
        discardContexts()
        for item in infos.inbox.all { tell(.consumedItem(item.item.id)) }
        for file in files.inbox.all { tell(.consumedFile(file.offer.id)) }
        infos.inbox = Line()
        files.inbox = Line()
        declineWaitingMessages(.deliveryFailed, "the app is gone")
        desk.withdrawContent()
    }

    // MARK: - Telling the app

    /// Compares the facts with those of the last input, and lets the app know.
    mutating func notice() {
        let facts = facts
        let before = desk.noticed
        guard facts != before else { return }
        desk.noticed = facts
        if facts.isCounterpartInstalled != before.isCounterpartInstalled { counterpartInstalled(facts) }
        if before.isReachable, !facts.isReachable { reachabilityLost() }
        guard activation != .notActivated else { return }
        if role == .phone {
            var (left, right) = (facts, before)
            (left.isReachable, right.isReachable) = (false, false)
            if left != right { desk.call(.watchStateDidChange) }
        } else if facts.isCounterpartInstalled != before.isCounterpartInstalled {
            desk.call(.companionAppInstalledDidChange)
        }
        if facts.isReachable != before.isReachable, activation == .activated { desk.call(.reachabilityDidChange) }
    }

    private mutating func counterpartInstalled(_ facts: SessionFacts) {
        if role == .phone { put(.watchDirectory(exists: facts.isCounterpartInstalled)) }
        if facts.isCounterpartInstalled {
            contextLinkChanged()
        } else if facts.isPaired {
            failTransfers(role == .phone ? .watchAppNotInstalled : .companionAppNotInstalled)
            // An app that is installed anew has no context.
            contexts.acknowledged = 0
            store([StoredChange(key: ContextQueue.Key.acknowledged, value: nil)])
        }
    }

    // MARK: - Telling the counterpart

    /// Tells the counterpart how this device is, once at a time, until it has confirmed.
    mutating func sendStatus() {
        guard device.isLinked, device.owesStatus, !device.isStatusUnderWay, device.statusRetryAt == nil else { return }
        device.owesStatus = false
        device.isStatusUnderWay = true
        var status = device.own
        status.appState = presence
        note(.link("→ status: app \(status.appState.rawValue)"))
        let message = Message(payload: Envelope.status(status).encoded, wantsReply: false, timeout: .seconds(5))
        ask(.message(message)) { me, answer in me.statusAnswered(answer) }
    }

    private mutating func statusAnswered(_ answer: TransferAnswer?) {
        device.isStatusUnderWay = false
        if case .exchange(.delivered) = answer {
            device.statusPause = DeviceSide.pauseMin
            return
        }
        note(.link("the status was not confirmed: \(Self.words(of: answer))"))
        device.owesStatus = true
        guard device.isLinked else { return }
        device.statusRetryAt = moment.monotonic.advanced(by: device.statusPause)
        device.statusPause = min(device.statusPause * 2, DeviceSide.pauseMax)
    }

    mutating func statusTimeReached() {
        if let due = device.statusRetryAt, due <= moment.monotonic { device.statusRetryAt = nil }
    }

    /// The counterpart tells how it is: what is to be known while apart is durable before it is confirmed.
    mutating func received(_ status: DeviceStatus, in message: MessageID) {
        note(.link("← status: app \(status.appState.rawValue)"))
        device.counterpartNow = status
        var lasting = status
        lasting.appState = .notRunning
        lasting.isLocked = false
        guard lasting != device.counterpart || !device.isCounterpartStored else { return confirm(message) }
        device.counterpart = lasting
        let change = StoredChange(key: DeviceSide.Key.counterpart, value: lasting.packed)
        store([change]) { me, isDurable in
            me.device.isCounterpartStored = isDurable
            if isDurable {
                me.confirm(message)
            } else {
                me.decline(message, .genericError, "the status could not be stored")
            }
        }
    }
}
