public import SyncCore

/// Runs scenarios in virtual time.
///
/// Nothing is random here but the engines' ids, which follow from a seed: a scenario runs in the same way each time. A
/// message takes 5 ms, and the disk 1 ms. In a `wait` of more than 20 s all devices sleep in its middle: their wall
/// clocks advance, and nothing happens until they wake.
public struct SimulatedBackend: ScenarioBackend {
    private static let timing = SteadyConditions.Timing(frame: .milliseconds(5), disk: .milliseconds(1))
    /// The time limit for a request to a device.
    private static let timeLimit = Duration.seconds(60)
    /// The wall clock at the start: 2025-06-01, a day of summer.
    private static let firstWallMilliseconds: Int64 = 1_748_764_800_000

    /// What a device answered to a request.
    private enum Answer {
        case hub(HubEngine.Answer)
        case watch(WatchEngine.Answer)
        case transfer(TransferAnswer)
    }

    private var world: SteadyWorld
    /// By name, the numbers of the watches.
    private var numbers: [String: Int] = [:]
    private var paired: Set<Int> = []
    private var applications: [DeviceID: VirtualApplication] = [:]
    /// By watch, at how many percent of which file its messages are lost from then on.
    private var plannedCuts: [Int: (file: String, percent: Int)] = [:]
    /// By label, the copies of the stores of hubs and of watches.
    private var hubCopies: [String: StoreCopy] = [:]
    private var watchCopies: [String: StoreCopy] = [:]
    private var outcomes: [String: ScenarioOutcome] = [:]
    private var answers: [RequestID: Answer] = [:]

    /// Creates a backend with a hub that runs.
    ///
    /// - Parameter seed: What ids follow from.
    public init(seed: UInt64 = 1) {
        let source = SplitMix64(seed: seed)
        world = SteadyWorld(
            hub: HubEngine.Configuration(
                app: ScenarioSchema.app, schema: ScenarioSchema.schema(ScenarioSchema.versions)),
            timing: Self.timing, firstWallMilliseconds: Self.firstWallMilliseconds, generator: source.stream(1),
            linkDraws: source.stream(2))
        start(.hub)
    }

    /// The device of a name, or nil.
    private func device(_ name: String) -> DeviceID? {
        name == "hub" ? .hub : numbers[name].map { .watch($0) }
    }

    private func number(_ name: String) throws -> Int {
        guard let number = numbers[name] else { throw ScenarioFailure("there is no \(name)") }
        return number
    }

    private func existing(_ name: String) throws -> DeviceID {
        guard let device = device(name) else { throw ScenarioFailure("there is no \(name)") }
        return device
    }

    /// What the hub exchanges with a watch, at the end of a device.
    private func side(of sender: String, to receiver: String) throws -> Side {
        sender == "hub" ? Side(watch: try number(receiver), isHub: true) : Side(watch: try number(sender), isHub: false)
    }

    // MARK: - Time

    /// Lets the next event happen until a time; false if the time comes first.
    private mutating func step(until end: Instant) -> Bool {
        settle()
        let hasStepped = world.step(until: end, passes: true)
        settle()
        return hasStepped
    }

    private mutating func advance(by duration: Duration) {
        let end = world.now.advanced(by: duration)
        while step(until: end) {}
    }

    private mutating func wait(_ duration: Duration) {
        let awake = Duration.seconds(10)
        guard duration > awake * 2 else { return advance(by: duration) }
        advance(by: awake)
        world.sleep(duration - awake * 2)
        advance(by: awake)
    }

    /// Runs until something is so; false if that does not happen in time.
    private mutating func wait(until isDone: (Self) -> Bool) -> Bool {
        let end = world.now.advanced(by: Self.timeLimit)
        while !isDone(self) {
            guard step(until: end) else { return isDone(self) }
        }
        return true
    }

