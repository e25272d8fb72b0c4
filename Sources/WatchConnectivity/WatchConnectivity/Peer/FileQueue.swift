import SyncCore

/// The files of a pairing: what the app queued, from the call to the return of `didFinish`, and what arrived.
///
///        ┌────the call brought a copy────┐
///        │                               ▼
///     storing ──stored──▶ copying ──▶ copied ──its turn──▶ handing ──accepted──▶ held ──its end──▶ finished ──told──▶ gone
///                          ▲           ▲                    │ │                    ▲
///                          │           │                    │ │                    │ the engine has it
///                          └──no room──┼────────────────────┘ └─its driver ended─▶ unknown
///                                      │                                           │
///                                      └────────────the engine does not have it────┘
///
/// Of the stages before `held` a store knows only whether there is a copy. So at a start `copied` leads on as `unknown`
/// does, and `storing` goes on with the copy. In each stage up to `held` a file may fail, and is `finished` then.
///
/// So long the app may cancel it, too. Before the engine was asked, it is gone at once. In `handing`, `unknown` and
/// `held` it becomes `cancelled`, and is gone when the engine turns out not to have it, or when the engine has let it
/// go and the other device has confirmed that it drops it.
///
/// Copies may be ready in any order, but they are handed over in that of the calls (rule R126), one at a time: so after
/// a crash at most one file can be one that the engine has under a name that was not stored here yet.
struct FileQueue: Sendable {
    private enum Key {
        private static let file = "file."
        private static let mark = "filemark."
        private static let taken = "filetaken."

        static func file(_ number: UInt64) -> String { file + Hexadecimal16.text(number) }
        static func mark(_ number: UInt64) -> String { mark + Hexadecimal16.text(number) }
        static func taken(_ slot: UInt64) -> String { taken + Hexadecimal16.text(slot) }
        static func number(ofFile key: String) -> UInt64? { Hexadecimal16.number(key, after: file) }
        static func slot(ofTaken key: String) -> UInt64? { Hexadecimal16.number(key, after: taken) }
    }

    /// How far a file is.
    enum Stage: Hashable, Sendable {
        /// The call is being made durable.
        case storing
        /// It is being copied.
        case copying
        /// The copy is durable, and waits for its turn.
        case copied
        /// The engine was asked to take it, and did not answer yet.
        case handing
        /// The engine was asked, and its driver ended: it may have it or not.
        case unknown
        /// The engine has it, under this id.
        case held(RandomID)
        /// It was received, or failed: the app is to be told. The id is the engine's, if it had one.
        case finished(WCError.Code?, RandomID?)
        /// The app cancelled it after the engine was asked to take it.
        case cancelled(RandomID?)
    }

    struct Entry: QueuedTransfer {
        var id: RandomID
        var path: String
        var metadata: [UInt8]?
        var copy: PeerState.CopiedFile?
        /// Whether the device may hold the app's own file until it is copied.
        var isSourceHeld = true
        var sentByteCount: UInt64 = 0
        var stage: Stage

        var isOutstanding: Bool {
            switch stage {
            case .finished, .cancelled: false
            case .storing, .copying, .copied, .handing, .unknown, .held: true
            }
        }

        var outstanding: PeerState.OutstandingFile {
            PeerState.OutstandingFile(
                id: id, path: path, metadata: metadata, sentByteCount: sentByteCount, byteCount: copy?.byteCount)
        }

        /// The engine's id, if it told one.
        var engineID: RandomID? {
            switch stage {
            case .held(let id): id
            case .finished(_, let id), .cancelled(let id): id
            case .storing, .copying, .copied, .handing, .unknown: nil
            }
        }
    }

    /// A file that arrived and waits for the app.
    private struct Arrived: Sendable {
        var ticket: UInt64
        var offer: FileOffer
    }

