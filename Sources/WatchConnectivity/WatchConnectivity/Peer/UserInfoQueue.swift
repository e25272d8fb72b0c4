import SyncCore

/// The user info that the app queued, from the call to the return of `didFinish`.
///
///     storing ──stored──▶ waiting ──its turn──▶ handing ──accepted──▶ held ──its end──▶ finished ──told──▶ gone
///                          ▲  ▲  ▲              │ │                    ▲ ▲
///                          │  │  │              │ │                    │ │ the engine has it
///                          │  │  └───no room────┘ └─its driver ended─▶ unknown
///                          │  │                                        │ │
///                          │  └─────────the engine does not have it────┘ │
///                          │                                             ▼ may be under way
///                          └──────the engine gave it back────────── recalling
///
/// Its turn comes only while the devices are linked, so that what the app queues meanwhile can still change the order.
///
/// The store records `held`, `cancelled` and `finished`; at a start, the other stages continue like `unknown`. In
/// each stage up to `held`, and in `recalling`, user info may fail, and is `finished` then.
///
/// In these stages the app may also cancel it. If the engine was not asked yet, the user info is removed at once.
/// Otherwise it becomes `cancelled`. It is removed when the engine turns out not to have it, or has released it, or
/// when the other device has confirmed that it drops it.
struct UserInfoQueue: Sendable {
    private enum Key {
        static let current = "info.current"
        private static let payload = "info."
        private static let mark = "infomark."
        static func payload(_ number: UInt64) -> String { payload + Hexadecimal16.text(number) }
        static func mark(_ number: UInt64) -> String { mark + Hexadecimal16.text(number) }
        static func number(ofMark key: String) -> UInt64? { Hexadecimal16.number(key, after: mark) }
        static func number(ofPayload key: String) -> UInt64? { Hexadecimal16.number(key, after: payload) }
    }

    /// The progress of user info.
    enum Stage: Hashable, Sendable {
        /// The request is being made durable.
        case storing
        /// It is durable, and waits for room in the engine.
        case waiting
        /// The engine was asked to accept it, and has not answered yet.
        case handing
        /// The engine was asked, and its transport ended: the engine may have it or not.
        case unknown
        /// The engine has it durably.
        case held
        /// It is taken back from the engine, unless it may have been sent already.
        case recalling
        /// It was received, or failed, and the app has to be notified.
        case finished(WCError.Code?)
        /// The app cancelled it after the engine was asked to take it.
        case cancelled
    }

    private struct Entry: QueuedTransfer {
        var id: RandomID
        var payload: [UInt8]
        /// Whether it is complication user info that the engine gets, or got, as such.
        var isUrgent: Bool
        var stage: Stage

        /// Whether the engine has accepted it.
        var isInEngine: Bool { stage == .held || stage == .recalling }

        var isOutstanding: Bool {
            switch stage {
            case .finished, .cancelled: false
            case .storing, .waiting, .handing, .unknown, .held, .recalling: true
            }
        }
    }

    /// The most that the engine has at a time; less than its own limits, so that it never refuses and the order
    /// stays.
    private struct Window {
        var count: Int
        var byteCount: Int
        static let ordinary = Window(count: 256, byteCount: 1_048_576)
        /// The limits for urgent user info; ordinary user info counts as well.
        static let urgent = Window(count: 768, byteCount: 3_145_728)
    }

    private var transfers = QueuedTransfers<Entry>()
    /// The number of the newest complication user info.
    private var current: UInt64?
    /// The numbers of the waiting user info, in order; some may have ended.
    private var waiting = Queue<UInt64>()
    private var urgentWaiting = Queue<UInt64>()
    /// The size in bytes of the user info that the engine has, or may have.
    private(set) var held: [RandomID: Int] = [:]
    private var heldByteCount = 0
    /// The time of the next attempt after the engine had no room.
    private var retry = Retry(longest: Retry.shortest)
    /// The numbers of stored marks without stored user info: it could not be stored, and the app was notified.
    private var strayMarks: [UInt64] = []
    private(set) var budget: ComplicationBudget

