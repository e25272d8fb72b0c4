import SyncCore

/// The conditions of a run of the simulation: everything is drawn from its seed, each thing from its own stream.
struct DrawnConditions: WorldConditions {
    /// Something that is planned in a run.
    enum Plan {
        /// The application of a side reacts to what its engine reported.
        case reaction(side: Side, run: Int, Reaction)
        case startHub
        case startWatch(Int)
        case fault(Int)
        case work(Int)
        /// The checks look at all devices, whether something happens to them or not.
        case probe
        /// The faults end.
        case faultsEnd
    }

    /// The options as this seed drew them, then those of the time after the faults.
    var options: SimulationOptions
    /// Which of the occurrences happen.
    var lots: OccurrenceFilter
    /// The randomness of the nodes: the seeds of their processes, and the delays around them.
    let hubDraws: NodeDraws
    let watchDraws: [NodeDraws]
    let hubDiskFaults: DiskFaults
    let watchDiskFaults: [DiskFaults]
    private var networkFaults: NetworkFaults
    /// By side, when its peer sent the newest message that it has received: what it sends now proves that.
    var heard: [Instant]

    init(
        options: SimulationOptions, lots: OccurrenceFilter, watchCount: Int, hub: SplitMix64, watches: [SplitMix64],
        network: SplitMix64
    ) {
        self.options = options
        self.lots = lots
        hubDraws = NodeDraws(streams: hub.stream(1))
        watchDraws = watches.map { NodeDraws(streams: $0.stream(1)) }
        hubDiskFaults = DiskFaults(watch: nil, streams: hub.stream(3))
        watchDiskFaults = watches.enumerated().map { DiskFaults(watch: $0, streams: $1.stream(3)) }
        networkFaults = NetworkFaults(watchCount: watchCount, streams: network)
        heard = Array(repeating: Instant(nanoseconds: .min), count: 2 * watchCount)
    }

    /// The randomness of a device.
    func draws(of device: DeviceID) -> NodeDraws {
        switch device {
        case .hub: hubDraws
        case .watch(let number): watchDraws[number]
        }
    }

    /// The name of something that a device does for one of its sides.
    func name(_ number: Int, at side: Side) -> Int { number + (side.isHub ? side.watch << 24 : 0) }

    // MARK: - WorldConditions

    var areTimersExact: Bool { false }
    var endsConnectionsAtOnce: Bool { false }
    var retryInterval: Duration? { .milliseconds(100) }

    mutating func seed(of device: DeviceID, run: Int, clock: inout SimulatedClock) -> UInt64 {
        var draws = draws(of: device)[.process, run]
        clock.restart(draws: &draws)
        return draws.next()
    }

    func earliestTick(now: Instant, last: Instant?) -> Instant { now.advanced(by: .microseconds(1)) }

    func timerDelay(of device: DeviceID, number: Int) -> Duration {
        draws(of: device).duration(.timer, number, upTo: .milliseconds(2))
    }

    mutating func write(
        _ number: Int, at device: DeviceID, state: DiskState, now: Instant, busyUntil: Instant
    ) -> DiskWrite {
        let faults =
            switch device {
            case .hub: hubDiskFaults
            case .watch(let number): watchDiskFaults[number]
            }
        return faults.write(number, now: now, busyUntil: busyUntil, options: options, lots: &lots)
    }

    func noticeDelay(of device: DeviceID, number: Int) -> Duration? {
        draws(of: device).duration(.store, number, upTo: .milliseconds(3))
    }

    func fileTime(at side: Side, number: Int) -> Duration {
        draws(of: side.device).duration(.file, name(2 * number, at: side), upTo: options.storeDelayLongest)
            + .microseconds(10)
    }

    mutating func fileFault(
        _ output: FileExchange.Output, at side: Side, number: Int, state: DiskState
    ) -> FileFailure? {
        var draws = draws(of: side.device)[.fileFault, name(2 * number, at: side)]
        guard draws.chance(options.fileFailureChance),
            lots.pass(side.isHub ? .hubFileFailure : .watchFileFailure, watch: side.watch, number: number)
        else { return nil }
        return FileFailure(draws.chance(0.5) ? .full : .failed, "the disk is full")
    }

    func dialDelay(of watch: Int, attempt: Int, isReplacement: Bool) -> Duration {
        watchDraws[watch].duration(.dial, attempt, upTo: .milliseconds(20))
    }

    mutating func connectFailure(of watch: Int, attempt: Int, atSocket: Bool) -> ConnectFailure? {
        var draws = watchDraws[watch][.connect, attempt]
        let isDrawn = draws.chance(options.connectFailureChance)
        let failure = draws.pick(ConnectFailure.allCases)
        guard isDrawn, (failure == .noSocket) == atSocket, lots.pass(.connectFailure, watch: watch, number: attempt)
        else { return nil }
        return failure
    }

    func leaveDelay(of watch: Int, connection: Int) -> Duration {
        var draws = watchDraws[watch][.notice, connection]
        return draws.duration(upTo: draws.chance(0.5) ? .milliseconds(20) : .seconds(6))
    }

    func closeDelay(of connection: Int) -> Duration {
        hubDraws.duration(.notice, connection, upTo: .milliseconds(20))
    }

    /// Most watches notice it at once; some keep a connection without a peer until their transport gives up.
    func endDelay(of connection: Int) -> Duration {
        var draws = hubDraws[.notice, connection]
        return draws.duration(upTo: draws.chance(0.8) ? .milliseconds(20) : .seconds(8))
    }

    mutating func outcome(
        of message: inout VirtualNetwork.Message, from watch: Int, on link: inout VirtualLink, now: Instant
    ) -> VirtualLink.Outcome {
        message.proof = heard[Side(watch: watch, isHub: !message.isToHub).index]
        let isCut = link.loses(isToHub: message.isToHub, at: now)
        let passage = networkFaults.passage(of: &message, from: watch, options: options, isCut: isCut, lots: &lots)
        guard let passage else { return isCut ? .vanishes : .drops }
        return .arrives(passage, nil)
    }

    mutating func lateness(of message: VirtualNetwork.Message, from watch: Int) -> Duration? {
        networkFaults.lateness(of: message, from: watch, options: options, lots: &lots)
    }
}
