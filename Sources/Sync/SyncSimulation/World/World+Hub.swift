import SyncCore

extension World {
    mutating func startHub() {
        guard hub.engine == nil else { return }
        hub.start(hubConfiguration, now: now)
        trace.line(now, .hub, "starts life \(hub.life) at revision \(hub.disk.durable.ledger.version.revision)")
        trace.mix(1)
        checks.hubStarted(hub.disk.told.ledger, at: hub.clock.moment(at: now))
        forgetUnpaired()
        isStarting = true
        drainHub()
        isStarting = false
        for register in application.newestRegisters {
            stepHub(.publish(register))
        }
    }

    /// Ends the hub's process; gives the time until it starts again, nil if somebody will start it.
    mutating func crashHub(downtime: Duration?) {
        guard hub.engine != nil else { return }
        occasions.note(.hubCrashed)
        trace.line(now, .hub, "crashes")
        noteHubLife()
        checks.isolation.forget()
        checks.uploads.forget()
        keepHubTail()
        if hub.disk.durable.ledger.version != hub.disk.told.ledger.version { occasions.note(.hubStoredUntold) }
        if hub.crash(now: now) > 0 { occasions.note(.hubLostUnstored) }
        for watch in watches.indices {
            endLife(of: Side(watch: watch, isHub: true))
            checks.reachability.forget(Side(watch: watch, isHub: true))
        }
        for connection in network.endHub(life: hub.life) {
            // Most watches hear of it at once; some keep a connection to nobody until their transport gives up.
            var draws = hub.draws[.notice, connection]
            let notice = draws.duration(upTo: draws.chance(0.8) ? .milliseconds(20) : .seconds(8))
            queue.push(
                .hangUp(watch: network[connection].watch, connection: connection), at: now.advanced(by: notice))
        }
        if let downtime { queue.push(.startHub, at: now.advanced(by: downtime + .milliseconds(1))) }
    }

    /// Gives the hub's engine an input and does what it wants.
    mutating func stepHub(_ input: HubEngine.Input) {
        guard hub.engine != nil, violation == nil else { return }
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        trace.line(now, .hub, "<- \(input.traceText)")
        let moment = hub.clock.moment(at: now)
        checks.clock.looked(at: moment.wallMilliseconds)
        hub.engine?.handle(input, at: moment)
        drainHub()
        if let engine = hub.engine { fail(checks.bounds(of: engine)) }
    }

    private mutating func drainHub() {
        var lost: [ConnectionID] = []
        while let output = hub.engine?.nextOutput() {
            trace.line(now, .hub, "   -> \(output.traceText)")
            carryOut(output, lost: &lost)
        }
        setHubTimer()
        for side in endedSessions { fail(checks.messages.sessionEnded(side)) }
        endedSessions = []
        for connection in lost {
            occasions.note(.connectionUnroutable)
            stepHub(.unroutable(connection))
        }
    }

    private mutating func carryOut(_ output: HubEngine.Output, lost: inout [ConnectionID]) {
        switch output {
        case .send(let frame, let name):
            let connection = VirtualNetwork.connection(name)
            noteSending(frame, on: connection)
            noteSent(frame, on: connection)
            if frame.kind == .context { checks.isolation.sent(to: network[connection].peer) }
            fail(checks.hubSends(frame, to: network[connection].peer))
            if network[connection].hubLife == hub.life, network[connection].isOpenAtHub {
                transmit(frame, connection: connection, isToHub: false)
            } else if !lost.contains(name) {
                lost.append(name)
            }
        case .persist(let transaction):
            trace.mix(transaction.after)
            fail(checks.stamps(transaction))
            checks.uploads.transactionBegan()
            persist(.transaction(transaction))
        case .record(let peer, let record):
            noteWanted(record, at: watch(of: peer).map { Side(watch: $0, isHub: true) })
            persist(.transfer(peer, record))
        case .transfer(let peer, let output):
            guard let watch = watch(of: peer) else { break }
            carryOut(output, at: Side(watch: watch, isHub: true))
        case .close(let name): hubCloses(VirtualNetwork.connection(name))
        case .admit(let keys):
            hub.admitted = Set(keys)
            trace.mix(UInt64(keys.count))
            fail(checks.admits(keys, at: hub.clock.moment(at: now).monotonic))
        case .answer(let request, let answer): answered(request, answer)
        case .event(let event): noteEvent(event)
        }
    }

    /// The hub's end of a connection is closed; the watch's transport notices soon.
    private mutating func hubCloses(_ connection: Int) {
        occasions.note(.connectionClosedByHub)
        network.close(connection)
        guard network[connection].isOpenAtWatch else { return }
        var draws = hub.draws[.notice, connection]
        queue.push(
            .hangUp(watch: network[connection].watch, connection: connection),
            at: now.advanced(by: draws.duration(upTo: .milliseconds(20))))
    }

