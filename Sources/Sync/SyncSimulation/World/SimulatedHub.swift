import SyncCore

/// The phone of a run: its process, while it runs, and what outlives it.
struct SimulatedHub {
    /// The engine of this life, nil while the process does not run.
    var engine: HubEngine?
    private(set) var life = 0
    var disk: SimulatedDisk<HubMemory>
    let diskFaults: DiskFaults
    var clock: SimulatedClock
    /// The randomness of this node: the seeds of its lives, and the delays around it.
    let draws: NodeDraws
    var pausedUntil = Instant(nanoseconds: 0)
    /// The timer that is set, if any.
    var timer: (at: Instant, number: Int)?
    var lastTimerNumber = 0
    /// The keys that the transport lets in.
    var admitted: Set<PeerKey> = []
    /// A crash that waits for the next transaction to become durable.
    var crashAtNextStore: HubCrash?
    /// The requests that wait for an answer since the start, with the version that they expect.
    var requests: [UInt64: Version?] = [:]
    /// A copy of the store, and what the checks knew when it was made.
    struct Backup {
        var state: HubMemory
        var history: VersionChecker.Point?
        /// The writes that had taken effect.
        var effects: Set<RandomID>
        /// By watch, what its store of files held and what had arrived from it.
        var files: [SimulatedFiles]
        var arrivals: [ArrivalChecker.Arrivals]
    }

    /// The copies of the store that are kept.
    static let backupCountMax = 20
    /// Copies of the store, oldest first; also of histories that were lost since.
    var backups: [Backup] = []

    init(options: SimulationOptions, streams: SplitMix64) {
        draws = NodeDraws(streams: streams.stream(1))
        var clockDraws = streams.stream(2)
        clock = SimulatedClock(options: options, draws: &clockDraws)
        var state = LedgerState(newEpoch: Epoch(number: clockDraws.next()))
        var aging = streams.stream(4)
        if aging.chance(options.agedChance), aging.chance(0.25) {
            for _ in 0..<LedgerState.lineageCountMax - aging.below(3) { state.lineage[Epoch(number: aging.next())] = 0 }
        }
        disk = SimulatedDisk(state: HubMemory(ledger: state))
        diskFaults = DiskFaults(watch: nil, streams: streams.stream(3))
    }

    mutating func start(_ configuration: HubEngine.Configuration, now: Instant) {
        life += 1
        var lifeDraws = draws[.life, life]
        clock.restart(draws: &lifeDraws)
        let memory = disk.load()
        engine = HubEngine(
            configuration: configuration, state: memory.ledger, transfers: memory.transfers, seed: lifeDraws.next(),
            at: clock.moment(at: now))
        forgetLife()
    }

    /// The process dies; gives the number of transactions that are lost with it.
    mutating func crash(now: Instant) -> Int {
        engine = nil
        forgetLife()
        return disk.crash(now: now)
    }

    /// Keeps a copy of the store.
    mutating func backUp(_ backup: Backup) {
        if backups.count == Self.backupCountMax { backups.removeFirst() }
        backups.append(backup)
    }

    private mutating func forgetLife() {
        timer = nil
        admitted = []
        requests = [:]
        crashAtNextStore = nil
        pausedUntil = Instant(nanoseconds: 0)
    }
}
