import SyncCore

extension PeerState {
    // MARK: - Queueing

    /// The app queues user info (rules R89–R116).
    mutating func transferUserInfo(_ id: RandomID, _ payload: Payload, isComplication: Bool, hasDelegate: Bool) {
        let what = isComplication ? "transferCurrentComplicationUserInfo" : "transferUserInfo"
        let limit = min(behaviour.userInfoByteCountMax, Self.messageByteCountLimit)
        var code = refusal(of: what, hasDelegate: hasDelegate) ?? fault(of: payload, limit: limit, what)
        let isOnFace = role == .phone && desk.noticed.isComplicationEnabled
        if code == nil, isComplication, !isOnFace, behaviour.refusesComplicationWithoutFace { code = .deliveryFailed }
        guard code == nil, case .bytes(let bytes) = payload else {
            // Rules R101, R102: the method cannot throw.
            note(.app("\(what) \(id.shortName): \(code?.rawValue ?? 0)"))
            let info = OutstandingUserInfo(id: id, payload: payload.bytes, isCurrentComplicationInfo: false)
            return desk.call(.didFinishUserInfo(info, code))
        }
        infos.lastNumber += 1
        let number = infos.lastNumber
        let isUrgent = isComplication && isOnFace && remainingComplicationCount > 0
        let entry = UserInfoQueue.Entry(id: id, payload: bytes, isUrgent: isUrgent, stage: .storing)
        infos.entries[number] = entry
        infos.numbers[id] = number
        note(.app("\(what) \(id.shortName): \(bytes.count) bytes\(isUrgent ? ", urgent" : "")"))
        var changes = [UserInfoQueue.change(number, entry)]
        if isUrgent { changes += becomeCurrent(number) }
        store(changes) { me, isDurable in
            guard me.infos.entries[number]?.stage == .storing else { return me.store(UserInfoQueue.removal(number)) }
            if isDurable {
                me.infoWaits(number, isUrgent: isUrgent)
            } else {
                me.finishInfo(number, .genericError)
            }
        }
    }

    /// Spends one of the day's complication transfers, and takes the flag from the one before (rules R111, R112).
    private mutating func becomeCurrent(_ number: UInt64) -> [StoredChange] {
        if let before = infos.current, infos.entries[before]?.stage == .waiting, infos.urgentWaiting.first != nil {
            // What has not left yet is an ordinary one again.
            infos.urgentWaiting.removeAll { $0 == before }
            infos.entries[before]?.isUrgent = false
            infos.waiting.insert(before) { $0 > before }
        }
        infos.current = number
        budget.spend(at: moment, behaviour)
        var packer = ByteWriter()
        packer.put(number)
        return [StoredChange(key: UserInfoQueue.Key.current, value: packer.bytes), budget.change]
    }

    private mutating func infoWaits(_ number: UInt64, isUrgent: Bool) {
        infos.entries[number]?.stage = .waiting
        if isUrgent {
            infos.urgentWaiting.append(number)
        } else {
            infos.waiting.append(number)
        }
    }

    // MARK: - Handing over

    /// Hands to the engine what it has room for: urgent ones first, each kind in its order.
    mutating func handOverInfos() {
        if let due = infos.retryAt, due <= moment.monotonic { infos.retryAt = nil }
        guard infos.retryAt == nil, !isEngineEnding else { return }
        while let number = infos.urgentWaiting.first {
            guard let entry = waitingInfo(number) else {
                infos.urgentWaiting.popFirst()
                continue
            }
            guard infos.held.count < UserInfoQueue.urgentHeldCountMax,
                infos.heldByteCount + entry.payload.count <= UserInfoQueue.urgentHeldByteCountMax || infos.held.isEmpty
            else { break }
            infos.urgentWaiting.popFirst()
            handOver(entry, number)
        }
        while let number = infos.waiting.first {
            guard let entry = waitingInfo(number) else {
                infos.waiting.popFirst()
                continue
            }
            guard infos.held.count < UserInfoQueue.heldCountMax,
                infos.heldByteCount + entry.payload.count <= UserInfoQueue.heldByteCountMax || infos.held.isEmpty
            else { break }
            infos.waiting.popFirst()
            handOver(entry, number)
        }
    }

    private func waitingInfo(_ number: UInt64) -> UserInfoQueue.Entry? {
        guard let entry = infos.entries[number], entry.stage == .waiting else { return nil }
        return entry
    }

