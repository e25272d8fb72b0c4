import SyncCore

/// The files that the app queued, from the call to the return of `didFinish`.
///
///        ┌────the call brought a copy────┐
///        │                               ▼
///     storing ──stored──▶ copying ──▶ copied ──its turn──▶ handing ──accepted──▶ held ──its end──▶ finished ─called─▶ gone
///                          ▲           ▲                    │ │                    ▲
///                          │           │                    │ │                    │ the engine has it
///                          └──no room──┼────────────────────┘ └─its driver ended─▶ unknown
///                                      │                                           │
///                                      └────────────the engine does not have it────┘
///
/// Of the states before `held`, the store only records whether there is a copy. So at a start, a file in `copied`
/// continues like one in `unknown`, and a file in `storing` is copied. In each state up to `held` a file may fail,
/// and is `finished` then.
///
/// Up to `held` the app may also cancel it. If the engine was not asked yet, the file is removed at once. In
/// `handing`, `unknown` and `held` it becomes `cancelled`. It is removed when the engine turns out not to have it, or
/// when the engine has released it and the other device has confirmed that it drops it.
///
/// Copies may be ready in any order, but the files are handed over in the order of the calls, one at a time. So after
/// a crash, the engine can have at most one file under an id that is not stored here yet.
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

    /// The most files that the engine has at a time; far below the engine's own limit, so that it never refuses one.
    private static let heldCountMax = 16
    /// The number of taken results that are remembered: as many as the engine may have, so that a repeated result is
    /// recognised.
    private static let takenCountMax: UInt64 = 256

    private(set) var transfers = QueuedTransfers<QueuedFile>()
    /// The numbers of the files, by the engine's ids.
    private var engineNumbers: [RandomID: UInt64] = [:]
    /// The engine's ids of the files that it has.
    private(set) var held: Set<RandomID> = []
    /// The numbers of the files that were not handed over yet, in order; some may have ended.
    private var waiting = Queue<UInt64>()
    private var isHanding = false
    private var retry = Retry(longest: Retry.shortest)
    /// The engine's ids of results that it was asked to remove, by slot.
    private var taken: [UInt64: RandomID] = [:]
    private var nextTakenSlot: UInt64 = 0
    /// The files with progress that the app has not been notified of, in the order of the first such progress.
    private var progress: [RandomID] = []

    /// Starts from the contents of a store; the stages are determined later from the engine's contents.
    init(_ stored: [String: [UInt8]]) {
        for (key, bytes) in stored {
            if let number = Key.number(ofFile: key), var entry = QueuedFile(bytes) {
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

    // MARK: - Outstanding files

    /// The files that are not received, failed or cancelled yet, oldest first.
    var outstanding: [PeerState.OutstandingFile] { transfers.outstanding.map(\.entry.outstanding) }

    /// One of the outstanding files, nil if it is not outstanding any more.
    func outstanding(_ id: RandomID) -> PeerState.OutstandingFile? {
        transfers.number(of: id).flatMap { transfers[$0] }.flatMap { $0.isOutstanding ? $0.outstanding : nil }
    }

    // MARK: - Queueing

    /// The app queues a file.
    mutating func transfer(
        _ id: RandomID, path: String, metadata: PeerState.Payload?, copy: PeerState.CopiedFile?, hasDelegate: Bool,
        _ core: inout PeerCore
    ) {
        var code = core.refusal(of: "transferFile", hasDelegate: hasDelegate)
        if code == nil, let metadata {
            code = core.fault(
                of: metadata, limit: .max, sentLimit: FileOffer.metadataByteCountMax, "transferFile")
        }
        let entry = QueuedFile(
            id: id, path: path, metadata: metadata?.bytes, copy: copy, isSourceHeld: copy == nil, stage: .storing)
        if let code {
            core.note(.app("transferFile \(id.shortName): \(code.rawValue)"))
            releaseContents(of: entry, &core)
            return core.delegateCalls.call(.didFinishFile(entry.outstanding, code))
        }
        core.note(.app("transferFile \(id.shortName): \(path)"))
        let number = transfers.append(entry)
        waiting.append(number)
        // In one record, so that after a crash a complete copy is known whenever the request is.
        let changes = [PeerState.StoredChange(key: Key.file(number), value: entry.packed)]
        core.store(changes + (copy == nil ? [] : mark(number)), .file(number))
    }

    /// The request is durable, or could not be stored.
    mutating func stored(_ number: UInt64, isDurable: Bool, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.stage == .storing else { return core.store(Self.removal(number)) }
        guard isDurable else { return finish(number, .genericError, &core) }
        if entry.copy == nil { copy(number, &core) } else { transfers.move(number, to: .copied) }
    }

    /// Releases what is kept of a file that the engine does not have.
    private func releaseContents(of entry: QueuedFile, _ core: inout PeerCore) {
        if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
        if entry.isSourceHeld { core.put(.releaseOriginal(entry.id)) }
    }

    private mutating func copy(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers[number] else { return }
        transfers.move(number, to: .copying)
        core.put(.copyFile(entry.id, path: entry.path))
    }

    /// The copy of a file is durable.
    mutating func copied(_ id: RandomID, _ copy: PeerState.CopiedFile, _ core: inout PeerCore) {
        guard let number = transfers.number(of: id), transfers[number]?.stage == .copying else {
            // The app has cancelled the file meanwhile.
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

    /// The copy is recorded.
    ///
    /// Until now, only the held original would have outlived the process.
    mutating func copyStored(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.isSourceHeld else { return }
        transfers.modify(number) { $0.isSourceHeld = false }
        core.put(.releaseOriginal(entry.id))
    }

    /// A file cannot be copied.
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

    /// Moves a file to a stage that is stored.
    private mutating func move(_ number: UInt64, to stage: QueuedFile.Stage, _ core: inout PeerCore) {
        transfers.move(number, to: stage)
        core.store(mark(number))
    }

    // MARK: - Passing files to the engine

    /// Hands the next file to the engine, if it is copied and the engine has room.
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

    /// The engine has accepted a file or not.
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
                cancelInEngine(number, id, &core)
            case .storing, .copying, .copied, .unknown, .held, .finished, nil:
                // The pairing or the app ended meanwhile.
                cancelInEngine(number, id, &core)
            }
        case .files(.refused(let fault)):
            // The engine has removed the copy that it refused.
            transfers.modify(number) { $0.copy = nil }
            if case .cancelled = stage { return remove(number, &core) }
            if stage == .handing { refused(number, fault, &core) }
        case .files, .exchange, nil:
            // The engine may have it; the next transport's start shows that.
            if stage == .handing { transfers.move(number, to: .unknown) }
        }
    }

    private mutating func hold(_ number: UInt64, _ id: RandomID, _ core: inout PeerCore) {
        engineNumbers[id] = number
        move(number, to: .held(id), &core)
    }

    private mutating func refused(_ number: UInt64, _ fault: FileExchange.RequestError, _ core: inout PeerCore) {
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

    /// The engine has finished with a file.
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

    /// Ends a file that did not end in the engine; the app will be notified, however long that takes.
    private mutating func finish(_ number: UInt64, _ code: WCError.Code?, _ core: inout PeerCore) {
        guard let entry = transfers[number], entry.isOutstanding else { return }
        switch entry.stage {
        case .held(let id): cancelInEngine(number, id, &core)
        case .storing, .copying, .copied: if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
        case .handing, .unknown, .finished, .cancelled: break
        }
        finish(number, code, engineID: entry.engineID, &core)
    }

    private mutating func finish(
        _ number: UInt64, _ code: WCError.Code?, engineID: RandomID?, _ core: inout PeerCore
    ) {
        transfers.move(number, to: .finished(code, engineID))
        core.delegateCalls.queueEnd(.fileResult(number))
        // The engine removes the result only after it is durable here.
        core.store(mark(number), .fileEnd(engineID))
    }

    /// The app was notified of the result, or the file was cancelled: removes everything of the file.
    mutating func remove(_ number: UInt64, _ core: inout PeerCore) {
        guard let entry = transfers.remove(number) else { return }
        var changes = Self.removal(number)
        if let id = entry.engineID {
            changes.append(take(id))
            engineNumbers[id] = nil
        }
        if entry.isSourceHeld { core.put(.releaseOriginal(entry.id)) }
        core.store(changes)
    }

    private static func removal(_ number: UInt64) -> [PeerState.StoredChange] {
        [Key.file(number), Key.mark(number)].map { PeerState.StoredChange(key: $0, value: nil) }
    }

    /// Remembers a result that the engine may report again; returns the change for the store.
    private mutating func take(_ id: RandomID) -> PeerState.StoredChange {
        let slot = nextTakenSlot % Self.takenCountMax
        taken[slot] = id
        var packer = ByteWriter()
        packer.put(id)
        packer.put(nextTakenSlot)
        nextTakenSlot += 1
        return PeerState.StoredChange(key: Key.taken(slot), value: packer.bytes)
    }

    /// The app cancels a file.
    mutating func cancel(_ id: RandomID, _ core: inout PeerCore) {
        guard let number = transfers.number(of: id), let entry = transfers[number], entry.isOutstanding else { return }
        core.note(.app("cancel file \(id.shortName)"))
        if core.behaviour.reportsCancelledTransfers {
            core.delegateCalls.call(.didFinishFile(entry.outstanding, .deliveryFailed))
        }
        switch entry.stage {
        case .storing:
            // The record in progress is removed once it is stored.
            releaseContents(of: entry, &core)
            transfers.remove(number)
        case .copying, .copied:
            if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
            remove(number, &core)
        case .handing, .unknown: move(number, to: .cancelled(nil), &core)
        case .held(let engineID):
            move(number, to: .cancelled(engineID), &core)
            cancelInEngine(number, engineID, &core)
        case .finished, .cancelled: break
        }
    }

    /// Cancels a file in the engine; the other device drops it if it has received it completely.
    private func cancelInEngine(_ number: UInt64, _ id: RandomID, _ core: inout PeerCore) {
        core.ask(.cancelFile(id), .fileCancelled(number, id))
    }

    /// The engine has answered a cancellation.
    ///
    /// Without an answer, the next transport's start settles it.
    ///
    /// - Returns: Whether the other device has to drop the file.
    mutating func cancelled(_ number: UInt64, _ id: RandomID, _ answer: TransferAnswer?) -> Bool {
        guard answer != nil else { return false }
        held.remove(id)
        guard case .cancelled = transfers[number]?.stage else { return false }
        return true
    }

    /// Ends everything outstanding with an error.
    mutating func failAll(_ code: WCError.Code, _ core: inout PeerCore) {
        for (number, _) in transfers.outstanding { finish(number, code, &core) }
    }

    /// Removes everything that the app queued, without a call to the app.
    mutating func discardAll(_ core: inout PeerCore) {
        for (number, entry) in transfers.all {
            switch entry.stage {
            case .held(let id): cancelInEngine(number, id, &core)
            case .storing, .copying, .copied: if let copy = entry.copy { core.put(.releaseCopy(copy.file)) }
            case .handing, .unknown, .finished, .cancelled: break
            }
            remove(number, &core)
        }
        progress = []
    }

    /// The engine has removed its part of the pairing.
    mutating func forgetHeld() { held = [] }

    // MARK: - Calls of the app

    /// The next progress that the app has not been notified of.
    mutating func nextProgress() -> DelegateCallQueue.Due? {
        while let id = progress.first {
            progress.removeFirst()
            guard let file = outstanding(id), let byteCount = file.byteCount else { continue }
            let call = PeerState.Call.fileProgress(id, byteCount: file.sentByteCount, of: byteCount)
            return DelegateCallQueue.Due(ticket: 0, kind: .progress(id), call: call)
        }
        return nil
    }

    /// The call that reports an end.
    func endCall(_ number: UInt64) -> PeerState.Call? {
        guard let entry = transfers[number], case .finished(let code, _) = entry.stage else { return nil }
        return .didFinishFile(entry.outstanding, code)
    }

    /// The app was notified of an end.
    mutating func endReported(_ number: UInt64, _ core: inout PeerCore) {
        if case .finished = transfers[number]?.stage { remove(number, &core) }
    }

    /// The app's process ended.
    mutating func processEnded() { progress = [] }

    // MARK: - Start

    /// Determines the stage of each file from the engine's contents; at the start, only the contents of the stores
    /// are known.
    mutating func reconcile(_ storedTransfers: PeerState.StoredTransfers, isStart: Bool, _ core: inout PeerCore) {
        held = Set(storedTransfers.files.values)
        waiting = Queue()
        adoptUnknownResult(storedTransfers, isStart: isStart, &core)
        let reported = core.delegateCalls.ends
        for (number, entry) in transfers.all {
            let engineID = entry.copy.flatMap { storedTransfers.files[$0.file] }
            switch entry.stage {
            case .storing:
                waiting.append(number)
                if isStart { copy(number, &core) }
            case .copying: waiting.append(number)
            case .handing:
                // The last transport has answered everything, so the engine does not have it; it waits for the next
                // transport.
                break
            case .copied, .unknown:
                if let engineID {
                    hold(number, engineID, &core)
                } else {
                    transfers.move(number, to: .copied)
                    waiting.append(number)
                }
            case .held(let id):
                guard !held.contains(id), !storedTransfers.fileResults.contains(id) else { continue }
                core.warn("the engine knows nothing of file \(entry.id.shortName), which it had accepted")
                finish(number, .deliveryFailed, &core)
            case .finished(_, let id):
                if !reported.contains(.fileResult(number)) { core.delegateCalls.queueEnd(.fileResult(number)) }
                // The engine may not have removed a result that was already taken.
                if let id, storedTransfers.fileResults.contains(id) { core.tell(.resultTaken(id)) }
            case .cancelled(nil) where isHanding:
                // This may be the one whose answer is still to come.
                break
            case .cancelled(let known):
                guard let id = known ?? engineID else {
                    remove(number, &core)
                    continue
                }
                transfers.move(number, to: .cancelled(id))
                engineNumbers[id] = number
                cancelInEngine(number, id, &core)
            }
        }
    }

    /// Assigns a result of the engine that no file here has.
    ///
    /// A crash may have happened after the file ended in the engine, and before its id was stored here. It belongs to
    /// the first file that may have been handed over, because files are handed over one at a time.
    ///
    /// While the process runs, it is known which files were handed over; the store only records that there is a copy.
    private mutating func adoptUnknownResult(
        _ storedTransfers: PeerState.StoredTransfers, isStart: Bool, _ core: inout PeerCore
    ) {
        let known = Set(engineNumbers.keys).union(taken.values)
        guard let id = storedTransfers.fileResults.subtracting(known).min() else { return }
        let first = transfers.all.first { _, entry in
            switch entry.stage {
            case .copied: isStart
            case .unknown, .cancelled(nil): true
            case .storing, .copying, .handing, .held, .finished, .cancelled: false
            }
        }
        guard let (number, entry) = first, let copy = entry.copy, storedTransfers.files[copy.file] == nil else {
            return
        }
        if case .cancelled = entry.stage {
            transfers.move(number, to: .cancelled(id))
            engineNumbers[id] = number
        } else {
            hold(number, id, &core)
        }
    }
}
