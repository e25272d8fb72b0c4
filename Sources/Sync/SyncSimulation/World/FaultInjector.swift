import SyncCore

/// The faults that strike the hub, the watches and their connections again and again.
struct FaultInjector {
    /// The frames of a flood.
    private static let floodCount = 100

    private var faults: [RecurringFault]
    /// Whether a forger acknowledges registers with a watch's key, which then may never have reached the watch.
    private(set) var isCreditForged = false

    init(watchCount: Int, streams: SplitMix64) {
        faults = RecurringFault.all(watchCount: watchCount, streams: streams)
    }

    /// Plans the first strike of each fault.
    mutating func begin(_ checked: inout CheckedWorld) {
        for fault in faults.indices { plan(fault, &checked) }
    }

    private mutating func plan(_ fault: Int, _ checked: inout CheckedWorld) {
        guard let wait = faults[fault].next(checked.options) else { return }
        checked.world.plan(.fault(fault), at: checked.now.advanced(by: wait))
    }

    /// The time of a strike has come; plans the next one.
    mutating func strike(_ fault: Int, _ checked: inout CheckedWorld) {
        guard !checked.areFaultsOver else { return }
        let kind = faults[fault].kind
        if Self.concerns(kind, checked), checked.world.conditions.lots.pass(faults[fault].occurrence) {
            switch kind {
            case .hub(let kind): Self.strikeHub(kind, &faults[fault], &checked)
            case .watch(let watch, let kind): strike(kind, fault, on: watch, &checked)
            }
        }
        plan(fault, &checked)
    }

    /// Whether there is something to strike.
    private static func concerns(_ kind: RecurringFault.Kind, _ checked: CheckedWorld) -> Bool {
        let world = checked.world
        return switch kind {
        case .hub(.crash), .hub(.stall): world.hub.engine != nil
        case .watch(let watch, .crash), .watch(let watch, .stall): world.watches[watch].isAlive
        case .watch(let watch, .reset), .watch(let watch, .replay): world.connection(of: watch) != nil
        case .watch(let watch, .forgery), .watch(let watch, .flood), .watch(let watch, .uploadFlood):
            world.connection(of: watch) != nil && watch == checked.record.hostile
                && checked.watches[watch].role == .paired
        case .hub(.clockJump), .watch(_, .clockJump), .watch(_, .partition): true
        }
    }

    // MARK: - Processes and clocks

    private static func strikeHub(
        _ kind: RecurringFault.HubKind, _ fault: inout RecurringFault, _ checked: inout CheckedWorld
    ) {
        switch kind {
        case .crash:
            let crash = HubCrash(number: fault.number, draws: fault.draws, options: checked.options)
            // Some wait for the moment in which a transaction is durable and the hub was not notified yet.
            if crash.isAtNextStore { checked.hub.plan(crash) } else { checked.crashHub(crash) }
        case .stall:
            checked.record.count(.hubStalled)
            // A short suspension within a long one does not wake the process.
            let stall = fault.draws.duration(upTo: checked.options.stallLongest)
            checked.world.pause(.hub, until: checked.now.advanced(by: stall))
            let wake = checked.world.pausedUntil(.hub).nanoseconds / 1_000_000
            checked.record.line(.hub, "stands still until \(wake) ms")
        case .clockJump:
            checked.record.count(.hubWallJumped)
            checked.world.turnClock(
                of: .hub, milliseconds: wallJump(using: &fault.draws, checked.options))
        }
    }

    private mutating func strike(
        _ kind: RecurringFault.WatchKind, _ fault: Int, on watch: Int, _ checked: inout CheckedWorld
    ) {
        switch kind {
        case .crash: Self.crash(watch, &faults[fault], &checked)
        case .stall:
            checked.record.count(.watchStalled)
            let stall = faults[fault].draws.duration(upTo: checked.options.stallLongest)
            checked.world.pause(.watch(watch), until: checked.now.advanced(by: stall))
            checked.record.line(.watch(watch), "stands still")
        case .reset: Self.reset(watch, &faults[fault].draws, &checked)
        case .partition: Self.part(watch, &faults[fault].draws, &checked)
        case .replay: Self.replay(watch, &faults[fault].draws, &checked)
        case .forgery: forge(watch, fault, &checked)
        case .flood: Self.flood(watch, &faults[fault].draws, &checked)
        case .uploadFlood: Self.floodUploads(watch, &faults[fault].draws, &checked)
        case .clockJump:
            checked.record.count(.watchWallJumped)
            let jump = Self.wallJump(using: &faults[fault].draws, checked.options)
            checked.world.turnClock(of: .watch(watch), milliseconds: jump)
        }
    }

    private static func crash(_ watch: Int, _ fault: inout RecurringFault, _ checked: inout CheckedWorld) {
        if fault.draws.chance(0.3) {
            // It says goodbye and ends before its store has kept the last records.
            checked.give(.farewell, to: watch)
        } else {
            checked.record.count(.watchCrashed)
        }
        let downtime = fault.draws.shortDuration(upTo: checked.options.downtimeLongest)
        checked.crashWatch(watch, downtime: downtime)
        // It may find another copy of its store when it starts.
        let isDrawn = fault.draws.chance(checked.options.watchRollbackChance)
        let age = fault.draws.next()
        let backups = checked.watches[watch].backups
        guard isDrawn, !backups.isEmpty, checked.watches[watch].role == .paired,
            checked.passes(.watchRollback, watch: watch, number: fault.number)
        else { return }
        let backup = backups[backups.endIndex - 1 - Int(age % UInt64(backups.count))]
        checked.watches[watch].restore(backup, &checked.world, &checked.record)
    }