    /// The files that the engine has at a time at most; its own limit is far above, so that it never declines.
    private static let heldCountMax = 16
    /// The taken results that are remembered: as many as the engine may have, so that one that it tells again is known.
    private static let takenCountMax: UInt64 = 256

    private(set) var transfers = QueuedTransfers<Entry>()
    /// The numbers by the engine's ids.
    private var engineNumbers: [RandomID: UInt64] = [:]
    /// The engine's ids of what it has.
    private(set) var held: Set<RandomID> = []
    /// The numbers of those that the engine was not asked to take yet, in their order; some may be gone.
    private var waiting = Line<UInt64>()
    private var isHanding = false
    private var retry = Retry(longest: Retry.shortest)
    /// The engine's ids of results that it was told to forget, by slot.
    private var taken: [UInt64: RandomID] = [:]
    private var nextTakenSlot: UInt64 = 0
    /// What arrived, in the order of its delivery.
    private var inbox = Line<Arrived>()
    /// What the app has had: a driver that ended before it heard so may tell of it again.
    private var given = RecentIDs()
    /// The files whose newest progress the app was not told yet, in the order of the first.
    private var progress: [RandomID] = []

    /// Starts with what a store holds; where each stands is found out with the engine's holdings.
    init(_ stored: [String: [UInt8]]) {
        for (key, bytes) in stored {
            if let number = Key.number(ofFile: key), var entry = Entry(bytes) {
                if let mark = stored[Key.mark(number)] { entry.take(mark) }
                transfers.restore(entry, as: number)
                if let id = entry.engineID { engineNumbers[id] = number }
            } else if let slot = Key.slot(ofTaken: key) {
                var unpacker = ByteReader(bytes)
                guard let id = unpacker.id(), let order = unpacker.counter() else { continue }
                taken[slot] = id
                nextTakenSlot = max(nextTakenSlot, order + 1)
            }
        }
    }

    var deadline: Instant? { retry.deadline }
    /// Whether a file waits for the app.
    var hasArrived: Bool { !inbox.isEmpty }

    // MARK: - What is outstanding

    /// The files that are not received, failed or cancelled yet, oldest first (rules R91, R96).
    var outstanding: [PeerState.OutstandingFile] { transfers.outstanding.map(\.entry.outstanding) }

    /// One of the outstanding ones, nil if it no longer exists.
    func outstanding(_ id: RandomID) -> PeerState.OutstandingFile? {
        transfers.number(of: id).flatMap { transfers[$0] }.flatMap { $0.isOutstanding ? $0.outstanding : nil }
    }

    // MARK: - Queueing

    /// The app queues a file (rules R118–R131).
    mutating func transfer(
        _ id: RandomID, path: String, metadata: PeerState.Payload?, copy: PeerState.CopiedFile?, hasDelegate: Bool,
        _ core: inout PeerCore
    ) {
        var code = core.refusal(of: "transferFile", hasDelegate: hasDelegate)
        if code == nil, let metadata {
            code = core.fault(of: metadata, limit: FileOffer.metadataByteCountMax, "transferFile")
        }
        let entry = Entry(
            id: id, path: path, metadata: metadata?.bytes, copy: copy, isSourceHeld: copy == nil, stage: .storing)
        if let code {
            core.note(.app("transferFile \(id.shortName): \(code.rawValue)"))
            releaseContents(of: entry, &core)
            return core.desk.call(.didFinishFile(entry.outstanding, code))
        }
        core.note(.app("transferFile \(id.shortName): \(path)"))
        let number = transfers.append(entry)
        waiting.append(number)
        // One record: a copy that is whole when the call returns is known whenever the call is.
        let changes = [PeerState.StoredChange(key: Key.file(number), value: entry.packed)]
        core.store(changes + (copy == nil ? [] : mark(number)), .file(number))
    }