    /// Lets at least a millisecond pass, and everything that happens in it.
    public mutating func pass(atMost remaining: Duration) -> Duration {
        let start = world.now
        let end = start.advanced(by: remaining)
        while world.now < start.advanced(by: .milliseconds(1)), step(until: end) {}
        return start.duration(to: world.now)
    }

    /// The same: a second of virtual time is a second.
    public func limit(for duration: Duration) -> Duration { duration }

    // MARK: - Steps

    /// Performs a step that is not an expectation.
    ///
    /// - Throws: ``ScenarioFailure``.
    public mutating func perform(_ action: ScenarioAction) throws {
        defer { settle() }
        switch action {
        case .introduce(let name): introduce(name)
        case .pair(let name): try pair(name)
        case .unpair(let name):
            let key = world.watches[try number(name)].key
            _ = try askHub { .unpair($0, key) }
        case .change(let device, let changes): try change(by: device, changes)
        case .deleteRecord(let device, let record): try change(by: device, deletions(of: record, at: device))
        case .settle(let device, let cell, let restoring): try settle(by: device, cell, restoring: restoring)
        case .cut(let name, let cut): lose(cut, of: try number(name))
        case .cutDuringFile(let name, let file, let percent): plannedCuts[try number(name)] = (file, percent)
        case .heal(let name):
            let number = try number(name)
            plannedCuts[number] = nil
            world.changeLink(of: number) { $0.heal() }
            world.dialSoon(number)
        case .kill(let name):
            let device = try existing(name)
            guard world.isAlive(device) else { throw ScenarioFailure("\(name) does not run") }
            world.stop(device)
        case .start(let name): try start(name)
        case .stop(let name):
            try checkRunning(name)
            world.standStill(try existing(name))
        case .goOn(let name): world.goOn(try existing(name))
        case .backUp(let name, let label): try backUp(name, label)
        case .restore(let name, let label): try restore(name, label)
        case .clone(let original, let name): try clone(original, as: name)
        case .turnClock(let name, let duration):
            world.turnClock(of: try existing(name), milliseconds: duration.wholeNanoseconds / 1_000_000)
        case .wait(let duration): wait(duration)
        case .sendItem(let sender, let receiver, let text, let isUrgent):
            try sendItem(from: sender, to: receiver, text, isUrgent: isUrgent)
        case .ask(let sender, let receiver, let question, let outcome):
            try ask(from: sender, to: receiver, question, outcome)
        case .sendFile(let sender, let receiver, let file): try sendFile(from: sender, to: receiver, file)
        case .speak(let name, let versions):
            try changeAtRest(name) { world, device in
                switch device {
                case .hub: world.hubConfiguration.schema = ScenarioSchema.schema(versions)
                case .watch(let number): world.configure(number) { $0.schemaVersions = versions }
                }
            }
        case .name(let watch, let app):
            let number = try number(watch)
            try changeAtRest(watch) { world, _ in world.configure(number) { $0.app = app } }
        case .expect: break
        }
    }

    // MARK: - Watches come and go

    private mutating func introduce(_ name: String) {
        numbers[name] = world.watches.count
        world.addWatch(
            WatchEngine.Configuration(
                name: name, app: ScenarioSchema.app, schemaVersions: ScenarioSchema.versions, node: 0))
    }

    private mutating func pair(_ name: String) throws {
        let number = try number(name)
        guard !world.isAlive(.watch(number)) else { throw ScenarioFailure("\(name) runs already") }
        try checkRunning("hub")
        paired.remove(number)
        world.pair(number, request: world.nextRequest())
        guard wait(until: { $0.paired.contains(number) }) else {
            throw ScenarioFailure("the hub does not pair \(name)")
        }
        start(.watch(number))
    }

    private mutating func start(_ name: String) throws {
        let device = try existing(name)
        if case .watch(let number) = device, !paired.contains(number) { throw ScenarioFailure("\(name) is not paired") }
        guard !world.isAlive(device) else { throw ScenarioFailure("\(name) runs already") }
        start(device)
    }

    private mutating func start(_ device: DeviceID) {
        world.start(device)
        settle()
    }

