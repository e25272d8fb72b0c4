import SyncCore

extension World {
    /// The body of a credit that names nothing as missing.
    private static let creditOfAll = Array(#"{"missing":[]}"#.utf8)

    mutating func startWatch(_ watch: Int) {
        guard !watches[watch].isRunning, watches[watch].role != .idle else { return }
        watches[watch].start(flaws: mutant?.flaws ?? [])
        trace.line(now, .watch(watch), "starts life \(watches[watch].life) as \(watches[watch].role)")
        trace.mix(2)
        if watches[watch].engine != nil {
            fail(checks.watchStarted(watch, with: watches[watch].disk.durable))
        }
        dial(watch, after: .zero)
    }

    /// Ends a watch's process; gives the longest time until it should start again.
    mutating func crashWatch(_ watch: Int, downtime: Duration) {
        guard watches[watch].isRunning else { return }
        trace.line(now, .watch(watch), "ends life \(watches[watch].life)")
        if let connection = watches[watch].connection { leave(connection) }
        if watches[watch].crash(now: now) > 0 { occasions.note(.watchLostUnstored) }
        queue.push(.startWatch(watch), at: now.advanced(by: downtime + .milliseconds(1)))
    }

    /// Gives a watch's engine an input and does what it wants.
    mutating func stepWatch(_ watch: Int, _ input: WatchEngine.Input) {
        guard watches[watch].engine != nil, violation == nil else { return }
        stepCount += 1
        trace.mix(UInt64(bitPattern: now.nanoseconds))
        trace.line(now, .watch(watch), "<- \(input.traceText)")
        let moment = watches[watch].clock.moment(at: now)
        watches[watch].engine?.handle(input, at: moment)
        while let output = watches[watch].engine?.nextOutput() {
            trace.line(now, .watch(watch), "   -> \(output.traceText)")
            carryOut(output, of: watch)
        }
        setWatchTimer(watch)
        if let engine = watches[watch].engine {
            fail(checks.bounds(of: engine, watch: watch))
            fail(checks.reachability(watches[watch], link: engine.linkState, now: now))
        }
    }

    private mutating func carryOut(_ output: WatchEngine.Output, of watch: Int) {
        switch output {
        case .send(let frame):
            fail(checks.watchSends(frame, durable: watches[watch].disk.durable))
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
            if let connection = watches[watch].connection { leave(connection) }
            watches[watch].connection = nil
            dial(watch, after: watches[watch].draws.duration(upTo: .milliseconds(200)))
        case .persist(let record): persist(record, of: watch)
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
        let late = watches[watch].draws.duration(upTo: .milliseconds(2))
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
        let (number, done, isSlow) = watches[watch].disk.write(record, now: now, options: options)
        if isSlow { occasions.note(.watchStoreSlow) }
        let life = watches[watch].life
        queue.push(.watchDisk(watch: watch, life: life, number: number), at: done)
        if mutant == .watchAcknowledgesEarly {
            queue.push(.watchStored(watch: watch, life: life, record, isKept: true), at: now)
        }
    }

    mutating func watchDiskFinished(_ watch: Int, life: Int, number: Int) {
        guard life == watches[watch].life, let job = watches[watch].disk.finish(number) else { return }
        if job.fails { occasions.note(.watchStoreFailed) }
        fail(checks.watchStored(watch, watches[watch].disk.durable))
        guard mutant != .watchAcknowledgesEarly else { return }
        let notice = watches[watch].draws.duration(upTo: .milliseconds(3))
        queue.push(
            .watchStored(watch: watch, life: life, job.record, isKept: !job.fails), at: now.advanced(by: notice))
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
        crashWatch(watch, downtime: watches[watch].draws.duration(upTo: .milliseconds(20)))
        watches[watch].role = role
        if !watches[watch].isRunning { queue.push(.startWatch(watch), at: now.advanced(by: .milliseconds(30))) }
    }
}
