import SyncCore

/// Everything that exists in one run.
///
/// The loop takes what is due next, in virtual time; the engines' outputs put more into the queue. The files beside
/// this one hold the parts: the two kinds of nodes, the connections, the faults, the application, the end.
struct World {
    /// Something that is due.
    enum Event {
        case message(SimulatedNetwork.Message)
        case dial(watch: Int, life: Int, number: Int)
        /// A watch's transport notices that a connection is gone.
        case hangUp(watch: Int, connection: Int)
        /// The hub's transport notices that a connection is gone.
        case forget(connection: Int)
        case hubTimer(life: Int, number: Int)
        case watchTimer(watch: Int, life: Int, number: Int)
        case hubDisk(life: Int, number: Int)
        case watchDisk(watch: Int, life: Int, number: Int)
        /// The hub's engine learns what became of a transaction.
        case hubStored(life: Int, Transaction, isKept: Bool)
        case watchStored(watch: Int, life: Int, WatchEngine.Record, isKept: Bool)
        case startHub
        case startWatch(Int)
        case fault(Int)
        case work(Int)
        /// The checks look at everybody, whether something happens to them or not.
        case probe
        /// The faults end for good.
        case calm
    }

    let seed: UInt64
    let mutant: Mutant?
    /// The options as this seed drew them; those of the calm, after the faults.
    var options: SimulationOptions
    var isCalm = false
    var now = Instant(nanoseconds: 0)
    var queue = EventQueue<Event>()
    var network: SimulatedNetwork
    var hub: SimulatedHub
    var watches: [SimulatedWatch]
    var faults: [RecurringFault]
    var application: Application
    var checks: Checks
    var occasions = OccasionCounts()
    var trace: Trace
    var violation: Violation?
    var stepCount = 0
    var lastProbe = Instant(nanoseconds: 0)
    let hubConfiguration: HubEngine.Configuration

    init(seed: UInt64, options wanted: SimulationOptions, mutant: Mutant?) {
        self.seed = seed
        self.mutant = mutant
        let streams = SplitMix64(seed: seed)
        var swarm = streams.stream(1)
        let drawn = wanted.drawn(using: &swarm)
        options = drawn
        let watchCount = 1 + swarm.below(drawn.watchCountMax)
        let heartbeat = Duration.milliseconds(swarm.pick([200, 500, 1000]))
        hubConfiguration = HubEngine.Configuration(schema: Application.schema, heartbeat: heartbeat)
        network = SimulatedNetwork(watchCount: watchCount, streams: streams.stream(2))
        hub = SimulatedHub(options: drawn, watchCount: watchCount, streams: streams.stream(3))
        watches = (0..<watchCount).map { number in
            SimulatedWatch(number: number, options: drawn, streams: streams.stream(100 + UInt64(number)))
        }
        faults = RecurringFault.all(watchCount: watchCount, streams: streams.stream(4))
        application = Application(options: drawn, streams: streams.stream(5))
        checks = Checks(watchCount: watchCount, heartbeat: heartbeat, options: drawn)
        trace = Trace(keepsLines: drawn.keepsTrace)
    }

    /// Runs to the end or to the first violation.
    mutating func run() -> SimulationReport {
        checks.began(hub.disk.durable, schema: hubConfiguration.schema)
        begin()
        let recovery = runUntilTruth()
        return SimulationReport(
            seed: seed, violation: violation, traceHash: trace.hash, stepCount: stepCount,
            virtualDuration: Instant(nanoseconds: 0).duration(to: now), recovery: recovery, occasions: occasions,
            trace: trace.lines)
    }

    private mutating func begin() {
        startHub()
        for fault in faults.indices { scheduleFault(fault) }
        for work in application.works.indices { scheduleWork(work) }
        for watch in watches.indices {
            let isLate = watches[watch].draws.chance(options.lateStartChance)
            let wait = isLate ? options.chaos / 2 : .milliseconds(50)
            let start = now.advanced(by: watches[watch].draws.duration(upTo: wait))
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
        case .dial(let watch, _, _), .hangUp(let watch, _), .watchTimer(let watch, _, _),
            .watchStored(let watch, _, _, _):
            watches[watch].pausedUntil
        case .forget, .hubDisk, .watchDisk, .startHub, .startWatch, .fault, .probe, .calm: nil
        }
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .message(let message): arrive(message)
        case .dial(let watch, let life, let number): dialed(watch, life: life, number: number)
        case .hangUp(let watch, let connection): hangUp(watch, connection: connection)
        case .forget(let connection): network[connection].isOpenAtHub = false
        case .hubTimer(let life, let number): hubTimer(life: life, number: number)
        case .watchTimer(let watch, let life, let number): watchTimer(watch, life: life, number: number)
        case .hubDisk(let life, let number): hubDiskFinished(life: life, number: number)
        case .watchDisk(let watch, let life, let number): watchDiskFinished(watch, life: life, number: number)
        case .hubStored(let life, let transaction, let isKept):
            hubStored(life: life, transaction, isKept: isKept)
        case .watchStored(let watch, let life, let record, let isKept):
            watchStored(watch, life: life, record, isKept: isKept)
        case .startHub: startHub()
        case .startWatch(let watch): startWatch(watch)
        case .fault(let fault): strike(fault)
        case .work(let work): takeTurn(work)
        case .probe: probe()
        case .calm: calmDown()
        }
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
