import SyncCore

/// Runs scenarios in virtual time: the real engines on a network, disks and clocks that only exist in memory.
///
/// Nothing is random here but the engines' ids, which follow from a seed: a scenario runs in the same way each time.
/// A message takes 5 ms, and the disk 1 ms. In a `wait` of more than 20 s all devices sleep in its middle, as they do in
/// a drawer: their clocks go on, and nothing happens until they wake.
public struct SimulatedBackend: ScenarioBackend {
    static let messageTime = Duration.milliseconds(5)
    static let diskTime = Duration.milliseconds(1)
    /// The time for something that is asked of a device.
    static let patience = Duration.seconds(60)
    /// The wall clock at the start: 2025-06-01, a day of summer.
    static let firstWallMilliseconds: Int64 = 1_748_764_800_000

    var now = Instant(nanoseconds: 0)
    var generator: SplitMix64
    var hub: VirtualMachine<HubEngine, VirtualHubStore>
    var watches: SortedMap<String, VirtualWatch> = SortedMap()
    /// By the number of a connection, the watch that made it.
    var connections: [Int: String] = [:]
    var lastConnection = 0
    var pairing: (client: PairingClient, connection: Int, key: PeerKey)?
    var hubBackups: [String: VirtualHubStore] = [:]
    var watchBackups: [String: VirtualWatchStore] = [:]
    var outcomes: [String: ScenarioOutcome] = [:]
    var answers: [RequestID: VirtualAnswer] = [:]
    private var lastRequest: UInt64 = 0
    private var events: [(at: Instant, event: VirtualEvent)] = []

    /// What a device answered to a request.
    enum VirtualAnswer {
        case hub(HubEngine.Answer)
        case watch(WatchEngine.Answer)
        case transfer(TransferAnswer)
    }

    /// Creates a stage with a hub that runs.
    ///
    /// - Parameter seed: What ids follow from.
    public init(seed: UInt64 = 1) {
        generator = SplitMix64(seed: seed)
        let ledger = LedgerState(newEpoch: Epoch(number: generator.next()))
        hub = VirtualMachine(stored: VirtualHubStore(ledger: ledger))
        startHub()
    }

    // MARK: - Time

    func moment(_ offset: Int64) -> Moment {
        Moment(
            monotonic: now, wallMilliseconds: Self.firstWallMilliseconds + now.nanoseconds / 1_000_000 + offset)
    }

    mutating func post(_ event: VirtualEvent, after delay: Duration) {
        let at = now.advanced(by: delay)
        let position = events.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0
        events.insert((at, event), at: position)
    }

    mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    /// Lives through a time.
    mutating func advance(by duration: Duration) {
        let end = now.advanced(by: duration)
        while step(until: end) {}
    }

    /// Goes to the next thing that happens, and lets it happen; false if the end comes first.
    mutating func step(until end: Instant) -> Bool {
        let due = (at: events.first?.at, tick: nextTick)
        let next = [due.at, due.tick?.at].compactMap(\.self).min() ?? end
        guard next <= end else {
            now = max(now, end)
            return false
        }
        guard now < end || next < end else { return false }
        now = max(now, next)
        if let at = due.at, at <= now {
            happen(events.removeFirst().event)
        } else if let tick = due.tick {
            tellTime(tick.watch)
        } else {
            return false
        }
        return true
    }

    /// The earliest deadline of an engine; the watch is nil for the hub's.
    private var nextTick: (at: Instant, watch: String?)? {
        var earliest: (at: Instant, watch: String?)?
        if hub.isRunning, let deadline = hub.engine?.nextDeadline { earliest = (max(deadline, hub.nextTick), nil) }
        for (name, watch) in watches.pairs where watch.machine.isRunning {
            guard let deadline = watch.machine.engine?.nextDeadline else { continue }
            let at = max(deadline, watch.machine.nextTick)
            if earliest.map({ at < $0.at }) ?? true { earliest = (at, name) }
        }
        return earliest
    }

    private mutating func tellTime(_ watch: String?) {
        let next = now.advanced(by: .milliseconds(1))
        if let watch {
            stepWatch(watch, .timeReached)
            watches[watch]?.machine.nextTick = next
        } else {
            stepHub(.timeReached)
            hub.nextTick = next
        }
    }

    private mutating func happen(_ event: VirtualEvent) {
        switch event {
        case .hub(_, let life), .hubStores(_, let life), .hubRecords(_, _, let life):
            guard life == hub.life, hub.engine != nil else { return }
            if hub.isStopped { hub.held.append(event) } else { happenAtHub(event) }
        case .watch(let name, _, let life), .watchStores(let name, _, let life), .dial(let name, let life):
            guard let machine = watches[name]?.machine, life == machine.life, machine.engine != nil else { return }
            if machine.isStopped { watches[name]?.machine.held.append(event) } else { happenAtWatch(name, event) }
        case .pairing(let parts):
            if let action = pairing?.client.received(parts) { carryOut(action) }
        }
    }

    private mutating func happenAtHub(_ event: VirtualEvent) {
        switch event {
        case .hub(let input, _): stepHub(input)
        case .hubStores(let transaction, _):
            hub.stored.apply(transaction)
            stepHub(.persisted(transaction))
        case .hubRecords(let peer, let record, _):
            hub.stored.transfers[peer, default: TransferState()].apply(record)
            stepHub(.recorded(peer, record))
        case .watch, .watchStores, .dial, .pairing: break
        }
    }

    private mutating func happenAtWatch(_ name: String, _ event: VirtualEvent) {
        switch event {
        case .watch(_, let input, _): stepWatch(name, input)
        case .watchStores(_, let record, _):
            watches[name]?.machine.stored.apply(record)
            stepWatch(name, .persisted(record))
        case .dial: dial(name)
        case .hub, .hubStores, .hubRecords, .pairing: break
        }
    }

    // MARK: - The stage

    /// Lets at least a millisecond pass, and all that happens in it.
    public mutating func pass(atMost remaining: Duration) -> Duration {
        let start = now
        let end = now.advanced(by: remaining)
        while now < start.advanced(by: .milliseconds(1)), step(until: end) {}
        return start.duration(to: now)
    }

    /// The same: a second of virtual time is a second.
    public func limit(for duration: Duration) -> Duration { duration }

    /// What can be seen of a device now.
    public mutating func sight(of device: String) -> DeviceObservation {
        var sight = DeviceObservation()
        guard device != "hub" else {
            sight.isRunning = hub.isRunning
            hub.application.show(in: &sight)
            guard let engine = hub.engine else { return sight }
            sight.show(engine.version)
            sight.show(engine.cells)
            sight.show(engine.conflicts.values)
            sight.linkedWatches = engine.watches.filter(\.isLinked).map(\.watch.name)
            sight.epochCount = 1 + hub.stored.ledger.lineage.count
            return sight
        }
        guard let watch = watches[device] else { return sight }
        sight.isRunning = watch.machine.isRunning
        watch.machine.application.show(in: &sight)
        guard let engine = watch.machine.engine else { return sight }
        sight.show(engine.snapshot?.version)
        sight.show(engine.view)
        sight.show(engine.snapshot?.conflicts.values ?? [])
        sight.waitingEditCount = engine.pendingEdits.count
        sight.show(engine.linkState)
        if watch.isShutOut { sight.link = "notAdmitted" }
        return sight
    }
}