    /// A file that the app queued is durable, or cannot be.
    mutating func stored(_ number: UInt64, isDurable: Bool, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.stage == .storing else { return core.store(Self.removal(number)) }
        guard isDurable else { return finish(number, .genericError, &core) }
        if entry.copy == nil { copy(number, &core) } else { transfers.move(number, to: .copied) }
    }

    /// What was kept of a file, which the engine does not have, is not needed any more.
    private func releaseContents(of entry: Entry, _ core: inout PeerCore) {
        if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
        if entry.isSourceHeld { core.put(.letGo(entry.id)) }
    }

    private mutating func copy(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers[number] else { return }
        transfers.move(number, to: .copying)
        core.put(.copyFile(entry.id, path: entry.path))
    }

    /// The copy of a file is durable.
    mutating func copied(_ id: RandomID, _ copy: PeerState.CopiedFile, _ core: inout PeerCore) {
        guard let number = transfers.number(of: id), transfers[number]?.stage == .copying else {
            // The app has cancelled it meanwhile.
            return core.put(.releaseCopy(copy.file))
        }
        transfers.modify(number) { $0.copy = copy }
        guard copy.byteCount <= core.behaviour.fileByteCountMax else {
            core.warn("transferFile: \(copy.byteCount) bytes are more than \(core.behaviour.fileByteCountMax) (7009)")
            return finish(number, .payloadTooLarge, &core)
        }
        transfers.move(number, to: .copied)
        core.store(mark(number), .copy(file: number))
    }

    /// The copy of a file is recorded: until then only what is held of the file outlives the process.
    mutating func copyStored(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.isSourceHeld else { return }
        transfers.modify(number) { $0.isSourceHeld = false }
        core.put(.letGo(entry.id))
    }

    /// A file cannot be copied (rule R122).
    mutating func notCopied(_ id: RandomID, _ code: WCError.Code, _ core: inout PeerCore) {
        guard let number = transfers.number(of: id), let entry = transfers[number], entry.stage == .copying else {
            return
        }
        core.warn("transferFile: \(entry.path) cannot be read or copied (\(code.rawValue))")
        finish(number, code, &core)
    }

    private func mark(_ number: UInt64) -> [PeerState.StoredChange] {
        guard let entry = transfers[number] else { return [] }
        return [.init(key: Key.mark(number), value: entry.packedMark)]
    }

    /// Moves a file to a stage that outlives the process.
    private mutating func move(_ number: UInt64, to stage: Stage, _ core: inout PeerCore) {
        transfers.move(number, to: stage)
        core.store(mark(number))
    }

    // MARK: - Handing over

    /// Hands to the engine the file that is next, if it is copied and the engine has room.
    mutating func handOver(_ core: inout PeerCore) {
        guard retry.isOver(at: core.now), !core.isEngineEnding, !isHanding, held.count < Self.heldCountMax else {
            return
        }
        while let number = waiting.first {
            guard let entry = transfers[number], entry.isOutstanding else {
                waiting.popFirst()
                continue
            }
            guard entry.stage == .copied, let copy = entry.copy else { return }
            waiting.popFirst()
            transfers.move(number, to: .handing)
            isHanding = true
            core.note(.link("→ file \(entry.id.shortName), \(copy.name), \(copy.byteCount) bytes"))
            return core.ask(.file(copy, metadata: entry.metadata ?? []), .file(number))
        }
    }

    /// The engine has taken a file, or not.
    mutating func answered(_ number: UInt64, _ answer: TransferAnswer?, _ core: inout PeerCore) {
        isHanding = false
        let stage = transfers[number]?.stage
        switch answer {
        case .files(.accepted(let id)):
            held.insert(id)
            switch stage {
            case .handing: hold(number, id, &core)
            case .cancelled:
                engineNumbers[id] = number
                transfers.move(number, to: .cancelled(id))
                takeBack(number, id, &core)
            case .storing, .copying, .copied, .unknown, .held, .finished, nil:
                // The pairing or the app ended meanwhile.
                takeBack(number, id, &core)
            }
        case .files(.refused(let fault)):
            // A copy that is refused is gone.
            transfers.modify(number) { $0.copy = nil }
            if case .cancelled = stage { return remove(number, &core) }
            if stage == .handing { refused(number, fault, &core) }
        case .files, .exchange, nil:
            // The engine may have it: its next driver knows.
            if stage == .handing { transfers.move(number, to: .unknown) }
        }
    }

