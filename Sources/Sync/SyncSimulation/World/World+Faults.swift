import SyncCore

/// A kind of fault that strikes again and again, each strike with a randomness of its own.
struct RecurringFault {
    /// What strikes the hub; the place in the list decides about the randomness.
    enum HubKind: CaseIterable {
        case crash, stall, clockJump
    }

    /// What strikes a watch, or its connection; the place in the list decides about the randomness.
    enum WatchKind: CaseIterable {
        case reset, partition, crash, stall, clockJump, replay, forgery, flood
    }

    /// What strikes whom.
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
        case .watch(_, .flood): options.floodRate
        }
    }

    /// Draws the next strike; gives the time until then, or nil.
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

extension World {
    mutating func scheduleFault(_ fault: Int) {
        guard let wait = faults[fault].next(options) else { return }
        world.plan(.fault(fault), at: now.advanced(by: wait))
    }

    mutating func strike(_ fault: Int) {
        guard !isCalm else { return }
        let kind = faults[fault].kind
        if concerns(kind), world.conditions.lots.pass(faults[fault].occurrence) {
            switch kind {
            case .hub(let kind): strikeHub(kind, fault)
            case .watch(let watch, let kind): strike(kind, fault, on: watch)
            }
        }
        scheduleFault(fault)
    }

    /// Whether there is something to strike.
    private func concerns(_ kind: RecurringFault.Kind) -> Bool {
        switch kind {
        case .hub(.crash), .hub(.stall): world.hub.engine != nil
        case .watch(let watch, .crash), .watch(let watch, .stall): world.watches[watch].isAlive
        case .watch(let watch, .reset), .watch(let watch, .replay): world.connection(of: watch) != nil
        case .watch(let watch, .forgery), .watch(let watch, .flood):
            world.connection(of: watch) != nil && watch == hostile && watches[watch].role == .paired
        case .hub(.clockJump), .watch(_, .clockJump), .watch(_, .partition): true
        }
    }

    private mutating func strikeHub(_ kind: RecurringFault.HubKind, _ fault: Int) {
        switch kind {
        case .crash:
            let crash = HubCrash(number: faults[fault].number, draws: faults[fault].draws, options: options)
            // Some wait for the moment in which a transaction is durable and the hub does not know it yet.
            if crash.isAtNextStore { hub.crashAtNextStore = crash } else { crashHub(crash) }
        case .stall:
            occasions.note(.hubStalled)
            // A short stall within a long one does not wake the process.
            let stall = faults[fault].draws.duration(upTo: options.stallLongest)
            world.pause(.hub, until: now.advanced(by: stall))
            trace.line(now, .hub, "stands still until \(world.pausedUntil(.hub).nanoseconds / 1_000_000) ms")
        case .clockJump:
            occasions.note(.hubWallJumped)
            world.turnClock(of: .hub, milliseconds: wallJump(fault))
        }
    }

    private mutating func strike(_ kind: RecurringFault.WatchKind, _ fault: Int, on watch: Int) {
        switch kind {
        case .crash:
            if faults[fault].draws.chance(0.3) {
                // It says goodbye and is gone before its store has kept the last words.
                stepWatch(watch, .farewell)
            } else {
                occasions.note(.watchCrashed)
            }
            crashWatch(watch, downtime: faults[fault].draws.shortDuration(upTo: options.downtimeLongest))
            putBack(watch, fault)
        case .stall:
            occasions.note(.watchStalled)
            let stall = faults[fault].draws.duration(upTo: options.stallLongest)
            world.pause(.watch(watch), until: now.advanced(by: stall))
            trace.line(now, .watch(watch), "stands still")
        case .reset: reset(watch, fault)
        case .partition: part(watch, fault)
        case .replay: replay(watch, fault)
        case .forgery: forge(watch, fault)
        case .flood: flood(watch, fault)
        case .clockJump:
            occasions.note(.watchWallJumped)
            world.turnClock(of: .watch(watch), milliseconds: wallJump(fault))
        }
    }

    /// The hub crashes, and may find an earlier copy of its store when it starts.
    mutating func crashHub(_ crash: HubCrash) {
        crashHub(downtime: crash.downtime)
        let backups = crash.isRecent ? hub.backups.suffix(4) : hub.backups[...]
        guard crash.rollsBack, !backups.isEmpty else { return }
        let backup = backups[backups.endIndex - 1 - Int(crash.age % UInt64(backups.count))]
        guard backup.state.ledger.version != world.hub.stored.ledger.version,
            passes(.hubRollback, number: crash.number)
        else {
            return
        }
        occasions.note(.hubRolledBack)
        restoreHub(backup)
    }

