import SyncCore

/// Everything that exists in one run.
///
/// The loop takes what is due next, in virtual time; the engines' outputs put more into the queue. The files beside
/// this one hold the parts: the two kinds of nodes, the connections, the faults, the application, the end.
struct World {
    let schedule: Schedule
    /// The devices, and all that lies between them.
    var world: VirtualWorld<DrawnConditions>
    /// What is kept of each device besides.
    var hub: SimulatedHub
    var watches: [SimulatedWatch]
    /// Whether the hub is ever put back to a copy of its store, so that copies are worth keeping.
    let keepsBackups: Bool
    /// Whether a watch is ever put back, so that copies are worth keeping.
    let keepsWatchBackups: Bool
    var isCalm = false
    /// By connection, what the hub has sent on it, to count what it sends again.
    var sentContents: [Int: SentContent] = [:]
    var faults: [RecurringFault]
    var application: Application
    var checks: Checks
    var occasions = CoverageCounts()
    var trace: Trace
    var violation: Violation?
    var stepCount = 0
    var lastProbe = Instant(nanoseconds: 0)
    let transferConfiguration: TransferConfiguration
    /// The watch whose key somebody uses to forge frames, nil if nobody does.
    let hostile: Int?
    /// Whether one of these acknowledges registers, which then may never have reached the watch.
    var isCreditForged = false
    /// By side: the reactions so far, and the requests that were not answered yet.
    var lastReaction: [Int]
    var openRequests: [Set<UInt64>]
    /// The frames that a side has sent, or that have come to one undamaged, if they are kept.
    private(set) var frames: [PassingFrame] = []
    var keepsFrames = false
    /// Whether an engine starts just now: then it tells again what its application did not take.
    var isStarting = false
    /// The hub's sides whose session has just ended.
    var endedSessions: [Side] = []
    /// What is asked for when the faults have ended.
    var encore: QuietPhase
    /// Whether a damaged message has just arrived and was not dropped yet.
    var expectsDamage = false
    /// What the watch that is given an input showed of its own before.
    var shown: [(key: CellKey, cell: VisibleCell)] = []
    /// The bytes that the hub had read before the message that it is given.
    var readBefore = 0
    /// Whether the hub has just learned of a transaction, which may have unpaired a watch.
    var hasHubLearned = false

    init(schedule: Schedule, keepsRecord: Bool = false) {
        self.schedule = schedule
        let streams = SplitMix64(seed: schedule.seed)
        let drawn = schedule.options.drawn(using: streams.stream(6))
        keepsBackups = drawn.hubCrashRate > 0 && drawn.rollbackChance > 0
        var swarm = streams.stream(1)
        let drawnCount = 1 + swarm.below(drawn.watchCountMax)
        let watchCount = schedule.watchCount ?? drawnCount
        let heartbeat = Duration.milliseconds(swarm.pick([200, 500, 1000]))
        let isWide = Application.isWide(options: drawn, streams: streams.stream(7))
        let transfers = Application.transfers(using: &swarm, isWide: isWide)
        transferConfiguration = transfers
        let configuration = HubEngine.Configuration(
            app: "simulation", schema: Application.schema, heartbeat: heartbeat, transfers: transfers,
            objection: Application.objection)
        keepsWatchBackups = drawn.watchCrashRate > 0 && drawn.watchRollbackChance > 0
        // Who has one watch's key can hurt that watch; so there has to be another one.
        hostile = drawn.forgeryRate > 0 && watchCount > 1 ? swarm.below(watchCount) : nil
        lastReaction = Array(repeating: 0, count: 2 * watchCount)
        openRequests = Array(repeating: [], count: 2 * watchCount)
        let watchStreams = (0..<watchCount).map { streams.stream(100 + UInt64($0)) }
        let conditions = DrawnConditions(
            options: drawn, lots: OccurrenceFilter(selection: schedule.selection, keepsRecord: keepsRecord),
            watchCount: watchCount, hub: streams.stream(3), watches: watchStreams, network: streams.stream(2))
        world = VirtualWorld(
            conditions: conditions, configuration: configuration,
            hub: VirtualDevice(options: drawn, streams: streams.stream(3)),
            network: VirtualNetwork(spacing: .microseconds(1)))
        for (number, streams) in watchStreams.enumerated() {
            world.add(VirtualWatch(number: number, options: drawn, transfers: transfers, streams: streams))
        }
        hub = SimulatedHub(ledger: world.hub.stored.ledger)
        watches = world.watches.map { SimulatedWatch(fence: $0.device.stored.replica.fence) }
        faults = RecurringFault.all(watchCount: watchCount, streams: streams.stream(4))
        application = Application(
            options: drawn, isWide: isWide, sideCount: 2 * watchCount, streams: streams.stream(5))
        checks = Checks(
            watchCount: watchCount, heartbeat: heartbeat, options: drawn,
            urgentPerDay: transfers.exchange.urgentPerDay)
        encore = QuietPhase(draws: streams.stream(8))
        trace = Trace(keepsLines: drawn.keepsTrace)
    }

    var now: Instant { world.now }
    var options: SimulationOptions { world.conditions.options }

    /// Whether something that was drawn comes to pass.
    mutating func passes(_ kind: Occurrence.Kind, watch: Int? = nil, number: Int) -> Bool {
        world.conditions.lots.pass(kind, watch: watch, number: number)
    }

