package import SyncCore

/// A hub and watches in virtual time: the real engines on disks, clocks and links that only exist in memory.
///
/// It carries out what the engines want. What their applications have to hear leaves it as ``Notice``s, which the code
/// that steps it takes after each step. Nothing is random here but ids, and what a link is told to do.
package struct VirtualWorld {
    /// How long things take.
    package struct Timing: Sendable {
        /// How long a frame is under way on a link without faults.
        package var frame: Duration
        /// How long a disk works on a record; if it takes no time, a record is durable before the engine goes on.
        package var disk: Duration

        package init(frame: Duration, disk: Duration) {
            self.frame = frame
            self.disk = disk
        }
    }

    /// The time after which a watch whose engine gave its connection up dials again.
    private static let redialTime = Duration.milliseconds(100)

    package private(set) var now = Instant(nanoseconds: 0)
    package internal(set) var hub: VirtualDevice<HubEngine, HubMemory>
    package internal(set) var watches: [VirtualWatch] = []
    package var hubConfiguration: HubEngine.Configuration
    /// What ids and the seeds of engines follow from.
    package var generator: SplitMix64
    /// The frames that crossed a link, if they are kept.
    package private(set) var frames: [PassingFrame] = []
    package var keepsFrames = false
    private var linkDraws: SplitMix64
    private let timing: Timing
    private let firstWallMilliseconds: Int64
    private var queue = EventQueue<Event>()
    private var network = VirtualNetwork()
    /// By side, its files, when it wants to be told that time has come, and when that may be at the earliest.
    var files: [SimulatedFiles] = []
    var alarms: [(at: Instant?, notBefore: Instant)] = []
    var notices: [Notice] = []
    private var lastRequest: UInt64 = 0

    /// Creates a world with a hub that does not run yet.
    package init(
        hub configuration: HubEngine.Configuration, timing: Timing, firstWallMilliseconds: Int64,
        generator: SplitMix64, linkDraws: SplitMix64
    ) {
        hubConfiguration = configuration
        self.timing = timing
        self.firstWallMilliseconds = firstWallMilliseconds
        self.generator = generator
        self.linkDraws = linkDraws
        let ledger = LedgerState(newEpoch: Epoch(number: self.generator.next()))
        hub = VirtualDevice(
            stored: HubMemory(ledger: ledger), clock: SimulatedClock(wallMilliseconds: firstWallMilliseconds))
    }

    /// Adds a watch that does not run yet; the node of its configuration follows from its key.
    package mutating func addWatch(_ configuration: WatchEngine.Configuration) {
        let stored = WatchEngine.State(newIncarnation: RandomID(using: &generator))
        let device = VirtualDevice<WatchEngine, WatchEngine.State>(
            stored: stored, clock: SimulatedClock(wallMilliseconds: firstWallMilliseconds))
        var watch = VirtualWatch(device: device, configuration: configuration, key: newKey())
        watch.configuration.node = watch.key.node
        watches.append(watch)
        files += [SimulatedFiles(), SimulatedFiles()]
        alarms += [(nil, now), (nil, now)]
    }

    /// Adds a watch with all that another one has stored, its key included.
    package mutating func addClone(of original: Int) {
        let clone = VirtualWatch(
            device: VirtualDevice(
                stored: watches[original].device.stored, clock: watches[original].device.clock, life: 1),
            configuration: watches[original].configuration, key: watches[original].key)
        watches.append(clone)
        files += [files[Side(watch: original, isHub: false).index], SimulatedFiles()]
        alarms += [(nil, now), (nil, now)]
    }

    mutating func newKey() -> PeerKey {
        let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        guard let key = PeerKey(bytes: bytes) else { preconditionFailure("a key has 32 bytes, not \(bytes.count)") }
        return key
    }

    package mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    /// What happened since this was asked last.
    package mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    /// The number of the first watch with a key.
    package func watch(of peer: PeerKey) -> Int? { watches.firstIndex { $0.key == peer } }

    // MARK: - Time

    /// What the clocks of a device show.
    package func moment(at device: DeviceID) -> Moment {
        switch device {
        case .hub: hub.clock.moment(at: now)
        case .watch(let number): watches[number].device.clock.moment(at: now)
        }
    }

    /// The wall clock of a device jumps.
    package mutating func turnClock(of device: DeviceID, milliseconds: Int64) {
        switch device {
        case .hub: hub.clock.jump(milliseconds: milliseconds)
        case .watch(let number): watches[number].device.clock.jump(milliseconds: milliseconds)
        }
    }

    /// Lets time pass in which nothing happens: all devices sleep.
    package mutating func sleep(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    /// Lets the next thing happen that is due at `end` at the latest; false if nothing is due.
    ///
    /// The time until the end passes then if `passes` says so.
    package mutating func step(until end: Instant, passes: Bool) -> Bool {
        let tick = nextTick
        let next = [queue.nextTime, tick?.at].compactMap(\.self).min()
        guard let next, next <= end else {
            if passes { now = max(now, end) }
            return false
        }
        now = max(now, next)
        if let time = queue.nextTime, time <= now, let (event, _) = queue.pop() {
            happen(event)
        } else if let tick {
            tellTime(tick.who)
        }
        return true
    }

    /// Who waits for a time.
    private enum Sleeper {
        case device(DeviceID)
        case side(Side)
        /// What connects a watch.
        case socket(Int)
    }

    /// The earliest deadline.
    private var nextTick: (at: Instant, who: Sleeper)? {
        var earliest: (at: Instant, who: Sleeper)?
        func consider(_ at: Instant?, _ who: Sleeper) {
            guard let at, earliest.map({ at < $0.at }) ?? true else { return }
            earliest = (at, who)
        }
        consider(hub.tick(hub.engine?.nextDeadline), .device(.hub))
        for (number, watch) in watches.enumerated() {
            consider(watch.device.tick(watch.engine?.nextDeadline), .device(.watch(number)))
            if watch.device.isRunning { consider(watch.socket.deadline, .socket(number)) }
            for side in [Side(watch: number, isHub: true), Side(watch: number, isHub: false)] {
                let alarm = alarms[side.index]
                consider(alarm.at.map { max($0, alarm.notBefore) }, .side(side))
            }
        }
        return earliest
    }

    private mutating func tellTime(_ who: Sleeper) {
        switch who {
        case .device(.hub):
            hub.ticked(at: now)
            stepHub(.timeReached)
        case .device(.watch(let number)):
            watches[number].device.ticked(at: now)
            stepWatch(number, .timeReached)
        case .socket(let number):
            watches[number].socket.timeReached(at: now)
            runSocket(number)
        case .side(let side):
            alarms[side.index] = (nil, now.advanced(by: .milliseconds(1)))
            notices.append(.alarm(side))
        }
    }

    /// Has a side told when a moment has come; nil takes that back.
    package mutating func setAlarm(of side: Side, at moment: Instant?) {
        alarms[side.index].at = moment
    }

    mutating func post(_ event: Event, after delay: Duration = .zero) {
        queue.push(event, at: now.advanced(by: delay))
    }

    /// Gives an engine an input after a while, if its process runs still.
    package mutating func post(_ input: HubEngine.Input, after delay: Duration) {
        post(.hub(input, life: hub.life), after: delay)
    }

    /// Gives the engine of a side an input after a while, if its process runs still.
    package mutating func post(_ input: TransferInput, at side: Side, after delay: Duration) {
        if side.isHub {
            post(.hub(.transfer(watches[side.watch].key, input), life: hub.life), after: delay)
        } else {
            post(.watch(side.watch, .transfer(input), life: watches[side.watch].device.life), after: delay)
        }
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .hub(_, let life), .hubStored(_, _, _, let life):
            guard life == hub.life, hub.engine != nil else { return }
            if hub.isStopped { return hub.hold(event) }
        case .watch(let number, _, let life), .watchStored(let number, _, _, _, let life),
            .dial(let number, let life, _):
            guard life == watches[number].device.life, watches[number].engine != nil else { return }
            if watches[number].device.isStopped { return watches[number].device.hold(event) }
        case .arrival(let message):
            let number = network[message.connection].watch
            if message.isToHub {
                if hub.isStopped { return hub.hold(event) }
            } else if watches[number].device.isStopped {
                return watches[number].device.hold(event)
            }
        case .hangUp: break
        }
        switch event {
        case .hub(let input, _): stepHub(input)
        case .watch(let number, let input, _): stepWatch(number, input)
        case .hubStored(let record, let number, let isKept, _):
            if let number { keepAtHub(record, number) }
            hubStored(record, isKept: isKept)
        case .watchStored(let watch, let record, let number, let isKept, _):
            if let number { keep(number, atWatch: watch) }
            stepWatch(watch, isKept ? .persisted(record) : .persistFailed(record, reason: "the disk fails"))
        case .dial(let number, _, let attempt): dial(number, attempt)
        case .arrival(let message): arrive(message)
        case .hangUp(let connection): hangUp(connection)
        }
    }

    // MARK: - The hub

    /// Gives the hub's engine an input and does what it wants.
    package mutating func stepHub(_ input: HubEngine.Input) {
        guard hub.engine != nil else { return }
        let moment = moment(at: .hub)
        hub.engine?.handle(input, at: moment)
        drainHub()
    }

    mutating func drainHub() {
        while let output = hub.engine?.nextOutput() {
            switch output {
            case .send(let frame, let connection): send(frame, to: connection)
            case .persist(let transaction): store(.transaction(transaction))
            case .record(let peer, let record): store(.transfer(peer, record))
            case .transfer(let peer, let output):
                if let watch = watch(of: peer) { carryOut(output, at: Side(watch: watch, isHub: true)) }
            case .answer(let request, let answer): notices.append(.hubAnswered(request, answer))
            case .event(let event): notices.append(.hubEvent(event))
            case .close(let name): close(VirtualNetwork.connection(name))
            case .admit: dialAll()
            }
        }
    }

    private mutating func store(_ record: HubRecord) {
        let number = hub.write(record, now: now, takes: timing.disk)
        let isKept = number != nil
        let isDurable = timing.disk == .zero
        if isDurable, let number { keepAtHub(record, number) }
        post(
            .hubStored(record, number: isDurable ? nil : number, isKept: isKept, life: hub.life), after: timing.disk)
        if isDurable, isKept { countStep(of: .hub) }
    }

    private mutating func keepAtHub(_ record: HubRecord, _ number: Int) {
        hub.keep(number)
        guard case .transaction(let transaction) = record else { return }
        for peer in transaction.forgotten {
            if let watch = watch(of: peer) { files[Side(watch: watch, isHub: true).index] = SimulatedFiles() }
        }
    }

    private mutating func hubStored(_ record: HubRecord, isKept: Bool) {
        let reason = "the disk fails"
        switch record {
        case .transaction(let transaction):
            stepHub(isKept ? .persisted(transaction) : .persistFailed(transaction, reason: reason))
        case .transfer(let peer, let record):
            stepHub(isKept ? .recorded(peer, record) : .recordFailed(peer, record, reason: reason))
        }
    }

    // MARK: - A watch

    /// Gives a watch's engine an input and does what it wants.
    package mutating func stepWatch(_ number: Int, _ input: WatchEngine.Input) {
        guard watches[number].engine != nil else { return }
        let moment = moment(at: .watch(number))
        watches[number].device.engine?.handle(input, at: moment)
        drainWatch(number)
    }

    mutating func drainWatch(_ number: Int) {
        while let output = watches[number].device.engine?.nextOutput() {
            switch output {
            case .send(let frame): send(frame, from: number)
            case .reconnect:
                watches[number].socket.replace()
                runSocket(number, after: Self.redialTime)
            case .persist(let record): store(record, atWatch: number)
            case .transfer(let output): carryOut(output, at: Side(watch: number, isHub: false))
            case .answer(let request, let answer): notices.append(.watchAnswered(request, answer))
            case .event(let event): notices.append(.watchEvent(event, number))
            }
        }
    }

    private mutating func store(_ record: WatchEngine.Record, atWatch watch: Int) {
        let number = watches[watch].device.write(record, now: now, takes: timing.disk)
        let isKept = number != nil
        let isDurable = timing.disk == .zero
        if isDurable, let number { keep(number, atWatch: watch) }
        let life = watches[watch].device.life
        post(
            .watchStored(watch, record, number: isDurable ? nil : number, isKept: isKept, life: life),
            after: timing.disk)
        if isDurable, isKept { countStep(of: .watch(watch)) }
    }

    private mutating func keep(_ number: Int, atWatch watch: Int) {
        watches[watch].device.keep(number)
    }

    // MARK: - Transfers

    private mutating func carryOut(_ output: TransferOutput, at side: Side) {
        switch output {
        case .exchange(.answer(let request, let answer)): notices.append(.answered(request, .exchange(answer)))
        case .files(.answer(let request, let answer)): notices.append(.answered(request, .files(answer)))
        case .exchange(.event(let event)): notices.append(.exchangeEvent(event, side))
        case .files(.event(let event)): notices.append(.fileEvent(event, side))
        case .files(let output): workOnFile(output, at: side)
        case .exchange(.send), .exchange(.persist), .exchange(.endSession): break
        }
    }

    private mutating func workOnFile(_ output: FileExchange.Output, at side: Side) {
        // What is there can be read, whatever the disk takes.
        let fault: FileFailure? = if case .read = output { nil } else { diskState(of: side.device).fileFailure }
        guard let answer = files[side.index].carryOut(output, fault: fault) else { return }
        post(.files(answer), at: side, after: timing.disk)
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

    /// Removes the files that nothing refers to: what a life left that ended between two steps.
    package mutating func tidyFiles(of side: Side, keeping copies: Set<String>) {
        files[side.index].tidy(transferState(of: side).files, keeping: copies)
    }

    // MARK: - Connections

    /// All watches that have no connection try to get one.
    mutating func dialAll() {
        for number in watches.indices { dialSoon(number) }
    }

    /// A watch without a connection tries to get one.
    package mutating func dialSoon(_ number: Int) {
        guard watches[number].engine != nil else { return }
        watches[number].socket.retry()
        runSocket(number)
        if watches[number].socket.isIdle { beginToDial(number, after: timing.frame) }
    }

    /// Does what the supervision of a watch's connection wants of its socket.
    mutating func runSocket(_ number: Int, after wait: Duration? = nil) {
        while watches[number].engine != nil {
            switch watches[number].socket.nextDirective() {
            case .keep: return
            case .endConnection:
                leaveConnection(number)
                post(.watch(number, .disconnected, life: watches[number].device.life))
            case .open:
                leaveConnection(number)
                watches[number].socket.opened()
                beginToDial(number, after: wait ?? timing.frame)
            }
        }
    }

    private mutating func beginToDial(_ number: Int, after wait: Duration) {
        let attempt = watches[number].socket.begin()
        post(.dial(number, life: watches[number].device.life, attempt: attempt), after: wait)
    }

    /// An attempt to connect ends; where nothing answers, whatever changes next begins another one.
    private mutating func dial(_ number: Int, _ attempt: Int) {
        guard watches[number].socket.isTrying(attempt) else { return }
        guard !watches[number].link.isClosed(at: now), let engine = hub.engine else {
            return watches[number].socket.unanswered()
        }
        watches[number].socket.taken(at: now)
        let isAdmitted = engine.admittedKeys.contains(watches[number].key)
        watches[number].isShutOut = !isAdmitted
        guard isAdmitted else {
            _ = watches[number].socket.failed(.denied, at: now)
            return
        }
        guard watches[number].socket.succeeded(open(number, watches[number].key)) else { return }
        stepWatch(number, .connected)
    }

    private mutating func open(_ number: Int, _ key: PeerKey) -> Int {
        network.open(watch: number, watchLife: watches[number].device.life, hubLife: hub.life, peer: key)
    }

    /// Both ends lose their connection, and know it.
    package mutating func disconnect(_ number: Int) {
        guard let connection = watches[number].connection else { return }
        let isOpenAtHub = network[connection].isOpenAtHub
        loseConnection(number)
        network.close(connection)
        post(.watch(number, .disconnected, life: watches[number].device.life), after: timing.frame)
        if isOpenAtHub { post(.unroutable(VirtualNetwork.name(connection)), after: timing.frame) }
        dialSoon(number)
    }

    /// A watch gives its connection up; the hub learns of it when it sends.
    private mutating func leaveConnection(_ number: Int) {
        if let connection = watches[number].socket.close() { network.leave(connection) }
    }

    /// A watch's socket loses its connection.
    private mutating func loseConnection(_ number: Int) {
        leaveConnection(number)
        _ = watches[number].socket.lost()
    }

    /// The hub closes a connection; what it has sent before arrives.
    private mutating func close(_ connection: Int) {
        guard network.knows(connection), network[connection].isOpenAtHub else { return }
        network.close(connection)
        let last = network[connection].lastArrivalAtWatch
        queue.push(.hangUp(connection: connection), at: max(now.advanced(by: timing.frame), last))
    }

    private mutating func hangUp(_ connection: Int) {
        let number = network[connection].watch
        guard watches[number].connection == connection else { return }
        loseConnection(number)
        post(.watch(number, .disconnected, life: watches[number].device.life))
        dialSoon(number)
    }

    // MARK: - Frames

    private mutating func send(_ frame: Frame, from number: Int) {
        countStep(of: .watch(number))
        note(frame, at: Side(watch: number, isHub: false), isSent: true)
        guard let connection = watches[number].connection else { return }
        transmit(frame, on: connection, isToHub: true)
    }

    private mutating func send(_ frame: Frame, to name: ConnectionID) {
        countStep(of: .hub)
        guard hub.engine != nil else { return }
        let connection = VirtualNetwork.connection(name)
        guard network[connection].isOpenAtHub, network[connection].isOpenAtWatch else {
            return post(.unroutable(name), after: timing.disk)
        }
        note(frame, at: Side(watch: network[connection].watch, isHub: true), isSent: true)
        transmit(frame, on: connection, isToHub: false)
    }

    private mutating func transmit(_ frame: Frame, on connection: Int, isToHub: Bool) {
        let number = network[connection].watch
        var message = VirtualNetwork.Message(
            connection: connection, isToHub: isToHub, parts: FrameCodec.parts(of: frame), kind: frame.kind, sent: now)
        // What pairs a watch passes whatever lies between the two.
        guard !isPairing(connection) else { return post(.arrival(message), after: timing.frame) }
        let receiver = Side(watch: number, isHub: isToHub)
        switch watches[number].link.fate(
            of: frame.kind, isToHub: isToHub, now: now, frameTime: timing.frame, draws: &linkDraws)
        {
        case .vanishes: break
        case .drops: notices.append(.mishap(frame.kind, to: receiver, .drop))
        case .arrives(let passage, let mishap):
            if let mishap { notices.append(.mishap(frame.kind, to: receiver, mishap)) }
            let times = network.send(&message, passage, now: now)
            queue.push(.arrival(message), at: times.arrival)
            if let copy = times.copy { queue.push(.arrival(message), at: copy) }
        }
    }

    private mutating func arrive(_ message: VirtualNetwork.Message) {
        let connection = network[message.connection]
        let number = connection.watch
        // A connection that is gone takes what was on its way with it.
        guard connection.isOpenAtWatch else { return }
        if keepsFrames, let frame = try? FrameCodec.frame(of: message.parts) {
            note(frame, at: Side(watch: number, isHub: message.isToHub), isSent: false)
        }
        let isPairing = isPairing(message.connection)
        if message.isToHub {
            guard connection.isOpenAtHub, connection.hubLife == hub.life, hub.engine != nil else { return }
            if !isPairing { countStep(of: .hub) }
            stepHub(
                .received(
                    parts: message.parts, connection: VirtualNetwork.name(message.connection), peer: connection.peer))
        } else if isPairing {
            guard let action = watches[number].pairing?.client.received(message.parts) else { return }
            carryOut(action, of: number)
        } else {
            countStep(of: .watch(number))
            stepWatch(number, .received(parts: message.parts))
        }
    }

    private mutating func note(_ frame: Frame, at side: Side, isSent: Bool) {
        guard keepsFrames else { return }
        frames.append(PassingFrame(frame: frame, side: side, isSent: isSent, time: now))
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

    /// The hub invites a watch, and the watch accepts.
    package mutating func pair(_ number: Int, request: RequestID) {
        let (invitation, watch) = (newKey(), watches[number].configuration)
        post(
            .invite(request, key: invitation, name: watch.name, validMilliseconds: 600_000), after: .zero)
        var client = PairingClient(
            key: watches[number].key, name: watch.name, app: watch.app, seed: generator.next())
        // The hub judges a request to pair after the transaction before it, which is the invitation.
        let action = client.connected(now: now)
        watches[number].pairing = (client, open(number, invitation))
        carryOut(action, of: number)
    }

    private func isPairing(_ connection: Int) -> Bool {
        network[connection].peer != watches[network[connection].watch].key
    }

    private mutating func carryOut(_ action: PairingClient.Action, of number: Int) {
        guard let connection = watches[number].pairing?.connection else { return }
        switch action {
        case .send(let frame): transmit(frame, on: connection, isToHub: true)
        case .done:
            watches[number].pairing = nil
            notices.append(.paired(number))
        case .failed: watches[number].pairing = nil
        case .none: break
        }
    }
}