    /// Starts from the contents of a store; the stages are determined later from the engine's contents.
    init(_ stored: [String: [UInt8]]) {
        budget = ComplicationBudget(stored)
        if let bytes = stored[Key.current] {
            var unpacker = ByteReader(bytes)
            current = unpacker.counter()
            transfers.leaveOut(current ?? 0)
        }
        for (key, bytes) in stored {
            if let number = Key.number(ofMark: key), stored[Key.payload(number)] == nil {
                strayMarks.append(number)
                transfers.leaveOut(number)
            }
            guard let number = Key.number(ofPayload: key) else { continue }
            var unpacker = ByteReader(bytes)
            guard let id = unpacker.id(), let isUrgent = unpacker.byte() else { continue }
            let stage = stored[Key.mark(number)].flatMap(Stage.init) ?? .waiting
            let entry = Entry(
                id: id, payload: unpacker.all(), isUrgent: isUrgent == 1 && number == current, stage: stage)
            transfers.restore(entry, as: number)
        }
    }

    var deadline: Instant? { retry.deadline }

    // MARK: - Outstanding user info

    /// The user info that is not received, failed or cancelled yet, oldest first.
    var outstanding: [PeerState.OutstandingUserInfo] {
        transfers.outstanding.map { outstanding($0.entry, $0.number) }
    }

    /// One of the outstanding entries, nil if it is not outstanding any more.
    func outstanding(_ id: RandomID) -> PeerState.OutstandingUserInfo? {
        guard let number = transfers.number(of: id), let entry = transfers[number], entry.isOutstanding else {
            return nil
        }
        return outstanding(entry, number)
    }

    private func outstanding(_ entry: Entry, _ number: UInt64) -> PeerState.OutstandingUserInfo {
        PeerState.OutstandingUserInfo(
            id: entry.id, payload: entry.payload, isCurrentComplicationInfo: current == number)
    }

    // MARK: - Queueing

    /// The app queues user info.
    mutating func transfer(
        _ id: RandomID, _ payload: PeerState.Payload, isComplication: Bool, hasDelegate: Bool, _ core: inout PeerCore
    ) {
        let what = isComplication ? "transferCurrentComplicationUserInfo" : "transferUserInfo"
        var code = core.refusal(of: what, hasDelegate: hasDelegate)
        code =
            code
            ?? core.fault(
                of: payload, limit: core.behaviour.userInfoByteCountMax, sentLimit: MessageQueue.byteCountLimit, what)
        let isOnFace = core.role == .phone && core.knownFacts.isComplicationEnabled
        if code == nil, isComplication, !isOnFace, core.behaviour.refusesComplicationWithoutFace {
            code = .deliveryFailed
        }
        guard code == nil, case .bytes(let bytes, _) = payload else {
            // The method cannot throw, so the error goes to the trace and to `didFinish`.
            core.note(.app("\(what) \(id.shortName): \(code?.rawValue ?? 0)"))
            let info = PeerState.OutstandingUserInfo(id: id, payload: payload.bytes, isCurrentComplicationInfo: false)
            return core.delegateCalls.call(.didFinishUserInfo(info, code))
        }
        let isUrgent = isComplication && budget.remaining(core) > 0
        let entry = Entry(id: id, payload: bytes, isUrgent: isUrgent, stage: .storing)
        let number = transfers.append(entry)
        core.note(.app("\(what) \(id.shortName): \(bytes.count) bytes\(isUrgent ? ", urgent" : "")"))
        var packer = ByteWriter(byteCount: bytes.count + 17)
        packer.put(id)
        packer.put(UInt8(isUrgent ? 1 : 0))
        packer.putRest(bytes)
        var changes = [PeerState.StoredChange(key: Key.payload(number), value: packer.bytes)]
        if isUrgent { changes += becomeCurrent(number, &core) }
        core.store(changes, .userInfo(number))
    }

    /// The request is durable, or could not be stored.
    mutating func stored(_ number: UInt64, isDurable: Bool, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.stage == .storing else { return core.store(Self.removal(number)) }
        guard isDurable else { return finish(number, .genericError, &core) }
        wait(number, entry)
    }

    /// Uses one of the day's complication transfers, and makes the one before an ordinary one.
    private mutating func becomeCurrent(_ number: UInt64, _ core: inout PeerCore) -> [PeerState.StoredChange] {
        let before = current
        current = number
        if let before { becomeOrdinary(before, &core) }
        budget.spend(core)
        var packer = ByteWriter()
        packer.put(number)
        return [PeerState.StoredChange(key: Key.current, value: packer.bytes), budget.change]
    }

