package import SyncCore

/// The process of a device, with any engine, and what survives it besides the store.
package struct VirtualProcess {
    /// The timer that is set.
    struct Timer {
        let due: Instant
        let number: Int
    }

    /// The number of the process, by which late events of an earlier one are told apart.
    private(set) var run: Int
    /// Until when the process is suspended; the end of time if it waits for a request to continue.
    private(set) var pausedUntil = Instant(nanoseconds: 0)
    var clock: SimulatedClock
    var diskState = DiskState.works
    /// The timer of the engine, nil if none is set.
    private(set) var timer: Timer?
    private var lastTimerNumber = 0
    /// When the engine was last notified that a time has come, nil if never.
    private(set) var lastTick: Instant?
    /// The steps until it loses its power, nil if no loss is planned.
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

    /// Suspends the process, for at least as long as it is already suspended.
    mutating func pause(until time: Instant) { pausedUntil = max(pausedUntil, time) }

    /// Lets the process continue.
    mutating func goOn() { pausedUntil = Instant(nanoseconds: 0) }

    /// Counts a step; returns whether it loses its power by that.
    mutating func countStep() -> Bool {
        guard let left = stepsLeft else { return false }
        stepsLeft = left > 1 ? left - 1 : nil
        return left <= 1
    }

    /// Sets the timer; returns its number.
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

    /// Whether the process runs and is not suspended until a request to continue.
    package var isRunning: Bool { engine != nil && process.pausedUntil != .distantFuture }

    /// A process starts; without an engine, if it is another program than that.
    mutating func begin(_ engine: Engine?) {
        process.begin()
        self.engine = engine
    }

    /// The process ends at once; returns the number of lost records.
    mutating func end(now: Instant) -> Int {
        process.end()
        engine = nil
        return disk.crash(now: now)
    }

    /// Another store replaces its own.
    mutating func replace(by stored: Stored) {
        disk.restore(stored)
    }

    // MARK: - Records

    /// Gives its disk a record; returns its number, and what the disk does with it.
    mutating func write<Conditions: WorldConditions>(
        _ record: Stored.Record, at device: DeviceID, now: Instant, _ conditions: inout Conditions
    ) -> (number: Int, write: DiskWrite) {
        let write = conditions.write(
            disk.nextNumber, at: device, state: process.diskState, now: now, busyUntil: disk.freeAt)
        return (disk.write(record, until: write.done, fails: write.fails), write)
    }
}

/// The hub of a virtual world.
package struct VirtualHub {
    package internal(set) var device: VirtualDevice<HubEngine, HubMemory>
    /// The keys that its transport admits.
    var admitted: Set<PeerKey> = []

    package var engine: HubEngine? { device.engine }
    package var stored: HubMemory { device.stored }
}

/// The parts that only a watch has.
package struct VirtualWatch {
    /// What pairs it.
    struct Pairing {
        var client: PairingClient
        let invitation: PeerKey
        /// Its own connection, nil if the process of the watch pairs it, in place of the engine.
        let connection: Int?
    }

    package internal(set) var device: VirtualDevice<WatchEngine, WatchEngine.State>
    package var configuration: WatchEngine.Configuration
    /// Its key; a clone has that of its original.
    package internal(set) var key: PeerKey
    /// What pairs it, until the hub has answered.
    var pairing: Pairing?

    package var engine: WatchEngine? { device.engine }

    /// Whether its process pairs it.
    var isPairing: Bool { pairing.map { $0.connection == nil } ?? false }

    /// Whether its process runs or is suspended, whatever it does.
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