    private mutating func hold(_ number: UInt64, _ id: RandomID, _ core: inout PeerCore) {
        engineNumbers[id] = number
        move(number, to: .held(id), &core)
    }

    private mutating func refused(_ number: UInt64, _ fault: FileExchange.Fault, _ core: inout PeerCore) {
        core.note(.link("the engine refused file \(number): \(fault)"))
        switch fault {
        case .tooMany:
            retry.failed(at: core.now)
            waiting.prepend(number)
            copy(number, &core)
        case .tooLarge, .metadataTooLarge: finish(number, .payloadTooLarge, &core)
        case .badName: finish(number, .fileAccessDenied, &core)
        case .unknownTransfer, .notStored: finish(number, .genericError, &core)
        }
    }

    // MARK: - Ending

    /// The engine has sent a part of a file.
    mutating func sent(_ id: RandomID, _ byteCount: UInt64, of total: UInt64, _ core: inout PeerCore) {
        guard let number = engineNumbers[id], let entry = transfers[number], entry.isOutstanding,
            byteCount > entry.sentByteCount
        else { return }
        transfers.modify(number) { $0.sentByteCount = byteCount }
        core.note(.link("file \(entry.id.shortName): \(byteCount) of \(total) bytes have arrived"))
        if core.appState != .notRunning, !progress.contains(entry.id) { progress.append(entry.id) }
    }

    /// The engine is done with a file.
    mutating func ended(_ result: FileResult, _ core: inout PeerCore) {
        held.remove(result.id)
        guard let number = engineNumbers[result.id], let entry = transfers[number], entry.isOutstanding else {
            return core.tell(.resultTaken(result.id))
        }
        if let failure = result.failure {
            core.warn("file \(entry.id.shortName) failed: \(failure.words)")
        } else {
            core.note(.link("file \(entry.id.shortName) arrived at the other device"))
            transfers.modify(number) { $0.sentByteCount = $0.copy?.byteCount ?? $0.sentByteCount }
        }
        finish(number, Self.code(of: result.failure), engineID: result.id, &core)
    }

    private static func code(of failure: FileFailure?) -> WCError.Code? {
        switch failure?.cause {
        case nil: nil
        case .full: .insufficientSpace
        case .tooLarge: .payloadTooLarge
        case .gone: .fileAccessDenied
        case .cancelled, .badName, .damaged, .unknown, .failed: .deliveryFailed
        case .other: .genericError
        }
    }

    /// Ends a file that the engine does not have; the app is told, however long that takes.
    private mutating func finish(_ number: UInt64, _ code: WCError.Code?, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.isOutstanding else { return }
        switch entry.stage {
        case .held(let id): takeBack(number, id, &core)
        case .storing, .copying, .copied: if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
        case .handing, .unknown, .finished, .cancelled: break
        }
        finish(number, code, engineID: entry.engineID, &core)
    }

    private mutating func finish(
        _ number: UInt64, _ code: WCError.Code?, engineID: RandomID?, _ core: inout PeerCore
    ) {
        transfers.move(number, to: .finished(code, engineID))
        core.desk.tellEnd(.fileResult(number))
        // The engine forgets the result only when it is durable here.
        core.store(mark(number), .fileEnd(engineID))
    }

    /// The app knows the result of a file, or the file was cancelled: nothing remains of it.
    mutating func remove(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers.remove(number) else { return }
        var changes = Self.removal(number)
        if let id = entry.engineID {
            changes.append(take(id))
            engineNumbers[id] = nil
        }
        if entry.isSourceHeld { core.put(.letGo(entry.id)) }
        core.store(changes)
    }

