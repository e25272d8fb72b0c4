import SyncCore
import SyncSimulation
import WatchConnectivity

/// All devices of a test and the links between them: a virtual world, and the data of the devices outside their
/// engines.
///
/// It does not know apps or sessions: what concerns them leaves it as ``Effect``s, which the runner carries out without
/// locking it.
struct PairWorld {
    /// An action outside of the world.
    enum Effect {
        /// Pass an input to one side of a pairing, unless its device has lost power since.
        case tell(Side, life: Int, PeerState.Input)
        /// Start or wake an app.
        case launch(Side, life: Int, PeerState.LaunchReason)
        /// Suspend an app.
        case suspend(Side, life: Int)
        /// End an app.
        case end(Side, life: Int)
        /// Handle that a device has lost power.
        case lostPower(DeviceID)
        /// Say that the shared records of a device may have changed.
        case recordsChanged(DeviceID, life: Int)
        /// Answer a request about the shared records.
        case recordsAnswered(DeviceID, life: Int, RequestID, SharedRecords.Outcome)
    }

    /// The data of a device for one side of a pairing, outside its engine.
    private struct SideState {
        /// The peer's store.
        var stored: [String: [UInt8]] = [:]
        /// The app's files that are to be copied, as they were when they were queued.
        var held: [RandomID: [UInt8]] = [:]
        /// Whether the engine has a session with the other device.
        var isLinked = false
        /// The device's view of the link; nil for the truth.
        var sense: Bool?
    }

    /// The wall clock at the start: 2025-06-01 12:00 UTC, a day of summer.
    private static let firstWallMilliseconds: Int64 = 1_748_779_200_000

    private var world: SteadyWorld
    private var sideStates: [Side: SideState] = [:]
    private var paired: Set<Int> = []
    /// The devices that wait for an answer about shared records, by their requests.
    private var recordRequests: [RequestID: (device: DeviceID, life: Int)] = [:]
    private let records: [SharedRecords.Name: SharedRecords.Rule]
    /// The sides that wait for an engine's answer, by their requests.
    private var requests: [RequestID: (side: Side, life: Int, tag: PeerState.EngineTag)] = [:]
    private var effects: [Effect] = []
    var timeline: Timeline
    /// The frames that were sent on a connection, and those that came to a device, if they are kept.
    private(set) var frames: [PassingFrame] = []
    var keepsFrames = false
    /// What a peer's request becomes on its way to the engine; nil for the request itself.
    var detour: Detour?

    /// Creates a world in which nothing runs; the window is the number of registers that a watch accepts before it
    /// gives credit.
    init(_ setup: PairSetup, transfers: TransferConfiguration, folder: String) {
        let (watchCount, window, seed) = (setup.watchCount, setup.window, setup.seed)
        records = setup.records
        timeline = Timeline(root: folder)
        let source = SplitMix64(seed: seed)
        // Without faults everything arrives at once, and the disks take no time.
        world = SteadyWorld(
            hub: HubEngine.Configuration(
                app: SessionSetup.unnamedApp,
                schema: SharedRecords.schema(setup.records, versions: 1...1), transfers: transfers),
            timing: SteadyConditions.Timing(frame: .zero, disk: .zero),
            firstWallMilliseconds: Self.firstWallMilliseconds, generator: source.stream(1),
            linkDraws: source.stream(2))
        for number in 0..<watchCount {
            world.addWatch(
                WatchEngine.Configuration(
                    name: "watch \(number + 1)", app: SessionSetup.unnamedApp, schemaVersions: 1...1, window: window,
                    node: 0, transfers: transfers))
            for isHub in [true, false] { sideStates[Side(watch: number, isHub: isHub)] = SideState() }
        }
        let watches = Dictionary(
            uniqueKeysWithValues: world.watches.enumerated().map { ($1.key, PairRunner.watch($0)) })
        world.hubConfiguration.mayWrite = { [permission = setup.recordPermission] peer, key in
            watches[peer].map { permission.allows($0, SharedRecords.Key(key)) } ?? false
        }
    }

    var watchCount: Int { world.watches.count }
    var transfers: TransferConfiguration { world.hubConfiguration.transfers }

    mutating func note(_ device: DeviceID?, _ event: TraceEvent) {
        timeline.add(world.now, device, event)
    }

    /// Changes the virtual world, and handles the effects at once.
    @discardableResult
    mutating func change<Result>(_ change: (inout SteadyWorld) -> Result) -> Result {
        let result = change(&world)
        while let observation = world.nextObservation() { take(observation) }
        return result
    }

    /// The virtual world, for reading.
    var devices: SteadyWorld { world }

