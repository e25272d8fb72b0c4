import SyncCore

/// What persons and applications do with edits, user info, messages and files.
extension World {
    // MARK: - Edits

    mutating func edit(_ work: Int) {
        let running = awakeWatches { _ in true }
        guard !running.isEmpty else { return }
        let watch = application.draws[work].pick(running)
        let burst = application.draws[work].chance(0.15) ? 3 : 1
        for _ in 0..<burst {
            guard let engine = world.watches[watch].engine else { return }
            application.lastValue += 1
            wish(changes(work, engine, of: watch), at: watch)
        }
    }

    /// The watches that run, do not stand still and are so.
    private func awakeWatches(_ isWanted: (WatchEngine) -> Bool) -> [Int] {
        watches.indices.filter {
            (world.watches[$0].engine.map(isWanted) ?? false) && world.pausedUntil(.watch($0)) <= now
        }
    }

    private mutating func changes(_ work: Int, _ engine: WatchEngine, of watch: Int) -> [CellChange] {
        let shown = engine.view.pairs.map { ($0.key, $0.value) }
        let fresh = RandomID(using: &application.draws[work])
        let choice = application.draws[work].below(20)
        let value = (choice == 0 ? "unfit " : "edit ") + "\(application.lastValue)"
        let group = application.draws[work].pick(["name", "place"])
        let lamps = shown.filter { $0.0.kind == "lamp" && $0.0.group != "wiring" }
        if choice < 3 {
            // The own layout, and now and then another watch's, which must be declined.
            let owner = application.draws[work].chance(0.6) ? watch : application.draws[work].below(watches.count)
            let key = CellKey(kind: "layout", record: Schema.record(of: world.watches[owner].key), group: "order")
            return [CellChange(key: key, value: value)]
        }
        guard !lamps.isEmpty, choice > 4 || lamps.count >= Application.recordCountMax else {
            let key = CellKey(kind: "lamp", record: fresh, group: group)
            return [CellChange(key: key, value: value)]
        }
        let (key, cell) = lamps[application.draws[work].below(lamps.count)]
        let other = CellKey(kind: "lamp", record: key.record, group: group)
        let wiring = CellKey(kind: "lamp", record: key.record, group: "wiring")
        switch choice {
        case 5, 6: return [CellChange(key: key, value: nil)]
        case 7: return [CellChange(key: key, value: cell.value)]
        case 8: return [CellChange(key: wiring, value: value)]
        case 9: return [CellChange(key: key, value: value), CellChange(key: wiring, value: value + "w")]
        case 10...13: return [CellChange(key: key, value: value + "a"), CellChange(key: other, value: value + "b")]
        // Few different values, so that two persons enter the same.
        case 14: return [CellChange(key: key, value: "common")]
        default: return [CellChange(key: key, value: value)]
        }
    }

    /// Somebody puts a conflict back, or aside.
    mutating func settle(_ work: Int) {
        let restoring = application.draws[work].chance(0.6)
        let atHub = application.draws[work].chance(0.5)
        let running = awakeWatches { $0.snapshot != nil }
        if atHub || running.isEmpty {
            guard let engine = world.hub.engine else { return }
            let open = engine.conflicts.values
            let request = application.nextRequest()
            hub.requests[request.number] = .some(nil)
            guard !open.isEmpty else {
                let id = RandomID(using: &application.draws[work])
                return stepHub(.settle(request, conflict: id, restoring: restoring))
            }
            let conflict = application.draws[work].pick(open)
            application.settlings[request.number] = (conflict, restoring)
            stepHub(.settle(request, conflict: conflict.id, restoring: restoring))
        } else {
            let watch = application.draws[work].pick(running)
            guard let open = world.watches[watch].engine?.snapshot?.conflicts.values, !open.isEmpty else { return }
            settle(application.draws[work].pick(open), restoring: restoring, at: watch)
        }
    }

    /// The hub has settled a conflict: what was to be put back stands there now.
    mutating func settled(_ request: RequestID, _ answer: HubEngine.Answer) {
        guard let (conflict, restoring) = application.settlings.removeValue(forKey: request.number),
            case .done = answer, let told = checks.told
        else { return }
        occasions.note(restoring ? .conflictRestoredByHub : .conflictPutAside)
        if told.conflicts[conflict.id] != nil { fail(.restorable, "a conflict is settled and open") }
        if restoring, told.cells[conflict.key]?.value != conflict.loser.value {
            fail(.restorable, "a value was put back and does not stand")
        }
    }

