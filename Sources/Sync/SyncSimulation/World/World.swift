import SyncCore

/// Everything that exists in one run.
///
/// The loop takes what is due next, in virtual time; the engines' outputs put more into the queue. The files beside
/// this one hold the parts: the two kinds of nodes, the connections, the faults, the application, the end.
struct World {
    /// Something that is due.
    enum Event {
        case message(VirtualNetwork.Message)
        case dial(watch: Int, life: Int, number: Int)
        /// The handshake of an attempt to connect, with a process that stood still, comes to its end.
        case handshake(watch: Int, life: Int, number: Int, hubLife: Int)
        /// A watch has waited long enough for another attempt to connect.
        case socketTimer(watch: Int, life: Int, number: Int)
        /// A watch's transport notices that a connection is gone.
        case hangUp(watch: Int, connection: Int)
        /// The hub's transport notices that a connection is gone.
        case forget(connection: Int)
        case hubTimer(life: Int, number: Int)
        case watchTimer(watch: Int, life: Int, number: Int)
        case hubDisk(life: Int, number: Int)
        case watchDisk(watch: Int, life: Int, number: Int)
        /// The hub's engine learns what became of a transaction.
        case hubStored(life: Int, HubRecord, isKept: Bool)
        case watchStored(watch: Int, life: Int, WatchEngine.Record, isKept: Bool)
        /// A side's disk has done something with a file.
        case fileWork(side: Side, life: Int, number: Int)
        /// The application of a side does something about what its engine told it.
        case reaction(side: Side, life: Int, Reaction)
        case startHub
        case startWatch(Int)
        case fault(Int)
        case work(Int)
        /// The checks look at everybody, whether something happens to them or not.
        case probe
        /// The faults end for good.
        case calm
    }

    let schedule: Schedule
    /// Which of the occurrences come to pass.
    var lots: OccurrenceFilter
    /// Whether the hub is ever put back to a copy of its store, so that copies are worth keeping.
    let keepsBackups: Bool
    /// The options as this seed drew them; those of the calm, after the faults.
    var options: SimulationOptions
    var isCalm = false
    var now = Instant(nanoseconds: 0)
    var queue = EventQueue<Event>()
    var network = VirtualNetwork(spacing: .microseconds(1))
    /// By connection, what the hub has sent on it, to count what it sends again.
    var sentContents: [Int: SentContent] = [:]
    var networkFaults: NetworkFaults
    var hub: SimulatedHub
    var watches: [SimulatedWatch]
    var faults: [RecurringFault]
    var application: Application
    var checks: Checks
    var occasions = CoverageCounts()
    var trace: Trace
    var violation: Violation?
    var stepCount = 0
    var lastProbe = Instant(nanoseconds: 0)
    let hubConfiguration: HubEngine.Configuration
    let transferConfiguration: TransferConfiguration
    /// Whether a watch is ever put back, so that copies are worth keeping.
    let keepsWatchBackups: Bool
    /// The watch whose key somebody uses to forge frames, nil if nobody does.
    let hostile: Int?
    /// Whether one of these acknowledges registers, which then may never have reached the watch.
    var isCreditForged = false
    /// By side: its files, what its disk has to do with them, and the requests that were not answered yet.
    var files: [SimulatedFiles]
    var fileWork: [FileWork]
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