    /// Runs to the end or to the first violation.
    mutating func run() -> SimulationReport {
        checks.began(world.hub.stored.ledger, schema: Application.schema)
        begin()
        let recovery = runUntilTruth()
        return SimulationReport(
            seed: schedule.seed, violation: violation, traceHash: trace.hash, stepCount: stepCount,
            virtualDuration: Instant(nanoseconds: 0).duration(to: now), recovery: recovery,
            occasions: encore.occasions ?? occasions,
            trace: trace.lines)
    }

    private mutating func begin() {
        startHub()
        for fault in faults.indices { scheduleFault(fault) }
        for work in application.works.indices { scheduleWork(work) }
        for watch in watches.indices {
            var draws = world.conditions.watchDraws[watch][.life, 0]
            let isLate = draws.chance(options.lateStartChance) && passes(.lateStart, watch: watch, number: 1)
            let start = now.advanced(
                by: draws.duration(upTo: isLate ? options.lateStartLongest : .milliseconds(50)))
            if isLate { occasions.note(.watchStartedLate) }
            world.plan(.startWatch(watch), at: start)
        }
        world.plan(.probe, at: now.advanced(by: Checks.probeInterval))
        world.plan(.calm, at: now.advanced(by: options.chaos))
    }

    /// Does the next thing that is due; false if something broke or nothing is left.
    mutating func step() -> Bool {
        guard violation == nil else { return false }
        guard stepCount < options.stepLimit else {
            fail(.progress, "more than \(options.stepLimit) inputs: the engines never come to rest")
            return false
        }
        guard world.step(until: .distantFuture, passes: false) else { return false }
        settle()
        return violation == nil
    }

    /// Lets the world do what is left to be done now, and looks at all of it.
    mutating func settle() {
        while violation == nil, let observation = world.nextObservation() { look(at: observation) }
        guard hasHubLearned else { return }
        hasHubLearned = false
        forgetUnpaired()
    }

    private mutating func look(at observation: VirtualWorld<DrawnConditions>.Observation) {
        switch observation {
        case .hubTakes(let input): hubTakes(input)
        case .watchTakes(let watch, let input): takes(input, at: watch)
        case .hubOutput(let output):
            trace.line(now, .hub, "   -> \(output.traceText)")
            look(at: output)
        case .watchOutput(let watch, let output):
            trace.line(now, .watch(watch), "   -> \(output.traceText)")
            look(at: output, of: watch)
        case .hubRests: hubRests()
        case .watchRests(let watch, let input): rests(watch, after: input)
        case .pairing(let watch, let action): look(at: action, of: watch)
        case .sends(let frame, let message): sends(frame, message)
        case .fate(let fate, let kind, _, let connection): look(at: fate, of: kind, on: connection)
        case .arrives(let message): arrives(message)
        case .arrived(let message): arrived(message)
        case .delays(let message): occasions.note(message.isToHub ? .lateMessageAtHub : .lateMessageAtWatch)
        case .slowWrite(.hub): occasions.note(.hubStoreSlow)
        case .slowWrite(.watch): occasions.note(.watchStoreSlow)
        case .hubWrote(let record, let isKept): hubWrote(record, isKept: isKept)
        case .watchWrote(let watch, let record, let isKept): wrote(record, isKept: isKept, at: watch)
        case .hubStored(let record, let isKept): hubStored(record, isKept: isKept)
        case .fileFails: note(.fileWorkFailed)
        case .connects(let watch, let connection): connects(watch, connection: connection)
        case .handshakeWaits: occasions.note(.handshakeWaited)
        case .handshakeFails(let watch, let failure): handshakeFails(failure, of: watch)
        case .socketDenied: occasions.note(.socketShortage)
        case .hangsUp(let watch, _):
            // For long enough to see what becomes of the bytes of files that have arrived.
            guard encore.stage == .newSessions else { return }
            let until = now.advanced(by: .seconds(1))
            world.changeLink(of: watch) { $0.silence(toHub: true, toWatch: true, until: until) }
        case .due(let plan): carryOut(plan)
        case .alarm, .lostPower: break
        }
    }

    private mutating func carryOut(_ plan: DrawnConditions.Plan) {
        switch plan {
        case .reaction(let side, let run, let reaction): react(reaction, of: side, run: run)
        case .startHub: startHub()
        case .startWatch(let watch): startWatch(watch)
        case .fault(let fault): strike(fault)
        case .work(let work): takeTurn(work)
        case .probe: probe()
        case .calm: calmDown()
        }
    }

    /// Keeps a frame, if frames are kept.
    mutating func keep(_ frame: Frame, at side: Side, isSent: Bool) {
        guard keepsFrames else { return }
        frames.append(PassingFrame(frame: frame, side: side, isSent: isSent, time: now))
    }

    // MARK: - Words

    mutating func fail(_ rule: Violation.Rule, _ text: String) {
        guard violation == nil else { return }
        violation = Violation(rule: rule, text: text, time: now)
        trace.line(now, .checks, "\(rule.rawValue): \(text)")
    }

    /// Takes over what a check found.
    mutating func fail(_ finding: Checks.Finding?) {
        guard let finding else { return }
        fail(finding.rule, finding.text)
    }
}