    // MARK: - User info, messages and files

    private mutating func pickSide(_ work: Int) -> Side? {
        let side = Side(
            watch: application.draws[work].below(watches.count), isHub: application.draws[work].chance(0.5))
        let runs = side.isHub ? world.hub.engine != nil : world.watches[side.watch].engine != nil
        return runs && awake(side) <= now ? side : nil
    }

    /// A request of one side; the hub declines what concerns a watch that it does not know.
    private mutating func ask(_ side: Side, _ input: (RequestID) -> TransferInput) -> RequestID {
        let request = openRequest(at: side)
        stepTransfer(input(request), at: side)
        return request
    }

    mutating func transfer(_ work: Int) {
        guard let side = pickSide(work) else { return }
        let usual = application.draws[work].chance(0.1) ? 6 : 1
        let burst = application.isBurst(work) ? Application.wideBurst.items : usual
        for _ in 0..<burst {
            let isUrgent = application.draws[work].chance(0.3)
            let byteCount = itemByteCount(work)
            application.lastItem += 1
            let payload = (0..<byteCount).map {
                UInt8(truncatingIfNeeded: application.lastItem >> (8 * UInt64($0 & 3)))
            }
            _ = ask(side) { .exchange(.transfer($0, .init(payload: payload, isUrgent: isUrgent))) }
        }
    }

    private mutating func itemByteCount(_ work: Int) -> Int {
        let isTooLarge = application.draws[work].chance(0.03)
        let byteCount = 4 + application.draws[work].below(60)
        let limit = transferConfiguration.exchange.itemByteCountMax
        if application.isWide, application.draws[work].chance(Application.wideItemChance) { return limit }
        return isTooLarge ? limit + 1 : byteCount
    }

    mutating func cancel(_ work: Int) {
        guard let side = pickSide(work) else { return }
        let files = application.sentFiles[side.index]
        if application.draws[work].chance(0.3), !files.isEmpty {
            let id = application.draws[work].pick(files)
            _ = ask(side) { .files(.cancel($0, id)) }
            return
        }
        let outstanding =
            side.isHub
            ? world.hub.engine?.outstandingItems(for: world.watches[side.watch].key) ?? []
            : world.watches[side.watch].engine?.outstandingItems ?? []
        let fresh = RandomID(using: &application.draws[work])
        let id = outstanding.isEmpty ? fresh : application.draws[work].pick(outstanding).item.id
        _ = ask(side) { .exchange(.cancel($0, id)) }
    }

    mutating func sendMessage(_ work: Int) {
        guard let side = pickSide(work) else { return }
        let burst = application.draws[work].chance(0.1) ? 4 : 1
        for _ in 0..<burst {
            guard side.isHub ? world.hub.engine != nil : world.watches[side.watch].engine != nil else { return }
            let wantsReply = application.draws[work].chance(0.6)
            let byteCount = application.draws[work].chance(0.03) ? 101 : 8
            let request = openRequest(at: side)
            let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: request.number >> (8 * UInt64($0 & 7))) }
            if !isHostile(side) {
                let timeout = transferConfiguration.exchange.messageTimeout
                application.messages.insert(request.number)
                checks.messages.sent(request, at: side, deadline: now.advanced(by: timeout))
            }
            stepTransfer(
                .exchange(.message(request, Message(payload: payload, wantsReply: wantsReply))), at: side)
            fail(checks.messages.bounds(at: side, of: transferConfiguration.exchange.messageCountMax))
        }
    }

    mutating func sendFile(_ work: Int) {
        guard let side = pickSide(work) else { return }
        application.lastFile += 1
        let size = application.draws[work].pick([0, 1, 1000, 32_768, 40_000, 100_000])
        let byteCount = application.draws[work].chance(0.05) ? 300_000 : size
        let file = SampleFile(number: application.lastFile, byteCount: byteCount)
        let bytes = file.bytes
        world.keep(bytes, as: file.name, at: side)
        let claimed = application.draws[work].chance(0.03) ? 400_001 : UInt64(byteCount)
        _ = ask(side) {
            .files(
                .send(
                    $0, file: file.name, name: file.name, byteCount: claimed, FileDigest.simulated(of: bytes),
                    metadata: file.metadata))
        }
    }
}
