import SyncCore

/// A kind of fault that strikes again and again; each strike has its own randomness.
struct RecurringFault {
    /// What strikes the hub; the place in the list determines the randomness.
    enum HubKind: CaseIterable {
        case crash, stall, clockJump
    }

    /// What strikes a watch, or its connection; the place in the list determines the randomness.
    enum WatchKind: CaseIterable {
        case reset, partition, crash, stall, clockJump, replay, forgery, flood, uploadFlood
    }

    /// The kind of fault, and its target.
    enum Kind {
        case hub(HubKind)
        case watch(Int, WatchKind)
    }

    let kind: Kind
    private let streams: SplitMix64
    /// Which strike comes next, from 1.
    private(set) var number = 0
    /// The randomness of that strike.
    var draws: SplitMix64

    private init(_ kind: Kind, streams: SplitMix64) {
        self.kind = kind
        self.streams = streams
        draws = streams
    }

    static func all(watchCount: Int, streams: SplitMix64) -> [RecurringFault] {
        let ofWatches = (0..<watchCount).flatMap { number in
            WatchKind.allCases.enumerated().map { position, kind in
                RecurringFault(.watch(number, kind), streams: streams.stream(UInt64(64 * (number + 1) + position)))
            }
        }
        return HubKind.allCases.enumerated().map { position, kind in
            RecurringFault(.hub(kind), streams: streams.stream(UInt64(position)))
        } + ofWatches
    }

    /// The name of the next strike.
    var occurrence: Occurrence {
        switch kind {
        case .hub(.crash): Occurrence(.hubCrash, number: number)
        case .hub(.stall): Occurrence(.hubStall, number: number)
        case .hub(.clockJump): Occurrence(.hubClockJump, number: number)
        case .watch(let watch, .reset): Occurrence(.reset, watch: watch, number: number)
        case .watch(let watch, .partition): Occurrence(.partition, watch: watch, number: number)
        case .watch(let watch, .crash): Occurrence(.watchCrash, watch: watch, number: number)
        case .watch(let watch, .stall): Occurrence(.watchStall, watch: watch, number: number)
        case .watch(let watch, .clockJump): Occurrence(.watchClockJump, watch: watch, number: number)
        case .watch(let watch, .replay): Occurrence(.replay, watch: watch, number: number)
        case .watch(let watch, .forgery): Occurrence(.forgery, watch: watch, number: number)
        case .watch(let watch, .flood): Occurrence(.flood, watch: watch, number: number)
        case .watch(let watch, .uploadFlood): Occurrence(.uploadFlood, watch: watch, number: number)
        }
    }

    /// How often it strikes.
    func rate(_ options: SimulationOptions) -> Double {
        switch kind {
        case .hub(.crash): options.hubCrashRate
        case .watch(_, .crash): options.watchCrashRate
        case .hub(.stall), .watch(_, .stall): options.stallRate
        case .hub(.clockJump), .watch(_, .clockJump): options.wallJumpRate
        case .watch(_, .reset): options.resetRate
        case .watch(_, .partition): options.partitionRate
        case .watch(_, .replay): options.replayRate
        case .watch(_, .forgery): options.forgeryRate
        case .watch(_, .flood), .watch(_, .uploadFlood): options.floodRate
        }
    }

    /// Draws the next strike; returns the time until then, or nil.
    mutating func next(_ options: SimulationOptions) -> Duration? {
        number += 1
        draws = streams.stream(UInt64(number))
        return draws.wait(ratePerMinute: rate(options))
    }
}

/// What was drawn for one crash of the hub.
struct HubCrash {
    let number: Int
    let isAtNextStore: Bool
    let rollsBack: Bool
    /// Whether it finds one of the last copies, the most treacherous: hardly anything looks wrong.
    let isRecent: Bool
    let age: UInt64
    let downtime: Duration

    init(number: Int, draws: SplitMix64, options: SimulationOptions) {
        var draws = draws
        self.number = number
        rollsBack = draws.chance(options.rollbackChance)
        isRecent = draws.chance(0.5)
        age = draws.next()
        downtime = draws.shortDuration(upTo: options.downtimeLongest)
        isAtNextStore = draws.chance(0.25)
    }
}
