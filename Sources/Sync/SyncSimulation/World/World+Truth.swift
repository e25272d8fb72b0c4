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
            if let difference = sleeper ?? convergence.difference() {
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
        fail(convergence.finding())
        return calm.duration(to: first)
    }

    /// Who stands still, nil if nobody does: what such a process shows may have passed long ago.
    private var sleeper: String? {
        if world.pausedUntil(.hub) > now { return "the hub stands still" }
        return watches.indices.first { world.pausedUntil(.watch($0)) > now }.map { "watch \($0) stands still" }
    }

    /// Everybody as the checks see them now.
    private var convergence: ConvergenceChecker {
        ConvergenceChecker(
            hub: world.hub.engine, durable: world.hub.stored, admitted: world.hub.admitted,
            watches: watches.indices.map(seen),
            isCreditForged: isCreditForged, checks: checks)
    }

    private func seen(_ number: Int) -> ConvergenceChecker.Watch {
        let watch = world.watches[number]
        let role: ConvergenceChecker.Watch.Role =
            switch watches[number].role {
            case .idle: .none
            case .pairing(let invitation): .invited(invitation)
            case .paired: .paired
            }
        return ConvergenceChecker.Watch(
            number: number, key: watch.key, role: role, isHostile: number == hostile, engine: watch.engine,
            durable: watch.device.stored)
    }

    /// Whether a watch's uploads wait for a person.
    func isHeldUp(_ engine: WatchEngine) -> Bool {
        ConvergenceChecker.isHeldUp(engine, by: world.hub.stored.ledger)
    }

    /// What waits for a store still, nil if nothing.
    private func unfinished() -> (Violation.Rule, String)? {
        if let number = hub.requests.keys.min() { return (.answers, "request \(number) was never answered") }
        if let number = checks.messages.overdue(now: now) { return (.atMostOnce, "message \(number) has no outcome") }
        for watch in watches.indices where world.watches[watch].engine != nil {
            if !watches[watch].wishes.isEmpty { return (.answers, "a wish at watch \(watch) was never answered") }
            let sides = [Side(watch: watch, isHub: false), Side(watch: watch, isHub: true)]
            for side in sides where watch != hostile && !openRequests[side.index].isEmpty {
                return (.answers, "a request at \(side.name) was never answered")
            }
            if let unstored = ConvergenceChecker.unstored(seen(watch)) { return (unstored.rule, unstored.text) }
        }
        return nil
    }

    /// The watches that the hub calls linked.
    private var linkedAtHub: Set<PeerKey> {
        Set(world.hub.engine?.watches.filter(\.isLinked).map(\.watch.key) ?? [])
    }

    private func overdueBytes(_ side: Side) -> Checks.Finding? {
        checks.parts.overdue(side, files: world.files[side], awake: awake(side), now: now)
    }

    mutating func probe() {
        for watch in watches.indices where world.pausedUntil(.watch(watch)) < now && watch != hostile {
            guard let engine = world.watches[watch].engine else { continue }
            fail(checks.reachability.finding(watch, link: engine.linkState, now: now))
            fail(overdueBytes(Side(watch: watch, isHub: false)))
        }
        if world.pausedUntil(.hub) < now {
            let linked = linkedAtHub
            for watch in watches.indices where watch != hostile && world.hub.engine != nil {
                fail(overdueBytes(Side(watch: watch, isHub: true)))
                guard linked.contains(world.watches[watch].key) else { continue }
                fail(checks.windows.overdue(for: watch, awake: world.pausedUntil(.hub), now: now))
            }
            let partners = watches.indices.filter { $0 != hostile && linked.contains(world.watches[$0].key) }
            // Who has a watch's key can make the hub believe that it hears the watch.
            fail(checks.reachability.finding(linkedAtHub: partners, now: now))
            fail(checks.isolation.finding(linked: linked, awake: world.pausedUntil(.hub), now: now))
        }
        lastProbe = now
        world.plan(.probe, at: now.advanced(by: Checks.probeInterval))
    }
}