    private static func removal(_ number: UInt64) -> [PeerState.StoredChange] {
        [Key.file(number), Key.mark(number)].map { PeerState.StoredChange(key: $0, value: nil) }
    }

    /// Remembers a result that the engine may tell again, and gives the change.
    private mutating func take(_ id: RandomID) -> PeerState.StoredChange {
        let slot = nextTakenSlot % Self.takenCountMax
        taken[slot] = id
        var packer = ByteWriter()
        packer.put(id)
        packer.put(nextTakenSlot)
        nextTakenSlot += 1
        return PeerState.StoredChange(key: Key.taken(slot), value: packer.bytes)
    }

    /// The app cancels a file (rule R131).
    mutating func cancel(_ id: RandomID, _ core: inout PeerCore) {
        guard let number = transfers.number(of: id), let entry = transfers[number], entry.isOutstanding else { return }
        core.note(.app("cancel file \(id.shortName)"))
        if core.behaviour.reportsCancelledTransfers {
            core.desk.call(.didFinishFile(entry.outstanding, .deliveryFailed))
        }
        switch entry.stage {
        case .storing:
            // What is being stored is removed once it is.
            releaseContents(of: entry, &core)
            transfers.remove(number)
        case .copying, .copied:
            if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
            remove(number, &core)
        case .handing, .unknown: move(number, to: .cancelled(nil), &core)
        case .held(let engineID):
            move(number, to: .cancelled(engineID), &core)
            takeBack(number, engineID, &core)
        case .finished, .cancelled: break
        }
    }

    /// Takes a file back from the engine, and sees that the other device drops it if it has it whole.
    private func takeBack(_ number: UInt64, _ id: RandomID, _ core: inout PeerCore) {
        core.ask(.cancelFile(id), .fileCancelled(number, id))
    }

    /// The engine has let go of a file; without an answer its next driver says so.
    ///
    /// - Returns: Whether the other device is to drop it.
    mutating func cancelled(_ number: UInt64, _ id: RandomID, _ answer: TransferAnswer?) -> Bool {
        guard answer != nil else { return false }
        held.remove(id)
        guard case .cancelled = transfers[number]?.stage else { return false }
        return true
    }

    /// All that is outstanding failed.
    mutating func failAll(_ code: WCError.Code, _ core: inout PeerCore) {
        for (number, _) in transfers.outstanding { finish(number, code, &core) }
    }

    /// Nothing of what the app queued remains, and nobody is told.
    mutating func discardAll(_ core: inout PeerCore) {
        for (number, entry) in transfers.all {
            switch entry.stage {
            case .held(let id): takeBack(number, id, &core)
            case .storing, .copying, .copied: if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
            case .handing, .unknown, .finished, .cancelled: break
            }
            remove(number, &core)
        }
        progress = []
    }

    /// The engine's part of the pairing is gone.
    mutating func forgetHeld() { held = [] }

    // MARK: - Receiving

    /// A file arrived; the engine keeps it until the app has had it (rule R158).
    mutating func arrived(_ offer: FileOffer, _ cancellations: CancellationQueue, _ core: inout PeerCore) {
        guard !inbox.all.contains(where: { $0.offer.id == offer.id }) else { return }
        guard !given.contains(offer.id) else { return core.tell(.consumedFile(offer.id)) }
        core.note(.link("← file \(offer.id.shortName), \(offer.name), \(offer.byteCount) bytes"))
        if cancellations.isDropped(offer.id, &core) { return core.tell(.consumedFile(offer.id)) }
        guard core.device.own.isInstalled else {
            core.warn("file \(offer.name) was dropped: the app is not installed")
            return core.tell(.consumedFile(offer.id))
        }
        inbox.append(Arrived(ticket: core.desk.nextTicket(), offer: offer))
        core.launchWatchApp(.file)
    }