    private mutating func lose(_ cut: ScenarioCut, of number: Int) {
        world.changeLink(of: number) { link in
            if cut != .fromHub { link.losesToHub = true }
            if cut != .toHub { link.losesToWatch = true }
        }
    }

    // MARK: - Cells

    private mutating func change(by device: String, _ changes: [ScenarioChange]) throws {
        let changes = changes.map { CellChange(key: $0.cell.key, value: $0.value) }
        if device == "hub" {
            _ = try askHub { .transact($0, changes, expected: nil) }
        } else {
            try askWatch(device) { .edit($0, changes) }
        }
    }

    private mutating func deletions(of record: String, at device: String) throws -> [ScenarioChange] {
        let cells = observation(of: device).cells.keys.compactMap { CellName($0) }.filter { $0.record == record }
            .sorted()
        guard !cells.isEmpty else { throw ScenarioFailure("\(device) shows no \(record) to delete") }
        return cells.map { ScenarioChange(cell: $0, value: nil) }
    }

    private mutating func settle(by device: String, _ cell: CellName, restoring: Bool) throws {
        let open = observation(of: device).conflicts.first { $0.cell == cell.text }
        guard let id = open.flatMap({ RandomID(hexadecimal: $0.id) }) else {
            throw ScenarioFailure("\(device) knows no open conflict on \(cell.text)")
        }
        if device == "hub" {
            _ = try askHub { .settle($0, conflict: id, restoring: restoring) }
        } else {
            try askWatch(device) { .settle($0, conflict: id, restoring: restoring) }
        }
    }

    // MARK: - Requests

    private func checkRunning(_ name: String) throws {
        let isRunning =
            switch device(name) {
            case .hub: world.hub.device.isRunning
            case .watch(let number): world.watches[number].device.isRunning
            case nil: false
            }
        guard isRunning else { throw ScenarioFailure("\(name) does not run") }
    }

    private mutating func answer(to request: RequestID, of device: String) throws -> Answer {
        settle()
        _ = wait { $0.answers[request] != nil }
        guard let answer = answers.removeValue(forKey: request) else {
            throw ScenarioFailure("\(device) does not answer")
        }
        return answer
    }

    private mutating func askHub(_ input: (RequestID) -> HubEngine.Input) throws -> Version {
        try checkRunning("hub")
        let request = world.nextRequest()
        world.give(input(request))
        guard case .hub(.done(let version)) = try answer(to: request, of: "hub") else {
            throw ScenarioFailure("the hub declines")
        }
        return version
    }

    private mutating func askWatch(_ name: String, _ input: (RequestID) -> WatchEngine.Input) throws {
        try checkRunning(name)
        let request = world.nextRequest()
        world.give(input(request), to: try number(name))
        guard case .watch(let answer) = try answer(to: request, of: name) else { return }
        if case .refused(let fault) = answer { throw ScenarioFailure("\(name) declines: \(fault)") }
    }

    private mutating func askTransfers(
        of sender: String, to receiver: String, _ input: (RequestID) -> TransferInput
    ) throws -> TransferAnswer {
        try checkRunning(sender)
        let request = world.nextRequest()
        world.post(input(request), at: try side(of: sender, to: receiver), after: .zero)
        switch try answer(to: request, of: sender) {
        case .transfer(let answer): return answer
        case .hub, .watch: throw ScenarioFailure("\(sender) declines")
        }
    }

    // MARK: - Transfers

    private mutating func sendItem(from sender: String, to receiver: String, _ text: String, isUrgent: Bool) throws {
        let transfer = Exchange.Transfer(payload: Array(text.utf8), isUrgent: isUrgent)
        let answer = try askTransfers(of: sender, to: receiver) { .exchange(.transfer($0, transfer)) }
        guard case .exchange(.accepted) = answer else { throw ScenarioFailure("\(sender) declines: \(answer)") }
    }

