import SyncCore

/// The phone of a run: its process, while it runs, and what outlives it.
struct SimulatedHub {
    /// The engine of this life, nil while the process does not run.
    var engine: HubEngine?
    private(set) var life = 0
    var disk: SimulatedDisk<LedgerState, Transaction>
    var clock: SimulatedClock
    /// The randomness of this node: the seeds of its lives, and the delays around it.
    var draws: SplitMix64
    var pausedUntil = Instant(nanoseconds: 0)
    /// The timer that is set, if any.
    var timer: (at: Instant, number: Int)?
    var lastTimerNumber = 0
    /// The keys that the transport lets in.
    var admitted: Set<PeerKey> = []
    /// The requests that wait for an answer in this life, with the version that they expect.
    var requests: [UInt64: Version?] = [:]
    /// A copy of the store, and what the checks knew when it was made.
    struct Backup {
        var state: LedgerState
        var history: VersionBook.History
    }

    /// The copies of the store that are kept.
    static let backupCountMax = 20
    /// Copies of the store, oldest first; also of histories that were lost since.
    var backups: [Backup] = []
    /// By watch, when the newest message was sent that this life received.
    var heard: [Instant]
    /// By watch, when this life sent the newest message that the watch is known to have received.
    var proof: [Instant]

    init(options: SimulationOptions, watchCount: Int, streams: SplitMix64) {
        draws = streams.stream(1)
        var clockDraws = streams.stream(2)
        clock = SimulatedClock(options: options, draws: &clockDraws)
        let state = LedgerState(newEpoch: Epoch(number: draws.next()))
        disk = SimulatedDisk(state: state, draws: streams.stream(3)) { apply($0, to: &$1) }
        let never = Array(repeating: Instant(nanoseconds: .min), count: watchCount)
        heard = never
        proof = never
    }

    mutating func start(_ configuration: HubEngine.Configuration, flaws: DesignFlaws, now: Instant) {
        life += 1
        clock.restart(draws: &draws)
        engine = HubEngine(
            configuration: configuration, state: disk.load(), seed: draws.next(), at: clock.moment(at: now),
            flaws: flaws)
        forgetLife()
    }

    /// The process dies; gives the number of transactions that are lost with it.
    mutating func crash(now: Instant) -> Int {
        engine = nil
        forgetLife()
        return disk.crash(now: now)
    }

    private mutating func forgetLife() {
        timer = nil
        admitted = []
        requests = [:]
        pausedUntil = Instant(nanoseconds: 0)
        for watch in heard.indices {
            heard[watch] = Instant(nanoseconds: .min)
            proof[watch] = Instant(nanoseconds: .min)
        }
    }
}