    init(schedule: Schedule, keepsRecord: Bool = false) {
        self.schedule = schedule
        lots = OccurrenceFilter(selection: schedule.selection, keepsRecord: keepsRecord)
        let streams = SplitMix64(seed: schedule.seed)
        let drawn = schedule.options.drawn(using: streams.stream(6))
        options = drawn
        keepsBackups = drawn.hubCrashRate > 0 && drawn.rollbackChance > 0
        var swarm = streams.stream(1)
        let drawnCount = 1 + swarm.below(drawn.watchCountMax)
        let watchCount = schedule.watchCount ?? drawnCount
        let heartbeat = Duration.milliseconds(swarm.pick([200, 500, 1000]))
        let isWide = Application.isWide(options: drawn, streams: streams.stream(7))
        transferConfiguration = Application.transfers(using: &swarm, isWide: isWide)
        hubConfiguration = HubEngine.Configuration(
            app: "simulation", schema: Application.schema, heartbeat: heartbeat, transfers: transferConfiguration,
            objection: Application.objection)
        keepsWatchBackups = drawn.watchCrashRate > 0 && drawn.watchRollbackChance > 0
        // Who has one watch's key can hurt that watch; so there has to be another one.
        hostile = drawn.forgeryRate > 0 && watchCount > 1 ? swarm.below(watchCount) : nil
        files = Array(repeating: SimulatedFiles(), count: 2 * watchCount)
        fileWork = Array(repeating: FileWork(), count: 2 * watchCount)
        lastReaction = Array(repeating: 0, count: 2 * watchCount)
        openRequests = Array(repeating: [], count: 2 * watchCount)
        networkFaults = NetworkFaults(watchCount: watchCount, streams: streams.stream(2))
        hub = SimulatedHub(options: drawn, streams: streams.stream(3))
        let transfers = transferConfiguration
        watches = (0..<watchCount).map { number in
            SimulatedWatch(
                number: number, options: drawn, transfers: transfers, streams: streams.stream(100 + UInt64(number)))
        }
        faults = RecurringFault.all(watchCount: watchCount, streams: streams.stream(4))
        application = Application(
            options: drawn, isWide: isWide, sideCount: 2 * watchCount, streams: streams.stream(5))
        checks = Checks(
            watchCount: watchCount, heartbeat: heartbeat, options: drawn,
            urgentPerDay: transferConfiguration.exchange.urgentPerDay)
        encore = QuietPhase(draws: streams.stream(8))
        trace = Trace(keepsLines: drawn.keepsTrace)
    }

    /// Runs to the end or to the first violation.
    mutating func run() -> SimulationReport {
        checks.began(hub.disk.durable.ledger, schema: Application.schema)
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
            var draws = watches[watch].draws[.life, 0]
            let isLate =
                draws.chance(options.lateStartChance) && lots.pass(.lateStart, watch: watch, number: 1)
            let start = now.advanced(
                by: draws.duration(upTo: isLate ? options.lateStartLongest : .milliseconds(50)))
            if isLate { occasions.note(.watchStartedLate) }
            queue.push(.startWatch(watch), at: start)
        }
        queue.push(.probe, at: now.advanced(by: Checks.probeInterval))
        queue.push(.calm, at: now.advanced(by: options.chaos))
    }

    /// Does the next thing that is due; false if something broke or nothing is left.
    mutating func step() -> Bool {
        guard violation == nil else { return false }
        guard stepCount < options.stepLimit else {
            fail(.progress, "more than \(options.stepLimit) inputs: the engines never come to rest")
            return false
        }
        guard let (event, time) = queue.pop() else { return false }
        now = time
        if let wake = wakeTime(of: event), wake > now {
            queue.push(event, at: wake)
            return true
        }
        handle(event)
        return violation == nil
    }

    /// When the process that an event concerns goes on, if it stands still.
    private func wakeTime(of event: Event) -> Instant? {
        switch event {
        case .message(let message):
            message.isToHub ? hub.pausedUntil : watches[network[message.connection].watch].pausedUntil
        case .hubTimer, .hubStored, .work: hub.pausedUntil
        case .fileWork(let side, _, _), .reaction(let side, _, _): awake(side)
        case .dial(let watch, _, _), .handshake(let watch, _, _, _), .socketTimer(let watch, _, _),
            .hangUp(let watch, _), .watchTimer(let watch, _, _), .watchStored(let watch, _, _, _):
            watches[watch].pausedUntil
        case .forget, .hubDisk, .watchDisk, .startHub, .startWatch, .fault, .probe, .calm: nil
        }
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .message(let message): arrive(message)
        case .dial(let watch, let life, let number): dialed(watch, life: life, number: number)
        case .handshake(let watch, let life, let number, let hubLife):
            shakeHands(watch, life: life, number: number, hubLife: hubLife)
        case .socketTimer(let watch, let life, let number): socketTimer(watch, life: life, number: number)
        case .hangUp(let watch, let connection): hangUp(watch, connection: connection)
        case .forget(let connection): network.close(connection)
        case .hubTimer(let life, let number): hubTimer(life: life, number: number)
        case .watchTimer(let watch, let life, let number): watchTimer(watch, life: life, number: number)
        case .hubDisk(let life, let number): hubDiskFinished(life: life, number: number)
        case .watchDisk(let watch, let life, let number): watchDiskFinished(watch, life: life, number: number)
        case .hubStored(let life, let record, let isKept): hubStored(life: life, record, isKept: isKept)
        case .watchStored(let watch, let life, let record, let isKept):
            watchStored(watch, life: life, record, isKept: isKept)
        case .fileWork(let side, let life, let number): fileWorkDone(side, life: life, number: number)
        case .reaction(let side, let life, let reaction): react(reaction, of: side, life: life)
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