    /// Complication user info that is no longer current takes its place among the others, in the order of the calls.
    private mutating func becomeOrdinary(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.isUrgent else { return }
        switch entry.stage {
        case .storing: transfers.modify(number) { $0.isUrgent = false }
        case .waiting:
            urgentWaiting.removeAll { $0 == number }
            queueAgain(number)
        // As far as the engine still has it after a cut of the link.
        case .held: recall([number], &core)
        // What becomes of these follows from the engine's answer, or from the next transport's start.
        case .handing, .unknown, .recalling, .finished, .cancelled: break
        }
    }

    /// Adds ordinary user info to the waiting one, at its place in the order of the calls.
    private mutating func queueAgain(_ number: UInt64) {
        transfers.modify(number) { $0.isUrgent = false }
        transfers.move(number, to: .waiting)
        if let last = waiting.all.last, last > number {
            waiting.insert(number) { $0 > number }
        } else {
            waiting.append(number)
        }
    }

    /// Takes user info back from the engine; on an open link it would be too late.
    ///
    /// The store must forget first that the engine has it: otherwise, after a crash, it would count as received.
    private mutating func recall(_ numbers: [UInt64], _ core: inout PeerCore) {
        guard !numbers.isEmpty, !core.device.isLinked else { return }
        for number in numbers { transfers.move(number, to: .recalling) }
        core.store(numbers.map { .init(key: Key.mark($0), value: nil) }, .userInfoRecall(numbers))
    }

    /// The store has forgotten that the engine has some user info, or could not.
    mutating func recallStored(_ numbers: [UInt64], isDurable: Bool, _ core: inout PeerCore) {
        for number in numbers {
            guard let entry = transfers[number], entry.stage == .recalling else { continue }
            if isDurable {
                core.ask(.cancelItem(entry.id), .userInfoRecalled(number, entry.id))
            } else {
                transfers.move(number, to: .held)
            }
        }
    }

    /// The engine gave user info back, or may have sent it already.
    mutating func recalled(_ number: UInt64, _ id: RandomID, _ answer: TransferAnswer?, _ core: inout PeerCore) {
        var isBack = false
        if case .exchange(.cancelled) = answer { isBack = true }
        if isBack { releaseOriginal(id) }
        // Without an answer, the next transport's start shows what the engine has.
        guard answer != nil, let entry = transfers[number], entry.stage == .recalling else { return }
        guard isBack else { return move(number, to: .held, &core) }
        queueAgain(number)
        guard entry.isUrgent else { return }
        // What was queued after it goes after it, as far as the engine has not sent that.
        let later = transfers.all.filter { $0.number > number && !$0.entry.isUrgent && $0.entry.stage == .held }
        recall(later.map(\.number), &core)
    }

    private mutating func wait(_ number: UInt64, _ entry: Entry) {
        guard entry.isUrgent, number == current else { return queueAgain(number) }
        transfers.move(number, to: .waiting)
        urgentWaiting.append(number)
    }

    /// Checks the clock for the budget of complication transfers.
    mutating func look(_ core: PeerCore) { budget.look(core) }

    // MARK: - Passing user info to the engine

    /// Hands user info to the engine as far as it has room, while the devices are linked: urgent first, each kind in
    /// order.
    mutating func handOver(_ core: inout PeerCore) {
        guard retry.isOver(at: core.now), !core.isEngineEnding, core.device.isLinked else { return }
        handOver(\.urgentWaiting, .urgent, &core)
        handOver(\.waiting, .ordinary, &core)
    }

    private mutating func handOver(
        _ line: WritableKeyPath<UserInfoQueue, Queue<UInt64>>, _ window: Window, _ core: inout PeerCore
    ) {
        while let number = self[keyPath: line].first {
            if let entry = transfers[number], entry.stage == .waiting {
                let byteCount = heldByteCount + entry.payload.count
                guard held.count < window.count, byteCount <= window.byteCount || held.isEmpty else { return }
                transfers.move(number, to: .handing)
                hold(entry)
                core.note(.link("→ user info \(entry.id.shortName), \(entry.payload.count) bytes"))
                let transfer = Exchange.Transfer(payload: entry.payload, isUrgent: entry.isUrgent, id: entry.id)
                core.ask(.item(transfer), .userInfo(number, entry.id))
            }
            self[keyPath: line].popFirst()
        }
    }

    private mutating func hold(_ entry: Entry) {
        guard held.updateValue(entry.payload.count, forKey: entry.id) == nil else { return }
        heldByteCount += entry.payload.count
    }

