import SyncCore

/// The end of a run: whether the watches hold the truth once the faults are over.
extension World {
    /// The time after the truth is reached in which nothing may change any more.
    private static let settling = Duration.seconds(1)

    /// Runs to the end; gives the time that the watches took to hold the truth, nil if something broke before.
    mutating func runUntilTruth() -> Duration? {
        let calm = Instant(nanoseconds: 0).advanced(by: options.chaos)
        let limit = calm.advanced(by: options.recoveryLimit)
        var recovered: Instant?
        var looked = calm
        while step() {
            guard isCalm, looked < lastProbe else { continue }
            looked = lastProbe
            if let difference = difference() {
                recovered = nil
                if now >= limit { fail(.convergence, difference) }
                continue
            }
            let since = recovered ?? now
            recovered = since
            guard since.advanced(by: Self.settling) < now else { continue }
            guard let (rule, text) = unfinished() else { break }
            if now >= limit { fail(rule, text) }
        }
        guard violation == nil, let recovered else { return nil }
        noteHubLife()
        finish()
        return calm.duration(to: recovered)
    }

    /// What a watch that has to hold the truth lacks, nil if nothing.
    private func difference() -> String? {
        guard let engine = hub.engine else { return "the hub does not run" }
        let truth = hub.disk.durable.version
        guard engine.version == truth else { return "the hub is not at the version of its store" }
        for watch in watches {
            switch watch.role {
            case .idle: continue
            case .pairing(let invitation):
                guard hub.admitted.contains(invitation) else { continue }
                return "watch \(watch.number) is not paired yet"
            case .paired:
                guard checks.isPaired(watch.key) else { continue }
                guard let held = watch.engine else { return "watch \(watch.number) does not run" }
                guard held.linkState == .linked else { return "watch \(watch.number) is \(held.linkState)" }
                guard held.snapshot?.version == truth else {
                    let version = held.snapshot?.version.traceText ?? "nothing"
                    return "watch \(watch.number) holds \(version), the hub \(truth.traceText)"
                }
                for register in checks.registers.newest.values where held.registers[register.key]?.register != register
                {
                    let order = held.registers[register.key]?.register.order ?? 0
                    return "watch \(watch.number) holds \(register.key) #\(order), not #\(register.order)"
                }
            }
        }
        return nil
    }

    /// What waits for a store still, nil if nothing.
    private func unfinished() -> (Violation.Rule, String)? {
        if let number = hub.requests.keys.min() { return (.answers, "request \(number) was never answered") }
        for watch in watches {
            guard let engine = watch.engine else { continue }
            guard engine.snapshot == watch.disk.durable.snapshot, engine.registers == watch.disk.durable.registers
            else { return (.durabilityOrder, "watch \(watch.number) shows what its store does not hold") }
        }
        return nil
    }

    /// What must be so when all is quiet.
    private mutating func finish() {
        let truth = VersionBook.projection(of: hub.disk.durable, schema: hubConfiguration.schema).encoded
        for watch in watches {
            guard let engine = watch.engine, checks.isPaired(watch.key), engine.snapshot?.encoded != truth else {
                continue
            }
            return fail(.convergence, "watch \(watch.number) holds other bytes than the hub")
        }
    }

    mutating func probe() {
        for watch in watches where watch.pausedUntil < now {
            guard let engine = watch.engine else { continue }
            fail(checks.reachability(watch, link: engine.linkState, now: now))
        }
        if hub.pausedUntil < now { fail(checks.reachability(hub, watches: watches, now: now)) }
        lastProbe = now
        queue.push(.probe, at: now.advanced(by: Checks.probeInterval))
    }
}