    private mutating func ask(
        from sender: String, to receiver: String, _ question: String, _ outcome: ScenarioOutcome
    ) throws {
        outcomes[question] = outcome
        let message = Message(payload: Array(question.utf8), wantsReply: true)
        let answer = try askTransfers(of: sender, to: receiver) { .exchange(.message($0, message)) }
        guard answer == .exchange(outcome.answer) else { throw ScenarioFailure("the outcome is \(answer)") }
    }

    private mutating func sendFile(from sender: String, to receiver: String, _ file: ScenarioFile) throws {
        let content = file.content
        let copy = RandomID(using: &world.generator).hexadecimal
        world.keep(content, as: copy, at: try side(of: sender, to: receiver))
        let digest = FileDigest.simulated(of: content)
        let answer = try askTransfers(of: sender, to: receiver) {
            .files(
                .send(
                    $0, file: copy, name: file.name, byteCount: UInt64(content.count), digest, metadata: []))
        }
        guard case .files(.accepted) = answer else { throw ScenarioFailure("\(sender) declines: \(answer)") }
    }

    // MARK: - Copies

    /// Changes what a device starts with while it does not run, and starts it again if it ran.
    private mutating func changeAtRest(_ name: String, _ change: (inout SteadyWorld, DeviceID) -> Void) throws {
        let device = try existing(name)
        let wasAlive = world.isAlive(device)
        world.stop(device)
        settle()
        change(&world, device)
        if wasAlive { start(device) }
    }

    private mutating func backUp(_ name: String, _ label: String) throws {
        var copy: StoreCopy?
        try changeAtRest(name) { copy = $0.copyStore(of: $1) }
        if name == "hub" { hubCopies[label] = copy } else { watchCopies[label] = copy }
    }

    private mutating func restore(_ name: String, _ label: String) throws {
        guard let copy = name == "hub" ? hubCopies[label] : watchCopies[label] else { return }
        try changeAtRest(name) { $0.restore(copy, at: $1) }
    }

    private mutating func clone(_ original: String, as name: String) throws {
        let (source, number) = (try number(original), world.watches.count)
        try changeAtRest(original) { world, _ in world.addClone(of: source) }
        numbers[name] = number
        guard paired.contains(source) else { return }
        paired.insert(number)
        start(.watch(number))
    }

    // MARK: - What the applications receive

    /// Lets the world do what is left to be done now.
    private mutating func settle() {
        while let observation = world.nextObservation() { take(observation) }
    }

    private mutating func take(_ observation: SteadyWorld.Observation) {
        switch observation {
        case .hubOutput(.answer(let request, let answer)): answers[request] = .hub(answer)
        case .hubOutput(.event(let event)): heard(event)
        case .hubOutput(.transfer(let peer, let output)):
            if let watch = world.watch(of: peer) { take(output, at: Side(watch: watch, isHub: true)) }
        case .watchOutput(_, .answer(let request, let answer)): answers[request] = .watch(answer)
        case .watchOutput(let number, .transfer(let output)): take(output, at: Side(watch: number, isHub: false))
        case .pairing(let number, .done): paired.insert(number)
        case .hubWrote(let record, let isKept): if isKept { world.removeFiles(of: record) }
        case .hubTakes, .watchTakes, .hubOutput, .watchOutput, .hubRests, .watchRests, .pairing, .sends, .outcome,
            .arrives, .arrived, .delays, .slowWrite, .watchWrote, .hubStored, .fileFails, .connects, .handshakeWaits,
            .handshakeFails, .socketDenied, .hangsUp, .alarm, .due, .lostPower:
            break
        }
    }

    private mutating func take(_ output: TransferOutput, at side: Side) {
        switch output {
        case .exchange(.answer(let request, let answer)): answers[request] = .transfer(.exchange(answer))
        case .exchange(.event(let event)): heard(event, at: side)
        case .files(.answer(let request, let answer)): answers[request] = .transfer(.files(answer))
        case .files(.event(let event)): heard(event, at: side)
        case .exchange, .files: break
        }
    }