    private static func wallJump(using draws: inout SplitMix64, _ options: SimulationOptions) -> Int64 {
        let span = options.wallJumpLongest.wholeNanoseconds / 1_000_000
        // Most jumps are small: those of minutes do other harm than those of years.
        let share = draws.unit()
        let size = Double(span) * share * share * share * share
        return draws.chance(0.5) ? Int64(size) : -Int64(size)
    }

    // MARK: - Connections

    private static func reset(_ watch: Int, _ draws: inout SplitMix64, _ checked: inout CheckedWorld) {
        guard let connection = checked.world.connection(of: watch) else { return }
        checked.record.count(.connectionReset)
        checked.record.line(.network, "breaks connection \(connection)")
        if draws.chance(0.2) {
            // Only the hub's end breaks: the watch's end stays open, without a peer.
            checked.world.breakHubEnd(of: connection)
            checked.world.hangUp(connection, after: draws.duration(upTo: .seconds(8)))
        } else {
            checked.world.hangUp(watch, connection: connection)
            checked.settle()
        }
    }

    private static func part(_ watch: Int, _ draws: inout SplitMix64, _ checked: inout CheckedWorld) {
        let until = checked.now.advanced(by: draws.duration(upTo: checked.options.partitionLongest))
        let kind = draws.below(3)
        checked.record.count([.partition, .partitionToHub, .partitionToWatch][kind])
        let words = ["both ways", "to the hub", "to the watch"][kind]
        checked.record.line(.network, "cuts watch \(watch) off: \(words)")
        checked.world.changeLink(of: watch) { $0.silence(toHub: kind != 2, toWatch: kind != 1, until: until) }
    }

    // MARK: - Messages that no device sends

    /// Messages that the watch sent on an earlier connection come to the hub on the present one.
    private static func replay(_ watch: Int, _ draws: inout SplitMix64, _ checked: inout CheckedWorld) {
        guard let connection = checked.world.connection(of: watch), checked.watches[watch].role == .paired
        else { return }
        let earlier = checked.watches[watch].captured.filter { $0.connection != connection }
        guard !earlier.isEmpty else { return }
        let first = draws.below(earlier.count)
        for message in earlier[first...].prefix(1 + draws.below(3)) {
            checked.record.count(.messageReplayed)
            checked.record.line(.network, "replays \(message.kind) on connection \(connection)")
            var again = message
            again.connection = connection
            // No device received anything now: it proves what it proved when it was sent.
            again.sent = Instant(nanoseconds: .min)
            again.proof = Instant(nanoseconds: .min)
            checked.world.inject(again, after: draws.duration(upTo: .milliseconds(20)))
        }
    }

    /// A forger who has the watch's key sends a few frames of its session that are well formed and wrong, or that are
    /// not frames.
    private mutating func forge(_ watch: Int, _ fault: Int, _ checked: inout CheckedWorld) {
        guard let connection = checked.world.connection(of: watch) else { return }
        let forger = FrameForger(captured: checked.watches[watch].captured, connection: connection)
        for _ in 0..<1 + faults[fault].draws.below(4) {
            guard let parts = forger.forgery(&faults[fault].draws) else { continue }
            checked.record.count(.frameForged)
            if (try? FrameCodec.frame(of: parts))?.kind == .credit { isCreditForged = true }
            checked.record.line(.network, "forges a message on connection \(connection)")
            let forged = VirtualNetwork.Message(
                connection: connection, isToHub: true, parts: parts, kind: .hello, sent: Instant(nanoseconds: .min),
                proof: Instant(nanoseconds: .min))
            checked.world.inject(forged, after: faults[fault].draws.duration(upTo: .milliseconds(20)))
        }
    }

    /// A forger who has the watch's key sends the hub a hundred greetings, all of them larger than allowed, or as large
    /// as allowed.
    private static func flood(_ watch: Int, _ draws: inout SplitMix64, _ checked: inout CheckedWorld) {
        let isTooLarge = draws.chance(0.5)
        flood(watch, &checked) { FrameForger.greeting(nonce: draws.next(), isTooLarge: isTooLarge) }
    }

    /// The same with a hundred uploads in the watch's session, all of which delete cells that never were.
    private static func floodUploads(_ watch: Int, _ draws: inout SplitMix64, _ checked: inout CheckedWorld) {
        guard let connection = checked.world.connection(of: watch),
            let captured = checked.watches[watch].captured.last(where: { $0.connection == connection }),
            let session = (try? FrameCodec.frame(of: captured.parts))?.session, session != 0
        else { return }
        flood(watch, &checked) { FrameForger.deletions(session: session, &draws) }
    }

    private static func flood(_ watch: Int, _ checked: inout CheckedWorld, _ frame: () -> Frame) {
        guard let connection = checked.world.connection(of: watch) else { return }
        checked.record.count(.frameFlood)
        checked.record.line(.network, "floods connection \(connection)")
        for number in 0..<floodCount {
            let frame = frame()
            var flood = VirtualNetwork.Message(
                connection: connection, isToHub: true, parts: FrameCodec.parts(of: frame), kind: frame.kind,
                sent: Instant(nanoseconds: .min), proof: Instant(nanoseconds: .min))
            flood.isFlood = true
            checked.world.inject(flood, after: .milliseconds(5 * number))
        }
    }
}
