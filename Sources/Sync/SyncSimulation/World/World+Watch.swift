import SyncCore

extension World {
    /// The body of a credit that names nothing as missing.
    private static let creditOfAll = Array(#"{"missing":[]}"#.utf8)

    mutating func startWatch(_ watch: Int) {
        guard !watches[watch].isRunning, watches[watch].role != .idle else { return }
        watches[watch].start()
        trace.line(now, .watch(watch), "starts life \(watches[watch].life) as \(watches[watch].role)")
        trace.mix(2)
        if watches[watch].engine != nil {
            fail(checks.watchStarted(watch, with: watches[watch].disk.durable))
            isStarting = true
            drainWatch(watch)
            isStarting = false
        }
        runSocket(watch)
    }

    /// Ends a watch's process; gives the time until it starts again, nil if somebody will start it.
    mutating func crashWatch(_ watch: Int, downtime: Duration?) {
        guard watches[watch].isRunning else { return }
        trace.line(now, .watch(watch), "ends life \(watches[watch].life)")
        if let connection = watches[watch].connection { leave(connection) }
        keepTail(of: watch)
        if watches[watch].crash(now: now) > 0 { occasions.note(.watchLostUnstored) }
        checks.reachability.forget(Side(watch: watch, isHub: false))
        endLife(of: Side(watch: watch, isHub: false))
        if let downtime { queue.push(.startWatch(watch), at: now.advanced(by: downtime + .milliseconds(1))) }
    }

    /// Gives a watch's engine an input and does what it wants.
    mutating func stepWatch(_ watch: Int, _ input: WatchEngine.Input) {
        guard watches[watch].engine != nil, violation == nil else { return }
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        trace.line(now, .watch(watch), "<- \(input.traceText)")
        let moment = watches[watch].clock.moment(at: now)
        let shown = changesView(input) ? shownCells(watch) : []
        watches[watch].engine?.handle(input, at: moment)
        drainWatch(watch)
        if case .disconnected = input { fail(checks.messages.sessionEnded(Side(watch: watch, isHub: false))) }
        if !shown.isEmpty { checkShown(watch, shown) }
        if let engine = watches[watch].engine {
            fail(checks.bounds(of: engine, watch: watch))
            if watch != hostile { fail(checks.reachability.finding(watch, link: engine.linkState, now: now)) }
        }
        runSocket(watch)
    }

    private mutating func drainWatch(_ watch: Int) {
        while let output = watches[watch].engine?.nextOutput() {
            trace.line(now, .watch(watch), "   -> \(output.traceText)")
            carryOut(output, of: watch)
        }
        setWatchTimer(watch)
    }

    private mutating func carryOut(_ output: WatchEngine.Output, of watch: Int) {
        switch output {
        case .send(let frame):
            fail(checks.watchSends(frame, durable: watches[watch].disk.durable))
            noteSent(frame, at: Side(watch: watch, isHub: false))
            if frame.kind == .hello {
                if watches[watch].hasGreeted { occasions.note(.greetedAgain) }
                watches[watch].hasGreeted = true
            }
            if frame.kind == .credit, frame.body != Self.creditOfAll { occasions.note(.creditNamedMissing) }
            if let connection = watches[watch].connection {
                transmit(frame, connection: connection, isToHub: true)
            }
        case .reconnect:
            occasions.note(.watchReconnected)
            watches[watch].socket.replace()
        case .persist(let record):
            noteWish(record, of: watch)
            if case .transfer(let record) = record { noteWanted(record, at: Side(watch: watch, isHub: false)) }
            persist(record, of: watch)
        case .transfer(let output): carryOut(output, at: Side(watch: watch, isHub: false))
        case .answer(let request, let answer): answered(request, answer, at: watch)
        case .event(let event): noteEvent(event, of: watch)
        }
    }

    private mutating func setWatchTimer(_ watch: Int) {
        let deadline = watches[watch].engine?.nextDeadline ?? watches[watch].client?.deadline
        guard let deadline else { return }
        let due = max(watches[watch].clock.virtual(deadline), now.advanced(by: .microseconds(1)))
        if let timer = watches[watch].timer, timer.at <= due { return }
        watches[watch].lastTimerNumber += 1
        let number = watches[watch].lastTimerNumber
        watches[watch].timer = (due, number)
        let late = watches[watch].draws.duration(.timer, number, upTo: .milliseconds(2))
        queue.push(
            .watchTimer(watch: watch, life: watches[watch].life, number: number), at: due.advanced(by: late))
    }

    mutating func watchTimer(_ watch: Int, life: Int, number: Int) {
        guard life == watches[watch].life, let timer = watches[watch].timer, timer.number == number else { return }
        watches[watch].timer = nil
        stepWatch(watch, .timeReached)
        stepClient(watch) { $0.timeReached(now: $1) }
    }

    // MARK: - A watch's disk

    private mutating func persist(_ record: WatchEngine.Record, of watch: Int) {
        let (number, done, isSlow) = watches[watch].diskFaults.write(
            record, to: &watches[watch].disk, now: now, options: options, lots: &lots)
        if isSlow { occasions.note(.watchStoreSlow) }
        let life = watches[watch].life
        queue.push(.watchDisk(watch: watch, life: life, number: number), at: done)
    }

    mutating func watchDiskFinished(_ watch: Int, life: Int, number: Int) {
        guard life == watches[watch].life else { return }
        let fence = watches[watch].disk.durable.replica.fence
        guard let job = watches[watch].disk.finish(number) else { return }
        if job.fails {
            occasions.note(.watchStoreFailed)
        } else {
            watchKept(job.record, of: watch, after: fence)
        }
        let notice = watches[watch].draws.duration(.store, number, upTo: .milliseconds(3))
        queue.push(
            .watchStored(watch: watch, life: life, job.record, isKept: !job.fails),
            at: watches[watch].disk.notice(now: now, delay: notice))
    }

    /// As at the hub: what was not synced may be there all the same.
    private mutating func keepTail(of watch: Int) {
        let device = watches[watch]
        guard let tail = device.diskFaults.unsyncedTail(of: device.disk, chance: options.tailChance, lots: &lots)
        else { return }
        if tail.isTorn { occasions.note(.watchTailTorn) }
        if tail.isReordered { occasions.note(.storeTailReordered) }
        for job in watches[watch].disk.jobs.prefix(tail.keptCount) {
            occasions.note(.watchTailKept)
            let fence = watches[watch].disk.durable.replica.fence
            _ = watches[watch].disk.finish(job.number)
            watchKept(job.record, of: watch, after: fence)
        }
    }

    private mutating func watchKept(_ record: WatchEngine.Record, of watch: Int, after fence: EpochFence) {
        let side = Side(watch: watch, isHub: false)
        fail(HistoryChecker.finding(watch, from: fence, to: watches[watch].disk.durable.replica.fence))
        switch record {
        case .replica(let record):
            if record.snapshot != nil { checks.edits.seen(watches[watch].disk.durable.replica, by: watch) }
        case .registers: fail(checks.watchStored(watch, watches[watch].disk.durable))
        case .transfer(let record):
            let held = watches[watch].disk.durable.transfers
            becameDurable(record, at: side, holding: held)
        }
        guard keepsWatchBackups else { return }
        watches[watch].backUp(watchBackup(watch))
    }

    /// What somebody copies who copies a watch's store now.
    func watchBackup(_ watch: Int) -> SimulatedWatch.Backup {
        let side = Side(watch: watch, isHub: false)
        return SimulatedWatch.Backup(
            state: watches[watch].disk.durable, files: files[side.index], arrivals: checks.arrivals[side])
    }

    mutating func watchStored(_ watch: Int, life: Int, _ record: WatchEngine.Record, isKept: Bool) {
        guard life == watches[watch].life else { return }
        stepWatch(watch, isKept ? .persisted(record) : .persistFailed(record, reason: "the disk is full"))
    }

    // MARK: - Pairing

    /// Gives the process that pairs a watch an input and does what it wants.
    mutating func stepClient(_ watch: Int, _ input: (inout PairingClient, Instant) -> PairingClient.Action) {
        let moment = watches[watch].clock.moment(at: now)
        guard violation == nil, watches[watch].client != nil else { return }
        stepCount += 1
        // The client is taken out while it works, so that it is not copied.
        guard var client = watches[watch].client else { return }
        let action = input(&client, moment.monotonic)
        watches[watch].client = client
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        switch action {
        case .send(let frame):
            trace.line(now, .watch(watch), "   -> \(frame.traceText)")
            if let connection = watches[watch].connection {
                transmit(frame, connection: connection, isToHub: true)
            }
        case .done:
            occasions.note(.pairingAnswered)
            become(watch, .paired)
        case .failed(let refusal):
            occasions.note(.pairingRefused)
            trace.line(now, .watch(watch), "pairing refused: \(refusal.text)")
            become(watch, .idle)
        case .none: break
        }
        if watches[watch].client != nil { setWatchTimer(watch) }
    }

    /// Ends a watch's process and starts the one of its new role.
    mutating func become(_ watch: Int, _ role: SimulatedWatch.Role) {
        let downtime = watches[watch].draws.duration(.life, watches[watch].life, upTo: .milliseconds(20))
        crashWatch(watch, downtime: downtime)
        watches[watch].role = role
        if !watches[watch].isRunning { queue.push(.startWatch(watch), at: now.advanced(by: .milliseconds(30))) }
    }
}
