package import SyncCore

/// A hub and watches in virtual time: the real engines on disks, clocks and links that only exist in memory.
///
/// It carries out what the engines put out. How long things take and what goes wrong is up to its ``WorldConditions``. What
/// happens is told in order by ``nextObservation()``, which whoever runs the world asks until nothing is left, after each
/// step and after everything that the world was told to do.
package struct VirtualWorld<Conditions: WorldConditions> {
    package typealias Observation = WorldObservation<Conditions.Plan>

    /// Something that is due at a time.
    private enum Event {
        case hub(HubEngine.Input, run: Int)
        case watch(Int, WatchEngine.Input, run: Int)
        case timer(DeviceID, run: Int, number: Int)
        case alarm(Side, number: Int)
        /// The work of a disk on a record ends.
        case hubDisk(run: Int, number: Int)
        case watchDisk(Int, run: Int, number: Int)
        /// An engine learns what became of a record.
        case hubStored(HubRecord, isKept: Bool, run: Int)
        case watchStored(Int, WatchEngine.Record, isKept: Bool, run: Int)
        /// The work of a disk on a file ends.
        case fileWork(Side, run: Int, number: Int)
        /// An attempt to connect reaches the hub, or nobody.
        case dial(Int, run: Int, attempt: Int)
        /// The handshake of an attempt, with a process that stood still, comes to its end.
        case handshake(Int, run: Int, attempt: Int, hubRun: Int)
        /// A watch has waited long enough for another attempt.
        case socketTimer(Int, run: Int, attempt: Int)
        case message(VirtualNetwork.Message)
        /// A watch notices that a connection is gone.
        case hangUp(Int, connection: Int)
        /// The hub notices that a connection is gone.
        case forget(connection: Int)
        case plan(Conditions.Plan, of: DeviceID?)
    }

    /// Something that is left to be done now.
    private enum Action {
        case hub(HubEngine.Input)
        case hubHandles(HubEngine.Input)
        case drainHub(HubEngine.Input?)
        case watch(Int, WatchEngine.Input)
        case watchHandles(Int, WatchEngine.Input)
        case drainWatch(Int, WatchEngine.Input?)
        /// Do what the supervision of a watch's connection wants of its socket.
        case socket(Int)
        /// Try to connect again, if nothing of the kind is under way.
        case redial(Int)
        case pairing(Int, PairingInput)
        case arrived(VirtualNetwork.Message)
        case dialAll
        /// Have an engine learn what became of a record.
        case noticeHub(HubRecord, number: Int, isKept: Bool, run: Int)
        case noticeWatch(Int, WatchEngine.Record, number: Int, isKept: Bool, run: Int)
    }

    /// What pairs a watch learns.
    private enum PairingInput {
        case connected
        case received([[UInt8]])
        case timeReached
    }

    package private(set) var now = Instant(nanoseconds: 0)
    package internal(set) var hub: VirtualHub
    package internal(set) var watches: [VirtualWatch] = []
    package var hubConfiguration: HubEngine.Configuration
    var conditions: Conditions
    private(set) var network: VirtualNetwork
    /// By side, its files, and what its disk has to do with them.
    var files: [SimulatedFiles] = []
    private var fileWork: [FileWork] = []
    private var alarms = Alarms()
    private var queue = EventQueue<Event>()
    /// What waits for processes that somebody will let go on.
    private var held: [(device: DeviceID, event: Event)] = []
    /// What is left to be done now; the last comes first.
    private var actions: [Action] = []
    /// What was not told yet, from `told` on.
    private var observations: [Observation] = []
    private var toldCount = 0
    /// By connection of its own on which a watch is paired, how long a frame is under way.
    private var pairingConnections: [Int: Duration] = [:]
    /// The connections on which the hub could not send.
    private var unroutable: [ConnectionID] = []
    private var lastRequest: UInt64 = 0

    /// Creates a world with a hub that does not run yet.
    init(
        conditions: Conditions, configuration: HubEngine.Configuration, hub: VirtualDevice<HubEngine, HubMemory>,
        network: VirtualNetwork = VirtualNetwork()
    ) {
        self.conditions = conditions
        self.network = network
        hubConfiguration = configuration
        self.hub = VirtualHub(device: hub)
    }

    /// Adds a watch that does not run yet.
    mutating func add(_ watch: VirtualWatch, files: SimulatedFiles = SimulatedFiles()) {
        watches.append(watch)
        self.files += [files, SimulatedFiles()]
        fileWork += [FileWork(), FileWork()]
        alarms.addWatch(now: now)
    }

    /// Adds a watch with all that another one has stored, its key included.
    package mutating func addClone(of original: Int) {
        let original = (number: original, watch: watches[original])
        let device = VirtualDevice<WatchEngine, WatchEngine.State>(
            stored: original.watch.device.stored, clock: original.watch.device.process.clock)
        add(
            VirtualWatch(device: device, configuration: original.watch.configuration, key: original.watch.key),
            files: files[Side(watch: original.number, isHub: false).index])
    }

    package mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    /// The number of the first watch with a key.
    package func watch(of peer: PeerKey) -> Int? { watches.firstIndex { $0.key == peer } }

    /// The watch at one end of the connection of a message.
    package func watch(on message: VirtualNetwork.Message) -> Int { network[message.connection].watch }

    // MARK: - What happens

    /// Does what is left to be done, up to the next thing that is to be seen; nil if nothing is left.
    package mutating func nextObservation() -> Observation? {
        while true {
            if toldCount < observations.count {
                toldCount += 1
                return observations[toldCount - 1]
            }
            observations.removeAll(keepingCapacity: true)
            toldCount = 0
            guard let action = actions.popLast() else { return nil }
            perform(action)
        }
    }

    private mutating func tell(_ observation: Observation) { observations.append(observation) }

    private mutating func perform(_ action: Action) {
        switch action {
        case .hub(let input):
            guard hub.engine != nil else { return }
            actions.append(.hubHandles(input))
            tell(.hubTakes(input))
        case .hubHandles(let input):
            guard hub.engine != nil else { return }
            let moment = moment(at: .hub)
            hub.device.engine?.handle(input, at: moment)
            actions.append(.drainHub(input))
        case .drainHub(let input): drainHub(after: input)
        case .watch(let number, let input):
            guard watches[number].engine != nil else { return }
            actions.append(.watchHandles(number, input))
            tell(.watchTakes(number, input))
        case .watchHandles(let number, let input):
            guard watches[number].engine != nil else { return }
            let moment = moment(at: .watch(number))
            watches[number].device.engine?.handle(input, at: moment)
            actions.append(.drainWatch(number, input))
        case .drainWatch(let number, let input): drainWatch(number, after: input)
        case .socket(let number): runSocket(number)
        case .redial(let number): if watches[number].isAlive, watches[number].socket.isIdle { dial(number) }
        case .pairing(let number, let input): step(number, input)
        case .arrived(let message): tell(.arrived(message))
        case .dialAll: dialAll()
        case .noticeHub(let record, let number, let isKept, let run):
            noticeHub(record, number: number, isKept: isKept, run: run)
        case .noticeWatch(let watch, let record, let number, let isKept, let run):
            noticeWatch(watch, record, number: number, isKept: isKept, run: run)
        }
    }

    // MARK: - Time

    /// What the clocks of a device show.
    package func moment(at device: DeviceID) -> Moment { self[device].clock.moment(at: now) }

    /// The process of a device.
    private subscript(device: DeviceID) -> VirtualProcess {
        get {
            switch device {
            case .hub: hub.device.process
            case .watch(let number): watches[number].device.process
            }
        }
        set {
            switch device {
            case .hub: hub.device.process = newValue
            case .watch(let number): watches[number].device.process = newValue
            }
        }
    }

    /// The wall clock of a device jumps.
    package mutating func turnClock(of device: DeviceID, milliseconds: Int64) {
        self[device].clock.jump(milliseconds: milliseconds)
    }

    /// Lets time pass in which nothing happens: all devices sleep.
    package mutating func sleep(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    /// Lets the next thing happen that is due at `end` at the latest; false if nothing is due.
    ///
    /// The time until the end passes then if `passes` says so.
    package mutating func step(until end: Instant, passes: Bool) -> Bool {
        assert(actions.isEmpty && toldCount == observations.count, "what was to be done before was not")
        while let next = queue.nextTime, next <= end, let (event, time) = queue.pop() {
            guard !isVoid(event) else { continue }
            now = max(now, time)
            if let (device, wake) = sleeper(of: event), wake > now {
                if wake == .distantFuture { held.append((device, event)) } else { queue.push(event, at: wake) }
            } else {
                happen(event)
            }
            return true
        }
        if passes { now = max(now, end) }
        return false
    }

    /// Until when a process stands still, or stood still last.
    func pausedUntil(_ device: DeviceID) -> Instant { self[device].pausedUntil }

    /// Whether a process that has ended, or a later time that it has set, makes an event void.
    private func isVoid(_ event: Event) -> Bool {
        switch event {
        case .hub(_, let run), .hubStored(_, _, let run): run != hub.device.run || hub.engine == nil
        case .timer(let device, let run, let number): run != self[device].run || number != self[device].timer?.number
        case .hubDisk(let run, _): run != hub.device.run
        case .watch(let watch, _, let run), .watchStored(let watch, _, _, let run):
            run != watches[watch].device.run || watches[watch].engine == nil
        case .watchDisk(let watch, let run, _): run != watches[watch].device.run
        case .fileWork(let side, let run, _): run != self.run(of: side.device)
        case .dial(let watch, let run, let attempt), .handshake(let watch, let run, let attempt, _):
            run != watches[watch].device.run || !watches[watch].isAlive || !watches[watch].socket.isTrying(attempt)
        case .socketTimer(let watch, let run, let attempt):
            run != watches[watch].device.run || !watches[watch].isAlive || watches[watch].socket.attempt != attempt
        case .alarm(let side, let number): !alarms.isSet(number, of: side)
        case .hangUp(let watch, let connection):
            watches[watch].connection != connection || watches[watch].device.run != network[connection].watchRun
        case .message, .forget, .plan: false
        }
    }

    /// The device whose process an event concerns, and until when that stands still; nil if it concerns none.
    private func sleeper(of event: Event) -> (device: DeviceID, wake: Instant)? {
        let device: DeviceID? =
            switch event {
            case .timer(let device, _, _): device
            case .hub, .hubStored: .hub
            case .watch(let watch, _, _), .watchStored(let watch, _, _, _),
                .dial(let watch, _, _), .handshake(let watch, _, _, _), .socketTimer(let watch, _, _),
                .hangUp(let watch, _):
                .watch(watch)
            case .fileWork(let side, _, _): side.device
            case .message(let message): message.isToHub ? .hub : .watch(network[message.connection].watch)
            case .plan(_, let device): device
            case .alarm, .hubDisk, .watchDisk, .forget: nil
            }
        return device.map { ($0, pausedUntil($0)) }
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .hub(let input, _): give(input)
        case .watch(let watch, let input, _): give(input, to: watch)
        case .timer(let device, _, _):
            self[device].tick(at: now)
            timeReached(at: device)
        case .alarm(let side, _):
            alarms.ring(of: side, now: now)
            tell(.alarm(side))
        case .hubDisk(_, let number): finishAtHub(number)
        case .watchDisk(let watch, _, let number): finish(number, atWatch: watch)
        case .hubStored(let record, let isKept, _): hubStored(record, isKept: isKept)
        case .watchStored(let watch, let record, let isKept, _):
            give(isKept ? .persisted(record) : .persistFailed(record, reason: Self.diskFailure), to: watch)
        case .fileWork(let side, _, let number): finishFileWork(number, at: side)
        case .dial(let watch, _, let attempt): dialed(watch, attempt)
        case .handshake(let watch, _, _, let hubRun): shakeHands(watch, hubRun: hubRun)
        case .socketTimer(let watch, _, _):
            watches[watch].socket.timeReached(at: moment(at: .watch(watch)).monotonic)
            actions.append(.socket(watch))
        case .message(let message): arrive(message)
        case .hangUp(let watch, let connection): hangUp(watch, connection: connection)
        case .forget(let connection): network.close(connection)
        case .plan(let plan, _): tell(.due(plan))
        }
    }

    /// Plans something for a time; it waits for the process of a device if one is named and stands still.
    mutating func plan(_ plan: Conditions.Plan, at time: Instant, of device: DeviceID? = nil) {
        queue.push(.plan(plan, of: device), at: time)
    }

    /// Has a side told when a moment has come; nil takes that back.
    package mutating func setAlarm(of side: Side, at moment: Instant?) {
        guard let (number, due) = alarms.set(of: side, at: moment) else { return }
        let rank = 4 * side.watch + (side.isHub ? 4 : 5)
        queue.push(.alarm(side, number: number), at: due, rank: rank)
    }

    /// Gives the hub's engine an input after a while, if its process runs still.
    package mutating func post(_ input: HubEngine.Input, after delay: Duration) {
        queue.push(.hub(input, run: hub.device.run), at: now.advanced(by: delay))
    }

    private mutating func post(_ input: WatchEngine.Input, to watch: Int, after delay: Duration) {
        queue.push(.watch(watch, input, run: watches[watch].device.run), at: now.advanced(by: delay))
    }

    /// Gives the engine of a side an input after a while, if its process runs still.
    package mutating func post(_ input: TransferInput, at side: Side, after delay: Duration) {
        if side.isHub {
            post(.transfer(watches[side.watch].key, input), after: delay)
        } else {
            post(.transfer(input), to: side.watch, after: delay)
        }
    }

    private mutating func timeReached(at device: DeviceID) {
        switch device {
        case .hub: give(.timeReached)
        case .watch(let number) where watches[number].isPairing: actions.append(.pairing(number, .timeReached))
        case .watch(let number): give(.timeReached, to: number)
        }
    }

    /// Sets the timer of a device by the time for which its engine, or what pairs it, waits.
    private mutating func setTimer(of device: DeviceID) {
        let (isExact, process) = (conditions.areTimersExact, self[device])
        guard let deadline = deadline(of: device) else {
            if isExact { self[device].cancelTimer() }
            return
        }
        let due = max(process.clock.virtual(deadline), conditions.earliestTick(now: now, last: process.lastTick))
        if let timer = process.timer, isExact ? timer.due == due : timer.due <= due { return }
        let number = self[device].setTimer(due: due)
        let rank =
            switch device {
            case .hub: 1
            case .watch(let number): 4 * number + 2
            }
        queue.push(
            .timer(device, run: process.run, number: number),
            at: due.advanced(by: conditions.timerDelay(of: device, number: number)), rank: isExact ? rank : 0)
    }

    private func deadline(of device: DeviceID) -> Instant? {
        switch device {
        case .hub: return hub.engine?.nextDeadline
        case .watch(let number):
            let client = watches[number].isPairing ? watches[number].pairing?.client : nil
            return watches[number].engine?.nextDeadline ?? client?.deadline
        }
    }

    // MARK: - Processes

    /// Whether the process of a device runs, or stands still.
    package func isAlive(_ device: DeviceID) -> Bool {
        switch device {
        case .hub: hub.engine != nil
        case .watch(let number): watches[number].isAlive
        }
    }

    /// The number of the present or the last process of a device.
    package func run(of device: DeviceID) -> Int { self[device].run }

    /// A process starts with what is on its disk.
    package mutating func start(_ device: DeviceID) {
        guard !isAlive(device) else { return }
        switch device {
        case .hub:
            let seed = conditions.seed(of: .hub, run: hub.device.run + 1, clock: &hub.device.process.clock)
            let engine = HubEngine(
                configuration: hubConfiguration, state: hub.stored.ledger, transfers: hub.stored.transfers,
                seed: seed, at: moment(at: .hub))
            hub.device.begin(engine)
            if conditions.retryInterval == nil { actions.append(.dialAll) }
            actions.append(.drainHub(nil))
        case .watch(let number):
            let seed = beginRun(ofWatch: number)
            let watch = watches[number]
            watches[number].device.begin(
                WatchEngine(configuration: watch.configuration, state: watch.device.stored, seed: seed))
            actions.append(.drainWatch(number, nil))
        }
    }

    /// The process starts that pairs a watch.
    mutating func startPairing(_ number: Int, invitation: PeerKey) {
        guard !watches[number].isAlive else { return }
        let seed = beginRun(ofWatch: number)
        let watch = watches[number]
        let client = PairingClient(
            key: watch.key, name: watch.configuration.name, app: watch.configuration.app, seed: seed)
        watches[number].device.begin(nil)
        watches[number].pairing = VirtualWatch.Pairing(client: client, invitation: invitation, connection: nil)
        actions.append(.socket(number))
    }

    private mutating func beginRun(ofWatch number: Int) -> UInt64 {
        watches[number].socket.restart()
        let run = watches[number].device.run + 1
        return conditions.seed(of: .watch(number), run: run, clock: &watches[number].device.process.clock)
    }

    /// A process ends at once: what is not on its disk is lost; gives the number of records that are lost.
    @discardableResult
    package mutating func stop(_ device: DeviceID) -> Int {
        guard isAlive(device) else { return 0 }
        let lostCount: Int
        switch device {
        case .hub:
            if conditions.endsConnectionsAtOnce {
                for number in watches.indices { disconnect(number) }
            }
            lostCount = hub.device.end(now: now)
            hub.admitted = []
            unroutable = []
            for connection in network.endHub(run: hub.device.run) {
                let time = now.advanced(by: conditions.endDelay(of: connection))
                queue.push(.hangUp(network[connection].watch, connection: connection), at: time)
            }
        case .watch(let number):
            if conditions.endsConnectionsAtOnce {
                disconnect(number)
            } else if let connection = watches[number].connection {
                leave(connection)
            }
            lostCount = watches[number].device.end(now: now)
            if watches[number].isPairing { watches[number].pairing = nil }
            watches[number].socket.restart()
        }
        held.removeAll { $0.device == device }
        for number in watches.indices {
            let sides = [Side(watch: number, isHub: true), Side(watch: number, isHub: false)]
            for side in sides where side.device == device {
                alarms.cancel(of: side)
                dropFileWork(at: side)
            }
        }
        return lostCount
    }

    /// The process of a device stands still until it is told to go on.
    package mutating func standStill(_ device: DeviceID) { pause(device, until: .distantFuture) }

    /// The process of a device stands still.
    mutating func pause(_ device: DeviceID, until time: Instant) {
        self[device].pause(until: time)
    }

    /// The process of a device goes on.
    package mutating func goOn(_ device: DeviceID) {
        self[device].goOn()
        for (sleeper, event) in held where sleeper == device { queue.push(event, at: now) }
        held.removeAll { $0.device == device }
        // Handshakes may have been broken off meanwhile.
        if device == .hub, conditions.retryInterval == nil { actions += watches.indices.reversed().map(Action.redial) }
    }

    /// Plans that a device loses its power after so many more steps of its own; nil takes that back.
    ///
    /// Each frame that it sends or gets is one, and each record that its disk takes.
    package mutating func planPowerLoss(of device: DeviceID, afterSteps count: Int?) {
        self[device].stepsLeft = count
    }

    package mutating func countStep(of device: DeviceID) {
        guard self[device].countStep(), isAlive(device) else { return }
        stop(device)
        tell(.lostPower(device))
    }

    // MARK: - The hub

    /// Gives the hub's engine an input.
    package mutating func give(_ input: HubEngine.Input) { actions.append(.hub(input)) }

    private mutating func drainHub(after input: HubEngine.Input?) {
        if let output = hub.device.engine?.nextOutput() {
            actions.append(.drainHub(input))
            tell(.hubOutput(output))
            return carryOut(output)
        }
        for connection in unroutable.reversed() { actions.append(.hub(.unroutable(connection))) }
        unroutable = []
        guard hub.engine != nil else { return }
        setTimer(of: .hub)
        tell(.hubRests(input))
    }

    private mutating func carryOut(_ output: HubEngine.Output) {
        switch output {
        case .send(let frame, let name):
            countStep(of: .hub)
            guard hub.engine != nil else { return }
            let connection = VirtualNetwork.connection(name)
            if network[connection].hubRun == hub.device.run, network[connection].isOpenAtHub {
                send(frame, on: connection, isToHub: false)
            } else if !unroutable.contains(name) {
                unroutable.append(name)
            }
        case .persist(let transaction): write(.transaction(transaction))
        case .record(let peer, let record): write(.transfer(peer, record))
        case .transfer(let peer, let output):
            if let watch = watch(of: peer) { carryOut(output, at: Side(watch: watch, isHub: true)) }
        case .close(let name): close(VirtualNetwork.connection(name))
        case .admit(let keys):
            hub.admitted = Set(keys)
            if conditions.retryInterval == nil { dialAll() }
        case .answer, .event: break
        }
    }

    private mutating func write(_ record: HubRecord) {
        let write = conditions.write(
            hub.device.disk.nextNumber, at: .hub, state: diskState(of: .hub), now: now,
            busyUntil: hub.device.disk.freeAt)
        if write.isSlow { tell(.slowWrite(.hub)) }
        let number = hub.device.disk.write(record, until: write.done, fails: write.fails)
        guard write.done > now else {
            finishAtHub(number)
            return write.fails ? () : countStep(of: .hub)
        }
        queue.push(.hubDisk(run: hub.device.run, number: number), at: write.done)
    }

    /// The work of the hub's disk on a record ends.
    private mutating func finishAtHub(_ number: Int) {
        guard let job = hub.device.disk.finish(number) else { return }
        actions.append(.noticeHub(job.record, number: number, isKept: !job.fails, run: hub.device.run))
        tell(.hubWrote(job.record, isKept: !job.fails))
    }

    /// The hub's engine is to learn what became of a record, if its process runs still.
    private mutating func noticeHub(_ record: HubRecord, number: Int, isKept: Bool, run: Int) {
        guard run == hub.device.run, hub.engine != nil else { return }
        let delay = conditions.noticeDelay(of: .hub, number: number)
        let time = delay.map { hub.device.disk.notice(now: now, delay: $0) } ?? now
        queue.push(.hubStored(record, isKept: isKept, run: run), at: time)
    }

    private mutating func hubStored(_ record: HubRecord, isKept: Bool) {
        tell(.hubStored(record, isKept: isKept))
        switch record {
        case .transaction(let transaction):
            give(isKept ? .persisted(transaction) : .persistFailed(transaction, reason: Self.diskFailure))
        case .transfer(let peer, let record):
            give(isKept ? .recorded(peer, record) : .recordFailed(peer, record, reason: Self.diskFailure))
        }
    }

    // MARK: - A watch

    /// Gives a watch's engine an input.
    package mutating func give(_ input: WatchEngine.Input, to watch: Int) { actions.append(.watch(watch, input)) }

    private mutating func drainWatch(_ number: Int, after input: WatchEngine.Input?) {
        if let output = watches[number].device.engine?.nextOutput() {
            actions.append(.drainWatch(number, input))
            tell(.watchOutput(number, output))
            return carryOut(output, of: number)
        }
        guard watches[number].engine != nil else { return }
        setTimer(of: .watch(number))
        actions.append(.socket(number))
        tell(.watchRests(number, input))
    }

    private mutating func carryOut(_ output: WatchEngine.Output, of number: Int) {
        switch output {
        case .send(let frame):
            countStep(of: .watch(number))
            if let connection = watches[number].connection { send(frame, on: connection, isToHub: true) }
        case .reconnect: watches[number].socket.replace()
        case .persist(let record): write(record, atWatch: number)
        case .transfer(let output): carryOut(output, at: Side(watch: number, isHub: false))
        case .answer, .event: break
        }
    }

    private mutating func write(_ record: WatchEngine.Record, atWatch watch: Int) {
        let write = conditions.write(
            watches[watch].device.disk.nextNumber, at: .watch(watch), state: diskState(of: .watch(watch)), now: now,
            busyUntil: watches[watch].device.disk.freeAt)
        if write.isSlow { tell(.slowWrite(.watch(watch))) }
        let number = watches[watch].device.disk.write(record, until: write.done, fails: write.fails)
        guard write.done > now else {
            finish(number, atWatch: watch)
            return write.fails ? () : countStep(of: .watch(watch))
        }
        let run = watches[watch].device.run
        queue.push(.watchDisk(watch, run: run, number: number), at: write.done)
    }

    /// The work of a watch's disk on a record ends.
    private mutating func finish(_ number: Int, atWatch watch: Int) {
        guard let job = watches[watch].device.disk.finish(number) else { return }
        let run = watches[watch].device.run
        actions.append(.noticeWatch(watch, job.record, number: number, isKept: !job.fails, run: run))
        tell(.watchWrote(watch, job.record, isKept: !job.fails))
    }

    /// A watch's engine is to learn what became of a record, if its process runs still.
    private mutating func noticeWatch(
        _ watch: Int, _ record: WatchEngine.Record, number: Int, isKept: Bool, run: Int
    ) {
        guard run == watches[watch].device.run, watches[watch].engine != nil else { return }
        let delay = conditions.noticeDelay(of: .watch(watch), number: number)
        let time = delay.map { watches[watch].device.disk.notice(now: now, delay: $0) } ?? now
        queue.push(.watchStored(watch, record, isKept: isKept, run: run), at: time)
    }

    // MARK: - Disks

    private static var diskFailure: String { "the disk fails" }

    package func diskState(of device: DeviceID) -> DiskState { self[device].diskState }

    package mutating func setDisk(of device: DeviceID, _ state: DiskState) { self[device].diskState = state }

    /// A copy of all that a device has stored.
    package func copyStore(of device: DeviceID) -> StoreCopy {
        switch device {
        case .hub: .hub(hub.stored, files: watches.indices.map { files[Side(watch: $0, isHub: true).index] })
        case .watch(let number):
            .watch(watches[number].device.stored, files: files[Side(watch: number, isHub: false).index])
        }
    }

    /// A copy takes the place of all that a device has stored, whose process does not run.
    package mutating func restore(_ copy: StoreCopy, at device: DeviceID) {
        switch (copy, device) {
        case (.hub(let memory, let held), .hub):
            hub.device.replace(by: memory)
            for number in watches.indices {
                files[Side(watch: number, isHub: true).index] = number < held.count ? held[number] : SimulatedFiles()
            }
        case (.watch(let state, let held), .watch(let number)):
            watches[number].device.replace(by: state)
            files[Side(watch: number, isHub: false).index] = held
        case (.hub, .watch), (.watch, .hub): preconditionFailure("a copy is that of another kind of device")
        }
    }

    // MARK: - Transfers

    private mutating func carryOut(_ output: TransferOutput, at side: Side) {
        switch output {
        case .files(.answer), .files(.event): break
        case .files(let output):
            let number = fileWork[side.index].nextNumber
            let time = conditions.fileTime(at: side, number: number)
            let done = fileWork[side.index].begin(output, now: now, takes: time)
            queue.push(.fileWork(side, run: run(of: side.device), number: number), at: done)
        case .exchange: break
        }
    }

    private mutating func finishFileWork(_ number: Int, at side: Side) {
        guard let output = fileWork[side.index].finish(number) else { return }
        let fault = conditions.fileFault(output, at: side, number: number, state: diskState(of: side.device))
        if fault != nil { tell(.fileFails(side)) }
        guard let input = files[side.index].carryOut(output, fault: fault) else { return }
        give(.files(input), to: side)
    }

    /// What a side's disk had to do with files is not done any more.
    mutating func dropFileWork(at side: Side) { fileWork[side.index].crash(now: now) }

    /// Gives the engine of a side an input.
    mutating func give(_ input: TransferInput, to side: Side) {
        if side.isHub {
            give(.transfer(watches[side.watch].key, input))
        } else {
            give(.transfer(input), to: side.watch)
        }
    }

    /// What a device has stored of one pairing.
    package func transferState(of side: Side) -> TransferState {
        side.isHub
            ? hub.stored.transfers[watches[side.watch].key] ?? TransferState()
            : watches[side.watch].device.stored.transfers
    }

    /// The bytes of a file that has arrived.
    package func received(_ id: RandomID, at side: Side) -> [UInt8]? { files[side.index].received[id] }

    package mutating func keep(_ bytes: [UInt8], as copy: String, at side: Side) {
        files[side.index].keep(copy, bytes)
    }

    package mutating func release(_ copy: String, at side: Side) {
        files[side.index].release(copy)
    }

    /// Removes the files that nothing refers to: what a process left that ended between two steps.
    package mutating func tidyFiles(of side: Side, keeping copies: Set<String>) {
        files[side.index].tidy(transferState(of: side).files, keeping: copies)
    }

    /// Removes what the hub holds of files from and for watches that it has forgotten.
    package mutating func removeFiles(of record: HubRecord) {
        guard case .transaction(let transaction) = record else { return }
        for peer in transaction.forgotten {
            if let watch = watch(of: peer) { files[Side(watch: watch, isHub: true).index] = SimulatedFiles() }
        }
    }

    // MARK: - Connections

    /// All watches that have no connection try to get one.
    private mutating func dialAll() {
        for number in watches.indices { dialSoon(number) }
    }

    /// A watch without a connection tries to get one.
    package mutating func dialSoon(_ number: Int) {
        guard watches[number].engine != nil else { return }
        watches[number].socket.retry()
        actions.append(.redial(number))
        actions.append(.socket(number))
    }

    /// Does what the supervision of a watch's connection wants of its socket.
    private mutating func runSocket(_ number: Int) {
        while watches[number].isAlive {
            switch watches[number].socket.nextDirective() {
            case .keep: return
            case .endConnection:
                closeSocket(number)
                actions.append(.socket(number))
                return give(.disconnected, to: number)
            case .open:
                closeSocket(number)
                let attempt = watches[number].socket.attempt
                let failure = conditions.connectFailure(of: number, attempt: attempt, atSocket: true)
                guard failure == nil else {
                    tell(.socketDenied(number))
                    watches[number].socket.denied(at: moment(at: .watch(number)).monotonic)
                    setSocketTimer(number)
                    continue
                }
                let isReplacement = watches[number].socket.isReplaced
                watches[number].socket.opened()
                dial(number, isReplacement: isReplacement)
            }
        }
    }

    private mutating func closeSocket(_ number: Int) {
        if let connection = watches[number].socket.close() { leave(connection) }
    }

    private mutating func setSocketTimer(_ number: Int) {
        guard let deadline = watches[number].socket.deadline else { return }
        queue.push(
            .socketTimer(number, run: watches[number].device.run, attempt: watches[number].socket.attempt),
            at: max(now, self[.watch(number)].clock.virtual(deadline)),
            rank: conditions.areTimersExact ? 4 * number + 3 : 0)
    }

    /// A watch's socket starts an attempt to connect.
    private mutating func dial(_ number: Int, after wait: Duration = .zero, isReplacement: Bool = false) {
        let attempt = watches[number].socket.begin()
        let delay = wait + conditions.dialDelay(of: number, attempt: attempt, isReplacement: isReplacement)
        queue.push(
            .dial(number, run: watches[number].device.run, attempt: attempt), at: now.advanced(by: delay))
    }

    /// An attempt reaches the hub, or nobody.
    private mutating func dialed(_ number: Int, _ attempt: Int) {
        guard hub.engine != nil, !watches[number].link.isClosed(at: now) else {
            watches[number].socket.unanswered()
            if let wait = conditions.retryInterval { dial(number, after: wait) }
            return
        }
        watches[number].socket.taken(at: moment(at: .watch(number)).monotonic)
        guard pausedUntil(.hub) <= now else {
            // The system takes the connection for a process that stands still.
            tell(.handshakeWaits(number))
            let end = min(pausedUntil(.hub), now.advanced(by: ConnectionSupervisor.handshakeInterval))
            let run = watches[number].device.run
            return queue.push(.handshake(number, run: run, attempt: attempt, hubRun: hub.device.run), at: end)
        }
        shakeHands(number, hubRun: hub.device.run)
    }

    /// The handshake of an attempt comes to its end.
    private mutating func shakeHands(_ number: Int, hubRun: Int) {
        guard hub.engine != nil, hub.device.run == hubRun, pausedUntil(.hub) <= now else {
            return handshakeFailed(.brokenOff, of: number)
        }
        let attempt = watches[number].socket.attempt
        if let failure = conditions.connectFailure(of: number, attempt: attempt, atSocket: false)?.handshake {
            return handshakeFailed(failure, of: number)
        }
        watches[number].isShutOut = !hub.admitted.contains(watches[number].provenKey)
        guard !watches[number].isShutOut else { return handshakeFailed(.denied, of: number) }
        let connection = open(number, watches[number].provenKey)
        guard watches[number].socket.succeeded(connection) else { return leave(connection) }
        if watches[number].isPairing {
            actions.append(.pairing(number, .connected))
        } else {
            give(.connected, to: number)
        }
        tell(.connects(number, connection: connection))
    }

    private mutating func handshakeFailed(_ failure: ConnectionSupervisor.HandshakeFailure, of number: Int) {
        tell(.handshakeFails(number, failure))
        if watches[number].socket.failed(failure, at: moment(at: .watch(number)).monotonic) {
            if let wait = conditions.retryInterval { dial(number, after: wait) }
        } else {
            setSocketTimer(number)
        }
    }

    private mutating func open(_ number: Int, _ key: PeerKey) -> Int {
        network.open(watch: number, watchRun: watches[number].device.run, hubRun: hub.device.run, peer: key)
    }

    /// A watch uses a connection no more; the hub's end may stay open for a while.
    private mutating func leave(_ connection: Int) {
        network.leave(connection)
        let delay = conditions.leaveDelay(of: network[connection].watch, connection: connection)
        guard delay > .zero else { return network.close(connection) }
        queue.push(.forget(connection: connection), at: now.advanced(by: delay))
    }

    /// The hub closes a connection; what it has sent before arrives.
    private mutating func close(_ connection: Int) {
        guard network.knows(connection) else { return }
        network.close(connection)
        guard network[connection].isOpenAtWatch else { return }
        hangUp(connection, after: conditions.closeDelay(of: connection))
    }

    /// Has a watch notice after a while that a connection is gone.
    mutating func hangUp(_ connection: Int, after delay: Duration) {
        let number = network[connection].watch
        queue.push(.hangUp(number, connection: connection), at: now.advanced(by: delay))
    }

    /// The hub's end of a connection breaks; that of the watch stays open, to nobody.
    mutating func breakHubEnd(of connection: Int) { network.close(connection) }

    /// A watch notices that its connection is gone.
    mutating func hangUp(_ number: Int, connection: Int) {
        guard watches[number].connection == connection, watches[number].device.run == network[connection].watchRun
        else { return }
        leave(connection)
        actions.append(.redial(number))
        if watches[number].socket.lost() { give(.disconnected, to: number) }
        tell(.hangsUp(number, connection: connection))
    }

    /// Both ends lose their connection, and know it.
    package mutating func disconnect(_ number: Int) {
        guard let connection = watches[number].connection else { return }
        let isOpenAtHub = network[connection].isOpenAtHub
        closeSocket(number)
        _ = watches[number].socket.lost()
        network.close(connection)
        let delay = conditions.closeDelay(of: connection)
        post(.disconnected, to: number, after: delay)
        if isOpenAtHub { post(.unroutable(VirtualNetwork.name(connection)), after: delay) }
        dialSoon(number)
    }

    // MARK: - Messages

    private mutating func send(_ frame: Frame, on connection: Int, isToHub: Bool) {
        let number = network[connection].watch
        var message = VirtualNetwork.Message(
            connection: connection, isToHub: isToHub, parts: FrameCodec.parts(of: frame), kind: frame.kind, sent: now)
        tell(.sends(frame, message))
        // What pairs a watch on a connection of its own passes whatever lies between the two.
        let fate: VirtualLink.Fate =
            if let delay = pairingConnections[connection] {
                .arrives(VirtualNetwork.Passage(delay: delay), nil)
            } else {
                conditions.fate(of: &message, from: number, on: &watches[number].link, now: now)
            }
        tell(.fate(fate, frame.kind, to: Side(watch: number, isHub: isToHub), connection: connection))
        guard case .arrives(let passage, _) = fate else { return }
        let times = network.send(&message, passage, now: now)
        queue.push(.message(message), at: times.arrival)
        if let copy = times.copy { queue.push(.message(message), at: copy) }
    }

    /// A message that nobody sends now comes to the hub.
    mutating func inject(_ message: VirtualNetwork.Message, after delay: Duration) {
        queue.push(.message(message), at: now.advanced(by: delay))
    }

    private mutating func arrive(_ message: VirtualNetwork.Message) {
        let connection = network[message.connection]
        let number = connection.watch
        let pairsApart = pairingConnections[message.connection] != nil
        let isAlive =
            message.isToHub
            ? hub.engine != nil && connection.hubRun == hub.device.run
            : pairsApart || watches[number].isAlive && connection.watchRun == watches[number].device.run
        guard isAlive else { return }
        guard connection.isOpenAtWatch || message.isLate else {
            guard let delay = conditions.lateness(of: message, from: number) else { return }
            tell(.delays(message))
            var late = message
            late.isLate = true
            return queue.push(.message(late), at: now.advanced(by: delay))
        }
        actions.append(.arrived(message))
        tell(.arrives(message))
        if !pairsApart { countStep(of: message.isToHub ? .hub : .watch(number)) }
        if message.isToHub {
            let name = VirtualNetwork.name(message.connection)
            give(.received(parts: message.parts, connection: name, peer: connection.peer))
        } else if pairsApart || watches[number].isPairing {
            actions.append(.pairing(number, .received(message.parts)))
        } else {
            give(.received(parts: message.parts), to: number)
        }
    }

    /// Changes what a watch starts with the next time.
    package mutating func configure(_ number: Int, _ change: (inout WatchEngine.Configuration) -> Void) {
        change(&watches[number].configuration)
    }

    /// Changes what lies between the hub and a watch.
    package mutating func changeLink(of number: Int, _ change: (inout VirtualLink) -> Void) {
        change(&watches[number].link)
    }

    // MARK: - Pairing

    /// A client pairs a watch on a connection of its own.
    ///
    /// The hub judges its request after the transaction before it, which is the invitation.
    mutating func pair(_ number: Int, with client: PairingClient, invitation: PeerKey, frameTime: Duration) {
        let connection = open(number, invitation)
        pairingConnections[connection] = frameTime
        watches[number].pairing = VirtualWatch.Pairing(client: client, invitation: invitation, connection: connection)
        actions.append(.pairing(number, .connected))
    }

    /// Gives what pairs a watch an input, and does what it wants.
    private mutating func step(_ number: Int, _ input: PairingInput) {
        guard var pairing = watches[number].pairing else { return }
        let now = pairing.connection == nil ? moment(at: .watch(number)).monotonic : now
        let action =
            switch input {
            case .connected: pairing.client.connected(now: now)
            case .received(let parts): pairing.client.received(parts)
            case .timeReached: pairing.client.timeReached(now: now)
            }
        watches[number].pairing = pairing
        tell(.pairing(number, action))
        switch action {
        case .send(let frame):
            if let connection = pairing.connection ?? watches[number].connection {
                send(frame, on: connection, isToHub: true)
            }
        case .done, .failed:
            // Whoever runs the world ends a process that is nothing else.
            if pairing.connection != nil { watches[number].pairing = nil }
            return
        case .none: break
        }
        if pairing.connection == nil { setTimer(of: .watch(number)) }
    }
}

/// All that a device has stored.
package enum StoreCopy {
    case hub(HubMemory, files: [SimulatedFiles])
    case watch(WatchEngine.State, files: SimulatedFiles)
}
