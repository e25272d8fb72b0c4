import SyncCore

extension SimulatedBackend {
    // MARK: - The hub

    mutating func startHub() {
        hub.life += 1
        let configuration = HubEngine.Configuration(
            app: ScenarioSchema.app, schema: ScenarioSchema.schema(hub.versions))
        hub.engine = HubEngine(
            configuration: configuration, state: hub.stored.ledger, transfers: hub.stored.transfers,
            seed: generator.next(), at: moment(hub.clockOffset))
        drainHub()
    }

    mutating func stepHub(_ input: HubEngine.Input) {
        guard hub.engine != nil else { return }
        let moment = moment(hub.clockOffset)
        hub.engine?.handle(input, at: moment)
        drainHub()
    }

    private mutating func drainHub() {
        while let output = hub.engine?.nextOutput() {
            switch output {
            case .send(let frame, let connection): send(frame, to: connection)
            case .persist(let transaction): post(.hubStores(transaction, life: hub.life), after: Self.diskTime)
            case .record(let peer, let record): post(.hubRecords(peer, record, life: hub.life), after: Self.diskTime)
            case .transfer(let peer, let output): carryOut(output, with: peer)
            case .answer(let request, let answer): answers[request] = .hub(answer)
            case .event(let event): notice(event)
            case .close(let connection): close(connection)
            case .admit: break
            }
        }
    }

    private mutating func notice(_ event: HubEngine.Event) {
        switch event {
        case .duplicateWatch(let peer): warn(of: peer, .duplicate)
        case .clockSuspect(let peer): warn(of: peer, .clock)
        case .linked, .unlinked, .acknowledged, .paired, .refused, .committed, .conflicted, .uploadsTaken,
            .conflictsFull, .uploadsContradicted, .forked, .cutOff, .dropped, .registerRefused, .notStored:
            break
        }
    }

    private mutating func warn(of peer: PeerKey, _ warning: ScenarioWarning) {
        guard let name = name(of: peer) else { return }
        let sight = DeviceObservation.WarningObservation(watch: name, kind: warning)
        if !hub.application.warnings.contains(sight) { hub.application.warnings.append(sight) }
    }

    func name(of peer: PeerKey) -> String? {
        watches.values.first { $0.key == peer }?.pairedName
    }

    private mutating func carryOut(_ output: TransferOutput, with peer: PeerKey) {
        switch output {
        case .exchange(.answer(let request, let answer)): answers[request] = .transfer(.exchange(answer))
        case .files(.answer(let request, let answer)): answers[request] = .transfer(.files(answer))
        case .exchange(.event(let event)):
            if case .itemReceived(let item) = event { hub.application.got(item, from: name(of: peer)) }
            for input in reply(to: event) {
                post(.hub(.transfer(peer, input), life: hub.life), after: Self.diskTime)
            }
        case .files(.event(let event)):
            let content = Self.offer(of: event).flatMap { hub.stored.files[peer]?.content(of: $0.id) }
            Self.notice(event, content: content, in: &hub.application)
            if let name = name(of: peer) { cutIfDue(name, event) }
            for input in Self.reply(to: event) {
                post(.hub(.transfer(peer, input), life: hub.life), after: Self.diskTime)
            }
        case .files(let output):
            if let answer = hub.stored.files[peer, default: VirtualFiles()].carryOut(output) {
                post(.hub(.transfer(peer, .files(answer)), life: hub.life), after: Self.diskTime)
            }
        case .exchange(.send), .exchange(.persist), .exchange(.endSession): break
        }
    }

    // MARK: - Watches

    mutating func startWatch(_ name: String) {
        guard let watch = watches[name] else { return }
        let seed = generator.next()
        let configuration = WatchEngine.Configuration(
            name: watch.pairedName, app: watch.app, schemaVersions: watch.machine.versions, node: watch.key.node)
        watches[name]?.machine.life += 1
        watches[name]?.connection = nil
        watches[name]?.machine.engine = WatchEngine(
            configuration: configuration, state: watch.machine.stored.state, seed: seed)
        drainWatch(name)
        post(.dial(name, life: watch.machine.life + 1), after: Self.messageTime)
    }