    /// Somebody puts a copy of the hub's store in the place of the store; the hub does not run.
    mutating func restoreHub(_ backup: SimulatedHub.Backup) {
        trace.line(now, .hub, "is put back to \(backup.state.ledger.version.traceText)")
        world.restore(.hub(backup.state, files: backup.files), at: .hub)
        _ = hub.replaceFormer(by: backup.state.ledger)
        checks.versions.replace(by: backup.history)
        checks.edits.hubRestored(backup.effects)
        for watch in watches.indices {
            let side = Side(watch: watch, isHub: true)
            let held = world.transferState(of: side)
            world.tidyFiles(of: side, keeping: [])
            checks.arrivals.restored(side, to: backup.arrivals[watch], holding: held)
            checks.budgets.restored(side)
        }
    }

    /// A watch that crashed may find another copy of its store when it starts.
    private mutating func putBack(_ watch: Int, _ fault: Int) {
        let isDrawn = faults[fault].draws.chance(options.watchRollbackChance)
        let age = faults[fault].draws.next()
        let backups = watches[watch].backups
        guard isDrawn, !backups.isEmpty, watches[watch].role == .paired,
            passes(.watchRollback, watch: watch, number: faults[fault].number)
        else { return }
        restoreWatch(watch, backups[backups.endIndex - 1 - Int(age % UInt64(backups.count))])
    }

    private mutating func wallJump(_ fault: Int) -> Int64 {
        let span = options.wallJumpLongest.wholeNanoseconds / 1_000_000
        // Most jumps are small: those of minutes hurt in other ways than those of years.
        let share = faults[fault].draws.unit()
        let size = Double(span) * share * share * share * share
        return faults[fault].draws.chance(0.5) ? Int64(size) : -Int64(size)
    }

    private mutating func reset(_ watch: Int, _ fault: Int) {
        guard let connection = world.connection(of: watch) else { return }
        occasions.note(.connectionReset)
        trace.line(now, .network, "breaks connection \(connection)")
        if faults[fault].draws.chance(0.2) {
            // Only the hub's end breaks: the watch's end stays open, to nobody.
            world.breakHubEnd(of: connection)
            world.hangUp(connection, after: faults[fault].draws.duration(upTo: .seconds(8)))
        } else {
            world.hangUp(watch, connection: connection)
            settle()
        }
    }

    /// Messages that the watch sent on an earlier connection come to the hub on the present one.
    private mutating func replay(_ watch: Int, _ fault: Int) {
        guard let connection = world.connection(of: watch), watches[watch].role == .paired else { return }
        let earlier = watches[watch].captured.filter { $0.connection != connection }
        guard !earlier.isEmpty else { return }
        let first = faults[fault].draws.below(earlier.count)
        for message in earlier[first...].prefix(1 + faults[fault].draws.below(3)) {
            occasions.note(.messageReplayed)
            trace.line(now, .network, "replays \(message.kind) on connection \(connection)")
            var again = message
            again.connection = connection
            // Nobody heard anything now: it proves what it proved then, in another life.
            again.sent = Instant(nanoseconds: .min)
            again.proof = Instant(nanoseconds: .min)
            world.inject(again, after: faults[fault].draws.duration(upTo: .milliseconds(20)))
        }
    }

    private mutating func part(_ watch: Int, _ fault: Int) {
        let until = now.advanced(by: faults[fault].draws.duration(upTo: options.partitionLongest))
        let kind = faults[fault].draws.below(3)
        occasions.note([.partition, .partitionToHub, .partitionToWatch][kind])
        trace.line(now, .network, "cuts watch \(watch) off: \(["both ways", "to the hub", "to the watch"][kind])")
        world.changeLink(of: watch) { $0.silence(toHub: kind != 2, toWatch: kind != 1, until: until) }
    }

    /// The faults end for good, and everybody runs.
    mutating func calmDown() {
        isCalm = true
        world.conditions.options = options.calm
        trace.line(now, .world, "is calm from now on")
        for watch in watches.indices {
            world.changeLink(of: watch) { $0.heal() }
            if !world.watches[watch].isAlive { startWatch(watch) }
        }
        startHub()
    }
}
