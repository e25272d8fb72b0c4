import SyncCore

extension PeerState {
    /// The app cancels a transfer.
    mutating func cancel(_ id: RandomID) {
        if let number = infos.numbers[id] { return cancelInfo(number) }
        if let number = files.numbers[id] { return cancelFile(number) }
    }

    /// All that is outstanding failed (rules R100, R157).
    mutating func failTransfers(_ code: WCError.Code) {
        failInfos(code)
        failFiles(code)
    }

    /// The app is gone with all that it queued.
    mutating func discardTransfers() {
        desk.withdraw { kind in
            switch kind {
            case .infoResult, .fileResult: true
            case .plain, .message, .context, .info, .file, .progress: false
            }
        }
        desk.results = Line()
        discardInfos()
        discardFiles()
        drops.dropping = [:]
    }

    // MARK: - Telling the other device

    /// The other device is to drop a transfer that was sent, if its app has not had it.
    mutating func drop(_ id: RandomID, number: UInt64, isFile: Bool) {
        guard drops.dropping[id] == nil else { return }
        drops.dropping[id] = CancellationQueue.Dropping(number: number, isFile: isFile)
    }

    /// Sends what was not confirmed yet.
    mutating func sendDrops() {
        if let due = drops.retryAt, due <= moment.monotonic { drops.retryAt = nil }
        guard device.isLinked, drops.retryAt == nil, !drops.dropping.isEmpty else { return }
        let waiting = drops.dropping.filter { !$0.value.isUnderWay }.sorted { $0.key < $1.key }
        for (id, dropping) in waiting {
            drops.dropping[id]?.isUnderWay = true
            note(.link("→ drop \(id.shortName)"))
            let message = Message(payload: Envelope.drop(id).encoded, wantsReply: false, timeout: .seconds(5))
            ask(.message(message)) { me, answer in me.dropAnswered(id, dropping, answer) }
        }
    }

    private mutating func dropAnswered(
        _ id: RandomID, _ dropping: CancellationQueue.Dropping, _ answer: TransferAnswer?
    ) {
        guard drops.dropping[id] != nil else { return }
        guard case .exchange(.delivered) = answer else {
            drops.dropping[id]?.isUnderWay = false
            drops.retryAt = moment.monotonic.advanced(by: .seconds(1))
            return
        }
        drops.dropping[id] = nil
        if dropping.isFile {
            removeFile(dropping.number)
        } else {
            removeInfo(dropping.number)
        }
    }

    // MARK: - Being told

    /// The other app cancelled a transfer: it is dropped here, or will be when it arrives.
    ///
    /// That is remembered even if it is here: the engine may tell of it again after a crash.
    mutating func receivedDrop(of id: RandomID, in message: MessageID) {
        note(.link("← drop \(id.shortName)"))
        guard !drops.isRemembered(id) else { return confirm(message) }
        store([drops.remember(id)]) { me, isDurable in
            guard isDurable else {
                me.drops.forget(id)
                return me.decline(message, .genericError, "the cancelling could not be stored")
            }
            me.discardArrived(id)
            me.confirm(message)
        }
    }

    /// Takes a transfer away that waits for the app; what the app has at this moment it has had.
    private mutating func discardArrived(_ id: RandomID) {
        desk.withdraw { $0 == .info(id) || $0 == .file(id) }
        if !desk.isBegun(.info(id)), infos.inbox.all.contains(where: { $0.item.id == id }) {
            infos.inbox.removeAll { $0.item.id == id }
            tell(.consumedItem(id))
        }
        if !desk.isBegun(.file(id)), files.inbox.all.contains(where: { $0.offer.id == id }) {
            files.inbox.removeAll { $0.offer.id == id }
            tell(.consumedFile(id))
        }
    }

    /// Whether something that arrives was cancelled by its sender.
    mutating func isDropped(_ id: RandomID) -> Bool {
        guard drops.isRemembered(id) else { return false }
        note(.device("\(id.shortName) arrived and was dropped: its sender had cancelled it"))
        return true
    }

    /// Finds out where each transfer stands, by what the engine holds.
    mutating func reconcile(_ holdings: Holdings) {
        reconcileInfos(holdings)
        reconcileFiles(holdings)
        desk.hasStarted = true
    }
}