    private mutating func heard(_ event: HubEngine.Event) {
        switch event {
        case .duplicateWatch(let peer): warn(of: peer, .duplicate)
        case .clockSuspect(let peer): warn(of: peer, .clock)
        case .linked, .unlinked, .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsTaken,
            .conflictsFull, .uploadsContradicted, .forked, .cutOff, .dropped, .registerRefused, .notStored:
            break
        }
    }

    private mutating func warn(of peer: PeerKey, _ warning: ScenarioWarning) {
        guard let number = world.watch(of: peer) else { return }
        applications[.hub, default: VirtualApplication()].warn(
            DeviceObservation.WarningObservation(watch: world.watches[number].configuration.name, kind: warning))
    }

    private mutating func heard(_ event: Exchange.Event, at side: Side) {
        switch event {
        case .itemReceived(let item):
            let sender = side.isHub ? world.watches[side.watch].configuration.name : nil
            applications[side.device, default: VirtualApplication()].got(item, from: sender)
            reply(.exchange(.consumed(item.id)), at: side)
        case .messageReceived(let message):
            guard case .answer(let text) = outcomes[String(decoding: message.payload, as: UTF8.self)] else { return }
            reply(.exchange(.reply(world.nextRequest(), message.id, Array(text.utf8))), at: side)
        case .itemDelivered, .itemsLost, .dropped, .notStored: break
        }
    }

    private mutating func heard(_ event: FileExchange.Event, at side: Side) {
        switch event {
        case .receiving(let offer, let byteCount):
            applications[side.device, default: VirtualApplication()].arrived(offer, byteCount: byteCount)
            cutIfDue(side.watch, offer, byteCount)
        case .received(let offer):
            let content = world.received(offer.id, at: side)
            applications[side.device, default: VirtualApplication()].got(offer, content: content)
            reply(.files(.consumed(offer.id)), at: side)
        case .ended(let result): reply(.files(.resultTaken(result.id)), at: side)
        case .sent, .receiveFailed, .dropped, .notStored: break
        }
    }

    /// The application of a side reacts to what its engine reported.
    private mutating func reply(_ input: TransferInput, at side: Side) {
        world.post(input, at: side, after: Self.timing.disk)
    }

    private mutating func cutIfDue(_ watch: Int, _ offer: FileOffer, _ byteCount: UInt64) {
        guard let due = plannedCuts[watch], offer.name == due.file,
            byteCount * 100 >= UInt64(due.percent) * offer.byteCount
        else { return }
        plannedCuts[watch] = nil
        lose(.both, of: watch)
    }

    // MARK: - What is seen

    /// What can be seen of a device now.
    public mutating func observation(of name: String) -> DeviceObservation {
        var observation = DeviceObservation()
        guard let device = device(name) else { return observation }
        applications[device]?.show(in: &observation)
        switch device {
        case .hub:
            observation.isRunning = world.hub.device.isRunning
            guard let engine = world.hub.engine else { return observation }
            observation.show(engine.version)
            observation.show(engine.cells)
            observation.show(engine.conflicts.values)
            observation.linkedWatches = engine.watches.filter(\.isLinked).map(\.watch.name)
            observation.epochCount = 1 + world.hub.stored.ledger.lineage.count
        case .watch(let number):
            let watch = world.watches[number]
            observation.isRunning = watch.device.isRunning
            guard let engine = watch.engine else { return observation }
            observation.show(engine.snapshot?.version)
            observation.show(engine.view)
            observation.show(engine.snapshot?.conflicts.values ?? [])
            observation.waitingEditCount = engine.pendingEdits.count
            observation.show(engine.linkState)
            if world.isShutOut(number) { observation.link = "notAdmitted" }
        }
        return observation
    }
}

extension ScenarioOutcome {
    /// How the exchange answers then.
    public var answer: Exchange.Answer {
        switch self {
        case .answer(let text): .replied(Array(text.utf8))
        case .noAnswer: .failed(.replyTimedOut)
        case .notReachable: .failed(.notReachable)
        }
    }
}