    mutating func stepWatch(_ name: String, _ input: WatchEngine.Input) {
        guard let watch = watches[name], watch.machine.engine != nil else { return }
        let moment = moment(watch.machine.clockOffset)
        watches[name]?.machine.engine?.handle(input, at: moment)
        drainWatch(name)
    }

    private mutating func drainWatch(_ name: String) {
        guard let life = watches[name]?.machine.life else { return }
        while let output = watches[name]?.machine.engine?.nextOutput() {
            switch output {
            case .send(let frame): send(frame, from: name)
            case .reconnect:
                watches[name]?.connection = nil
                post(.dial(name, life: life), after: .milliseconds(100))
            case .persist(let record): post(.watchStores(name, record, life: life), after: Self.diskTime)
            case .transfer(let output): carryOut(output, of: name, life: life)
            case .answer(let request, let answer): answers[request] = .watch(answer)
            case .event: break
            }
        }
    }

    private mutating func carryOut(_ output: TransferOutput, of name: String, life: Int) {
        switch output {
        case .exchange(.answer(let request, let answer)): answers[request] = .transfer(.exchange(answer))
        case .files(.answer(let request, let answer)): answers[request] = .transfer(.files(answer))
        case .exchange(.event(let event)):
            if case .itemReceived(let item) = event { watches[name]?.machine.application.got(item, from: nil) }
            for input in reply(to: event) {
                post(.watch(name, .transfer(input), life: life), after: Self.diskTime)
            }
        case .files(.event(let event)):
            let content = Self.offer(of: event).flatMap { watches[name]?.machine.stored.files.content(of: $0.id) }
            _ = watches.modify(name) { Self.notice(event, content: content, in: &$0.machine.application) }
            cutIfDue(name, event)
            for input in Self.reply(to: event) {
                post(.watch(name, .transfer(input), life: life), after: Self.diskTime)
            }
        case .files(let output):
            if let answer = watches[name]?.machine.stored.files.carryOut(output) {
                post(.watch(name, .transfer(.files(answer)), life: life), after: Self.diskTime)
            }
        case .exchange(.send), .exchange(.persist), .exchange(.endSession): break
        }
    }

    // MARK: - The application

    /// What the application of a device does about user info and messages.
    private mutating func reply(to event: Exchange.Event) -> [TransferInput] {
        switch event {
        case .itemReceived(let item): return [.exchange(.consumed(item.id))]
        case .messageReceived(let message):
            guard case .answer(let text) = outcomes[String(decoding: message.payload, as: UTF8.self)] else { return [] }
            return [.exchange(.reply(nextRequest(), message.id, Array(text.utf8)))]
        case .itemDelivered, .itemsLost, .dropped, .notStored: return []
        }
    }

    private static func reply(to event: FileExchange.Event) -> [TransferInput] {
        switch event {
        case .received(let offer): [.files(.consumed(offer.id))]
        case .ended(let result): [.files(.resultTaken(result.id))]
        case .sent, .receiving, .receiveFailed, .dropped, .notStored: []
        }
    }

    private static func offer(of event: FileExchange.Event) -> FileOffer? {
        if case .received(let offer) = event { offer } else { nil }
    }

    private static func notice(
        _ event: FileExchange.Event, content: [UInt8]?, in application: inout VirtualApplication
    ) {
        switch event {
        case .receiving(let offer, let byteCount): application.arrived(offer, byteCount: byteCount)
        case .received(let offer): application.got(offer, content: content)
        case .sent, .ended, .receiveFailed, .dropped, .notStored: break
        }
    }

    private mutating func cutIfDue(_ name: String, _ event: FileExchange.Event) {
        guard let due = watches[name]?.cutAt, case .receiving(let offer, let byteCount) = event,
            offer.name == due.file, byteCount * 100 >= UInt64(due.percent) * offer.byteCount
        else { return }
        watches[name]?.cutAt = nil
        watches[name]?.losesIncoming = true
        watches[name]?.losesOutgoing = true
    }
}
