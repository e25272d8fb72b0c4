package import SyncCore

/// What a disk does with what it is given.
package enum DiskState: Hashable, Sendable {
    case works
    /// There is no room for files; the short records still fit.
    case full
    /// Nothing can be written.
    case fails

    /// Why a file cannot be stored, nil if it can.
    var fileFailure: FileFailure? {
        switch self {
        case .works: nil
        case .full: FileFailure(.full, "the disk is full")
        case .fails: FileFailure(.failed, "the disk fails")
        }
    }
}

/// The process of a device, whatever its engine, and what outlives it.
package struct VirtualDevice<Engine, Stored: StoredState> {
    /// The engine while the process runs.
    package internal(set) var engine: Engine?
    /// The number of the process, by which late events of an earlier one are told apart.
    package private(set) var life = 0
    /// Whether the process stands still.
    package private(set) var isStopped = false
    private(set) var disk: SimulatedDisk<Stored>
    package var diskState = DiskState.works
    /// How far its wall clock is ahead.
    var clock: SimulatedClock
    /// What waits for a process that stands still.
    private var held: [VirtualWorld.Event] = []
    /// Before this moment the engine is not told again that time has come.
    private var nextTick = Instant(nanoseconds: 0)
    /// The steps of its own until it loses its power, nil if nothing of that kind is planned.
    package var stepsLeft: Int?

    init(stored: Stored, clock: SimulatedClock, life: Int = 0) {
        disk = SimulatedDisk(state: stored)
        self.clock = clock
        self.life = life
    }

    /// What is on its disk.
    package var stored: Stored { disk.durable }

    /// Whether the process runs and does not stand still.
    package var isRunning: Bool { engine != nil && !isStopped }

    /// A process starts, or ends.
    mutating func begin(_ engine: Engine?) {
        self.engine = engine
        life += 1
        isStopped = false
        held = []
        stepsLeft = nil
    }

    mutating func end(now: Instant) {
        begin(nil)
        _ = disk.crash(now: now)
    }

    mutating func standStill() { isStopped = true }

    /// Lets the process go on; gives what waited for it.
    mutating func goOn() -> [VirtualWorld.Event] {
        defer { held = [] }
        isStopped = false
        return held
    }

    mutating func hold(_ event: VirtualWorld.Event) { held.append(event) }

    /// Counts a step of its own; whether it loses its power by that.
    mutating func countStep() -> Bool {
        guard let left = stepsLeft else { return false }
        stepsLeft = left > 1 ? left - 1 : nil
        return left <= 1 && engine != nil
    }

    // MARK: - Time

    /// When the engine is to be told that time has come, given the next moment that it waits for.
    func tick(_ deadline: Instant?) -> Instant? {
        guard isRunning, let deadline else { return nil }
        return max(deadline, nextTick)
    }

    /// Nobody is told twice at one moment, so that time goes on whatever deadlines there are.
    mutating func ticked(at now: Instant) {
        nextTick = now.advanced(by: .milliseconds(1))
    }

    // MARK: - Its disk

    /// Takes a record in; gives its number, nil if the disk fails.
    mutating func write(_ record: Stored.Record, now: Instant, takes duration: Duration) -> Int? {
        guard diskState != .fails else { return nil }
        return disk.write(record, now: now, takes: duration, fails: false).number
    }

    /// A record becomes durable.
    mutating func keep(_ number: Int) {
        _ = disk.finish(number)
    }

    /// Another store takes the place of its own.
    mutating func replace(by stored: Stored) {
        disk = SimulatedDisk(state: stored)
    }
}

/// What is particular to a watch.
package struct VirtualWatch {
    package internal(set) var device: VirtualDevice<WatchEngine, WatchEngine.State>
    package var configuration: WatchEngine.Configuration
    /// Its key; a clone has that of its original.
    package internal(set) var key: PeerKey
    package var link = VirtualLink()
    /// What connects it to the hub, as long as its process runs.
    var socket = VirtualSocket()
    /// Whether the hub did not let it in at the last attempt.
    package internal(set) var isShutOut = false
    /// What pairs it, until the hub has answered.
    var pairing: (client: PairingClient, connection: Int)?

    package var engine: WatchEngine? { device.engine }

    /// The number of the connection that it uses, nil without one.
    var connection: Int? { socket.connection }
}
