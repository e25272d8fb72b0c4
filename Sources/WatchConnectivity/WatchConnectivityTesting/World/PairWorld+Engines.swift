import SyncCore
import SyncSimulation
import WatchConnectivity

extension PairWorld {
    // MARK: - The phone's engine

    mutating func startHub() {
        let configuration = HubEngine.Configuration(
            app: SessionSetup.unnamedApp, schema: Schema(versions: 1...1, projected: []), transfers: transfers)
        phone.stepsLeft = nil
        phone.engine = HubEngine(
            configuration: configuration, state: phone.memory.ledger, transfers: phone.memory.transfers,
            seed: generator.next(), at: moment)
        drainHub()
    }

    mutating func stepHub(_ input: HubEngine.Input) {
        guard phone.engine != nil else { return }
        let moment = moment
        phone.engine?.handle(input, at: moment)
        drainHub()
    }

    private mutating func drainHub() {
        while let output = phone.engine?.nextOutput() {
            switch output {
            case .send(let frame, let connection): send(frame, to: connection)
            case .persist(let transaction):
                let isKept = keep(on: .phone) { $0.phone.memory.apply(.transaction(transaction)) }
                post(
                    .hub(
                        isKept ? .persisted(transaction) : .persistFailed(transaction, reason: "the disk fails"),
                        life: phone.life))
            case .record(let peer, let record):
                let isKept = keep(on: .phone) { $0.phone.memory.apply(.transfer(peer, record)) }
                post(
                    .hub(
                        isKept ? .recorded(peer, record) : .recordFailed(peer, record, reason: "the disk fails"),
                        life: phone.life))
            case .transfer(let peer, let output):
                if let watch = watches.firstIndex(where: { $0.key == peer }) {
                    carryOut(output, at: Address(.phone, watch))
                }
            case .answer(let request, _): answered(request, nil)
            case .event(let event): notice(event)
            case .close(let connection): close(connection)
            case .admit: dialAll()
            }
        }
    }

    private mutating func notice(_ event: HubEngine.Event) {
        switch event {
        case .linked(let peer, _): phoneLinked(with: peer, true)
        case .unlinked(let peer, _, _): phoneLinked(with: peer, false)
        case .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsTaken, .conflictsFull,
            .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused,
            .notStored:
            break
        }
    }

    private mutating func phoneLinked(with peer: PeerKey, _ isLinked: Bool) {
        guard let watch = watches.firstIndex(where: { $0.key == peer }) else { return }
        linked(Address(.phone, watch), isLinked)
    }

    // MARK: - A watch's engine

    mutating func startWatch(_ number: Int) {
        let watch = watches[number]
        let configuration = WatchEngine.Configuration(
            name: watch.name, app: SessionSetup.unnamedApp, schemaVersions: 1...1, window: window,
            node: watch.key.node, transfers: transfers)
        watches[number].stepsLeft = nil
        watches[number].connection = nil
        watches[number].isDialing = false
        watches[number].engine = WatchEngine(
            configuration: configuration, state: watch.state, seed: generator.next())
        drainWatch(number)
        dialSoon(number)
    }

    mutating func stepWatch(_ number: Int, _ input: WatchEngine.Input) {
        guard watches[number].engine != nil else { return }
        let moment = moment
        watches[number].engine?.handle(input, at: moment)
        drainWatch(number)
    }

    private mutating func drainWatch(_ number: Int) {
        while let output = watches[number].engine?.nextOutput() {
            switch output {
            case .send(let frame): send(frame, from: number)
            case .reconnect:
                watches[number].connection = nil
                dialSoon(number, after: Self.redialTime)
            case .persist(let record):
                let isKept = keep(on: .watch(number)) { $0.watches[number].state.apply(record) }
                post(
                    .watch(
                        number, isKept ? .persisted(record) : .persistFailed(record, reason: "the disk fails"),
                        life: watches[number].life))
            case .transfer(let output): carryOut(output, at: Address(.watch, number))
            case .answer: break
            case .event(.linkChanged(let link)): linked(Address(.watch, number), link == .linked)
            case .event: break
            }
        }
    }

    // MARK: - Both

    /// Makes something durable, unless the disk fails; whether it is.
    private mutating func keep(on device: DeviceID, _ change: (inout PairWorld) -> Void) -> Bool {
        guard disk(of: device) != .fails else { return false }
        change(&self)
        countStep(of: device)
        return true
    }

    func disk(of device: DeviceID) -> DiskState {
        switch device {
        case .phone: phone.disk
        case .watch(let number): watches[number].disk
        }
    }

