package import SyncCore

/// A world whose only faults are those that its links and disks are given, and in which everything takes the same time:
/// that of scenarios and of pairs.
package typealias SteadyWorld = VirtualWorld<SteadyConditions>

/// Nothing is random but ids, and the faults that a link is given.
package struct SteadyConditions: WorldConditions {
    package typealias Plan = Never

    /// How long things take.
    package struct Timing: Sendable {
        /// How long a frame is on its way on a link without faults.
        package var frame: Duration
        /// How long a disk works on a record; if it takes no time, a record is durable before the engine continues.
        package var disk: Duration

        package init(frame: Duration, disk: Duration) {
            self.frame = frame
            self.disk = disk
        }
    }

    /// The time after which a watch whose engine gave up its connection dials again.
    private static let redialTime = Duration.milliseconds(100)

    let timing: Timing
    let firstWallMilliseconds: Int64
    /// What ids and the seeds of engines follow from.
    var generator: SplitMix64
    private var linkDraws: SplitMix64

    init(timing: Timing, firstWallMilliseconds: Int64, generator: SplitMix64, linkDraws: SplitMix64) {
        self.timing = timing
        self.firstWallMilliseconds = firstWallMilliseconds
        self.generator = generator
        self.linkDraws = linkDraws
    }

    /// A clock of a new device.
    var clock: SimulatedClock { SimulatedClock(wallMilliseconds: firstWallMilliseconds) }

    mutating func newKey() -> PeerKey {
        let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        guard let key = PeerKey(bytes: bytes) else { preconditionFailure("a key has 32 bytes, not \(bytes.count)") }
        return key
    }

    // MARK: - WorldConditions

    package var areTimersExact: Bool { true }
    package var endsConnectionsAtOnce: Bool { true }
    package var retryInterval: Duration? { nil }

    package mutating func seed(of device: DeviceID, run: Int, clock: inout SimulatedClock) -> UInt64 {
        generator.next()
    }

    /// No side is notified twice within a millisecond, so that time advances whatever deadlines there are.
    package func earliestTick(now: Instant, last: Instant?) -> Instant {
        last.map { $0.advanced(by: .milliseconds(1)) } ?? now
    }

    package func timerDelay(of device: DeviceID, number: Int) -> Duration { .zero }

    package mutating func write(
        _ number: Int, at device: DeviceID, state: DiskState, now: Instant, busyUntil: Instant
    ) -> DiskWrite {
        DiskWrite(done: now.advanced(by: timing.disk), fails: state == .fails)
    }

    package func noticeDelay(of device: DeviceID, number: Int) -> Duration? { nil }
    package func fileTime(at side: Side, number: Int) -> Duration { timing.disk }

    package mutating func fileFault(
        _ output: FileExchange.Output, at side: Side, number: Int, state: DiskState
    ) -> FileFailure? {
        // Reading works, whatever the disk can write.
        if case .read = output { nil } else { state.fileFailure }
    }

    package func dialDelay(of watch: Int, attempt: Int, isReplacement: Bool) -> Duration {
        isReplacement ? Self.redialTime : timing.frame
    }

    package mutating func connectFailure(of watch: Int, attempt: Int, atSocket: Bool) -> ConnectFailure? { nil }
    package func leaveDelay(of watch: Int, connection: Int) -> Duration { .zero }
    package func closeDelay(of connection: Int) -> Duration { timing.frame }
    package func endDelay(of connection: Int) -> Duration { timing.frame }

    package mutating func outcome(
        of message: inout VirtualNetwork.Message, from watch: Int, on link: inout VirtualLink, now: Instant
    ) -> VirtualLink.Outcome {
        link.outcome(
            of: message.kind, isToHub: message.isToHub, now: now, frameTime: timing.frame, draws: &linkDraws)
    }

    /// When a connection is gone, its messages are lost.
    package mutating func lateness(of message: VirtualNetwork.Message, from watch: Int) -> Duration? { nil }
}

extension VirtualWorld where Conditions == SteadyConditions {
    /// Creates a world with a hub that does not run yet.
    package init(
        hub configuration: HubEngine.Configuration, timing: SteadyConditions.Timing, firstWallMilliseconds: Int64,
        generator: SplitMix64, linkDraws: SplitMix64
    ) {
        var conditions = SteadyConditions(
            timing: timing, firstWallMilliseconds: firstWallMilliseconds, generator: generator, linkDraws: linkDraws)
        let ledger = LedgerState(newEpoch: Epoch(number: conditions.generator.next()))
        self.init(
            conditions: conditions, configuration: configuration,
            hub: VirtualDevice(stored: HubMemory(ledger: ledger), clock: conditions.clock))
    }

    /// What ids and the seeds of engines follow from.
    package var generator: SplitMix64 {
        get { conditions.generator }
        set { conditions.generator = newValue }
    }

    /// Adds a watch that does not run yet; the node of its configuration follows from its key.
    package mutating func addWatch(_ configuration: WatchEngine.Configuration) {
        let stored = WatchEngine.State(newIncarnation: RandomID(using: &conditions.generator))
        let device = VirtualDevice<WatchEngine, WatchEngine.State>(stored: stored, clock: conditions.clock)
        var watch = VirtualWatch(device: device, configuration: configuration, key: conditions.newKey())
        watch.configuration.node = watch.key.node
        add(watch)
    }

    /// Erases a watch that does not run, and gives it another identity.
    package mutating func erase(_ number: Int) {
        let former = watches[number]
        var watch = VirtualWatch(
            device: VirtualDevice(
                stored: WatchEngine.State(newIncarnation: RandomID(using: &conditions.generator)),
                clock: former.device.process.clock, run: former.device.run),
            configuration: former.configuration, key: conditions.newKey())
        watch.configuration.node = watch.key.node
        replace(number, by: watch)
    }

    /// The hub invites a watch, and the watch accepts, whatever the state of the link and whether the watch runs.
    package mutating func pair(_ number: Int, request: RequestID) {
        let (invitation, watch) = (conditions.newKey(), watches[number].configuration)
        post(.invite(request, key: invitation, name: watch.name, validMilliseconds: 600_000), after: .zero)
        let client = PairingClient(
            key: watches[number].key, name: watch.name, app: watch.app, seed: conditions.generator.next())
        pair(number, with: client, invitation: invitation, frameTime: conditions.timing.frame)
    }
}
