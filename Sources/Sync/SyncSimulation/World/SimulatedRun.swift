import SyncCore

/// One run of the simulation: it plans faults and work, and runs until all devices have converged or something broke.
struct SimulatedRun {
    private let schedule: Schedule
    private(set) var checked: CheckedWorld
    private var faults: FaultInjector
    private var workload: Workload
    private var quiet: QuietPhase
    private var lastProbe = Instant(nanoseconds: 0)
    /// What was counted before the quiet phase.
    private var marksOfFaults: CoverageCounts?

    init(schedule: Schedule, keepsRecord: Bool = false) {
        self.schedule = schedule
        let streams = SplitMix64(seed: schedule.seed)
        let drawn = schedule.options.drawn(using: streams.stream(6))
        var swarm = streams.stream(1)
        let drawnCount = 1 + swarm.below(drawn.watchCountMax)
        let watchCount = schedule.watchCount ?? drawnCount
        let heartbeat = Duration.milliseconds(swarm.pick([200, 500, 1000]))
        let isWide = Application.isWide(options: drawn, streams: streams.stream(7))
        let transfers = Application.transfers(using: &swarm, isWide: isWide)
        let configuration = HubEngine.Configuration(
            app: "simulation", schema: Application.schema, heartbeat: heartbeat, transfers: transfers,
            objection: Application.objection)
        // A forger who has one watch's key can harm that watch; so there has to be another one.
        let hostile = drawn.forgeryRate > 0 && watchCount > 1 ? swarm.below(watchCount) : nil
        let watchStreams = (0..<watchCount).map { streams.stream(100 + UInt64($0)) }
        let conditions = DrawnConditions(
            options: drawn, lots: OccurrenceFilter(selection: schedule.selection, keepsRecord: keepsRecord),
            watchCount: watchCount, hub: streams.stream(3), watches: watchStreams, network: streams.stream(2))
        var world = VirtualWorld(
            conditions: conditions, configuration: configuration,
            hub: VirtualDevice(options: drawn, streams: streams.stream(3)),
            network: VirtualNetwork(spacing: .microseconds(1)))
        for (number, streams) in watchStreams.enumerated() {
            world.add(VirtualWatch(number: number, options: drawn, transfers: transfers, streams: streams))
        }
        let keepsWatchBackups = drawn.watchCrashRate > 0 && drawn.watchRollbackChance > 0
        let checks = Checks(
            watchCount: watchCount, heartbeat: heartbeat, options: drawn,
            urgentPerDay: transfers.exchange.urgentPerDay)
        checked = CheckedWorld(
            world: world, record: RunRecord(checks: checks, keepsTrace: drawn.keepsTrace, hostile: hostile),
            application: Application(options: drawn, isWide: isWide, streams: streams.stream(5)),
            hub: SimulatedHub(
                ledger: world.hub.stored.ledger, keepsBackups: drawn.hubCrashRate > 0 && drawn.rollbackChance > 0),
            watches: world.watches.enumerated().map { number, watch in
                SimulatedWatch(
                    number: number, fence: watch.device.stored.replica.fence, keepsBackups: keepsWatchBackups)
            },
            transfers: SimulatedTransfers(configuration: transfers, watchCount: watchCount))
        faults = FaultInjector(watchCount: watchCount, streams: streams.stream(4))
        workload = Workload(streams: streams.stream(5))
        quiet = QuietPhase(draws: streams.stream(8))
    }

    private var now: Instant { checked.now }
    var violation: Violation? { checked.record.violation }
    /// The frames that sides sent or received undamaged, if they are kept.
    var frames: [PassingFrame] { checked.frames.frames }
    /// The drawn occurrences that happened, if they are kept.
    var passed: [Occurrence] { checked.world.conditions.lots.passed }

    /// Keeps the frames from now on, and lets all watches accept this many registers at a time.
    mutating func keepFrames(window: UInt32) {
        checked.frames.keepsFrames = true
        for watch in checked.watches.indices { checked.world.configure(watch) { $0.window = window } }
    }

    /// Allows this many more inputs of engines after the run has ended because of too many of them.
    mutating func allow(moreSteps count: Int) {
        checked.record.violation = nil
        checked.world.conditions.options.stepLimit += count
    }

    // MARK: - The run