    // MARK: - Time

    var now: Instant { world.now }

    /// The time for the peers of all devices.
    ///
    /// Their monotonic clock is the virtual time. The engines' clocks stand still while heartbeats are skipped; the
    /// time limits of messages must not.
    var moment: Moment {
        Moment(monotonic: now, wallMilliseconds: world.moment(at: .hub).wallMilliseconds)
    }

    mutating func turnCalendar(milliseconds: Int64) {
        world.turnClock(of: .hub, milliseconds: milliseconds)
        for number in world.watches.indices { world.turnClock(of: .watch(number), milliseconds: milliseconds) }
    }

    /// Carries out the next step that is due no later than `end`; returns false if no step is due.
    ///
    /// In that case, if `passes` is true, the time advances to the end.
    mutating func step(until end: Instant, passes: Bool) -> Bool {
        if passes { world.rest(until: end) }
        return change { $0.step(until: end, passes: passes) }
    }

    /// Sets the time at which a side of a pairing gets its next timeReached input.
    mutating func setAlarm(of side: Side, at deadline: Instant?) {
        world.setAlarm(of: side, at: deadline)
    }

    mutating func nextSeed() -> UInt64 { world.generator.next() }

    // MARK: - Actions outside the world

    mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    mutating func add(_ effect: Effect) { effects.append(effect) }

    /// Queues an input for a side of a pairing, which gets it when the world is unlocked.
    mutating func tell(_ side: Side, _ input: PeerState.Input) {
        effects.append(.tell(side, life: life(of: side.device), input))
    }

    /// Removes what was to be passed to the peers and the apps of a device that has lost power.
    private mutating func forgetEffects(of device: DeviceID) {
        effects.removeAll { effect in
            switch effect {
            case .tell(let side, _, _), .launch(let side, _, _), .suspend(let side, _), .end(let side, _):
                side.device == device
            case .recordsChanged(let changed, _), .recordsAnswered(let changed, _, _, _): changed == device
            case .lostPower: false
            }
        }
    }

    /// Removes the waiting notice that a device has lost power; returns whether there was one.
    mutating func takePowerLoss(of device: DeviceID) -> Bool {
        let count = effects.count
        effects.removeAll { if case .lostPower(device) = $0 { true } else { false } }
        return effects.count < count
    }

    // MARK: - Outputs of the virtual world

    private mutating func take(_ observation: SteadyWorld.Observation) {
        switch observation {
        case .hubOutput(.answer(let request, let answer)):
            if recordRequests[request] != nil { answered(request, .init(answer)) } else { answered(request, nil) }
        case .hubOutput(.event(let event)): heard(event)
        case .hubOutput(.transfer(let peer, let output)):
            if let watch = world.watch(of: peer) { take(output, at: Side(watch: watch, isHub: true)) }
        case .watchOutput(let number, .event(.linkChanged(let link))):
            linked(Side(watch: number, isHub: false), link == .linked)
        case .watchOutput(_, .answer(let request, let answer)): answered(request, .init(answer))
        case .watchOutput(let number, .event(.snapshotChanged)), .watchOutput(let number, .event(.editsConfirmed)):
            recordsChanged(.watch(number))
        case .watchOutput(let number, .transfer(let output)): take(output, at: Side(watch: number, isHub: false))
        case .alarm(let side): tell(side, .timeReached)
        case .outcome(let outcome, let kind, let receiver, _):
            guard let mishap = outcome.mishap else { return }
            let words =
                switch mishap {
                case .drop: "loses"
                case .holdUp: "holds up"
                case .duplicate: "repeats"
                }
            let name = receiver.isHub ? "phone" : world.watches[receiver.watch].configuration.name
            note(nil, .link("\(words) \(kind) to the \(name)"))
        case .lostPower(let device):
            note(device, .device("loses its power"))
            forgetLife(of: device)
            forgetEffects(of: device)
            effects.append(.lostPower(device))
        case .sends(let frame, let message): keep(frame, on: message, isSent: true)
        case .arrives(let message):
            guard keepsFrames, let frame = try? FrameCodec.frame(of: message.parts) else { return }
            keep(frame, on: message, isSent: false)
        case .hubWrote(let record, let isKept): if isKept { world.removeFiles(of: record) }
        case .hubTakes, .watchTakes, .hubOutput, .watchOutput, .hubRests, .watchRests, .pairing, .arrived, .delays,
            .slowWrite, .watchWrote, .hubStored, .fileFails, .connects, .handshakeWaits, .handshakeFails,
            .socketDenied, .hangsUp, .due:
            break
        }
    }

