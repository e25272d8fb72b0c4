import SyncCore

extension PeerState {
    // MARK: - Queueing

    /// The app queues a file (rules R118–R131).
    mutating func transferFile(
        _ id: RandomID, path: String, metadata: Payload?, copy: CopiedFile?, hasDelegate: Bool
    ) {
        var code = refusal(of: "transferFile", hasDelegate: hasDelegate)
        if code == nil, let metadata {
            code = fault(of: metadata, limit: FileOffer.metadataByteCountMax, "transferFile")
        }
        let entry = FileQueue.Entry(
            id: id, path: path, metadata: metadata?.bytes, copy: copy, isSourceHeld: copy == nil, stage: .storing)
        if let code {
            note(.app("transferFile \(id.shortName): \(code.rawValue)"))
            releaseContents(of: entry)
            return desk.call(.didFinishFile(entry.outstanding, code))
        }
        note(.app("transferFile \(id.shortName): \(path)"))
        files.lastNumber += 1
        let number = files.lastNumber
        files.entries[number] = entry
        files.numbers[id] = number
        files.waiting.append(number)
        // One record: a copy that is whole when the call returns is known whenever the call is.
        let changes = [StoredChange(key: FileQueue.Key.file(number), value: entry.packed)]
        store(changes + (copy == nil ? [] : storedMark(number))) { me, isDurable in
            guard me.files.entries[number]?.stage == .storing else { return me.store(FileQueue.removal(number)) }
            guard isDurable else { return me.finishFile(number, .genericError) }
            if copy == nil { me.copy(number) } else { me.files.entries[number]?.stage = .copied }
        }
    }

    /// What was kept of a file, which the engine does not have, is not needed any more.
    private mutating func releaseContents(of entry: FileQueue.Entry) {
        if let copy = entry.copy { put(.releaseCopy(copy.file)) }
        if entry.isSourceHeld { put(.letGo(entry.id)) }
    }

    private mutating func copy(_ number: UInt64) {
        guard let entry = files.entries[number] else { return }
        files.entries[number]?.stage = .copying
        put(.copyFile(entry.id, path: entry.path))
    }

    /// The copy of a file is durable.
    mutating func fileCopied(_ id: RandomID, _ copied: CopiedFile) {
        guard let number = files.numbers[id], files.entries[number]?.stage == .copying else {
            // The app has cancelled it meanwhile.
            return put(.releaseCopy(copied.file))
        }
        files.entries[number]?.copy = copied
        guard copied.byteCount <= behaviour.fileByteCountMax else {
            warn("transferFile: \(copied.byteCount) bytes are more than \(behaviour.fileByteCountMax) (7009)")
            return finishFile(number, .payloadTooLarge)
        }
        files.entries[number]?.stage = .copied
        // Until its copy is recorded, only what is held of the file outlives this process.
        store(storedMark(number)) { me in
            guard me.files.entries[number]?.isSourceHeld == true else { return }
            me.files.entries[number]?.isSourceHeld = false
            me.put(.letGo(id))
        }
    }

    /// A file cannot be copied (rule R122).
    mutating func fileNotCopied(_ id: RandomID, _ code: WCError.Code) {
        guard let number = files.numbers[id], let entry = files.entries[number], entry.stage == .copying else { return }
        warn("transferFile: \(entry.path) cannot be read or copied (\(code.rawValue))")
        finishFile(number, code)
    }

    func storedMark(_ number: UInt64) -> [StoredChange] {
        guard let entry = files.entries[number] else { return [] }
        return [StoredChange(key: FileQueue.Key.mark(number), value: entry.packedMark)]
    }

    private mutating func storeMark(_ number: UInt64) {
        store(storedMark(number))
    }

    // MARK: - Handing over

    /// Hands to the engine the file that is next, if it is copied and the engine has room.
    mutating func handOverFiles() {
        if let due = files.retryAt, due <= moment.monotonic { files.retryAt = nil }
        guard files.retryAt == nil, !isEngineEnding, !files.isHanding, files.held.count < FileQueue.heldCountMax else {
            return
        }
        while let number = files.waiting.first {
            guard let entry = files.entries[number], entry.isOutstanding else {
                files.waiting.popFirst()
                continue
            }
            guard entry.stage == .copied, let copy = entry.copy else { return }
            files.waiting.popFirst()
            files.entries[number]?.stage = .handing
            files.isHanding = true
            note(.link("→ file \(entry.id.shortName), \(copy.name), \(copy.byteCount) bytes"))
            return ask(.file(copy, metadata: entry.metadata ?? [])) { me, answer in me.fileAnswered(number, answer) }
        }
    }

    private mutating func fileAnswered(_ number: UInt64, _ answer: TransferAnswer?) {
        files.isHanding = false
        let stage = files.entries[number]?.stage
        switch answer {
        case .files(.accepted(let id)):
            files.held.insert(id)
            switch stage {
            case .handing:
                files.engineNumbers[id] = number
                files.entries[number]?.stage = .held(id)
                storeMark(number)
            case .cancelled:
                files.engineNumbers[id] = number
                files.entries[number]?.stage = .cancelled(id)
                takeBackFile(number, id)
            case .storing, .copying, .copied, .unknown, .held, .finished, nil:
                // The pairing or the app ended meanwhile.
                takeBackFile(number, id)
            }
        case .files(.refused(let fault)):
            // A copy that is refused is gone.
            files.entries[number]?.copy = nil
            guard stage == .handing else { return removeCancelledFile(number) }
            refused(number, fault)
        case .files, .exchange, nil:
            // The engine may have it: its next driver knows.
            if stage == .handing { files.entries[number]?.stage = .unknown }
        }
    }