    private mutating func releaseOriginal(_ id: RandomID) {
        heldByteCount -= held.removeValue(forKey: id) ?? 0
    }

    /// The engine has accepted user info or not.
    mutating func answered(_ number: UInt64, _ id: RandomID, _ answer: TransferAnswer?, _ core: inout PeerCore) {
        let entry = transfers[number]
        switch answer {
        case .exchange(.accepted), .exchange(.declined(.knownItem)):
            if entry?.stage == .cancelled { return cancelInEngine(number, id, &core) }
            // It failed meanwhile because the pairing or the app ended, so it is cancelled in the engine.
            guard entry?.stage == .handing else { return cancelInEngine(nil, id, &core) }
            hasAccepted(number, &core)
        case .exchange(.declined(let fault)):
            releaseOriginal(id)
            if case .queueFull = fault { retry.failed(at: core.now) }
            if entry?.stage == .cancelled { return remove(number, &core) }
            switch fault {
            case .queueFull:
                guard let entry, entry.stage == .handing else { return }
                guard entry.isUrgent, number == current else { return queueAgain(number) }
                transfers.move(number, to: .waiting)
                urgentWaiting.insert(number) { $0 > number }
            case .payloadTooLarge: finish(number, .payloadTooLarge, &core)
            case .knownItem, .notStored, .unknownItem, .underWay, .beingCancelled:
                core.warn("the engine declined user info \(id.shortName): \(fault)")
                finish(number, .genericError, &core)
            }
        case .exchange, .files, nil:
            // The engine may have it; the next transport's start shows that.
            if entry?.stage == .handing { transfers.move(number, to: .unknown) }
        }
    }

    /// The engine has user info durably.
    private mutating func hasAccepted(_ number: UInt64, _ core: inout PeerCore) {
        move(number, to: .held, &core)
        if number != current { becomeOrdinary(number, &core) }
    }

    /// Moves user info to a stage that is stored.
    private mutating func move(_ number: UInt64, to stage: Stage, _ core: inout PeerCore) {
        transfers.move(number, to: stage)
        store(stage, of: number, &core)
    }

    private func store(_ stage: Stage, of number: UInt64, _ core: inout PeerCore) {
        core.store([.init(key: Key.mark(number), value: stage.packed)])
    }

    // MARK: - Ending

    /// The other device has received it.
    mutating func delivered(_ id: RandomID, isDropping: Bool, _ core: inout PeerCore) {
        releaseOriginal(id)
        retry.reset()
        guard let number = transfers.number(of: id), let entry = transfers[number] else { return }
        if entry.isOutstanding {
            core.note(.link("user info \(id.shortName) arrived at the other device"))
            finish(number, nil, &core)
        } else if entry.stage == .cancelled, !isDropping {
            remove(number, &core)
        }
    }

    /// Ends user info; the app will be notified, however long that takes.
    private mutating func finish(_ number: UInt64, _ code: WCError.Code?, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.isOutstanding else { return }
        transfers.move(number, to: .finished(code))
        core.delegateCalls.queueEnd(.infoResult(number))
        // User info that the engine accepted and no longer has was received, so only a failure has to be stored.
        if code != nil || entry.stage != .held { store(.finished(code), of: number, &core) }
    }

    /// Removes everything of a transfer.
    mutating func remove(_ number: UInt64, _ core: inout PeerCore) {
        transfers.remove(number)
        core.store(Self.removal(number))
    }

    private static func removal(_ number: UInt64) -> [PeerState.StoredChange] {
        [Key.payload(number), Key.mark(number)].map { PeerState.StoredChange(key: $0, value: nil) }
    }

    /// The app cancels user info; false if no user info has this id.
    mutating func cancel(_ id: RandomID, _ core: inout PeerCore) -> Bool {
        guard let number = transfers.number(of: id) else { return false }
        guard let entry = transfers[number], entry.isOutstanding else { return true }
        core.note(.app("cancel user info \(id.shortName)"))
        if core.behaviour.reportsCancelledTransfers {
            core.delegateCalls.call(.didFinishUserInfo(outstanding(entry, number), .deliveryFailed))
        }
        switch entry.stage {
        case .storing:
            // The record in progress is removed once it is stored.
            transfers.remove(number)
        case .waiting:
            remove(number, &core)
        case .handing, .unknown, .held, .recalling:
            move(number, to: .cancelled, &core)
            if entry.isInEngine { cancelInEngine(number, id, &core) }
        case .finished, .cancelled: break
        }
        return true
    }

