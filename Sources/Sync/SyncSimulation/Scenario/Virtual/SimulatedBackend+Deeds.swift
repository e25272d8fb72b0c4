public import SyncCore

extension SimulatedBackend {
    /// Does a step that is no expectation.
    ///
    /// - Throws: ``ScenarioFailure``.
    public mutating func perform(_ deed: ScenarioAction) throws {
        switch deed {
        case .introduce(let name): introduce(name)
        case .pair(let name): try pair(name)
        case .unpair(let name): try unpair(name)
        case .change(let device, let changes): try change(by: device, changes)
        case .deleteRecord(let device, let record): try change(by: device, deletions(of: record, at: device))
        case .settle(let device, let cell, let restoring): try settle(by: device, cell, restoring: restoring)
        case .cut(let name, let way): cut(name, way)
        case .cutDuringFile(let name, let file, let percent): watches[name]?.cutAt = (file, percent)
        case .heal(let name): heal(name)
        case .kill(let device): try kill(device)
        case .start(let device): try start(device)
        case .stop(let device): try stop(device)
        case .goOn(let device): try goOn(device)
        case .backUp(let device, let label): backUp(device, label)
        case .restore(let device, let label): restore(device, label)
        case .clone(let original, let name): clone(original, as: name)
        case .turnClock(let device, let duration):
            changeMachine(device, hub: { $0.clockOffset += Self.milliseconds(duration) }) {
                $0.clockOffset += Self.milliseconds(duration)
            }
        case .wait(let duration): wait(duration)
        case .sendItem(let sender, let receiver, let text, let isUrgent):
            try sendItem(from: sender, to: receiver, text, isUrgent: isUrgent)
        case .ask(let sender, let receiver, let question, let outcome):
            try ask(from: sender, to: receiver, question, outcome)
        case .sendFile(let sender, let receiver, let file): try sendFile(from: sender, to: receiver, file)
        case .speak(let device, let versions):
            changeMachine(device, hub: { $0.versions = versions }) { $0.versions = versions }
            restartIfRunning(device) { _ in }
        case .name(let watch, let app):
            watches[watch]?.app = app
            restartIfRunning(watch) { _ in }
        case .expect: break
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }

    private mutating func wait(_ duration: Duration) {
        let awake = Duration.seconds(10)
        guard duration > awake * 2 else { return advance(by: duration) }
        advance(by: awake)
        now = now.advanced(by: duration - awake * 2)
        advance(by: awake)
    }

    // MARK: - Watches come and go

    private mutating func introduce(_ name: String) {
        let key = newKey()
        let state = WatchEngine.State(newIncarnation: RandomID(using: &generator))
        watches[name] = VirtualWatch(
            machine: VirtualMachine(stored: VirtualWatchStore(state: state)), key: key, pairedName: name)
    }

    private mutating func newKey() -> PeerKey {
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
        guard let key = PeerKey(bytes: bytes) else { preconditionFailure("a key has 32 bytes, not \(bytes.count)") }
        return key
    }

    private mutating func pair(_ name: String) throws {
        guard let watch = watches[name] else { return }
        guard watch.machine.engine == nil else { throw ScenarioFailure("\(name) runs already") }
        let invitation = newKey()
        _ = try askHub { .invite($0, key: invitation, name: name, validMilliseconds: 600_000) }
        var client = PairingClient(key: watch.key, name: name, app: watch.app, seed: generator.next())
        let action = client.connected(now: now)
        let connection = connect(name)
        pairing = (client, connection, invitation)
        watches[name]?.isPaired = false
        carryOut(action)
        let isPaired = wait { $0.watches[name]?.isPaired == true }
        (pairing, connections[connection]) = (nil, nil)
        guard isPaired else { throw ScenarioFailure("the hub does not pair \(name)") }
        startWatch(name)
    }

    private mutating func unpair(_ name: String) throws {
        guard let key = watches[name]?.key else { return }
        _ = try askHub { .unpair($0, key) }
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
        let cells = sight(of: device).cells.keys.compactMap { CellName($0) }.filter { $0.record == record }.sorted()
        guard !cells.isEmpty else { throw ScenarioFailure("\(device) shows no \(record) to delete") }
        return cells.map { ScenarioChange(cell: $0, value: nil) }
    }

    private mutating func settle(by device: String, _ cell: CellName, restoring: Bool) throws {
        let open = sight(of: device).conflicts.first { $0.cell == cell.text }
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

    /// Lives until something is so; false if it does not come to be.
    private mutating func wait(until isDone: (Self) -> Bool) -> Bool {
        let end = now.advanced(by: Self.patience)
        while !isDone(self) {
            guard step(until: end) else { return isDone(self) }
        }
        return true
    }

    func checkRunning(_ device: String) throws {
        let isRunning = device == "hub" ? hub.isRunning : watches[device]?.machine.isRunning ?? false
        guard isRunning else { throw ScenarioFailure("\(device) does not run") }
    }

    private mutating func answer(to request: RequestID, of device: String) throws -> VirtualAnswer {
        _ = wait { $0.answers[request] != nil }
        guard let answer = answers.removeValue(forKey: request) else {
            throw ScenarioFailure("\(device) does not answer")
        }
        return answer
    }

    private mutating func askHub(_ input: (RequestID) -> HubEngine.Input) throws -> Version {
        try checkRunning("hub")
        let request = nextRequest()
        stepHub(input(request))
        guard case .hub(.done(let version)) = try answer(to: request, of: "hub") else {
            throw ScenarioFailure("the hub declines")
        }
        return version
    }

    private mutating func askWatch(_ name: String, _ input: (RequestID) -> WatchEngine.Input) throws {
        try checkRunning(name)
        let request = nextRequest()
        stepWatch(name, input(request))
        guard case .watch(let answer) = try answer(to: request, of: name) else { return }
        if case .refused(let fault) = answer { throw ScenarioFailure("\(name) declines: \(fault)") }
    }

    private mutating func askTransfers(
        of sender: String, to receiver: String, _ input: (RequestID) -> TransferInput
    ) throws -> TransferAnswer {
        try checkRunning(sender)
        let request = nextRequest()
        if sender != "hub" {
            stepWatch(sender, .transfer(input(request)))
        } else if let key = watches[receiver]?.key {
            stepHub(.transfer(key, input(request)))
        }
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
        let copy = RandomID(using: &generator).hexadecimal
        if sender != "hub" {
            watches[sender]?.machine.stored.files.keep(content, as: copy)
        } else if let key = watches[receiver]?.key {
            hub.stored.files[key, default: VirtualFiles()].keep(content, as: copy)
        }
        let digest = VirtualFiles.digest(of: content)
        let answer = try askTransfers(of: sender, to: receiver) {
            .files(
                .send(
                    $0, file: copy, name: file.name, byteCount: UInt64(content.count), digest, metadata: []))
        }
        guard case .files(.accepted) = answer else { throw ScenarioFailure("\(sender) declines: \(answer)") }
    }
}

extension ScenarioOutcome {
    /// What the exchange answers then.
    public var answer: Exchange.Answer {
        switch self {
        case .answer(let text): .replied(Array(text.utf8))
        case .noAnswer: .failed(.replyTimedOut)
        case .notReachable: .failed(.notReachable)
        }
    }
}
