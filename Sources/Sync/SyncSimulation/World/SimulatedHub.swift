import SyncCore

/// What a run keeps of the hub, outside of its device.
struct SimulatedHub {
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
    private static let backupCountMax = 20

    /// Copies of the store, oldest first; also of histories that were lost since.
    private(set) var backups: [Backup] = []
    /// A crash that waits for the next transaction to become durable.
    var crashAtNextStore: HubCrash?
    /// The requests that wait for an answer since the start, with the version that they expect.
    var requests: [UInt64: Version?] = [:]
    /// What the engine was told to be durable; behind its disk while the notice is under way.
    private(set) var told: LedgerState
    /// What the store held before the last record.
    private(set) var former: LedgerState

    init(ledger: LedgerState) {
        told = ledger
        former = ledger
    }

    /// A process starts with what is durable.
    mutating func starts(with ledger: LedgerState) {
        told = ledger
        requests = [:]
        crashAtNextStore = nil
    }

    mutating func ends() {
        requests = [:]
        crashAtNextStore = nil
    }

    /// The engine learns that a transaction is durable.
    mutating func learned(_ transaction: Transaction) { told.apply(transaction) }

    /// Gives what the store held before, and remembers what it holds now.
    mutating func replaceFormer(by ledger: LedgerState) -> LedgerState {
        defer { former = ledger }
        return former
    }

    /// Keeps a copy of the store.
    mutating func backUp(_ backup: Backup) {
        if backups.count == Self.backupCountMax { backups.removeFirst() }
        backups.append(backup)
    }
}

extension VirtualDevice<HubEngine, HubMemory> {
    /// A hub that does not run yet, drawn by what a run allows.
    init(options: SimulationOptions, streams: SplitMix64) {
        var draws = streams.stream(2)
        let clock = SimulatedClock(options: options, draws: &draws)
        var state = LedgerState(newEpoch: Epoch(number: draws.next()))
        var aging = streams.stream(4)
        if aging.chance(options.agedChance), aging.chance(0.25) {
            for _ in 0..<LedgerState.lineageCountMax - aging.below(3) { state.lineage[Epoch(number: aging.next())] = 0 }
        }
        self.init(stored: HubMemory(ledger: state), clock: clock)
    }
}