    /// Runs to the end or to the first violation.
    mutating func run() -> SimulationReport {
        checked.record.checks.began(checked.world.hub.stored.ledger, schema: Application.schema)
        begin()
        let recovery = runUntilTruth()
        return SimulationReport(
            seed: schedule.seed, violation: violation, traceHash: checked.record.trace.hash,
            stepCount: checked.record.stepCount, virtualDuration: Instant(nanoseconds: 0).duration(to: now),
            recovery: recovery, occasions: marksOfFaults ?? checked.record.marks, trace: checked.record.trace.lines)
    }

    private mutating func begin() {
        let options = checked.options
        checked.startHub()
        faults.begin(&checked)
        workload.begin(&checked)
        for watch in checked.watches.indices {
            var draws = checked.world.conditions.watchDraws[watch][.process, 0]
            let isLate = draws.chance(options.lateStartChance) && checked.passes(.lateStart, watch: watch, number: 1)
            let start = now.advanced(
                by: draws.duration(upTo: isLate ? options.lateStartLongest : .milliseconds(50)))
            if isLate { checked.record.count(.watchStartedLate) }
            checked.world.plan(.startWatch(watch), at: start)
        }
        checked.world.plan(.probe, at: now.advanced(by: Checks.probeInterval))
        checked.world.plan(.faultsEnd, at: now.advanced(by: options.chaos))
    }

    /// Does the next thing that is due; false if something broke or nothing is left.
    mutating func step() -> Bool {
        guard violation == nil else { return false }
        let limit = checked.options.stepLimit
        guard checked.record.stepCount < limit else {
            checked.record.fail(.progress, "more than \(limit) inputs: the engines never come to rest")
            return false
        }
        guard checked.step() else { return false }
        if let plan = checked.takeDue() {
            carryOut(plan)
            checked.settle()
        }
        return violation == nil
    }

    private mutating func carryOut(_ plan: DrawnConditions.Plan) {
        switch plan {
        case .reaction(let side, let run, let reaction): checked.react(reaction, at: side, run: run)
        case .startHub: checked.startHub()
        case .startWatch(let watch): checked.startWatch(watch)
        case .fault(let fault): faults.strike(fault, &checked)
        case .work(let work): workload.takeTurn(work, &checked)
        case .probe: probe()
        case .faultsEnd: endFaults()
        }
    }

    /// The faults end, and all processes run.
    private mutating func endFaults() {
        checked.endFaults()
        checked.record.line(.world, "is calm from now on")
        for watch in checked.watches.indices {
            checked.world.changeLink(of: watch) { $0.heal() }
            checked.startWatch(watch)
        }
        checked.startHub()
    }

    /// The checks look at all devices, whether something happens to them or not.
    private mutating func probe() {
        let (hostile, watches) = (checked.record.hostile, checked.watches.indices)
        for watch in watches where checked.world.pausedUntil(.watch(watch)) < now && watch != hostile {
            guard let engine = checked.world.watches[watch].engine else { continue }
            checked.record.fail(
                checked.record.checks.reachability.finding(watch, link: engine.linkState, now: now))
            checked.record.fail(overdueBytes(Side(watch: watch, isHub: false)))
        }
        let awake = checked.world.pausedUntil(.hub)
        if awake < now {
            let linked = Set(checked.world.hub.engine?.watches.filter(\.isLinked).map(\.watch.key) ?? [])
            for watch in watches where watch != hostile && checked.world.hub.engine != nil {
                checked.record.fail(overdueBytes(Side(watch: watch, isHub: true)))
                guard linked.contains(checked.world.watches[watch].key) else { continue }
                checked.record.fail(checked.record.checks.windows.overdue(for: watch, awake: awake, now: now))
            }
            let partners = watches.filter { $0 != hostile && linked.contains(checked.world.watches[$0].key) }
            // A forger who has a watch's key can make the hub believe that it receives something from the watch.
            checked.record.fail(checked.record.checks.reachability.finding(linkedAtHub: partners, now: now))
            checked.record.fail(checked.record.checks.isolation.finding(linked: linked, awake: awake, now: now))
        }
        lastProbe = now
        checked.world.plan(.probe, at: now.advanced(by: Checks.probeInterval))
    }

    private func overdueBytes(_ side: Side) -> Checks.Finding? {
        checked.record.checks.parts.overdue(
            side, files: checked.world.files[side], awake: checked.world.pausedUntil(side.device), now: now)
    }