    private mutating func handOver(_ entry: UserInfoQueue.Entry, _ number: UInt64) {
        infos.entries[number]?.stage = .handing
        infos.hold(entry.id, byteCount: entry.payload.count)
        note(.link("→ user info \(entry.id.shortName), \(entry.payload.count) bytes"))
        let transfer = Exchange.Transfer(payload: entry.payload, isUrgent: entry.isUrgent, id: entry.id)
        ask(.item(transfer)) { me, answer in me.infoAnswered(number, entry.id, answer) }
    }

    private mutating func infoAnswered(_ number: UInt64, _ id: RandomID, _ answer: TransferAnswer?) {
        let stage = infos.entries[number]?.stage
        switch answer {
        case .exchange(.accepted), .exchange(.declined(.knownItem)):
            if stage == .cancelled { return takeBackInfo(number, id) }
            // One that failed meanwhile, because the pairing or the app ended, is taken back.
            guard stage == .handing else { return cancelInEngine(id) }
            infos.entries[number]?.stage = .held
            store([UserInfoQueue.change(number, .held)])
        case .exchange(.declined(.queueFull)):
            infos.letGo(id)
            infos.retryAt = moment.monotonic.advanced(by: .seconds(1))
            if stage == .cancelled { return removeInfo(number) }
            guard stage == .handing, let entry = infos.entries[number] else { return }
            infos.entries[number]?.stage = .waiting
            if entry.isUrgent {
                infos.urgentWaiting.insert(number) { $0 > number }
            } else {
                infos.waiting.insert(number) { $0 > number }
            }
        case .exchange(.declined(let fault)):
            infos.letGo(id)
            if stage == .cancelled { return removeInfo(number) }
            if case .payloadTooLarge = fault { return finishInfo(number, .payloadTooLarge) }
            warn("the engine declined user info \(id.shortName): \(fault)")
            finishInfo(number, .genericError)
        case .exchange, .files, nil:
            // The engine may have it: its next driver knows.
            if stage == .handing { infos.entries[number]?.stage = .unknown }
        }
    }

    // MARK: - Ending

    /// The other device has it.
    mutating func itemDelivered(_ id: RandomID) {
        infos.letGo(id)
        infos.retryAt = nil
        guard let number = infos.numbers[id], let entry = infos.entries[number] else { return }
        if entry.isOutstanding {
            note(.link("user info \(id.shortName) arrived at the other device"))
            finishInfo(number, nil)
        } else if entry.stage == .cancelled, !drops.isDropping(id) {
            removeInfo(number)
        }
    }

    /// Ends user info; the app is told, however long that takes (rule R93).
    mutating func finishInfo(_ number: UInt64, _ code: WCError.Code?) {
        guard let entry = infos.entries[number], entry.isOutstanding else { return }
        infos.entries[number]?.stage = .finished(code)
        desk.results.append(.init(ticket: desk.nextTicket(), kind: .info(number)))
        // What the engine has accepted and holds no more was received: only a failure needs to be stored.
        if code != nil || entry.stage != .held { store([UserInfoQueue.change(number, .finished(code))]) }
    }

    /// Nothing remains of user info.
    mutating func removeInfo(_ number: UInt64) {
        infos.remove(number)
        store(UserInfoQueue.removal(number))
    }

    /// The app cancels user info (rules R97, R98).
    mutating func cancelInfo(_ number: UInt64) {
        guard let entry = infos.entries[number], entry.isOutstanding else { return }
        note(.app("cancel user info \(entry.id.shortName)"))
        if behaviour.reportsCancelledTransfers {
            desk.call(.didFinishUserInfo(outstanding(entry, number), .deliveryFailed))
        }
        cancelQuietly(number, entry)
    }

    private mutating func cancelQuietly(_ number: UInt64, _ entry: UserInfoQueue.Entry) {
        switch entry.stage {
        case .storing:
            // What is being stored is removed once it is.
            infos.remove(number)
        case .waiting:
            removeInfo(number)
        case .handing, .unknown, .held:
            infos.entries[number]?.stage = .cancelled
            store([UserInfoQueue.change(number, .cancelled)])
            if entry.stage == .held { takeBackInfo(number, entry.id) }
        case .finished, .cancelled: break
        }
    }

