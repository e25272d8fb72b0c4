import SyncCore

extension PeerState {
    // MARK: - Receiving

    /// A file arrived; the engine keeps it until the app has had it (rule R158).
    mutating func received(_ offer: FileOffer) {
        guard !files.inbox.all.contains(where: { $0.offer.id == offer.id }) else { return }
        guard !files.given.contains(offer.id) else { return tell(.consumedFile(offer.id)) }
        note(.link("← file \(offer.id.shortName), \(offer.name), \(offer.byteCount) bytes"))
        if isDropped(offer.id) { return tell(.consumedFile(offer.id)) }
        guard device.own.isInstalled else {
            warn("file \(offer.name) was dropped: the app is not installed")
            return tell(.consumedFile(offer.id))
        }
        files.inbox.append(FileQueue.Arrived(ticket: desk.nextTicket(), offer: offer))
        launchWatchApp(.file)
    }

    // MARK: - Ending all

    /// All that is outstanding failed.
    mutating func failFiles(_ code: WCError.Code) {
        for (number, entry) in files.entries.pairs.map({ ($0.key, $0.value) }) where entry.isOutstanding {
            finishFile(number, code)
        }
    }

    /// Nothing of what the app queued remains, and nobody is told.
    mutating func discardFiles() {
        for (number, entry) in files.entries.pairs.map({ ($0.key, $0.value) }) {
            switch entry.stage {
            case .held(let id): takeBackFile(number, id)
            case .storing, .copying, .copied: if let copy = entry.copy { put(.releaseCopy(copy.file)) }
            case .handing, .unknown, .finished, .cancelled: break
            }
            removeFile(number)
        }
        files.progress = []
    }

    // MARK: - Start

    /// Finds out where each file stands, by what the engine holds.
    mutating func reconcileFiles(_ holdings: Holdings) {
        files.held = Set(holdings.files.values)
        files.waiting = Line()
        adoptUnknownResult(holdings)
        let told = Set(desk.results.all.map(\.kind))
        for (number, entry) in files.entries.pairs.map({ ($0.key, $0.value) }) {
            let engineID = entry.copy.flatMap { holdings.files[$0.file] }
            switch entry.stage {
            case .storing where desk.hasStarted: files.waiting.append(number)
            case .storing:
                files.waiting.append(number)
                files.entries[number]?.stage = .copying
                put(.copyFile(entry.id, path: entry.path))
            case .copying: files.waiting.append(number)
            case .handing:
                // No driver of the past has it: they all have answered. It waits for the one that starts.
                break
            case .copied, .unknown:
                if let engineID {
                    holdFile(number, engineID)
                } else {
                    files.entries[number]?.stage = .copied
                    files.waiting.append(number)
                }
            case .held(let id):
                guard !files.held.contains(id), !holdings.fileResults.contains(id) else { continue }
                warn("the engine knows nothing of file \(entry.id.shortName), which it had accepted")
                finishFile(number, .deliveryFailed)
            case .finished(_, let id):
                if !told.contains(.file(number)) {
                    desk.results.append(.init(ticket: desk.nextTicket(), kind: .file(number)))
                }
                // What was told before, the engine may not have forgotten yet.
                if let id, holdings.fileResults.contains(id) { tell(.resultTaken(id)) }
            case .cancelled(nil) where files.isHanding:
                // It may be the one whose answer is still to come.
                break
            case .cancelled(let known):
                guard let id = known ?? engineID else {
                    removeFile(number)
                    continue
                }
                files.entries[number]?.stage = .cancelled(id)
                files.engineNumbers[id] = number
                takeBackFile(number, id)
            }
        }
    }

    private mutating func holdFile(_ number: UInt64, _ id: RandomID) {
        files.engineNumbers[id] = number
        files.entries[number]?.stage = .held(id)
        store(storedMark(number))
    }

    /// A crash may have come after a file had ended in the engine, and before its id was stored here: it is the first of
    /// those that may have been handed over, since they are so one at a time.
    ///
    /// What was handed over is known as long as the process lives; a store knows only that there is a copy.
    private mutating func adoptUnknownResult(_ holdings: Holdings) {
        let known = Set(files.engineNumbers.keys).union(files.taken.values)
        guard let id = holdings.fileResults.subtracting(known).min() else { return }
        let first = files.entries.pairs.first { pair in
            switch pair.value.stage {
            case .copied: !desk.hasStarted
            case .unknown, .cancelled(nil): true
            case .storing, .copying, .handing, .held, .finished, .cancelled: false
            }
        }
        guard let first, let copy = first.value.copy, holdings.files[copy.file] == nil else { return }
        if case .cancelled = first.value.stage {
            files.entries[first.key]?.stage = .cancelled(id)
            files.engineNumbers[id] = first.key
        } else {
            holdFile(first.key, id)
        }
    }
}
