import SyncCore

extension World {
    mutating func startHub() {
        guard world.hub.engine == nil else { return }
        world.start(.hub)
        let ledger = world.hub.stored.ledger
        hub.starts(with: ledger)
        trace.line(now, .hub, "starts life \(world.hub.device.run) at revision \(ledger.version.revision)")
        trace.mix(1)
        checks.hubStarted(ledger, at: world.moment(at: .hub))
        forgetUnpaired()
        isStarting = true
        settle()
        isStarting = false
        for register in application.newestRegisters {
            stepHub(.publish(register))
        }
    }

    /// Ends the hub's process; gives the time until it starts again, nil if somebody will start it.
    mutating func crashHub(downtime: Duration?) {
        guard world.hub.engine != nil else { return }
        occasions.note(.hubCrashed)
        trace.line(now, .hub, "crashes")
        noteHubLife()
        checks.isolation.forget()
        checks.uploads.forget()
        keepHubTail()
        if world.hub.stored.ledger.version != hub.told.version { occasions.note(.hubStoredUntold) }
        if world.stop(.hub) > 0 { occasions.note(.hubLostUnstored) }
        hub.ends()
        for watch in watches.indices {
            endLife(of: Side(watch: watch, isHub: true))
            forgetHeard(at: Side(watch: watch, isHub: true))
        }
        if let downtime { world.plan(.startHub, at: now.advanced(by: downtime + .milliseconds(1))) }
    }

    /// Gives the hub's engine an input and does what it wants.
    mutating func stepHub(_ input: HubEngine.Input) {
        guard violation == nil else { return }
        world.give(input)
        settle()
    }

    mutating func hubTakes(_ input: HubEngine.Input) {
        if case .unroutable = input { occasions.note(.connectionUnroutable) }
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        trace.line(now, .hub, "<- \(input.traceText)")
        checks.clock.looked(at: world.moment(at: .hub).wallMilliseconds)
    }

    mutating func hubRests() {
        for side in endedSessions { fail(checks.messages.sessionEnded(side)) }
        endedSessions = []
        if let engine = world.hub.engine { fail(checks.bounds(of: engine)) }
    }

    mutating func look(at output: HubEngine.Output) {
        switch output {
        case .send(let frame, let name):
            let connection = VirtualNetwork.connection(name)
            noteSending(frame, on: connection)
            noteSent(frame, on: connection)
            if frame.kind == .context { checks.isolation.sent(to: world.network[connection].peer) }
            fail(checks.hubSends(frame, to: world.network[connection].peer))
        case .persist(let transaction):
            trace.mix(transaction.after)
            fail(checks.stamps(transaction))
            checks.uploads.transactionBegan()
        case .record(let peer, let record):
            noteWanted(record, at: world.watch(of: peer).map { Side(watch: $0, isHub: true) })
        case .transfer(let peer, let output):
            guard let watch = world.watch(of: peer) else { break }
            look(at: output, of: Side(watch: watch, isHub: true))
        case .close: occasions.note(.connectionClosedByHub)
        case .admit(let keys):
            trace.mix(UInt64(keys.count))
            fail(checks.admits(keys, at: world.moment(at: .hub).monotonic))
        case .answer(let request, let answer): answered(request, answer)
        case .event(let event): noteEvent(event)
        }
    }

    // MARK: - The hub's disk

    mutating func hubWrote(_ record: HubRecord, isKept: Bool) {
        guard isKept else { return occasions.note(.hubStoreFailed) }
        becameDurable(record)
        if let crash = hub.crashAtNextStore, !isCalm { crashHub(crash) }
    }

    /// Some of what was not synced may be on the disk; the store finds it at its next start, and nobody was told.
    private mutating func keepHubTail() {
        let disk = world.hub.device.disk
        let tail = world.conditions.hubDiskFaults.unsyncedTail(
            of: disk, chance: options.tailChance, lots: &world.conditions.lots)
        guard let tail else { return }
        if tail.isTorn { occasions.note(.hubTailTorn) }
        if tail.isReordered { occasions.note(.storeTailReordered) }
        for job in disk.jobs.prefix(tail.keptCount) {
            occasions.note(.hubTailKept)
            world.keepUnsynced(job.number, at: .hub)
            becameDurable(job.record)
        }
    }

    private mutating func becameDurable(_ record: HubRecord) {
        let stored = world.hub.stored
        switch record {
        case .transaction(let transaction):
            let former = hub.replaceFormer(by: stored.ledger)
            fail(checks.becameDurable(stored.ledger, schema: Application.schema))
            fail(HistoryChecker.finding(transaction, from: former, to: stored.ledger))
            fail(checks.uploads.took(transaction, after: former))
            fail(checks.edits.tookEffect(transaction, after: former, authors: authors))
            guard keepsBackups else { return }
            let sides = watches.indices.map { Side(watch: $0, isHub: true) }
            hub.backUp(
                SimulatedHub.Backup(
                    state: stored, history: checks.versions.point, effects: checks.edits.effects,
                    files: sides.map { world.files[$0] }, arrivals: sides.map { checks.arrivals[$0] }))
        case .transfer(let peer, let record):
            // A step that was under way when its watch was unpaired is void: the store keeps nothing of it.
            guard let watch = world.watch(of: peer), stored.isPaired(peer) else { return }
            let held = stored.transfers[peer] ?? TransferState()
            becameDurable(record, at: Side(watch: watch, isHub: true), holding: held)
        }
    }

    mutating func hubStored(_ record: HubRecord, isKept: Bool) {
        guard case .transaction(let transaction) = record else { return }
        checks.uploads.transactionEnded()
        guard isKept else { return }
        hub.learned(transaction)
        checks.hubLearned(hub.told, at: world.moment(at: .hub))
        checks.isolation.committed(to: world.watches.map(\.key), now: now)
        hasHubLearned = true
    }

    /// What was exchanged with watches that are no longer paired is over, on the hub's side.
    mutating func forgetUnpaired() {
        for watch in watches.indices where !checks.isPaired(world.watches[watch].key) {
            let side = Side(watch: watch, isHub: true)
            // It may have been spent on items of which nobody was told, and parts may be of a file that never arrived.
            checks.budgets.restored(side)
            checks.parts.forget(side)
            guard checks.arrivals.isInUse(side) else { continue }
            checks.arrivals.forgot(side)
            endLife(of: side)
            world.removeFiles(of: side)
        }
    }
}