    private mutating func carryOut(_ output: TransferOutput, at address: Address) {
        switch output {
        case .exchange(.answer(let request, let answer)): answered(request, .exchange(answer))
        case .files(.answer(let request, let answer)): answered(request, .files(answer))
        case .exchange(.event(let event)): tell(address, .engineEvent(.exchange(event)))
        case .files(.event(let event)): tell(address, .engineEvent(.files(event)))
        case .files(let output):
            let disk = disk(of: address.device)
            guard let answer = halves[address]?.files.carryOut(output, on: disk) else { return }
            postTransfer(.files(answer), at: address)
        case .exchange(.send), .exchange(.persist), .exchange(.endSession): break
        }
    }

    private mutating func postTransfer(_ input: TransferInput, at address: Address) {
        switch address.role {
        case .phone: post(.hub(.transfer(watches[address.watch].key, input), life: phone.life))
        case .watch: post(.watch(address.watch, .transfer(input), life: watches[address.watch].life))
        }
    }

    private mutating func answered(_ request: RequestID, _ answer: TransferAnswer?) {
        guard let (address, life, tag) = requests.removeValue(forKey: request), life == self.life(of: address.device)
        else { return }
        tell(address, .engineAnswered(tag, answer))
    }

    private mutating func linked(_ address: Address, _ isLinked: Bool) {
        guard halves[address]?.isLinked != isLinked else { return }
        halves[address]?.isLinked = isLinked
        note(address.device, .link(isLinked ? "the link opens" : "the link closes"))
        if halves[address]?.sense == nil { tell(address, .link(isOpen: isLinked)) }
    }

    // MARK: - What a companion wants of its engine

    /// Hands a request to an engine.
    mutating func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag, of address: Address) {
        if isTakenByFlaw(request, tag: tag, of: address) { return }
        submit(request, tag: tag, of: address)
        if let held, held.address == address, case .item = request {
            self.held = nil
            submit(held.request, tag: held.tag, of: address)
        }
    }

    private mutating func isTakenByFlaw(
        _ request: PeerState.EngineRequest, tag: PeerState.EngineTag, of address: Address
    ) -> Bool {
        switch (flaw, request) {
        case (.losesUserInfo, .item):
            flaw = nil
            return true
        case (.losesOutcome, .message(let message)) where message.wantsReply:
            flaw = nil
            return true
        case (.swapsUserInfo, .item):
            flaw = nil
            held = (request, tag, address)
            return true
        case (.repeatsUserInfo, .item(var transfer)):
            flaw = nil
            transfer.id = RandomID(using: &generator)
            submit(.item(transfer), tag: PeerState.EngineTag(number: .max), of: address)
            return false
        case (.losesUserInfo, _), (.losesOutcome, _), (.swapsUserInfo, _), (.repeatsUserInfo, _), (nil, _): return false
        }
    }

    private mutating func submit(
        _ request: PeerState.EngineRequest, tag: PeerState.EngineTag, of address: Address
    ) {
        lastRequest += 1
        let id = RequestID(number: lastRequest)
        if request.hasAnswer { requests[id] = (address, life(of: address.device), tag) }
        postTransfer(request.input(as: id), at: address)
    }

    /// What an engine has stored of one pairing.
    func transferState(at address: Address) -> TransferState {
        switch address.role {
        case .phone: phone.memory.transfers[watches[address.watch].key] ?? TransferState()
        case .watch: watches[address.watch].state.transfers
        }
    }
}

extension PeerState.EngineRequest {
    /// Whether the engine answers it.
    fileprivate var hasAnswer: Bool {
        switch self {
        case .consumedItem, .consumedFile, .resultTaken: false
        case .message, .item, .cancelItem, .reply, .decline, .file, .cancelFile: true
        }
    }

    /// What the engine is told.
    fileprivate func input(as id: RequestID) -> TransferInput {
        switch self {
        case .message(let message): .exchange(.message(id, message))
        case .item(let transfer): .exchange(.transfer(id, transfer))
        case .cancelItem(let item): .exchange(.cancel(id, item))
        case .consumedItem(let item): .exchange(.consumed(item))
        case .reply(let message, let payload): .exchange(.reply(id, message, payload))
        case .decline(let message, let refusal, let text): .exchange(.decline(id, message, refusal, text: text))
        case .file(let copy, let metadata):
            .files(
                .send(
                    id, file: copy.file, name: copy.name, byteCount: copy.byteCount, copy.digest,
                    metadata: metadata))
        case .cancelFile(let file): .files(.cancel(id, file))
        case .consumedFile(let file): .files(.consumed(file))
        case .resultTaken(let file): .files(.resultTaken(file))
        }
    }
}