    private mutating func refused(_ number: UInt64, _ fault: FileExchange.Fault) {
        note(.link("the engine refused file \(number): \(fault)"))
        switch fault {
        case .tooMany:
            files.retryAt = moment.monotonic.advanced(by: .seconds(1))
            files.waiting.prepend(number)
            copy(number)
        case .tooLarge, .metadataTooLarge: finishFile(number, .payloadTooLarge)
        case .badName: finishFile(number, .fileAccessDenied)
        case .unknownTransfer, .notStored: finishFile(number, .genericError)
        }
    }

    // MARK: - Ending

    /// The engine tells something about a file.
    mutating func filesTell(_ event: FileExchange.Event) {
        switch event {
        case .sent(let id, let byteCount, let total):
            guard let number = files.engineNumbers[id], let entry = files.entries[number], entry.isOutstanding,
                byteCount > entry.sentByteCount
            else { return }
            files.entries[number]?.sentByteCount = byteCount
            note(.link("file \(entry.id.shortName): \(byteCount) of \(total) bytes have arrived"))
            if appState != .notRunning, !files.progress.contains(entry.id) { files.progress.append(entry.id) }
        case .ended(let result): fileEnded(result)
        case .received(let offer): received(offer)
        case .receiving: break
        case .receiveFailed(let offer, let failure):
            note(.link("← file \(offer.id.shortName) failed: \(failure.words)"))
        case .dropped(let drop): note(.link("a frame was dropped: \(drop)"))
        case .notStored(let reason): warn("the engine's disk did not take a record: \(reason)")
        }
    }

    private mutating func fileEnded(_ result: FileResult) {
        files.held.remove(result.id)
        guard let number = files.engineNumbers[result.id], let entry = files.entries[number], entry.isOutstanding else {
            return tell(.resultTaken(result.id))
        }
        if let failure = result.failure {
            warn("file \(entry.id.shortName) failed: \(failure.words)")
        } else {
            note(.link("file \(entry.id.shortName) arrived at the other device"))
            files.entries[number]?.sentByteCount = entry.copy?.byteCount ?? entry.sentByteCount
        }
        finish(number, Self.code(of: result.failure), engineID: result.id)
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
    mutating func finishFile(_ number: UInt64, _ code: WCError.Code?) {
        guard let entry = files.entries[number], entry.isOutstanding else { return }
        if case .held(let id) = entry.stage { takeBackFile(number, id) }
        switch entry.stage {
        case .storing, .copying, .copied: if let copy = entry.copy { put(.releaseCopy(copy.file)) }
        case .handing, .unknown, .held, .finished, .cancelled: break
        }
        finish(number, code, engineID: entry.engineID)
    }

    private mutating func finish(_ number: UInt64, _ code: WCError.Code?, engineID: RandomID?) {
        files.entries[number]?.stage = .finished(code, engineID)
        desk.results.append(.init(ticket: desk.nextTicket(), kind: .file(number)))
        // The engine forgets the result only when it is durable here.
        store(storedMark(number)) { me, isDurable in
            if isDurable, let engineID { me.tell(.resultTaken(engineID)) }
        }
    }

    /// The app knows the result of a file, or the file was cancelled: nothing remains of it.
    mutating func removeFile(_ number: UInt64) {
        guard let entry = files.entries[number] else { return }
        var changes = FileQueue.removal(number)
        if let id = entry.engineID {
            changes.append(files.take(id))
            files.engineNumbers[id] = nil
        }
        if entry.isSourceHeld { put(.letGo(entry.id)) }
        files.numbers[entry.id] = nil
        files.entries[number] = nil
        store(changes)
    }

    private mutating func removeCancelledFile(_ number: UInt64) {
        if case .cancelled = files.entries[number]?.stage { removeFile(number) }
    }

    /// The app cancels a file (rule R131).
    mutating func cancelFile(_ number: UInt64) {
        guard let entry = files.entries[number], entry.isOutstanding else { return }
        note(.app("cancel file \(entry.id.shortName)"))
        if behaviour.reportsCancelledTransfers { desk.call(.didFinishFile(entry.outstanding, .deliveryFailed)) }
        switch entry.stage {
        case .storing:
            // What is being stored is removed once it is.
            releaseContents(of: entry)
            files.numbers[entry.id] = nil
            files.entries[number] = nil
        case .copying, .copied:
            if let copy = entry.copy { put(.releaseCopy(copy.file)) }
            removeFile(number)
        case .handing, .unknown:
            files.entries[number]?.stage = .cancelled(nil)
            storeMark(number)
        case .held(let id):
            files.entries[number]?.stage = .cancelled(id)
            storeMark(number)
            takeBackFile(number, id)
        case .finished, .cancelled: break
        }
    }

    /// Takes a file back from the engine, and sees that the other device drops it if it has it whole.
    mutating func takeBackFile(_ number: UInt64, _ id: RandomID) {
        ask(.cancelFile(id)) { me, answer in
            guard answer != nil else { return }
            me.files.held.remove(id)
            if case .cancelled = me.files.entries[number]?.stage { me.drop(id, number: number, isFile: true) }
        }
    }
}
