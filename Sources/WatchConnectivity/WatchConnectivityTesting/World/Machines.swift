import SyncCore
import SyncSimulation
import WatchConnectivity

/// One device of a test.
enum DeviceID: Hashable, Sendable {
    case phone
    case watch(Int)
}

/// One device's half of the pairing with one watch.
struct Address: Hashable, Sendable {
    var role: PeerState.Role
    /// The number of the watch, from 0.
    var watch: Int

    init(_ role: PeerState.Role, _ watch: Int) {
        self.role = role
        self.watch = watch
    }

    var device: DeviceID { role == .phone ? .phone : .watch(watch) }
}

/// What a disk does with what it is given.
enum DiskState: Hashable, Sendable {
    case works
    /// There is no room for files; the short records still fit.
    case full
    /// Nothing can be written.
    case fails
}

/// The phone: its engine while it has power, and what outlives that.
struct PhoneMachine {
    /// The engine of this life, nil without power.
    var engine: HubEngine?
    var life = 0
    /// What is on its disk.
    var memory: HubMemory
    var disk = DiskState.works
    var nextTick = Instant(nanoseconds: 0)
    /// The steps of its own until it loses its power, nil if nothing of that kind is planned.
    var stepsLeft: Int?

    init(memory: HubMemory) {
        self.memory = memory
    }
}

/// A watch: its engine while it has power, and what outlives that.
struct WatchMachine {
    let number: Int
    var engine: WatchEngine?
    var life = 0
    var state: WatchEngine.State
    /// The identity of the pairing; another one after it was paired anew.
    var key: PeerKey
    var isPaired = false
    var disk = DiskState.works
    var nextTick = Instant(nanoseconds: 0)
    var stepsLeft: Int?
    /// The number of the connection that it uses, nil without one.
    var connection: Int?
    /// Whether another attempt to connect is under way.
    var isDialing = false
    var link = LinkState()

    init(number: Int, using generator: inout SplitMix64) {
        self.number = number
        state = WatchEngine.State(newIncarnation: RandomID(using: &generator))
        key = Self.newKey(using: &generator)
    }

    static func newKey(using generator: inout SplitMix64) -> PeerKey {
        let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        guard let key = PeerKey(bytes: bytes) else { preconditionFailure("a key has 32 bytes, not \(bytes.count)") }
        return key
    }

    /// The name under which the phone knows it.
    var name: String { "watch \(number + 1)" }
}

/// What lies between the phone and a watch.
struct LinkState: Sendable {
    /// Whether there is no connection, and both ends know it.
    var isCut = false
    /// Whether what goes to the phone is lost without a word.
    var losesToPhone = false
    var losesToWatch = false
    var faults = TestLink.Faults()
    /// What the next frames to a side suffer, in order.
    var planned: [(isToPhone: Bool, TestLink.Mishap)] = []
    /// When the last frame arrives that keeps the order.
    var lastToPhone = Instant(nanoseconds: 0)
    var lastToWatch = Instant(nanoseconds: 0)
}

/// What a device keeps for one half of a pairing, beside its engine.
struct Half: Sendable {
    /// The companion's store.
    var stored: [String: [UInt8]] = [:]
    var files = PairFiles()
    /// When the companion wants to be told that time has come.
    var wakeAt: Instant?
    var nextTick = Instant(nanoseconds: 0)
    /// Whether the engine has a session with the other device.
    var isLinked = false
    /// What the device takes the link for, whatever it is; nil for the truth.
    var sense: Bool?
}