    private mutating func setHubTimer() {
        guard let deadline = hub.engine?.nextDeadline else { return }
        let due = max(hub.clock.virtual(deadline), now.advanced(by: .microseconds(1)))
        if let timer = hub.timer, timer.at <= due { return }
        hub.lastTimerNumber += 1
        let late = hub.draws.duration(.timer, hub.lastTimerNumber, upTo: .milliseconds(2))
        hub.timer = (due, hub.lastTimerNumber)
        queue.push(.hubTimer(life: hub.life, number: hub.lastTimerNumber), at: due.advanced(by: late))
    }

    mutating func hubTimer(life: Int, number: Int) {
        guard life == hub.life, let timer = hub.timer, timer.number == number else { return }
        hub.timer = nil
        stepHub(.timeReached)
    }

    // MARK: - The hub's disk

    private mutating func persist(_ record: HubRecord) {
        let (number, done, isSlow) = hub.diskFaults.write(
            record, to: &hub.disk, now: now, options: options, lots: &lots)
        if isSlow { occasions.note(.hubStoreSlow) }
        queue.push(.hubDisk(life: hub.life, number: number), at: done)
    }

    mutating func hubDiskFinished(life: Int, number: Int) {
        guard life == hub.life else { return }
        let before = hub.disk.durable
        guard let job = hub.disk.finish(number) else { return }
        if job.fails {
            occasions.note(.hubStoreFailed)
        } else {
            becameDurable(job.record, after: before)
        }
        if let crash = hub.crashAtNextStore, !job.fails, !isCalm { return crashHub(crash) }
        let notice = hub.draws.duration(.store, number, upTo: .milliseconds(3))
        queue.push(
            .hubStored(life: life, job.record, isKept: !job.fails),
            at: hub.disk.notice(now: now, delay: notice))
    }

    /// Some of what was not synced may be on the disk; the store finds it at its next start, and nobody was told.
    private mutating func keepHubTail() {
        guard let tail = hub.diskFaults.unsyncedTail(of: hub.disk, chance: options.tailChance, lots: &lots) else {
            return
        }
        if tail.isTorn { occasions.note(.hubTailTorn) }
        if tail.isReordered { occasions.note(.storeTailReordered) }
        for job in hub.disk.jobs.prefix(tail.keptCount) {
            occasions.note(.hubTailKept)
            let before = hub.disk.durable
            _ = hub.disk.finish(job.number)
            becameDurable(job.record, after: before)
        }
    }

    private mutating func becameDurable(_ record: HubRecord, after before: HubMemory) {
        switch record {
        case .transaction(let transaction):
            fail(checks.becameDurable(hub.disk.durable.ledger, schema: Application.schema))
            fail(HistoryChecker.finding(transaction, from: before.ledger, to: hub.disk.durable.ledger))
            fail(checks.uploads.took(transaction, after: before.ledger))
            fail(checks.edits.tookEffect(transaction, after: before.ledger, authors: authors))
            guard keepsBackups else { return }
            let sides = watches.indices.map { Side(watch: $0, isHub: true) }
            hub.backUp(
                SimulatedHub.Backup(
                    state: hub.disk.durable, history: checks.versions.point, effects: checks.edits.effects,
                    files: sides.map { files[$0.index] }, arrivals: sides.map { checks.arrivals[$0] }))
        case .transfer(let peer, let record):
            // A step that was under way when its watch was unpaired is void: the store keeps nothing of it.
            guard let watch = watch(of: peer), hub.disk.durable.isPaired(peer) else { return }
            let held = hub.disk.durable.transfers[peer] ?? TransferState()
            becameDurable(record, at: Side(watch: watch, isHub: true), holding: held)
        }
    }

    mutating func hubStored(life: Int, _ record: HubRecord, isKept: Bool) {
        guard life == hub.life, hub.engine != nil else { return }
        let reason = "the disk is full"
        if isKept { hub.disk.tell(record) }
        switch record {
        case .transaction(let transaction):
            checks.uploads.transactionEnded()
            guard isKept else { return stepHub(.persistFailed(transaction, reason: reason)) }
            checks.hubLearned(hub.disk.told.ledger, at: hub.clock.moment(at: now))
            checks.isolation.committed(to: watches.map(\.key), now: now)
            stepHub(.persisted(transaction))
            forgetUnpaired()
        case .transfer(let peer, let record):
            stepHub(isKept ? .recorded(peer, record) : .recordFailed(peer, record, reason: reason))
        }
    }

    /// What was exchanged with watches that are no longer paired is over, on the hub's side.
    private mutating func forgetUnpaired() {
        for watch in watches where !checks.isPaired(watch.key) {
            let side = Side(watch: watch.number, isHub: true)
            // It may have been spent on items of which nobody was told, and parts may be of a file that never arrived.
            checks.budgets.restored(side)
            checks.parts.forget(side)
            guard checks.arrivals.isInUse(side) else { continue }
            checks.arrivals.forgot(side)
            endLife(of: side)
            files[side.index] = SimulatedFiles()
        }
    }
}
