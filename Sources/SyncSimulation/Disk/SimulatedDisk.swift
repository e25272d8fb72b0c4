import SyncCore

/// A store that takes time, can fail, and forgets in a crash what is not durable yet.
struct SimulatedDisk<State, Record> {
    /// A record on its way to the disk.
    struct Job {
        var record: Record
        var number: Int
        var fails: Bool
    }

    /// What survives a crash.
    private(set) var durable: State
    /// What the engine was told to be durable; behind `durable` while the notice is under way.
    private(set) var told: State
    private(set) var jobs: [Job] = []
    private var lastNumber = 0
    private var freeAt = Instant(nanoseconds: 0)
    private var draws: SplitMix64
    private let apply: (Record, inout State) -> Void

    init(state: State, draws: SplitMix64, apply: @escaping (Record, inout State) -> Void) {
        durable = state
        told = state
        self.draws = draws
        self.apply = apply
    }

    /// Takes a record in; gives its number, when the work on it ends and whether that took long.
    mutating func write(
        _ record: Record, now: Instant, options: SimulationOptions
    ) -> (number: Int, done: Instant, isSlow: Bool) {
        let isSlow = draws.chance(options.slowStoreChance)
        let fails = draws.chance(options.storeFailureChance)
        let delay = draws.duration(upTo: isSlow ? options.slowStoreLongest : options.storeDelayLongest)
        freeAt = max(now, freeAt).advanced(by: delay + .microseconds(10))
        lastNumber += 1
        jobs.append(Job(record: record, number: lastNumber, fails: fails))
        return (lastNumber, freeAt, isSlow)
    }

    /// The work on the oldest record ends: it is durable now, or it failed.
    mutating func finish(_ number: Int) -> Job? {
        guard jobs.first?.number == number else { return nil }
        let job = jobs.removeFirst()
        if !job.fails { apply(job.record, &durable) }
        return job
    }

    /// The engine learns that a record is durable.
    mutating func tell(_ record: Record) {
        apply(record, &told)
    }

    /// The process dies: what is not durable is lost.
    ///
    /// Gives the number of records lost.
    mutating func crash(now: Instant) -> Int {
        let lost = jobs.count
        jobs = []
        freeAt = now
        return lost
    }

    /// A new life begins with what is durable.
    mutating func load() -> State {
        told = durable
        return durable
    }

    /// Somebody copies an earlier state over the current one.
    mutating func restore(_ state: State) {
        durable = state
    }
}

/// How a hub's store keeps a transaction; written down a second time, so that the ledger does not check itself.
func apply(_ transaction: Transaction, to state: inout LedgerState) {
    for (key, cell) in transaction.written.pairs {
        state.cells[key] = cell
    }
    for key in transaction.removed {
        state.cells[key] = nil
    }
    if transaction.before.epoch != transaction.after.epoch {
        state.lineage[transaction.before.epoch] = transaction.before.revision
        state.chain.removeAll { _, _ in true }
    }
    state.chain[transaction.after.revision] = transaction.after.chain
    state.version = transaction.after
    state.lastStamp = transaction.stamp
}

/// How a watch's store keeps a record.
func apply(_ record: WatchEngine.Record, to state: inout WatchEngine.State) {
    switch record {
    case .snapshot(let snapshot, let fence):
        state.snapshot = snapshot
        state.fence = fence
    case .registers(let registers, let fence):
        for held in registers {
            state.registers[held.register.key] = held
        }
        state.fence = fence
    }
}