    /// The newest progress that the app was not told yet.
    mutating func nextProgress() -> DelegateCallQueue.Due? {
        while let id = progress.first {
            progress.removeFirst()
            guard let file = outstanding(id), let byteCount = file.byteCount else { continue }
            let call = PeerState.Call.fileProgress(id, byteCount: file.sentByteCount, of: byteCount)
            return DelegateCallQueue.Due(ticket: 0, kind: .progress(id), call: call)
        }
        return nil
    }

    /// What the app is to be called with next.
    var due: DelegateCallQueue.Due? {
        inbox.first.map { .init(ticket: $0.ticket, kind: .file($0.offer.id), call: .file($0.offer)) }
    }

    /// How the app is to be told of an end.
    func endCall(_ number: UInt64) -> PeerState.Call? {
        guard let entry = transfers[number], case .finished(let code, _) = entry.stage else { return nil }
        return .didFinishFile(entry.outstanding, code)
    }

    /// The app knows of an end.
    mutating func endTold(_ number: UInt64, _ core: inout PeerCore) {
        if case .finished = transfers[number]?.stage { remove(number, &core) }
    }

    /// The app has had a file.
    mutating func given(_ id: RandomID, _ core: inout PeerCore) {
        guard take(id, &core) else { return }
        given.append([id])
    }

    /// Takes a file away that the sender cancelled; what the app has at this moment it has had.
    mutating func discardArrived(_ id: RandomID, _ core: inout PeerCore) {
        if !core.desk.isBegun(.file(id)) { _ = take(id, &core) }
    }

    /// Takes a file out of the inbox and lets the engine forget it; false if it is not there.
    private mutating func take(_ id: RandomID, _ core: inout PeerCore) -> Bool {
        guard inbox.all.contains(where: { $0.offer.id == id }) else { return false }
        inbox.remove { $0.offer.id == id }
        core.tell(.consumedFile(id))
        return true
    }

    /// The app is gone, or the pairing: nothing is delivered any more.
    mutating func discardInbox(_ core: inout PeerCore) {
        for arrived in inbox.all { core.tell(.consumedFile(arrived.offer.id)) }
        inbox = Line()
    }

    mutating func retakeTickets(_ desk: inout DelegateCallQueue) {
        inbox.modifyAll { $0.ticket = desk.nextTicket() }
    }

    /// The app's process ended.
    mutating func processEnded() { progress = [] }

    // MARK: - Start

    /// Finds out where each file stands, by what the engine holds; at the start nothing is known but what the stores hold.
    mutating func reconcile(_ holdings: PeerState.Holdings, isStart: Bool, _ core: inout PeerCore) {
        held = Set(holdings.files.values)
        waiting = Line()
        adoptUnknownResult(holdings, isStart: isStart, &core)
        let told = core.desk.ends
        for (number, entry) in transfers.all {
            let engineID = entry.copy.flatMap { holdings.files[$0.file] }
            switch entry.stage {
            case .storing:
                waiting.append(number)
                if isStart { copy(number, &core) }
            case .copying: waiting.append(number)
            case .handing:
                // No driver of the past has it: they all have answered. It waits for the one that starts.
                break
            case .copied, .unknown:
                if let engineID {
                    hold(number, engineID, &core)
                } else {
                    transfers.move(number, to: .copied)
                    waiting.append(number)
                }
            case .held(let id):
                guard !held.contains(id), !holdings.fileResults.contains(id) else { continue }
                core.warn("the engine knows nothing of file \(entry.id.shortName), which it had accepted")
                finish(number, .deliveryFailed, &core)
            case .finished(_, let id):
                if !told.contains(.fileResult(number)) { core.desk.tellEnd(.fileResult(number)) }
                // What was told before, the engine may not have forgotten yet.
                if let id, holdings.fileResults.contains(id) { core.tell(.resultTaken(id)) }
            case .cancelled(nil) where isHanding:
                // It may be the one whose answer is still to come.
                break
            case .cancelled(let known):
                guard let id = known ?? engineID else {
                    remove(number, &core)
                    continue
                }
                transfers.move(number, to: .cancelled(id))
                engineNumbers[id] = number
                takeBack(number, id, &core)
            }
        }
    }

