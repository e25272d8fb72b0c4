import SyncCore

extension World {
    /// The body of a credit that names nothing as missing.
    private static let creditOfAll = Array(#"{"missing":[]}"#.utf8)

    mutating func startWatch(_ watch: Int) {
        guard !world.watches[watch].isAlive else { return }
        switch watches[watch].role {
        case .idle: return
        case .pairing(let invitation): world.startPairing(watch, invitation: invitation)
        case .paired: world.start(.watch(watch))
        }
        watches[watch].forgetProcess()
        let run = world.run(of: .watch(watch))
        trace.line(now, .watch(watch), "starts life \(run) as \(watches[watch].role)")
        trace.mix(2)
        if world.watches[watch].engine != nil {
            fail(checks.watchStarted(watch, with: world.watches[watch].device.stored))
            isStarting = true
        }
        settle()
        isStarting = false
    }

    /// Ends a watch's process; gives the time until it starts again, nil if somebody will start it.
    mutating func crashWatch(_ watch: Int, downtime: Duration?) {
        guard world.watches[watch].isAlive else { return }
        trace.line(now, .watch(watch), "ends life \(world.run(of: .watch(watch)))")
        keepTail(of: watch)
        if world.stop(.watch(watch)) > 0 { occasions.note(.watchLostUnstored) }
        watches[watch].forgetProcess()
        forgetHeard(at: Side(watch: watch, isHub: false))
        endLife(of: Side(watch: watch, isHub: false))
        if let downtime { world.plan(.startWatch(watch), at: now.advanced(by: downtime + .milliseconds(1))) }
    }

    /// Gives a watch's engine an input and does what it wants.
    mutating func stepWatch(_ watch: Int, _ input: WatchEngine.Input) {
        guard violation == nil else { return }
        world.give(input, to: watch)
        settle()
    }

    mutating func takes(_ input: WatchEngine.Input, at watch: Int) {
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        trace.line(now, .watch(watch), "<- \(input.traceText)")
        shown = changesView(input) ? shownCells(watch) : []
    }

    mutating func rests(_ watch: Int, after input: WatchEngine.Input?) {
        guard let input else { return }
        if case .disconnected = input { fail(checks.messages.sessionEnded(Side(watch: watch, isHub: false))) }
        if !shown.isEmpty { checkShown(watch, shown) }
        guard let engine = world.watches[watch].engine else { return }
        fail(checks.bounds(of: engine, watch: watch))
        if watch != hostile { fail(checks.reachability.finding(watch, link: engine.linkState, now: now)) }
    }

    mutating func look(at output: WatchEngine.Output, of watch: Int) {
        let side = Side(watch: watch, isHub: false)
        switch output {
        case .send(let frame):
            fail(checks.watchSends(frame, durable: world.watches[watch].device.stored))
            noteSent(frame, at: side)
            if frame.kind == .hello {
                if watches[watch].hasGreeted { occasions.note(.greetedAgain) }
                watches[watch].hasGreeted = true
            }
            if frame.kind == .credit, frame.body != Self.creditOfAll { occasions.note(.creditNamedMissing) }
        case .reconnect: occasions.note(.watchReconnected)
        case .persist(let record):
            noteWish(record, of: watch)
            if case .transfer(let record) = record { noteWanted(record, at: side) }
        case .transfer(let output): look(at: output, of: side)
        case .answer(let request, let answer): answered(request, answer, at: watch)
        case .event(let event): noteEvent(event, of: watch)
        }
    }

    // MARK: - A watch's disk

    mutating func wrote(_ record: WatchEngine.Record, isKept: Bool, at watch: Int) {
        guard isKept else { return occasions.note(.watchStoreFailed) }
        watchKept(record, of: watch)
    }

    /// As at the hub: what was not synced may be there all the same.
    private mutating func keepTail(of watch: Int) {
        let disk = world.watches[watch].device.disk
        let tail = world.conditions.watchDiskFaults[watch].unsyncedTail(
            of: disk, chance: options.tailChance, lots: &world.conditions.lots)
        guard let tail else { return }
        if tail.isTorn { occasions.note(.watchTailTorn) }
        if tail.isReordered { occasions.note(.storeTailReordered) }
        for job in disk.jobs.prefix(tail.keptCount) {
            occasions.note(.watchTailKept)
            world.keepUnsynced(job.number, at: .watch(watch))
            watchKept(job.record, of: watch)
        }
    }

    private mutating func watchKept(_ record: WatchEngine.Record, of watch: Int) {
        let stored = world.watches[watch].device.stored
        let former = watches[watch].replaceFence(by: stored.replica.fence)
        fail(HistoryChecker.finding(watch, from: former, to: stored.replica.fence))
        switch record {
        case .replica(let record): if record.snapshot != nil { checks.edits.seen(stored.replica, by: watch) }
        case .registers: fail(checks.watchStored(watch, stored))
        case .transfer(let record):
            becameDurable(record, at: Side(watch: watch, isHub: false), holding: stored.transfers)
        }
        guard keepsWatchBackups else { return }
        watches[watch].backUp(watchBackup(watch))
    }

    /// What somebody copies who copies a watch's store now.
    func watchBackup(_ watch: Int) -> SimulatedWatch.Backup {
        let side = Side(watch: watch, isHub: false)
        return SimulatedWatch.Backup(
            state: world.watches[watch].device.stored, files: world.files[side], arrivals: checks.arrivals[side])
    }

    // MARK: - Pairing

    mutating func look(at action: PairingClient.Action, of watch: Int) {
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        switch action {
        case .send(let frame): trace.line(now, .watch(watch), "   -> \(frame.traceText)")
        case .done:
            occasions.note(.pairingAnswered)
            become(watch, .paired)
        case .failed(let refusal):
            occasions.note(.pairingRefused)
            trace.line(now, .watch(watch), "pairing refused: \(refusal.text)")
            become(watch, .idle)
        case .none: break
        }
    }

    /// Ends a watch's process and starts the one of its new role.
    mutating func become(_ watch: Int, _ role: SimulatedWatch.Role) {
        let downtime = world.conditions.watchDraws[watch].duration(
            .life, world.run(of: .watch(watch)), upTo: .milliseconds(20))
        crashWatch(watch, downtime: downtime)
        watches[watch].role = role
        if !world.watches[watch].isAlive { world.plan(.startWatch(watch), at: now.advanced(by: .milliseconds(30))) }
    }
}