    private mutating func take(_ output: TransferOutput, at side: Side) {
        switch output {
        case .exchange(.answer(let request, let answer)): answered(request, .exchange(answer))
        case .exchange(.event(let event)): tell(side, .engineEvent(.exchange(event)))
        case .files(.answer(let request, let answer)): answered(request, .files(answer))
        case .files(.event(let event)): tell(side, .engineEvent(.files(event)))
        case .exchange, .files: break
        }
    }

    private mutating func keep(_ frame: Frame, on message: VirtualNetwork.Message, isSent: Bool) {
        guard keepsFrames else { return }
        let side = Side(watch: world.watch(on: message), isHub: message.isToHub != isSent)
        frames.append(PassingFrame(frame: frame, side: side, isSent: isSent, time: world.now))
    }

    private mutating func heard(_ event: HubEngine.Event) {
        switch event {
        case .linked(let peer, _): phoneLinked(with: peer, true)
        case .unlinked(let peer, _, _): phoneLinked(with: peer, false)
        case .committed, .conflicted: recordsChanged(.hub)
        case .acknowledged, .paired, .refused, .uploadsTaken, .conflictsFull,
            .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused,
            .notStored:
            break
        }
    }

    private mutating func phoneLinked(with peer: PeerKey, _ isLinked: Bool) {
        guard let watch = world.watch(of: peer) else { return }
        linked(Side(watch: watch, isHub: true), isLinked)
    }

    private mutating func linked(_ side: Side, _ isLinked: Bool) {
        guard sideStates[side]?.isLinked != isLinked else { return }
        sideStates[side]?.isLinked = isLinked
        note(side.device, .link(isLinked ? "the link opens" : "the link closes"))
        if sideStates[side]?.sense == nil { tell(side, .link(isOpen: isLinked)) }
    }

    private mutating func answered(_ request: RequestID, _ answer: TransferAnswer?) {
        guard let (side, life, tag) = requests.removeValue(forKey: request), life == self.life(of: side.device)
        else { return }
        tell(side, .engineAnswered(tag, answer))
    }

    // MARK: - Links

    /// Whether both devices have a session with each other.
    func isLinked(_ watch: Int) -> Bool {
        [true, false].allSatisfy { sideStates[Side(watch: watch, isHub: $0)]?.isLinked ?? false }
    }

    /// Makes a device consider its link open or closed, whatever the truth, nil for the truth; returns the resulting
    /// change.
    mutating func setSense(of side: Side, _ sense: Bool?) -> Bool? {
        guard let half = sideStates[side], half.sense != sense else { return nil }
        sideStates[side]?.sense = sense
        let (before, after) = (half.sense ?? half.isLinked, sense ?? half.isLinked)
        return before == after ? nil : after
    }

    func sense(of side: Side) -> Bool? { sideStates[side]?.sense }

    /// Ends all faults of a link; devices that are not linked connect at once.
    mutating func heal(_ watch: Int) {
        world.changeLink(of: watch) { $0.heal() }
        note(nil, .link("the link of \(world.watches[watch].configuration.name) is whole"))
        change { world in
            if world.watches[watch].engine?.linkState != .linked { world.disconnect(watch) }
            world.dialSoon(watch)
        }
    }

    // MARK: - Power

    func hasPower(_ device: DeviceID) -> Bool { world.isAlive(device) }

    func life(of device: DeviceID) -> Int { world.run(of: device) }

    /// Switches a device on: it starts from what is on its disk.
    mutating func start(_ device: DeviceID) {
        change { $0.start(device) }
    }

    /// Switches a device off: everything that is not on its disk is lost.
    mutating func stop(_ device: DeviceID) {
        guard hasPower(device) else { return }
        change { $0.stop(device) }
        forgetLife(of: device)
    }

    private mutating func forgetLife(of device: DeviceID) {
        for side in sideStates.keys where side.device == device { sideStates[side]?.isLinked = false }
        requests = requests.filter { $0.value.side.device != device }
        recordRequests = recordRequests.filter { $0.value.device != device }
    }

    // MARK: - Pairing

    func isPaired(_ watch: Int) -> Bool { paired.contains(watch) }

    /// Pairs a watch with the phone, both of which have power; the next steps do the rest.
    mutating func pair(_ watch: Int) {
        guard hasPower(.hub), paired.insert(watch).inserted else { return }
        change { $0.pair(watch, request: $0.nextRequest()) }
    }

    /// Ends a pairing: the phone forgets the watch, and the watch is erased.
    mutating func unpair(_ watch: Int) {
        guard paired.remove(watch) != nil else { return }
        change { world in
            world.disconnect(watch)
            world.post(.unpair(world.nextRequest(), world.watches[watch].key), after: .zero)
        }
    }