    /// A crash may have come after a file had ended in the engine, and before its id was stored here: it is the first of
    /// those that may have been handed over, since they are so one at a time.
    ///
    /// What was handed over is known as long as the process lives; a store knows only that there is a copy.
    private mutating func adoptUnknownResult(
        _ holdings: PeerState.Holdings, isStart: Bool, _ core: inout PeerCore
    ) {
        let known = Set(engineNumbers.keys).union(taken.values)
        guard let id = holdings.fileResults.subtracting(known).min() else { return }
        let first = transfers.all.first { _, entry in
            switch entry.stage {
            case .copied: isStart
            case .unknown, .cancelled(nil): true
            case .storing, .copying, .handing, .held, .finished, .cancelled: false
            }
        }
        guard let (number, entry) = first, let copy = entry.copy, holdings.files[copy.file] == nil else { return }
        if case .cancelled = entry.stage {
            transfers.move(number, to: .cancelled(id))
            engineNumbers[id] = number
        } else {
            hold(number, id, &core)
        }
    }
}

extension FileQueue.Entry {
    init?(_ bytes: [UInt8]) {
        var unpacker = ByteReader(bytes)
        guard let id = unpacker.id(), let path = unpacker.text(), let hasMetadata = unpacker.byte() else { return nil }
        self.init(id: id, path: path, metadata: hasMetadata == 1 ? unpacker.all() : nil, stage: .storing)
    }

    var packed: [UInt8] {
        var packer = ByteWriter(byteCount: path.utf8.count + (metadata?.count ?? 0) + 25)
        packer.put(id)
        packer.put(path)
        packer.put(UInt8(metadata == nil ? 0 : 1))
        packer.putRest(metadata ?? [])
        return packer.bytes
    }

    /// What of the copy and the stage outlives the process.
    var packedMark: [UInt8] {
        var packer = ByteWriter()
        if let copy {
            packer.put(UInt8(1))
            packer.put(copy.file)
            packer.put(copy.name)
            packer.put(copy.byteCount)
            packer.put(copy.digest.bytes)
        } else {
            packer.put(UInt8(0))
        }
        var code: WCError.Code?
        var kind = UInt8(0)
        switch stage {
        case .storing, .copying, .copied, .handing, .unknown: break
        case .held: kind = 1
        case .cancelled: kind = 2
        case .finished(let failure, _): (kind, code) = (3, failure)
        }
        packer.put(kind)
        packer.put(UInt64(code?.rawValue ?? 0))
        if let engineID { packer.put(engineID) }
        return packer.bytes
    }

    /// Takes over what ``packedMark`` wrote.
    mutating func take(_ mark: [UInt8]) {
        var unpacker = ByteReader(mark)
        if unpacker.byte() == 1 {
            guard let file = unpacker.text(), let name = unpacker.text(), let byteCount = unpacker.number(),
                let digest = unpacker.counted().flatMap({ FileDigest(bytes: $0) })
            else { return }
            copy = PeerState.CopiedFile(file: file, name: name, byteCount: byteCount, digest: digest)
            isSourceHeld = false
            stage = .copied
        }
        guard let kind = unpacker.byte(), let code = unpacker.number() else { return }
        let engineID = unpacker.id()
        switch (kind, engineID) {
        case (1, let id?): stage = .held(id)
        case (2, _): stage = .cancelled(engineID)
        case (3, _): stage = .finished(WCError.Code(rawValue: Int(truncatingIfNeeded: code)), engineID)
        default: break
        }
    }
}