    // MARK: - The end

    /// Runs to the end; returns the time that the watches needed to converge, nil if something broke before.
    private mutating func runUntilTruth() -> Duration? {
        let faultsEnd = Instant(nanoseconds: 0).advanced(by: checked.options.chaos)
        var limit = faultsEnd.advanced(by: checked.options.recoveryLimit)
        var recovered: Instant?
        var first: Instant?
        var looked = faultsEnd
        while step() {
            guard checked.areFaultsOver, looked < lastProbe else { continue }
            looked = lastProbe
            if let difference = sleeper ?? convergence.difference() {
                recovered = nil
                if now >= limit { checked.record.fail(.convergence, difference) }
                continue
            }
            let since = recovered ?? now
            recovered = since
            guard since.advanced(by: restingTime) < now else { continue }
            if let finding = unfinished() ?? missing() {
                if now >= limit { checked.record.fail(finding) }
                continue
            }
            if first == nil { checked.record.noteSuperseded(checked.world.hub.engine) }
            first = first ?? since
            marksOfFaults = marksOfFaults ?? checked.record.marks
            guard quiet.beginNext(&checked) else { break }
            recovered = nil
            limit = now.advanced(by: checked.options.recoveryLimit)
        }
        guard violation == nil, let first else { return nil }
        checked.record.fail(convergence.finding())
        return faultsEnd.duration(to: first)
    }

    /// The time for which nothing may change before a phase ends: longer than after what anything is sent again.
    private var restingTime: Duration {
        switch checked.record.quiet.phase {
        case nil: .seconds(1)
        case .rest: .milliseconds(2500)
        case .pairing, .firstWork, .newSessions, .secondWork, .newLives, .thirdWork: .milliseconds(300)
        }
    }

    /// A suspended process, nil if there is none: what such a process shows may be long out of date.
    private var sleeper: String? {
        if checked.world.pausedUntil(.hub) > now { return "the hub stands still" }
        return checked.watches.indices.first { checked.world.pausedUntil(.watch($0)) > now }
            .map { "watch \($0) stands still" }
    }

    /// All devices as the checks see them now.
    private var convergence: ConvergenceChecker {
        let hub = checked.world.hub
        return ConvergenceChecker(
            hub: hub.engine, durable: hub.stored, admitted: hub.admitted, watches: checked.watches.indices.map(seen),
            isCreditForged: faults.isCreditForged, checks: checked.record.checks)
    }

    private func seen(_ number: Int) -> ConvergenceChecker.Watch {
        let watch = checked.world.watches[number]
        let role: ConvergenceChecker.Watch.Role =
            switch checked.watches[number].role {
            case .idle: .none
            case .pairing(let invitation): .invited(invitation)
            case .paired: .paired
            }
        return ConvergenceChecker.Watch(
            number: number, key: watch.key, role: role, isHostile: number == checked.record.hostile,
            engine: watch.engine, durable: watch.device.stored)
    }

    /// What still waits for a store, nil if nothing.
    private func unfinished() -> Checks.Finding? {
        if let number = checked.hub.unanswered {
            return Checks.Finding(.answers, "request \(number) was never answered")
        }
        if let number = checked.record.checks.messages.overdue(now: now) {
            return Checks.Finding(.atMostOnce, "message \(number) has no outcome")
        }
        for watch in checked.watches.indices where checked.world.watches[watch].engine != nil {
            guard checked.watches[watch].hasAllAnswers else {
                return Checks.Finding(.answers, "a wish at watch \(watch) was never answered")
            }
            let sides = [Side(watch: watch, isHub: false), Side(watch: watch, isHub: true)]
            for side in sides where !checked.record.isHostile(side) && checked.transfers.hasOpenRequests(at: side) {
                return Checks.Finding(.answers, "a request at \(side.name) was never answered")
            }
            if let unstored = ConvergenceChecker.unstored(seen(watch)) { return unstored }
        }
        return nil
    }

    /// What the quiet phase still waits for, nil if nothing.
    private func missing() -> Checks.Finding? {
        let heldUp = Set(checked.watches.indices.filter { checked.world.isHeldUp($0) })
        return checked.record.quiet.missing(
            in: checked.world.hub.stored.ledger, heldUp: heldUp, checked.record.checks.messages)
    }
}