    /// Erases a watch and gives it another identity.
    mutating func erase(_ watch: Int) {
        world.erase(watch)
        sideStates[Side(watch: watch, isHub: true)]?.held = [:]
        sideStates[Side(watch: watch, isHub: false)] = SideState()
    }

    // MARK: - Storage of peers

    func stored(of side: Side) -> [String: [UInt8]] { sideStates[side]?.stored ?? [:] }

    /// Stores a record of a peer.
    ///
    /// - Throws: ``DiskFailure`` if nothing can be written to the device's disk.
    mutating func keep(_ record: PeerState.Record, of side: Side) throws {
        guard world.diskState(of: side.device) != .fails else { throw DiskFailure() }
        for change in record.changes { sideStates[side]?.stored[change.key] = change.value }
        change { $0.countStep(of: side.device) }
    }

    mutating func hold(_ bytes: [UInt8], of id: RandomID, at side: Side) { sideStates[side]?.held[id] = bytes }

    mutating func releaseOriginal(_ id: RandomID, at side: Side) { sideStates[side]?.held[id] = nil }

    func held(_ id: RandomID, at side: Side) -> [UInt8]? { sideStates[side]?.held[id] }

    /// Removes what a starting peer does not need: the remains of an earlier run that ended between two steps.
    mutating func tidy(_ side: Side, keeping copies: Set<String>, held ids: Set<RandomID>) {
        let held = sideStates[side]?.held.filter { ids.contains($0.key) } ?? [:]
        sideStates[side]?.held = held
        world.tidyFiles(of: side, keeping: copies)
    }

    // MARK: - Shared records

    /// What a device shows of the records.
    func recordsContents(of device: DeviceID) -> RecordsContents {
        guard !records.isEmpty else { return RecordsContents() }
        switch device {
        case .hub:
            guard let engine = world.hub.engine else { return RecordsContents() }
            return RecordsContents(cells: engine.cells, conflicts: engine.conflicts.values, rules: records)
        case .watch(let number):
            guard let engine = world.watches[number].engine else { return RecordsContents() }
            let conflicts = engine.snapshot?.conflicts.values.map(\.self) ?? []
            return RecordsContents(view: engine.view, conflicts: conflicts, rules: records)
        }
    }

    /// Requests a change of the records of a device; nil if it has no power.
    mutating func ask(_ request: RecordsRequest, of device: DeviceID) -> RequestID? {
        guard hasPower(device) else { return nil }
        let id = world.nextRequest()
        recordRequests[id] = (device, life(of: device))
        note(device, .app(request.words))
        switch device {
        case .hub: world.post(request.hubInput(as: id), after: .zero)
        case .watch(let number): world.post(request.watchInput(as: id), to: number, after: .zero)
        }
        return id
    }

    private mutating func answered(_ request: RequestID, _ outcome: SharedRecords.Outcome) {
        guard let (device, life) = recordRequests.removeValue(forKey: request) else { return }
        if case .refused(let reason) = outcome { note(device, .app("is refused: \(reason)")) }
        effects.append(.recordsAnswered(device, life: life, request, outcome))
        recordsChanged(device)
    }

    private mutating func recordsChanged(_ device: DeviceID) {
        guard !records.isEmpty else { return }
        effects.append(.recordsChanged(device, life: life(of: device)))
    }

    /// The key of a watch.
    func key(of watch: Int) -> PeerKey { world.watches[watch].key }

    // MARK: - Requests of peers to their engines

    /// Passes a request to an engine.
    mutating func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag, of side: Side) {
        let request = PeerRequest(request: request, tag: tag, side: side)
        for passed in detour?(request) ?? [request] { submit(passed.request, tag: passed.tag, of: passed.side) }
    }

    private mutating func submit(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag, of side: Side) {
        let id = world.nextRequest()
        if request.hasAnswer { requests[id] = (side, life(of: side.device), tag) }
        world.post(request.input(as: id), at: side, after: .zero)
    }
}

/// A peer's request to the engine of its side.
struct PeerRequest: Sendable {
    var request: PeerState.EngineRequest
    var tag: PeerState.EngineTag
    var side: Side
}

/// Changes what peers request of their engines: for each request, the requests that go on instead of it, in their order.
typealias Detour = @Sendable (PeerRequest) -> [PeerRequest]

/// The simulated disk does not write anything.
struct DiskFailure: Error, CustomStringConvertible {
    var description: String { "the disk fails, as the test wants it; set TestDevice.disk to .works" }
}
