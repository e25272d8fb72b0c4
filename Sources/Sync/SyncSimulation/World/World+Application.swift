import SyncCore

extension World {
    mutating func scheduleWork(_ work: Int) {
        guard let wait = application.next(work, options) else { return }
        // The first invitations come at once, or the watches would have nothing to do.
        let isFirst = now.nanoseconds == 0 && application.works[work] == .invite
        world.plan(.work(work), at: now.advanced(by: isFirst ? .milliseconds(5) : wait), of: .hub)
    }

    mutating func takeTurn(_ work: Int) {
        guard !isCalm else { return }
        if isPossible(application.works[work]),
            passes(application.works[work].kind, number: application.numbers[work])
        {
            switch application.works[work] {
            case .edit: edit(work)
            case .settle: settle(work)
            case .transfer: transfer(work)
            case .cancel: cancel(work)
            case .message: sendMessage(work)
            case .sendFile: sendFile(work)
            case .change: change(work)
            case .publish: publish(work)
            case .invite: invite(work)
            case .unpair: unpair(work)
            }
        }
        scheduleWork(work)
    }

    /// Whether anybody runs who could do the work.
    private func isPossible(_ work: Application.Work) -> Bool {
        switch work {
        case .change, .publish, .invite, .unpair: world.hub.engine != nil
        case .edit: world.watches.contains { $0.engine != nil }
        case .settle, .transfer, .cancel, .message, .sendFile:
            world.hub.engine != nil || world.watches.contains { $0.engine != nil }
        }
    }

    private mutating func change(_ work: Int) {
        let burst = application.draws[work].chance(0.1) ? 3 : 1
        for _ in 0..<burst {
            guard let engine = world.hub.engine else { return }
            var expected: Version?
            switch application.draws[work].below(4) {
            case 0: expected = engine.version
            case 1:
                expected = engine.version
                expected?.revision &-= 1
            default: break
            }
            let request = application.nextRequest()
            hub.requests[request.number] = .some(expected)
            stepHub(.transact(request, changes(work, engine.cells), expected: expected))
        }
    }

    private mutating func changes(_ work: Int, _ cells: SortedMap<CellKey, Cell>) -> [CellChange] {
        let living = cells.pairs.filter { $0.value.value != nil && !$0.key.kind.hasPrefix("sync.") }
        let plain = "value \(application.lastRequest)"
        let secret = plain + String(decoding: [Application.secretMark], as: UTF8.self)
        let record = RandomID(using: &application.draws[work])
        let name = application.draws[work].pick(Application.names)
        let value = name.kind == "host" ? secret : plain
        let choice = application.draws[work].below(20)
        if choice == 0 {
            return [CellChange(key: CellKey(kind: "sync.watch", record: record, group: "pairing"), value: value)]
        }
        guard !living.isEmpty, living.count < Application.recordCountMax || choice > 12 else {
            return [CellChange(key: CellKey(kind: name.kind, record: record, group: name.group), value: value)]
        }
        let (key, cell) = living[application.draws[work].below(living.count)]
        switch choice {
        case 1...5: return [CellChange(key: key, value: nil)]
        case 6: return [CellChange(key: key, value: cell.value)]
        case 7...9:
            let other = CellKey(kind: name.kind, record: key.record, group: name.group)
            return [
                CellChange(key: key, value: key.kind == "host" ? secret : plain), CellChange(key: other, value: value),
            ]
        default: return [CellChange(key: key, value: key.kind == "host" ? secret : plain)]
        }
    }

    private mutating func publish(_ work: Int) {
        let register = application.nextRegister(work)
        checks.published(register)
        stepHub(.publish(register))
        if application.isBurst(work) {
            for _ in 0..<Application.wideBurst.registers {
                let register = application.nextRegister(work)
                checks.published(register)
                stepHub(.publish(register))
            }
            return
        }
        guard application.draws[work].chance(0.1) else { return }
        // An older value comes again, as a broker's retained message does: it must change nothing.
        var old = register
        old.order -= 1
        old.value = [0]
        stepHub(.publish(old))
    }

    private mutating func invite(_ work: Int) {
        let strangers = watches.indices.filter { watches[$0].role == .idle }
        let refused = watches.indices.filter(isForgotten)
        guard !(strangers + refused).isEmpty else { return }
        for watch in strangers + refused {
            let request = application.nextRequest()
            application.lastInvitation += 1
            let key = PeerKey.simulated(
                kind: 2, number: application.lastInvitation, draw: application.draws[work].next())
            // Now and then two watches are given the same invitation; only one may have it.
            let isShared = application.draws[work].chance(0.3)
            let isNamed = application.draws[work].chance(0.5)
            let valid = Int64(application.draws[work].below(60_000)) + 500
            application.invitations[request.number] = (key, isShared ? strangers + refused : [watch])
            hub.requests[request.number] = .some(nil)
            stepHub(.invite(request, key: key, name: isNamed ? "kitchen" : nil, validMilliseconds: valid))
        }
    }

    /// Whether a watch believes to be paired and the hub does not know it.
    func isForgotten(_ watch: Int) -> Bool {
        watches[watch].role == .paired && !checks.isPaired(world.watches[watch].key)
    }

    private mutating func unpair(_ work: Int) {
        let request = application.nextRequest()
        let watch = application.draws[work].below(watches.count)
        hub.requests[request.number] = .some(nil)
        application.unpairings.insert(request.number)
        stepHub(.unpair(request, world.watches[watch].key))
    }

    /// Takes the hub's refusal of a transfer with a watch that it does not know; false if the answer is another one.
    private mutating func answerToTransfer(_ request: RequestID, _ answer: HubEngine.Answer) -> Bool {
        for watch in watches.indices {
            let side = Side(watch: watch, isHub: true)
            guard openRequests[side.index].remove(request.number) != nil else { continue }
            occasions.note(.transferUnknownWatch)
            checks.messages.withdraw(request)
            application.messages.remove(request.number)
            if case .done = answer { fail(.answers, "a transfer is answered as a transaction") }
            return true
        }
        return false
    }

    /// The hub answered one of the application's requests.
    mutating func answered(_ request: HubEngine.RequestID, _ answer: HubEngine.Answer) {
        trace.mix(request.number)
        if answerToTransfer(request, answer) { return }
        settled(request, answer)
        let expected = hub.requests.removeValue(forKey: request.number)
        if case .done = answer, application.unpairings.contains(request.number) { occasions.note(.watchUnpaired) }
        noteAnswer(answer, wasNothing: checks.isLastAnswer(answer))
        if case .refused(let fault) = answer, encore.stage != nil {
            fail(.delivery, "the hub declines what nothing stands in the way of: \(fault)")
        }
        fail(checks.answers(request, answer, expected: expected))
        guard let invitation = application.invitations.removeValue(forKey: request.number) else { return }
        guard case .done = answer else { return }
        for watch in invitation.watches {
            // A watch that is being paired, or that is paired and known, has no use for another invitation.
            guard watches[watch].role == .idle || isForgotten(watch) else { continue }
            become(watch, .pairing(invitation: invitation.key))
        }
    }
}