    /// Takes user info back from the engine, or sees that the other device drops it.
    mutating func takeBackInfo(_ number: UInt64, _ id: RandomID) {
        ask(.cancelItem(id)) { me, answer in
            guard case .exchange(.cancelled) = answer else {
                guard answer != nil else { return }
                return me.drop(id, number: number, isFile: false)
            }
            me.infos.letGo(id)
            me.removeInfo(number)
        }
    }

    /// The engine need not send user info whose end is settled.
    private mutating func cancelInEngine(_ id: RandomID) {
        ask(.cancelItem(id)) { me, answer in
            if case .exchange(.cancelled) = answer { me.infos.letGo(id) }
        }
    }

    /// All that is outstanding failed.
    mutating func failInfos(_ code: WCError.Code) {
        for (number, entry) in infos.entries.pairs.map({ ($0.key, $0.value) }) where entry.isOutstanding {
            finishInfo(number, code)
            if entry.stage == .held { cancelInEngine(entry.id) }
        }
    }

    /// Nothing of what the app queued remains, and nobody is told.
    mutating func discardInfos() {
        for (number, entry) in infos.entries.pairs.map({ ($0.key, $0.value) }) {
            if entry.stage == .held { cancelInEngine(entry.id) }
            removeInfo(number)
        }
    }

    // MARK: - Receiving

    /// User info arrived; the engine keeps it until the app has had it (rule R158).
    mutating func received(_ item: ReceivedItem) {
        guard !infos.inbox.all.contains(where: { $0.item.id == item.id }) else { return }
        guard !infos.given.contains(item.id) else { return tell(.consumedItem(item.id)) }
        note(.link("← user info \(item.id.shortName), \(item.payload.count) bytes\(item.isUrgent ? ", urgent" : "")"))
        if isDropped(item.id) { return tell(.consumedItem(item.id)) }
        guard device.own.isInstalled else {
            warn("user info \(item.id.shortName) was dropped: the app is not installed")
            return tell(.consumedItem(item.id))
        }
        var arrived = UserInfoQueue.Arrived(ticket: desk.nextTicket(), item: item)
        if item.isUrgent, let next = infos.inbox.all.first(where: { !$0.item.isUrgent && !isBegun($0) }) {
            // Rule R110: it takes the place of the first ordinary one.
            arrived.ticket = next.ticket
            desk.withdraw { $0 == .info(next.item.id) }
            infos.inbox.insert(arrived) { !$0.item.isUrgent && $0.item.id == next.item.id }
        } else {
            infos.inbox.append(arrived)
        }
        launchWatchApp(item.isUrgent ? .complication : .userInfo)
    }

    private func isBegun(_ arrived: UserInfoQueue.Arrived) -> Bool { desk.isBegun(.info(arrived.item.id)) }

    // MARK: - Start

    /// Finds out where each user info stands, by what the engine holds.
    mutating func reconcileInfos(_ holdings: Holdings) {
        infos.held = holdings.items
        infos.heldByteCount = holdings.items.values.reduce(0, +)
        infos.waiting = Line()
        infos.urgentWaiting = Line()
        for number in infos.strayMarks.sorted() { store(UserInfoQueue.removal(number)) }
        infos.strayMarks = []
        let told = Set(desk.results.all.map(\.kind))
        for (number, entry) in infos.entries.pairs.map({ ($0.key, $0.value) }) {
            let isHeld = holdings.items[entry.id] != nil
            switch entry.stage {
            case .storing: break
            case .handing:
                // No driver of the past has it: they all have answered. It waits for the one that starts.
                infos.hold(entry.id, byteCount: entry.payload.count)
            case .waiting, .unknown:
                if isHeld {
                    infos.entries[number]?.stage = .held
                } else {
                    infoWaits(number, isUrgent: entry.isUrgent)
                }
            case .held:
                // Accepted once and held no more: it was received (rule R93).
                if !isHeld { finishInfo(number, nil) }
            case .finished:
                if !told.contains(.info(number)) {
                    desk.results.append(.init(ticket: desk.nextTicket(), kind: .info(number)))
                }
            case .cancelled:
                if isHeld { takeBackInfo(number, entry.id) } else { drop(entry.id, number: number, isFile: false) }
            }
        }
    }
}

extension RandomID {
    /// The first digits of the id, for a trace.
    var shortName: String { String(hexadecimal.prefix(8)) }
}

extension PeerState.Payload {
    /// The bytes, if they are any.
    var bytes: [UInt8] {
        guard case .bytes(let bytes) = self else { return [] }
        return bytes
    }
}
