import SyncCore

/// What a run keeps of a watch, outside of its device.
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

    /// A copy of the store, and what the checks knew when it was made.
    struct Backup {
        var state: WatchEngine.State
        var files: SimulatedFiles
        var arrivals: ArrivalChecker.Arrivals
    }

    /// The copies of the store that are kept.
    private static let backupCountMax = 12

    var role = Role.idle
    /// The last messages that it sent with its own key, oldest first.
    private(set) var captured: [VirtualNetwork.Message] = []
    /// Copies of the store, oldest first; also of processes that went another way since, as a clone's.
    private(set) var backups: [Backup] = []
    /// The wishes of the person that wait for an answer, oldest first.
    var wishes: [UserRequest] = []
    /// Whether this process has greeted on its connection, to count what it sends again.
    var hasGreeted = false
    /// The fence of the store before the last record.
    private var formerFence: EpochFence

    init(fence: EpochFence) {
        formerFence = fence
    }

    /// Its process starts, or ends.
    mutating func forgetProcess() {
        hasGreeted = false
        wishes = []
    }

    /// Gives the fence that the store held before, and remembers the one that it holds now.
    mutating func replaceFence(by fence: EpochFence) -> EpochFence {
        defer { formerFence = fence }
        return formerFence
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
}

extension VirtualWatch {
    /// A watch that does not run yet, drawn by what a run allows.
    init(number: Int, options: SimulationOptions, transfers: TransferConfiguration, streams: SplitMix64) {
        var draws = streams.stream(2)
        let clock = SimulatedClock(options: options, draws: &draws)
        var state = WatchEngine.State(newIncarnation: RandomID(using: &draws))
        var aging = streams.stream(4)
        if aging.chance(options.agedChance) {
            let count = EpochFence.abandonedCountMax - aging.below(2)
            state.replica.fence = EpochFence(abandoned: (0..<count).map { _ in Epoch(number: aging.next()) })
        }
        let key = PeerKey.simulated(kind: 1, number: UInt64(number), draw: draws.next())
        let configuration = WatchEngine.Configuration(
            name: "watch \(number)", app: nil, schemaVersions: 1...1, window: draws.pick([1, 2, 4, 16, 64]),
            node: key.node, transfers: transfers)
        self.init(
            device: VirtualDevice(stored: state, clock: clock), configuration: configuration, key: key)
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