    /// Cancels user info in the engine; if that is too late, the other device has to drop it.
    ///
    /// Without a number its end is already settled, and the engine only should not send it.
    private func cancelInEngine(_ number: UInt64?, _ id: RandomID, _ core: inout PeerCore) {
        core.ask(.cancelItem(id), .userInfoCancelled(number, id))
    }

    /// The engine has answered a cancellation.
    ///
    /// - Returns: Whether the other device has to drop the user info.
    mutating func cancelled(
        _ number: UInt64?, _ id: RandomID, _ answer: TransferAnswer?, _ core: inout PeerCore
    ) -> Bool {
        guard case .exchange(.cancelled) = answer else { return answer != nil && number != nil }
        releaseOriginal(id)
        if let number { remove(number, &core) }
        return false
    }

    /// Ends everything outstanding with an error.
    mutating func failAll(_ code: WCError.Code, _ core: inout PeerCore) {
        for (number, entry) in transfers.outstanding {
            finish(number, code, &core)
            if entry.isInEngine { cancelInEngine(nil, entry.id, &core) }
        }
    }

    /// Removes everything that the app queued, without a call to the app.
    mutating func discardAll(_ core: inout PeerCore) {
        for (number, entry) in transfers.all {
            if entry.isInEngine { cancelInEngine(nil, entry.id, &core) }
            remove(number, &core)
        }
    }

    /// The engine has removed its part of the pairing.
    mutating func forgetHeld() {
        held = [:]
        heldByteCount = 0
    }

    /// The call that reports an end.
    func endCall(_ number: UInt64) -> PeerState.Call? {
        guard let entry = transfers[number], case .finished(let code) = entry.stage else { return nil }
        return .didFinishUserInfo(outstanding(entry, number), code)
    }

    /// The app was notified of an end.
    mutating func endReported(_ number: UInt64, _ core: inout PeerCore) {
        if case .finished = transfers[number]?.stage { remove(number, &core) }
    }

    // MARK: - Start

    /// Determines the stage of each entry from the engine's contents.
    ///
    /// - Returns: The cancelled entries that the engine does not have: the other device has to drop them.
    mutating func reconcile(
        _ storedTransfers: PeerState.StoredTransfers, _ core: inout PeerCore
    ) -> [(id: RandomID, number: UInt64)] {
        held = storedTransfers.items
        heldByteCount = storedTransfers.items.values.reduce(0, +)
        waiting = Queue()
        urgentWaiting = Queue()
        for number in strayMarks.sorted() { core.store(Self.removal(number)) }
        strayMarks = []
        let reported = core.delegateCalls.ends
        var dropped: [(id: RandomID, number: UInt64)] = []
        for (number, entry) in transfers.all {
            let isHeld = storedTransfers.items[entry.id] != nil
            switch entry.stage {
            case .storing: break
            // The last transport has answered everything, so the engine does not have it; it waits for the next
            // transport.
            case .handing: hold(entry)
            case .waiting, .unknown, .recalling:
                if isHeld { hasAccepted(number, &core) } else { wait(number, entry) }
            // The engine accepted it and no longer has it, so it was received.
            case .held: if !isHeld { finish(number, nil, &core) }
            case .finished:
                if !reported.contains(.infoResult(number)) { core.delegateCalls.queueEnd(.infoResult(number)) }
            case .cancelled:
                if isHeld { cancelInEngine(number, entry.id, &core) } else { dropped.append((entry.id, number)) }
            }
        }
        return dropped
    }
}

extension UserInfoQueue.Stage {
    /// The stored form of a stage; nil for the stages that follow from the engine's contents.
    var packed: [UInt8]? {
        switch self {
        case .storing, .waiting, .handing, .unknown, .recalling: return nil
        case .held: return [1]
        case .cancelled: return [2]
        case .finished(let code):
            var packer = ByteWriter()
            packer.put(UInt8(3))
            packer.put(UInt64(code?.rawValue ?? 0))
            return packer.bytes
        }
    }

    init?(_ bytes: [UInt8]) {
        var unpacker = ByteReader(bytes)
        switch unpacker.byte() {
        case 1: self = .held
        case 2: self = .cancelled
        case 3: self = .finished(unpacker.number().flatMap { WCError.Code(rawValue: Int(truncatingIfNeeded: $0)) })
        default: return nil
        }
    }
}
