import SyncCore

/// The order of events in a virtual world: what is due at which time, what is left to be done now, and what was not
/// reported yet.
///
/// What is added last is done first: everything that follows from a step is done before what was left before it.
struct WorldAgenda<Plan> {
    typealias Event = WorldEvent<Plan>
    typealias Observation = WorldObservation<Plan>

    private(set) var now = Instant(nanoseconds: 0)
    private var queue = EventQueue<Event>()
    /// What waits for suspended processes.
    private var held: [(device: DeviceID, event: Event)] = []
    /// What is left to be done now; the last comes first.
    private var actions: [WorldAction] = []
    /// What was not reported yet, from `reportedCount` on.
    private var observations: [Observation] = []
    private var reportedCount = 0

    // MARK: - Later

    /// Plans an event; what has a lower rank comes before it at the same time.
    mutating func plan(_ event: Event, at time: Instant, rank: Int = 0) { queue.push(event, at: time, rank: rank) }

    mutating func plan(_ event: Event, after delay: Duration) { queue.push(event, at: now.advanced(by: delay)) }

    /// Removes and returns the next event that is due at `end` at the latest; the time does not change.
    mutating func next(until end: Instant) -> (event: Event, time: Instant)? {
        guard let time = queue.nextTime, time <= end else { return nil }
        return queue.pop()
    }

    /// When the next event is due of which something holds.
    func nextTime(where holds: (Event) -> Bool) -> Instant? { queue.nextTime(where: holds) }

    /// Whether nothing waits for a process that stands still.
    var holdsNothing: Bool { held.isEmpty }

    /// Lets time pass, unless it has passed already.
    mutating func reach(_ time: Instant) { now = max(now, time) }

    /// Lets time pass in which nothing happens.
    mutating func sleep(_ duration: Duration) { now = now.advanced(by: duration) }

    /// Lets an event wait for the process of a device, which is suspended until a time.
    mutating func hold(_ event: Event, of device: DeviceID, until wake: Instant) {
        if wake == .distantFuture { held.append((device, event)) } else { queue.push(event, at: wake) }
    }

    /// What has waited for the process of a device is due.
    mutating func release(_ device: DeviceID) {
        for (sleeper, event) in held where sleeper == device { queue.push(event, at: now) }
        drop(device)
    }

    /// What has waited for the process of a device is dropped.
    mutating func drop(_ device: DeviceID) { held.removeAll { $0.device == device } }

    // MARK: - Now

    /// Adds something that is to be done before all that is left to be done.
    mutating func add(_ action: WorldAction) { actions.append(action) }

    /// Gives an engine an input, later in this step.
    mutating func give(_ input: DeviceInput) { actions.append(.take(input)) }

    mutating func nextAction() -> WorldAction? { actions.popLast() }

    /// Whether everything was done and reported.
    var isEmpty: Bool { actions.isEmpty && reportedCount == observations.count }

    // MARK: - What is reported

    mutating func report(_ observation: Observation) { observations.append(observation) }

    mutating func nextObservation() -> Observation? {
        if reportedCount < observations.count {
            reportedCount += 1
            return observations[reportedCount - 1]
        }
        observations.removeAll(keepingCapacity: true)
        reportedCount = 0
        return nil
    }
}

/// Something that is due in a virtual world at a time; `run` is the process that it is for.
enum WorldEvent<Plan> {
    case input(DeviceInput, run: Int)
    case timer(DeviceID, run: Int, number: Int)
    case alarm(Side, number: Int)
    /// The work of a disk on a record ends.
    case disk(DeviceID, run: Int, number: Int)
    /// An engine is notified of the result of a record.
    case stored(DeviceRecord, isKept: Bool, run: Int)
    /// The work of a disk on a file ends.
    case fileWork(Side, run: Int, number: Int)
    /// An attempt to connect reaches the hub, or nothing.
    case dial(Int, run: Int, attempt: Int)
    /// The handshake of an attempt with a suspended process ends.
    case handshake(Int, run: Int, attempt: Int, hubRun: Int)
    /// A watch has waited long enough for another attempt.
    case socketTimer(Int, run: Int, attempt: Int)
    case message(VirtualNetwork.Message)
    /// A watch notices that a connection is gone.
    case hangUp(Int, connection: Int)
    /// The hub notices that a connection is gone.
    case forget(connection: Int)
    case plan(Plan, of: DeviceID?)
}

/// Something that is left to be done in a virtual world now.
enum WorldAction {
    /// Report that an engine takes an input, then give it the input.
    case take(DeviceInput)
    case handle(DeviceInput)
    /// Carry out the next output of an engine; the input is nil after the start of its process.
    case drain(DeviceID, after: DeviceInput?)
    /// Do what the supervision of a watch's connection requests of its socket.
    case socket(Int)
    /// Try to connect again, if no attempt is under way.
    case redial(Int)
    /// Give what pairs a watch an input.
    case pairing(Int, PairingInput)
    case arrived(VirtualNetwork.Message)
    case dialAll
    /// Notify an engine of the result of a record.
    case notice(DeviceRecord, number: Int, isKept: Bool, run: Int)
}

/// An input of the engine of a device.
enum DeviceInput {
    case hub(HubEngine.Input)
    case watch(Int, WatchEngine.Input)

    /// The device whose engine it is for.
    var device: DeviceID {
        switch self {
        case .hub: .hub
        case .watch(let number, _): .watch(number)
        }
    }
}

/// A record of the store of a device.
enum DeviceRecord {
    case hub(HubRecord)
    case watch(Int, WatchEngine.Record)

    /// The device whose store it is of.
    var device: DeviceID {
        switch self {
        case .hub: .hub
        case .watch(let number, _): .watch(number)
        }
    }
}

/// What the pairing of a watch is notified of.
enum PairingInput {
    case connected
    case received([[UInt8]])
    case timeReached
}
