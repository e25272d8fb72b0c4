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

/// The process of a device, whatever its engine, and what outlives it besides the store.
package struct VirtualProcess {
    /// The timer that is set.
    struct Timer {
        let due: Instant
        let number: Int
    }

    /// The number of the process, by which late events of an earlier one are told apart.
    private(set) var run: Int
    /// Until when the process stands still; the end of time if somebody will let it go on.
    private(set) var pausedUntil = Instant(nanoseconds: 0)
    var clock: SimulatedClock
    var diskState = DiskState.works
    /// The timer of the engine, nil if none is set.
    private(set) var timer: Timer?
    private var lastTimerNumber = 0
    /// When the engine was told last that time has come, nil if never.
    private(set) var lastTick: Instant?
    /// The steps of its own until it loses its power, nil if nothing of that kind is planned.
    var stepsLeft: Int?

    init(clock: SimulatedClock, run: Int) {
        self.clock = clock
        self.run = run
    }

    mutating func begin() {
        run += 1
        end()
    }

    mutating func end() {
        timer = nil
        pausedUntil = Instant(nanoseconds: 0)
        stepsLeft = nil
    }

    /// Lets the process stand still, for as long as it does already at least.
    mutating func pause(until time: Instant) { pausedUntil = max(pausedUntil, time) }

    /// Lets the process go on.
    mutating func goOn() { pausedUntil = Instant(nanoseconds: 0) }

    /// Counts a step of its own; whether it loses its power by that.
    mutating func countStep() -> Bool {
        guard let left = stepsLeft else { return false }
        stepsLeft = left > 1 ? left - 1 : nil
        return left <= 1
    }

    /// Sets the timer; gives its number.
    mutating func setTimer(due: Instant) -> Int {
        lastTimerNumber += 1
        timer = Timer(due: due, number: lastTimerNumber)
        return lastTimerNumber
    }

    mutating func cancelTimer() { timer = nil }

    /// The time of the timer has come.
    mutating func tick(at now: Instant) {
        timer = nil
        lastTick = now
    }
}

/// A device: its process, the engine in it, and its disk.
package struct VirtualDevice<Engine, Stored: StoredState> {
    /// The engine while the process runs.
    package internal(set) var engine: Engine?
    var process: VirtualProcess
    var disk: SimulatedDisk<Stored>

    init(stored: Stored, clock: SimulatedClock, run: Int = 0) {
        disk = SimulatedDisk(state: stored)
        process = VirtualProcess(clock: clock, run: run)
    }

    /// What is on its disk.
    package var stored: Stored { disk.durable }

    /// The number of the present or the last process.
    package var run: Int { process.run }

    /// Whether the process runs and does not stand still until somebody lets it go on.
    package var isRunning: Bool { engine != nil && process.pausedUntil != .distantFuture }

    /// A process starts; without an engine, if it is another program than that.
    mutating func begin(_ engine: Engine?) {
        process.begin()
        self.engine = engine
    }

    /// The process ends at once; gives the number of records that are lost with it.
    mutating func end(now: Instant) -> Int {
        process.end()
        engine = nil
        return disk.crash(now: now)
    }

    /// Another store takes the place of its own.
    mutating func replace(by stored: Stored) {
        disk.restore(stored)
    }
}

/// The hub of a virtual world.
package struct VirtualHub {
    package internal(set) var device: VirtualDevice<HubEngine, HubMemory>
    /// The keys that its transport lets in.
    var admitted: Set<PeerKey> = []

    package var engine: HubEngine? { device.engine }
    package var stored: HubMemory { device.stored }
}

/// What is particular to a watch.
package struct VirtualWatch {
    /// What pairs it.
    struct Pairing {
        var client: PairingClient
        let invitation: PeerKey
        /// The connection of its own, nil if it is the process of the watch, in place of the engine.
        let connection: Int?
    }

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
    var pairing: Pairing?

    package var engine: WatchEngine? { device.engine }

    /// The number of the connection that it uses, nil without one.
    var connection: Int? { socket.connection }

    /// Whether its process pairs it.
    var isPairing: Bool { pairing.map { $0.connection == nil } ?? false }

    /// Whether its process runs, whatever it does, or stands still.
    var isAlive: Bool { engine != nil || isPairing }

    /// The key that its process proves to the hub.
    var provenKey: PeerKey {
        guard let pairing, pairing.connection == nil else { return key }
        return pairing.invitation
    }
}

extension Instant {
    /// A time that never comes.
    static let distantFuture = Instant(nanoseconds: .max)
}
