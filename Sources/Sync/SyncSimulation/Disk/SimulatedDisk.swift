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
    private var lastNotice = Instant(nanoseconds: 0)
    let watch: Int?
    private let streams: SplitMix64
    private let apply: (Record, inout State) -> Void

    init(state: State, watch: Int?, streams: SplitMix64, apply: @escaping (Record, inout State) -> Void) {
        durable = state
        told = state
        self.watch = watch
        self.streams = streams
        self.apply = apply
    }

    /// Takes a record in; gives its number, when the work on it ends and whether that took long.
    mutating func write(
        _ record: Record, now: Instant, options: SimulationOptions, lots: inout OccurrenceFilter
    ) -> (number: Int, done: Instant, isSlow: Bool) {
        lastNumber += 1
        var draws = streams.stream(UInt64(lastNumber))
        let isHub = watch == nil
        let isSlow =
            draws.chance(options.slowStoreChance)
            && lots.pass(isHub ? .hubStoreDelay : .watchStoreDelay, watch: watch, number: lastNumber)
        let fails =
            draws.chance(options.storeFailureChance)
            && lots.pass(isHub ? .hubStoreFailure : .watchStoreFailure, watch: watch, number: lastNumber)
        let delay = draws.duration(upTo: isSlow ? options.slowStoreLongest : options.storeDelayLongest)
        freeAt = max(now, freeAt).advanced(by: delay + .microseconds(10))
        jobs.append(Job(record: record, number: lastNumber, fails: fails))
        return (lastNumber, freeAt, isSlow)
    }

    /// The randomness of a crash after this record was written.
    func tailDraws(after number: Int) -> SplitMix64 { streams.stream(1 << 40 | UInt64(number)) }

    /// The work on the oldest record ends: it is durable now, or it failed.
    mutating func finish(_ number: Int) -> Job? {
        guard jobs.first?.number == number else { return nil }
        let job = jobs.removeFirst()
        if !job.fails { apply(job.record, &durable) }
        return job
    }

    /// When the engine learns what became of a record: after all that it has learned before.
    mutating func notice(now: Instant, delay: Duration) -> Instant {
        lastNotice = max(now.advanced(by: delay), lastNotice.advanced(by: .microseconds(1)))
        return lastNotice
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
