import SyncCore

/// A kind of fault that strikes again and again, each with a randomness of its own.
struct RecurringFault {
    enum Kind: Hashable {
        case hubCrash, hubStall, hubWallJump
        case reset(Int)
        case partition(Int)
        case watchCrash(Int)
        case watchStall(Int)
        case watchWallJump(Int)

        /// How often it strikes.
        func rate(_ options: SimulationOptions) -> Double {
            switch self {
            case .hubCrash: options.hubCrashRate
            case .watchCrash: options.watchCrashRate
            case .hubStall, .watchStall: options.stallRate
            case .hubWallJump, .watchWallJump: options.wallJumpRate
            case .reset: options.resetRate
            case .partition: options.partitionRate
            }
        }
    }

    let kind: Kind
    var draws: SplitMix64

    static func all(watchCount: Int, streams: SplitMix64) -> [RecurringFault] {
        let hub: [Kind] = [.hubCrash, .hubStall, .hubWallJump]
        let watches: [Kind] = (0..<watchCount).flatMap { watch in
            [.reset(watch), .partition(watch), .watchCrash(watch), .watchStall(watch), .watchWallJump(watch)]
        }
        return (hub + watches).enumerated().map { number, kind in
            RecurringFault(kind: kind, draws: streams.stream(UInt64(number)))
        }
    }
}

extension World {
    mutating func scheduleFault(_ fault: Int) {
        let rate = faults[fault].kind.rate(options)
        guard let wait = faults[fault].draws.wait(ratePerMinute: rate) else { return }
        queue.push(.fault(fault), at: now.advanced(by: wait))
    }

    mutating func strike(_ fault: Int) {
        guard !isCalm else { return }
        switch faults[fault].kind {
        case .hubCrash: crashHubForAWhile(fault)
        case .watchCrash(let watch):
            guard watches[watch].isRunning else { break }
            if faults[fault].draws.chance(0.3) {
                // It says goodbye and is gone before its store has kept the last words.
                stepWatch(watch, .farewell)
            } else {
                occasions.note(.watchCrashed)
            }
            crashWatch(watch, downtime: faults[fault].draws.shortDuration(upTo: options.downtimeLongest))
        case .hubStall:
            guard hub.engine != nil else { break }
            occasions.note(.hubStalled)
            hub.pausedUntil = now.advanced(by: faults[fault].draws.duration(upTo: options.stallLongest))
            trace.line(now, .hub, "stands still until \(hub.pausedUntil.nanoseconds / 1_000_000) ms")
        case .watchStall(let watch):
            guard watches[watch].isRunning else { break }
            occasions.note(.watchStalled)
            watches[watch].pausedUntil = now.advanced(
                by: faults[fault].draws.duration(upTo: options.stallLongest))
            trace.line(now, .watch(watch), "stands still")
        case .hubWallJump:
            occasions.note(.hubWallJumped)
            hub.clock.jump(milliseconds: wallJump(fault))
        case .watchWallJump(let watch):
            occasions.note(.watchWallJumped)
            watches[watch].clock.jump(milliseconds: wallJump(fault))
        case .reset(let watch): reset(watch, fault)
        case .partition(let watch): part(watch, fault)
        }
        scheduleFault(fault)
    }

    private mutating func crashHubForAWhile(_ fault: Int) {
        guard hub.engine != nil else { return }
        crashHub()
        guard faults[fault].draws.chance(options.rollbackChance), !hub.backups.isEmpty else { return }
        // The copies of the last moments are the most treacherous: hardly anything looks wrong.
        let isRecent = faults[fault].draws.chance(0.5)
        let backup = faults[fault].draws.pick(isRecent ? hub.backups.suffix(4) : hub.backups)
        guard backup.state.version != hub.disk.durable.version else { return }
        occasions.note(.hubRolledBack)
        trace.line(now, .hub, "is put back to \(backup.state.version.traceText)")
        hub.disk.restore(backup.state)
        checks.versions.replace(by: backup.history)
    }

    private mutating func wallJump(_ fault: Int) -> Int64 {
        let span = options.wallJumpLongest.wholeNanoseconds / 1_000_000
        // Most jumps are small: those of minutes hurt in other ways than those of years.
        let share = faults[fault].draws.unit()
        let size = Double(span) * share * share * share * share
        return faults[fault].draws.chance(0.5) ? Int64(size) : -Int64(size)
    }

    private mutating func reset(_ watch: Int, _ fault: Int) {
        guard let connection = watches[watch].connection else { return }
        occasions.note(.connectionReset)
        trace.line(now, .network, "breaks connection \(connection)")
        if faults[fault].draws.chance(0.2) {
            // Only the hub's end breaks: the watch's end stays open, to nobody.
            network[connection].isOpenAtHub = false
            let notice = faults[fault].draws.duration(upTo: .seconds(8))
            queue.push(.hangUp(watch: watch, connection: connection), at: now.advanced(by: notice))
        } else {
            hangUp(watch, connection: connection)
        }
    }

    private mutating func part(_ watch: Int, _ fault: Int) {
        let until = now.advanced(by: faults[fault].draws.duration(upTo: options.partitionLongest))
        let kind = faults[fault].draws.below(3)
        occasions.note([.partition, .partitionToHub, .partitionToWatch][kind])
        trace.line(now, .network, "cuts watch \(watch) off: \(["both ways", "to the hub", "to the watch"][kind])")
        network.cut(watch, toHub: kind != 2, toWatch: kind != 1, until: until)
    }

    /// The faults end for good, and everybody runs.
    mutating func calmDown() {
        isCalm = true
        options = options.calm
        trace.line(now, .world, "is calm from now on")
        for watch in watches.indices {
            network.cut(watch, toHub: false, toWatch: false, until: now)
            watches[watch].pausedUntil = now
            if !watches[watch].isRunning { startWatch(watch) }
        }
        hub.pausedUntil = now
        startHub()
    }
}
