import SyncCore

extension World {
    mutating func startHub() {
        guard hub.engine == nil else { return }
        hub.start(hubConfiguration, flaws: mutant?.flaws ?? [], now: now)
        trace.line(now, .hub, "starts life \(hub.life) at revision \(hub.disk.durable.version.revision)")
        trace.mix(1)
        checks.hubStarted(hub.disk.told)
        drainHub()
        for register in application.newestRegisters {
            stepHub(.publish(register))
        }
    }

    mutating func crashHub() {
        guard hub.engine != nil else { return }
        occasions.note(.hubCrashed)
        trace.line(now, .hub, "crashes")
        noteHubLife()
        if hub.disk.durable.version != hub.disk.told.version { occasions.note(.hubStoredUntold) }
        if hub.crash(now: now) > 0 { occasions.note(.hubLostUnstored) }
        for connection in network.connections.indices where network[connection].hubLife == hub.life {
            network[connection].isOpenAtHub = false
            guard network[connection].isOpenAtWatch else { continue }
            // Most watches hear of it at once; some keep a connection to nobody until their transport gives up.
            let notice = hub.draws.duration(upTo: hub.draws.chance(0.8) ? .milliseconds(20) : .seconds(8))
            queue.push(
                .hangUp(watch: network[connection].watch, connection: connection), at: now.advanced(by: notice))
        }
        let downtime = isCalm ? .zero : hub.draws.shortDuration(upTo: options.downtimeLongest)
        queue.push(.startHub, at: now.advanced(by: downtime + .milliseconds(1)))
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
        for connection in lost {
            occasions.note(.connectionUnroutable)
            stepHub(.unroutable(connection))
        }
    }

    private mutating func carryOut(_ output: HubEngine.Output, lost: inout [ConnectionID]) {
        switch output {
        case .send(let frame, let name):
            let connection = SimulatedNetwork.connection(name)
            noteSending(frame, on: connection)
            fail(checks.hubSends(frame, to: network[connection].peer))
            if network[connection].hubLife == hub.life, network[connection].isOpenAtHub {
                transmit(frame, connection: connection, isToHub: false)
            } else if !lost.contains(name) {
                lost.append(name)
            }
        case .persist(let transaction): persist(transaction)
        case .admit(let keys):
            hub.admitted = Set(keys)
            trace.mix(UInt64(keys.count))
            fail(checks.admits(keys, wallMilliseconds: hub.clock.moment(at: now).wallMilliseconds))
        case .answer(let request, let answer): answered(request, answer)
        case .event(let event): noteEvent(event)
        }
    }

    private mutating func setHubTimer() {
        guard let deadline = hub.engine?.nextDeadline else { return }
        let due = max(hub.clock.virtual(deadline), now.advanced(by: .microseconds(1)))
        if let timer = hub.timer, timer.at <= due { return }
        hub.lastTimerNumber += 1
        let late = hub.draws.duration(upTo: .milliseconds(2))
        hub.timer = (due, hub.lastTimerNumber)
        queue.push(.hubTimer(life: hub.life, number: hub.lastTimerNumber), at: due.advanced(by: late))
    }

    mutating func hubTimer(life: Int, number: Int) {
        guard life == hub.life, let timer = hub.timer, timer.number == number else { return }
        hub.timer = nil
        stepHub(.timeReached)
    }

    // MARK: - The hub's disk

    private mutating func persist(_ transaction: Transaction) {
        trace.mix(transaction.after)
        fail(checks.stamps(transaction))
        let (number, done, isSlow) = hub.disk.write(transaction, now: now, options: options)
        if isSlow { occasions.note(.hubStoreSlow) }
        queue.push(.hubDisk(life: hub.life, number: number), at: done)
        if mutant == .hubAnswersEarly {
            queue.push(.hubStored(life: hub.life, transaction, isKept: true), at: now)
        }
    }

    mutating func hubDiskFinished(life: Int, number: Int) {
        guard life == hub.life, let job = hub.disk.finish(number) else { return }
        if job.fails {
            occasions.note(.hubStoreFailed)
        } else {
            fail(checks.becameDurable(hub.disk.durable, schema: hubConfiguration.schema))
            let backup = SimulatedHub.Backup(state: hub.disk.durable, history: checks.versions.history)
            hub.backups = (hub.backups + [backup]).suffix(SimulatedHub.backupCountMax)
        }
        guard mutant != .hubAnswersEarly else { return }
        let notice = hub.draws.duration(upTo: .milliseconds(3))
        queue.push(
            .hubStored(life: life, job.record, isKept: !job.fails), at: now.advanced(by: notice))
    }

    mutating func hubStored(life: Int, _ transaction: Transaction, isKept: Bool) {
        guard life == hub.life, hub.engine != nil else { return }
        guard isKept else { return stepHub(.persistFailed(transaction, reason: "the disk is full")) }
        hub.disk.tell(transaction)
        checks.hubLearned(hub.disk.told)
        stepHub(.persisted(transaction))
    }
}
