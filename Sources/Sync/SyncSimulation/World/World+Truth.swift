import SyncCore

/// The end of a run: whether the watches hold the truth once the faults are over.
extension World {
    /// Runs to the end; gives the time that the watches took to hold the truth, nil if something broke before.
    mutating func runUntilTruth() -> Duration? {
        let calm = Instant(nanoseconds: 0).advanced(by: options.chaos)
        var limit = calm.advanced(by: options.recoveryLimit)
        var recovered: Instant?
        var first: Instant?
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
            guard since.advanced(by: calmness) < now else { continue }
            if let (rule, text) = unfinished() ?? missingInEncore() {
                if now >= limit { fail(rule, text) }
                continue
            }
            if first == nil { noteHubLife() }
            first = first ?? since
            guard nextStage() else { break }
            recovered = nil
            limit = now.advanced(by: options.recoveryLimit)
        }
        guard violation == nil, let first else { return nil }
        finish()
        return calm.duration(to: first)
    }

    /// What a watch that has to hold the truth lacks, nil if nothing.
    private func difference() -> String? {
        guard let engine = hub.engine else { return "the hub does not run" }
        let truth = hub.disk.durable.ledger.version
        guard engine.version == truth else { return "the hub is not at the version of its store" }
        let linked = linkedAtHub
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
                // A greeting that comes late opens another session, of which the watch hears nothing before its own
                // falls silent.
                guard linked.contains(watch.key) else { return "the hub hears nothing of watch \(watch.number)" }
                guard held.snapshot?.version == truth else {
                    let version = held.snapshot?.version.traceText ?? "nothing"
                    return "watch \(watch.number) holds \(version), the hub \(truth.traceText)"
                }
                if let waits = waiting(watch, held) { return waits }
                if watch.number == hostile, isCreditForged { continue }
                for register in checks.registers.newest.values where held.registers[register.key]?.register != register
                {
                    let order = held.registers[register.key]?.register.order ?? 0
                    return "watch \(watch.number) holds \(register.key) #\(order), not #\(register.order)"
                }
            }
        }
        return nil
    }

    /// Whether a watch's uploads wait for a person, who has to settle conflicts: the watch was told, and it is so.
    func isHeldUp(_ engine: WatchEngine) -> Bool {
        let leastFull = Conflict.countMax / 2 - Edit.changeCountMax
        return engine.uploadObstacle != nil && hub.disk.durable.ledger.conflicts.count > leastFull
    }

    /// What waits between the hub and a watch still, nil if nothing.
    private func waiting(_ watch: SimulatedWatch, _ engine: WatchEngine) -> String? {
        guard watch.number != hostile else { return nil }
        let name = "watch \(watch.number)"
        if !engine.replica.pending.isEmpty, !isHeldUp(engine) {
            return "\(engine.replica.pending.count) edits wait at \(name)"
        }
        for side in [Side(watch: watch.number, isHub: false), Side(watch: watch.number, isHub: true)] {
            let held = side.isHub ? hub.engine?.transfers(with: watch.key) : engine.transferState
            guard let held else { return "the hub has no transfers with \(name)" }
            let items = held.exchange.outboxes.urgent.items.count + held.exchange.outboxes.ordinary.items.count
            if items > 0 { return "\(items) items wait at \(side.name)" }
            if !held.exchange.inbox.items.isEmpty { return "items wait for the application of \(side.name)" }
            if !held.files.queue.isEmpty { return "\(held.files.queue.count) files wait at \(side.name)" }
            if !held.files.received.isEmpty || !held.files.results.isEmpty {
                return "files wait for the application of \(side.name)"
            }
        }
        return nil
    }

    /// What waits for a store still, nil if nothing.
    private func unfinished() -> (Violation.Rule, String)? {
        if let number = hub.requests.keys.min() { return (.answers, "request \(number) was never answered") }
        if let number = checks.messages.overdue(now: now) { return (.atMostOnce, "message \(number) has no outcome") }
        for watch in watches {
            guard let engine = watch.engine else { continue }
            if !watch.wishes.isEmpty { return (.answers, "a wish at watch \(watch.number) was never answered") }
            let sides = [Side(watch: watch.number, isHub: false), Side(watch: watch.number, isHub: true)]
            for side in sides where watch.number != hostile && !openRequests[side.index].isEmpty {
                return (.answers, "a request at \(side.name) was never answered")
            }
            guard engine.replica == watch.disk.durable.replica, engine.registers == watch.disk.durable.registers
            else { return (.durabilityOrder, "watch \(watch.number) shows what its store does not hold") }
        }
        return nil
    }

    private func shows(_ engine: WatchEngine, _ truth: Snapshot) -> Bool {
        engine.view.keys == truth.cells.keys
            && engine.view.pairs.allSatisfy { truth.cells[$0.key]?.dot == $0.value.dot }
    }

    /// What must be so when all is quiet.
    private mutating func finish() {
        let ledger = hub.disk.durable.ledger
        let truth = VersionChecker.projection(of: ledger, schema: Application.schema)
        for watch in watches {
            guard let engine = watch.engine, checks.isPaired(watch.key) else { continue }
            guard engine.snapshot?.contents == truth.contents else {
                return fail(.convergence, "watch \(watch.number) holds other bytes than the hub")
            }
            guard watch.number != hostile else { continue }
            guard isHeldUp(engine) || shows(engine, truth) else {
                return fail(.convergence, "watch \(watch.number) shows something else than its snapshot")
            }
            for isHub in [false, true] {
                let side = Side(watch: watch.number, isHub: isHub)
                fail(checks.arrivals.missing(from: side))
                let told = isHub ? hub.engine?.transfers(with: watch.key) : engine.transferState
                if told != durableTransfers(side) {
                    fail(.durabilityOrder, "the records of \(side.name) add up to something else than its state")
                }
            }
        }
        // Who waits to be paired anew does not speak with the key of before, though a hub that was put back knows it.
        let paired = watches.filter { checks.isPaired($0.key) && $0.role == .paired }.map(\.number)
        if let lost = checks.edits.lost(in: ledger, watches: watches.map(\.disk.durable.replica), paired: paired) {
            fail(.noSilentLoss, lost)
        }
    }

    /// The watches that the hub calls linked.
    private var linkedAtHub: Set<PeerKey> {
        Set(hub.engine?.watches.filter(\.isLinked).map(\.watch.key) ?? [])
    }

    private func overdueBytes(_ side: Side) -> Checks.Finding? {
        checks.parts.overdue(side, files: files[side.index], awake: awake(side), now: now)
    }

    mutating func probe() {
        for watch in watches where watch.pausedUntil < now && watch.number != hostile {
            guard let engine = watch.engine else { continue }
            fail(checks.reachability.finding(watch.number, link: engine.linkState, now: now))
            fail(overdueBytes(Side(watch: watch.number, isHub: false)))
        }
        if hub.pausedUntil < now {
            let linked = linkedAtHub
            for watch in watches where watch.number != hostile && hub.engine != nil {
                fail(overdueBytes(Side(watch: watch.number, isHub: true)))
                guard linked.contains(watch.key) else { continue }
                fail(checks.windows.overdue(for: watch.number, awake: hub.pausedUntil, now: now))
            }
            let partners = watches.filter { $0.number != hostile && linked.contains($0.key) }.map(\.number)
            // Who has a watch's key can make the hub believe that it hears the watch.
            fail(checks.reachability.finding(linkedAtHub: partners, now: now))
            fail(checks.isolation.finding(linked: linked, awake: hub.pausedUntil, now: now))
        }
        lastProbe = now
        queue.push(.probe, at: now.advanced(by: Checks.probeInterval))
    }
}
