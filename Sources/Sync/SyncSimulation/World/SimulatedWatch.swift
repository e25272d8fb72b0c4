import SyncCore

/// A watch of a run: its process, while it runs, and what outlives it.
struct SimulatedWatch {
    /// What the watch has to do with the hub; it remembers that in a crash.
    enum Role: Equatable {
        /// It was never invited.
        case idle
        /// It holds an invitation and wants to be paired.
        case pairing(invitation: PeerKey)
        /// It knows that it is paired.
        case paired
    }

    let number: Int
    /// Its own key.
    var key: PeerKey
    var configuration: WatchEngine.Configuration
    var role = Role.idle
    /// The engine of this life, nil unless a paired watch runs.
    var engine: WatchEngine?
    /// The other process that a watch may run: the one that pairs it.
    var client: PairingClient?
    private(set) var life = 0
    var disk: SimulatedDisk<WatchEngine.State>
    let diskFaults: DiskFaults
    var clock: SimulatedClock
    /// The randomness of this node: the seeds of its lives, and the delays around it.
    let draws: NodeDraws
    var pausedUntil = Instant(nanoseconds: 0)
    var timer: (at: Instant, number: Int)?
    var lastTimerNumber = 0
    /// What connects it to the hub, as long as its process runs.
    var socket = VirtualSocket()
    /// What lies between it and the hub.
    var link = VirtualLink()
    /// The last messages that it sent with its own key, oldest first.
    private(set) var captured: [VirtualNetwork.Message] = []
    /// A copy of the store, and what the checks knew when it was made.
    struct Backup {
        var state: WatchEngine.State
        var files: SimulatedFiles
        var arrivals: ArrivalChecker.Arrivals
    }

    /// The copies of the store that are kept.
    static let backupCountMax = 12
    /// Copies of the store, oldest first; also of lives that went another way since, as a clone's.
    private(set) var backups: [Backup] = []
    /// The wishes of the person that wait for an answer, oldest first.
    var wishes: [UserRequest] = []
    /// Whether this life has greeted on its connection, to count what it sends again.
    var hasGreeted = false

    init(number: Int, options: SimulationOptions, transfers: TransferConfiguration, streams: SplitMix64) {
        self.number = number
        draws = NodeDraws(streams: streams.stream(1))
        var clockDraws = streams.stream(2)
        clock = SimulatedClock(options: options, draws: &clockDraws)
        var state = WatchEngine.State(newIncarnation: RandomID(using: &clockDraws))
        var aging = streams.stream(4)
        if aging.chance(options.agedChance) {
            let count = EpochFence.abandonedCountMax - aging.below(2)
            state.replica.fence = EpochFence(abandoned: (0..<count).map { _ in Epoch(number: aging.next()) })
        }
        disk = SimulatedDisk(state: state)
        diskFaults = DiskFaults(watch: number, streams: streams.stream(3))
        key = PeerKey.simulated(kind: 1, number: UInt64(number), draw: clockDraws.next())
        configuration = WatchEngine.Configuration(
            name: "watch \(number)", app: nil, schemaVersions: 1...1, window: clockDraws.pick([1, 2, 4, 16, 64]),
            node: key.node, transfers: transfers)
    }

    var isRunning: Bool { engine != nil || client != nil }

    /// The number of the connection that it uses, nil without one.
    var connection: Int? { socket.connection }

    /// The key that it proves to the hub; nil while it has no business there.
    var provenKey: PeerKey? {
        switch role {
        case .idle: nil
        case .pairing(let invitation): invitation
        case .paired: key
        }
    }

    mutating func start() {
        life += 1
        var lifeDraws = draws[.life, life]
        clock.restart(draws: &lifeDraws)
        forgetLife()
        switch role {
        case .idle: break
        case .pairing:
            client = PairingClient(
                key: key, name: configuration.name, app: configuration.app, seed: lifeDraws.next())
        case .paired:
            engine = WatchEngine(configuration: configuration, state: disk.load(), seed: lifeDraws.next())
        }
    }

    /// Keeps a copy of the store.
    mutating func backUp(_ backup: Backup) {
        if backups.count == Self.backupCountMax { backups.removeFirst() }
        backups.append(backup)
    }

    /// Remembers a message that it sent.
    mutating func capture(_ message: VirtualNetwork.Message) {
        if captured.count == 64 { captured.removeFirst(32) }
        captured.append(message)
    }

    /// The process dies; gives the number of records that are lost with it.
    mutating func crash(now: Instant) -> Int {
        engine = nil
        client = nil
        forgetLife()
        return disk.crash(now: now)
    }

    private mutating func forgetLife() {
        timer = nil
        socket.restart()
        hasGreeted = false
        wishes = []
        pausedUntil = Instant(nanoseconds: 0)
    }
}

extension PeerKey {
    /// A key that only has to differ from all others.
    static func simulated(kind: UInt64, number: UInt64, draw: UInt64) -> PeerKey {
        let bytes = [kind, number, draw, draw].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        guard let key = PeerKey(bytes: bytes) else { preconditionFailure("a key has 32 bytes, not \(bytes.count)") }
        return key
    }
}
