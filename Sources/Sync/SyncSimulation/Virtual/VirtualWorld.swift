package import SyncCore

/// A hub and watches in virtual time: the real engines on disks, clocks and links that only exist in memory.
///
/// It carries out what the engines put out. Its ``WorldConditions`` determine durations and faults. It reports in order
/// what happens by ``nextObservation()``: the caller reads that until nothing is left, after each step and after each
/// request to the world.
package struct VirtualWorld<Conditions: WorldConditions> {
    package typealias Observation = WorldObservation<Conditions.Plan>

    var conditions: Conditions
    private var agenda = WorldAgenda<Conditions.Plan>()
    private(set) var devices: VirtualDevices
    private var connections: VirtualConnections<Conditions>
    private(set) var files = VirtualFiles()
    private var alarms = Alarms()
    private var lastRequest: UInt64 = 0

    /// Creates a world with a hub that does not run yet.
    init(
        conditions: Conditions, configuration: HubEngine.Configuration, hub: VirtualDevice<HubEngine, HubMemory>,
        network: VirtualNetwork = VirtualNetwork()
    ) {
        self.conditions = conditions
        devices = VirtualDevices(hub: hub, configuration: configuration)
        connections = VirtualConnections(network: network)
    }

    package var now: Instant { agenda.now }
    package var hub: VirtualHub { devices.hub }
    package var watches: [VirtualWatch] { devices.watches }
    var network: VirtualNetwork { connections.network }

    /// What the hub starts with next time.
    package var hubConfiguration: HubEngine.Configuration {
        get { devices.hubConfiguration }
        set { devices.hubConfiguration = newValue }
    }

    // MARK: - Watches

    /// Adds a watch that does not run yet.
    mutating func add(_ watch: VirtualWatch, files held: SimulatedFiles = SimulatedFiles()) {
        devices.add(watch)
        connections.addWatch()
        files.addWatch(holding: held)
        alarms.addWatch(now: now)
    }

    /// Adds a watch with everything that another one has stored, its key included.
    package mutating func addClone(of original: Int) {
        let watch = watches[original]
        let device = VirtualDevice<WatchEngine, WatchEngine.State>(
            stored: watch.device.stored, clock: watch.device.process.clock)
        add(
            VirtualWatch(device: device, configuration: watch.configuration, key: watch.key),
            files: files[Side(watch: original, isHub: false)])
    }

    /// Another watch replaces one that does not run, and no file of that one is left.
    mutating func replace(_ number: Int, by watch: VirtualWatch) {
        devices.replace(number, by: watch)
        for isHub in [true, false] { files.replace(at: Side(watch: number, isHub: isHub)) }
    }

    /// Changes what a watch starts with next time.
    package mutating func configure(_ number: Int, _ change: (inout WatchEngine.Configuration) -> Void) {
        devices.configure(number, change)
    }

    /// The number of the first watch with a key.
    package func watch(of peer: PeerKey) -> Int? { devices.watch(of: peer) }

    package mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    // MARK: - What happens

    /// Does what is left to be done, up to the next observation; nil if nothing is left.
    package mutating func nextObservation() -> Observation? {
        while true {
            if let observation = agenda.nextObservation() { return observation }
            guard let action = agenda.nextAction() else { return nil }
            perform(action)
        }
    }

    private mutating func perform(_ action: WorldAction) {
        switch action {
        case .take(let input): take(input)
        case .handle(let input):
            if devices.handle(input, now: now) { agenda.add(.drain(input.device, after: input)) }
        case .drain(.hub, let input): drainHub(after: input)
        case .drain(.watch(let number), let input): drainWatch(number, after: input)
        case .socket(let number): connections.runSocket(number, devices, &agenda, &conditions)
        case .redial(let number): connections.redial(number, devices, &agenda, conditions)
        case .pairing(let number, let input): step(number, input)
        case .arrived(let message): agenda.report(.arrived(message))
        case .dialAll: dialAll()
        case .notice(let record, let number, let isKept, let run):
            devices.notice(record, number: number, isKept: isKept, run: run, &agenda, conditions)
        }
    }

    private mutating func take(_ input: DeviceInput) {
        switch input {
        case .hub(let input):
            guard hub.engine != nil else { return }
            agenda.report(.hubTakes(input))
        case .watch(let number, let input):
            guard watches[number].engine != nil else { return }
            agenda.report(.watchTakes(number, input))
        }
        agenda.add(.handle(input))
    }

    // MARK: - Time

    /// Lets time pass in which nothing happens: all devices sleep.
    package mutating func sleep(_ duration: Duration) { agenda.sleep(duration) }

    /// Skips heartbeats up to shortly before a time, or before the next other event: the devices that have nothing
    /// else to do sleep, and wake as they were.
    ///
    /// While they sleep, their monotonic clocks stand still; their wall clocks go on.
    package mutating func rest(until end: Instant) {
        guard let duration = skippable(until: end), let sleepers = restingDevices else { return }
        let next = agenda.nextTime { event in
            if case .timer(let device, _, _) = event, sleepers.contains(device) { false } else { !isVoid(event) }
        }
        let shorter = next.map { skippable(until: $0) } ?? duration
        guard let skipped = shorter.map({ min($0, duration) }) else { return }
        agenda.sleep(skipped)
        for device in sleepers {
            devices[device].clock.pause(skipped)
            devices.setTimer(of: device, &agenda, conditions)
        }
    }

    /// How much of the time until a moment can be skipped; nil if it is not worth it.
    private func skippable(until moment: Instant) -> Duration? {
        let duration = now.duration(to: moment) - .seconds(10)
        return duration >= .seconds(50) ? duration : nil
    }

    /// The devices that only send and await heartbeats, none of which is lost; nil if a link is busy.
    private var restingDevices: [DeviceID]? {
        guard hub.engine?.isResting ?? true, devices[.hub].pausedUntil <= now, agenda.holdsNothing else { return nil }
        var resting: [DeviceID] = hub.engine == nil ? [] : [.hub]
        for (number, watch) in watches.enumerated() {
            guard let engine = watch.engine, engine.linkState == .linked else { continue }
            guard engine.isResting, link(of: number).isClear(at: now), devices[.watch(number)].pausedUntil <= now else {
                return nil
            }
            resting.append(.watch(number))
        }
        return resting
    }

    /// Lets the next event happen that is due at `end` at the latest; false if none is due.
    ///
    /// Then the time until the end passes, if `passes` says so.
    package mutating func step(until end: Instant, passes: Bool) -> Bool {
        assert(agenda.isEmpty, "what was to be done before was not")
        while let (event, time) = agenda.next(until: end) {
            guard !isVoid(event) else { continue }
            agenda.reach(time)
            if let device = device(of: event), devices[device].pausedUntil > now {
                agenda.hold(event, of: device, until: devices[device].pausedUntil)
            } else {
                happen(event)
            }
            return true
        }
        if passes { agenda.reach(end) }
        return false
    }

    /// Whether an event is outdated: its process has ended, or has set a later time.
    private func isVoid(_ event: WorldEvent<Conditions.Plan>) -> Bool {
        switch event {
        case .input(let input, let run): !devices.hasEngine(input.device, run: run)
        case .stored(let record, _, let run): !devices.hasEngine(record.device, run: run)
        case .timer(let device, let run, let number):
            run != devices[device].run || number != devices[device].timer?.number
        case .disk(let device, let run, _): run != devices[device].run
        case .fileWork(let side, let run, _): run != devices[side.device].run
        case .alarm(let side, let number): !alarms.isSet(number, of: side)
        case .dial, .handshake, .socketTimer, .hangUp: connections.isVoid(event, devices)
        case .message, .forget, .plan: false
        }
    }

    /// The device whose suspended process an event waits for; nil if it waits for none.
    private func device(of event: WorldEvent<Conditions.Plan>) -> DeviceID? {
        switch event {
        case .input(let input, _): input.device
        case .stored(let record, _, _): record.device
        case .timer(let device, _, _): device
        case .fileWork(let side, _, _): side.device
        case .dial(let watch, _, _), .handshake(let watch, _, _, _), .socketTimer(let watch, _, _),
            .hangUp(let watch, _):
            .watch(watch)
        case .message(let message): message.isToHub ? .hub : .watch(watch(on: message))
        case .plan(_, let device): device
        case .alarm, .disk, .forget: nil
        }
    }

    private mutating func happen(_ event: WorldEvent<Conditions.Plan>) {
        switch event {
        case .input(let input, _): agenda.give(input)
        case .timer(let device, _, _): timeReached(at: device)
        case .alarm(let side, _):
            alarms.ring(of: side, now: now)
            agenda.report(.alarm(side))
        case .disk(let device, _, let number): devices.finish(number, at: device, &agenda)
        case .stored(let record, let isKept, _): devices.stored(record, isKept: isKept, &agenda)
        case .fileWork(let side, _, let number): files.finish(number, at: side, devices, &agenda, &conditions)
        case .dial(let watch, _, let attempt): connections.dialed(watch, attempt, devices, &agenda, &conditions)
        case .handshake(let watch, _, _, let hubRun):
            connections.shakeHands(watch, hubRun: hubRun, devices, &agenda, &conditions)
        case .socketTimer(let watch, _, _): connections.timeReached(of: watch, devices, &agenda)
        case .message(let message): arrive(message)
        case .hangUp(let watch, let connection): hangUp(watch, connection: connection)
        case .forget(let connection): connections.breakHubEnd(of: connection)
        case .plan(let plan, _): agenda.report(.due(plan))
        }
    }

    private mutating func timeReached(at device: DeviceID) {
        devices[device].tick(at: now)
        switch device {
        case .hub: give(.timeReached)
        case .watch(let number) where watches[number].isPairing: agenda.add(.pairing(number, .timeReached))
        case .watch(let number): give(.timeReached, to: number)
        }
    }

    /// Plans something for a time; it waits for the process of a device if one is named and suspended.
    mutating func plan(_ plan: Conditions.Plan, at time: Instant, of device: DeviceID? = nil) {
        agenda.plan(.plan(plan, of: device), at: time)
    }

    /// Notifies a side when a moment has come; nil cancels that.
    package mutating func setAlarm(of side: Side, at moment: Instant?) {
        guard let (number, due) = alarms.set(of: side, at: moment) else { return }
        agenda.plan(.alarm(side, number: number), at: due, rank: 4 * side.watch + (side.isHub ? 4 : 5))
    }

    /// What the clocks of a device show.
    package func moment(at device: DeviceID) -> Moment { devices.moment(at: device, now: now) }

    /// The wall clock of a device jumps.
    package mutating func turnClock(of device: DeviceID, milliseconds: Int64) {
        devices[device].clock.jump(milliseconds: milliseconds)
    }

    // MARK: - Processes

    /// Whether the process of a device runs or is suspended.
    package func isAlive(_ device: DeviceID) -> Bool { devices.isAlive(device) }

    /// The number of the present or the last process of a device.
    package func run(of device: DeviceID) -> Int { devices[device].run }

    /// Until when a process is suspended, or was suspended last.
    func pausedUntil(_ device: DeviceID) -> Instant { devices[device].pausedUntil }

    /// A process starts with what is on its disk.
    package mutating func start(_ device: DeviceID) {
        guard !isAlive(device) else { return }
        devices.start(device, now: now, &conditions)
        switch device {
        case .hub: if conditions.retryInterval == nil { agenda.add(.dialAll) }
        case .watch(let number): connections.restartSocket(of: number)
        }
        agenda.add(.drain(device, after: nil))
    }

    /// The process starts that pairs a watch.
    mutating func startPairing(_ number: Int, invitation: PeerKey) {
        guard !watches[number].isAlive else { return }
        connections.restartSocket(of: number)
        devices.startPairing(number, invitation: invitation, &conditions)
        agenda.add(.socket(number))
    }

    /// A process ends at once: what is not on its disk is lost; returns the number of lost records.
    @discardableResult
    package mutating func stop(_ device: DeviceID) -> Int {
        guard isAlive(device) else { return 0 }
        let lostCount: Int
        switch device {
        case .hub:
            if conditions.endsConnectionsAtOnce {
                for number in watches.indices { disconnect(number) }
            }
            lostCount = devices.end(.hub, now: now)
            connections.endHub(run: hub.device.run, &agenda, conditions)
        case .watch(let number):
            if conditions.endsConnectionsAtOnce {
                disconnect(number)
            } else {
                connections.leaveConnection(of: number, &agenda, conditions)
            }
            lostCount = devices.end(device, now: now)
            connections.restartSocket(of: number)
        }
        agenda.drop(device)
        for number in watches.indices {
            let sides = [Side(watch: number, isHub: true), Side(watch: number, isHub: false)]
            for side in sides where side.device == device {
                alarms.cancel(of: side)
                files.dropWork(at: side, now: now)
            }
        }
        return lostCount
    }

    /// The process of a device is suspended until a request to continue.
    package mutating func standStill(_ device: DeviceID) { pause(device, until: .distantFuture) }

    /// The process of a device is suspended.
    mutating func pause(_ device: DeviceID, until time: Instant) { devices[device].pause(until: time) }

    /// The process of a device continues.
    package mutating func goOn(_ device: DeviceID) {
        devices[device].goOn()
        agenda.release(device)
        // Handshakes may have failed meanwhile.
        guard device == .hub, conditions.retryInterval == nil else { return }
        for number in watches.indices.reversed() { agenda.add(.redial(number)) }
    }

    /// Plans that a device loses its power after this many more of its steps; nil cancels that.
    ///
    /// Each frame that it sends or receives is one, and each record that its disk accepts.
    package mutating func planPowerLoss(of device: DeviceID, afterSteps count: Int?) {
        devices[device].stepsLeft = count
    }

    package mutating func countStep(of device: DeviceID) {
        guard devices[device].countStep(), isAlive(device) else { return }
        stop(device)
        agenda.report(.lostPower(device))
    }

    // MARK: - Inputs of engines

    /// Gives the hub's engine an input.
    package mutating func give(_ input: HubEngine.Input) { agenda.give(.hub(input)) }

    /// Gives a watch's engine an input.
    package mutating func give(_ input: WatchEngine.Input, to watch: Int) { agenda.give(.watch(watch, input)) }

    /// Gives the engine of a side an input.
    mutating func give(_ input: TransferInput, to side: Side) { agenda.give(devices.input(input, of: side)) }

    /// Gives the hub's engine an input after a while, if its process still runs.
    package mutating func post(_ input: HubEngine.Input, after delay: Duration) { post(.hub(input), after: delay) }

    /// Gives a watch's engine an input after a while, if its process still runs.
    package mutating func post(_ input: WatchEngine.Input, to watch: Int, after delay: Duration) {
        post(.watch(watch, input), after: delay)
    }

    /// Gives the engine of a side an input after a while, if its process still runs.
    package mutating func post(_ input: TransferInput, at side: Side, after delay: Duration) {
        post(devices.input(input, of: side), after: delay)
    }

    private mutating func post(_ input: DeviceInput, after delay: Duration) {
        agenda.plan(.input(input, run: run(of: input.device)), after: delay)
    }

    // MARK: - Outputs of engines

    private mutating func drainHub(after input: DeviceInput?) {
        if let output = devices.nextHubOutput() {
            agenda.add(.drain(.hub, after: input))
            agenda.report(.hubOutput(output))
            return carryOut(output)
        }
        for connection in connections.takeUnroutable().reversed() { give(.unroutable(connection)) }
        guard hub.engine != nil else { return }
        devices.setTimer(of: .hub, &agenda, conditions)
        if case .hub(let input) = input { agenda.report(.hubRests(input)) } else { agenda.report(.hubRests(nil)) }
    }

    private mutating func carryOut(_ output: HubEngine.Output) {
        switch output {
        case .send(let frame, let name):
            countStep(of: .hub)
            guard hub.engine != nil else { return }
            connections.send(frame, to: name, hubRun: hub.device.run, &agenda, &conditions)
        case .persist(let group): write(.hub(.group(group)))
        case .record(let peer, let record): write(.hub(.transfer(peer, record)))
        case .transfer(let peer, let output):
            if let watch = watch(of: peer) { carryOut(output, at: Side(watch: watch, isHub: true)) }
        case .close(let name): connections.close(name, &agenda, conditions)
        case .admit(let keys):
            devices.admit(Set(keys))
            if conditions.retryInterval == nil { dialAll() }
        case .answer, .event: break
        }
    }

    private mutating func drainWatch(_ number: Int, after input: DeviceInput?) {
        if let output = devices.nextOutput(of: number) {
            agenda.add(.drain(.watch(number), after: input))
            agenda.report(.watchOutput(number, output))
            return carryOut(output, of: number)
        }
        guard watches[number].engine != nil else { return }
        devices.setTimer(of: .watch(number), &agenda, conditions)
        agenda.add(.socket(number))
        if case .watch(_, let input) = input {
            agenda.report(.watchRests(number, input))
        } else {
            agenda.report(.watchRests(number, nil))
        }
    }

    private mutating func carryOut(_ output: WatchEngine.Output, of number: Int) {
        switch output {
        case .send(let frame):
            countStep(of: .watch(number))
            connections.send(frame, from: number, &agenda, &conditions)
        case .reconnect: connections.replaceSocket(of: number)
        case .persist(let record): write(.watch(number, record))
        case .transfer(let output): carryOut(output, at: Side(watch: number, isHub: false))
        case .answer, .event: break
        }
    }

    private mutating func carryOut(_ output: TransferOutput, at side: Side) {
        switch output {
        case .files(.answer), .files(.event), .exchange: break
        case .files(let output):
            files.begin(output, at: side, run: run(of: side.device), &agenda, conditions)
        }
    }

    // MARK: - Stores

    private mutating func write(_ record: DeviceRecord) {
        if devices.write(record, &agenda, &conditions) { countStep(of: record.device) }
    }

    package func diskState(of device: DeviceID) -> DiskState { devices[device].diskState }

    package mutating func setDisk(of device: DeviceID, _ state: DiskState) { devices[device].diskState = state }

    /// A record that was not synced before a crash is on the disk all the same; the engine is not notified.
    mutating func keepUnsynced(_ number: Int, at device: DeviceID) { devices.keepUnsynced(number, at: device) }

    /// What a device has stored of one pairing.
    package func transferState(of side: Side) -> TransferState { devices.transferState(of: side) }

    /// A copy of everything that a device has stored.
    package func copyStore(of device: DeviceID) -> StoreCopy {
        switch device {
        case .hub: .hub(hub.stored, files: watches.indices.map { files[Side(watch: $0, isHub: true)] })
        case .watch(let number):
            .watch(watches[number].device.stored, files: files[Side(watch: number, isHub: false)])
        }
    }

    /// A copy replaces everything that a device has stored, whose process does not run.
    package mutating func restore(_ copy: StoreCopy, at device: DeviceID) {
        switch (copy, device) {
        case (.hub(let memory, let held), .hub):
            devices.replaceStore(by: memory)
            for number in watches.indices {
                files.replace(
                    at: Side(watch: number, isHub: true), by: number < held.count ? held[number] : SimulatedFiles())
            }
        case (.watch(let state, let held), .watch(let number)):
            devices.replaceStore(of: number, by: state)
            files.replace(at: Side(watch: number, isHub: false), by: held)
        case (.hub, .watch), (.watch, .hub): preconditionFailure("a copy is that of another kind of device")
        }
    }

    // MARK: - Files

    /// The bytes of a file that has arrived.
    package func received(_ id: RandomID, at side: Side) -> [UInt8]? { files[side].received[id] }

    package mutating func keep(_ bytes: [UInt8], as copy: String, at side: Side) {
        files.keep(copy, bytes, at: side)
    }

    package mutating func release(_ copy: String, at side: Side) { files.release(copy, at: side) }

    /// The work that a side's disk still had to do with files is dropped, and what was not synced may be lost.
    mutating func crashFiles(of side: Side) {
        files.dropWork(at: side, now: now)
        files.crash(side, holding: transferState(of: side).files, keepsLength: run(of: side.device) & 1 == 0)
    }

    /// Removes all files of a side.
    mutating func removeFiles(of side: Side) { files.replace(at: side) }

    /// Removes unreferenced files: what a process left that ended between two steps.
    package mutating func tidyFiles(of side: Side, keeping copies: Set<String>) {
        files.tidy(side, by: transferState(of: side).files, keeping: copies)
    }

    /// Removes what the hub holds of files from and for watches that it has forgotten.
    package mutating func removeFiles(of record: HubRecord) {
        guard case .group(let group) = record else { return }
        for peer in group.flatMap(\.forgotten) {
            if let watch = watch(of: peer) { removeFiles(of: Side(watch: watch, isHub: true)) }
        }
    }

    // MARK: - Connections

    /// The number of the connection that a watch uses, nil without one.
    func connection(of number: Int) -> Int? { connections.connection(of: number) }

    /// Whether the hub did not admit a watch at its last attempt.
    func isShutOut(_ number: Int) -> Bool { connections.isShutOut(number) }

    /// The watch at one end of the connection of a message.
    package func watch(on message: VirtualNetwork.Message) -> Int { network[message.connection].watch }

    /// The link between the hub and a watch.
    package func link(of number: Int) -> VirtualLink { connections.link(of: number) }

    /// Changes the link between the hub and a watch.
    package mutating func changeLink(of number: Int, _ change: (inout VirtualLink) -> Void) {
        connections.changeLink(of: number, change)
    }

    /// All watches that have no connection try to get one.
    private mutating func dialAll() {
        for number in watches.indices { dialSoon(number) }
    }

    /// A watch without a connection tries to get one.
    package mutating func dialSoon(_ number: Int) { connections.dialSoon(number, devices, &agenda) }

    /// Both ends lose their connection, and know it.
    package mutating func disconnect(_ number: Int) { connections.disconnect(number, devices, &agenda, conditions) }

    /// The hub's end of a connection breaks; that of the watch stays open, without a peer.
    mutating func breakHubEnd(of connection: Int) { connections.breakHubEnd(of: connection) }

    /// Lets a watch notice after a while that a connection is gone.
    mutating func hangUp(_ connection: Int, after delay: Duration) {
        connections.hangUp(connection, after: delay, &agenda)
    }

    /// A watch notices that its connection is gone.
    mutating func hangUp(_ number: Int, connection: Int) {
        connections.hangUp(number, connection: connection, devices, &agenda, conditions)
    }

    // MARK: - Messages

    /// A message that no device sends now arrives at the hub.
    mutating func inject(_ message: VirtualNetwork.Message, after delay: Duration) {
        agenda.plan(.message(message), after: delay)
    }

    private mutating func arrive(_ message: VirtualNetwork.Message) {
        guard connections.arrives(message, devices, &agenda, &conditions) else { return }
        let connection = network[message.connection]
        let isForPairing = connections.isForPairing(message.connection)
        agenda.add(.arrived(message))
        agenda.report(.arrives(message))
        if !isForPairing { countStep(of: message.isToHub ? .hub : .watch(connection.watch)) }
        if message.isToHub {
            let name = VirtualNetwork.name(message.connection)
            give(.received(parts: message.parts, connection: name, peer: connection.peer))
        } else if isForPairing || watches[connection.watch].isPairing {
            agenda.add(.pairing(connection.watch, .received(message.parts)))
        } else {
            give(.received(parts: message.parts), to: connection.watch)
        }
    }

    // MARK: - Pairing

    /// A client pairs a watch on its own connection.
    ///
    /// The hub judges its request after the transaction before it, which is the invitation.
    mutating func pair(_ number: Int, with client: PairingClient, invitation: PeerKey, frameTime: Duration) {
        let connection = connections.openForPairing(number, invitation: invitation, frameTime: frameTime, devices)
        devices.setPairing(
            of: number, VirtualWatch.Pairing(client: client, invitation: invitation, connection: connection))
        agenda.add(.pairing(number, .connected))
    }

    /// Gives what pairs a watch an input, and does what it requests.
    private mutating func step(_ number: Int, _ input: PairingInput) {
        guard var pairing = watches[number].pairing else { return }
        let now = pairing.connection == nil ? moment(at: .watch(number)).monotonic : now
        let action =
            switch input {
            case .connected: pairing.client.connected(now: now)
            case .received(let parts): pairing.client.received(parts)
            case .timeReached: pairing.client.timeReached(now: now)
            }
        devices.setPairing(of: number, pairing)
        agenda.report(.pairing(number, action))
        switch action {
        case .send(let frame):
            connections.send(frame, from: number, on: pairing.connection, &agenda, &conditions)
        case .done, .failed:
            // The caller ends a process that does nothing else.
            if pairing.connection != nil { devices.setPairing(of: number, nil) }
            return
        case .none: break
        }
        if pairing.connection == nil { devices.setTimer(of: .watch(number), &agenda, conditions) }
    }
}

/// Everything that a device has stored.
package enum StoreCopy {
    case hub(HubMemory, files: [SimulatedFiles])
    case watch(WatchEngine.State, files: SimulatedFiles)
}
