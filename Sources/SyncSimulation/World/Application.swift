import SyncCore

/// The application of a run, on the hub: it changes cells, publishes registers, invites and unpairs watches.
struct Application {
    /// A kind of work that comes again and again.
    enum Work: CaseIterable {
        case change, publish, invite, unpair

        func rate(_ options: SimulationOptions) -> Double {
            switch self {
            case .change: options.changeRate
            case .publish: options.registerRate
            case .invite: options.invitationRate
            case .unpair: options.unpairingRate
            }
        }
    }

    /// What watches see: two of the three kinds of cells.
    static let schema = Schema(
        versions: 1...1, projected: [.init(kind: "lamp", group: "name"), .init(kind: "lamp", group: "place")])
    static let names: [Schema.Name] = [
        .init(kind: "lamp", group: "name"), .init(kind: "lamp", group: "place"), .init(kind: "host", group: "secret"),
    ]
    /// The most records that live at the same time.
    static let recordCountMax = 5

    let works = Work.allCases
    var draws: [SplitMix64]
    let registerCount: Int
    var lastRequest: UInt64 = 0
    var lastInvitation: UInt64 = 0
    var lastOrder: UInt64 = 0
    /// The newest value of each register; the application keeps them itself and publishes them when the hub starts.
    private(set) var newest = SortedMap<String, Register>()
    /// The requests that unpair a watch.
    var unpairings: Set<UInt64> = []
    /// Invitations that wait for the hub's answer, by request: the key, and the watches that will get it.
    var invitations: [UInt64: (key: PeerKey, watches: [Int])] = [:]

    init(options: SimulationOptions, streams: SplitMix64) {
        var counts = streams.stream(0)
        registerCount = 1 + counts.below(options.registerCountMax)
        draws = works.indices.map { streams.stream(1 + UInt64($0)) }
    }

    var newestRegisters: [Register] { newest.values }

    mutating func nextRequest() -> HubEngine.RequestID {
        lastRequest += 1
        return HubEngine.RequestID(number: lastRequest)
    }

    /// A new value of one of the registers; its order is greater than all before, for ever.
    mutating func nextRegister(_ work: Int) -> Register {
        lastOrder += 1
        let key = "lamp \(draws[work].below(registerCount))"
        let length = draws[work].chance(0.05) ? 300 : 8
        let value = (0..<length).map { UInt8(truncatingIfNeeded: lastOrder &>> (8 * UInt64($0 & 7))) }
        let register = Register(key: key, order: lastOrder, value: value)
        newest[key] = register
        return register
    }
}

extension World {
    mutating func scheduleWork(_ work: Int) {
        let rate = application.works[work].rate(options)
        guard let wait = application.draws[work].wait(ratePerMinute: rate) else { return }
        // The first invitations come at once, or the watches would have nothing to do.
        let isFirst = now.nanoseconds == 0 && application.works[work] == .invite
        queue.push(.work(work), at: now.advanced(by: isFirst ? .milliseconds(5) : wait))
    }

    mutating func takeTurn(_ work: Int) {
        guard !isCalm else { return }
        if hub.engine != nil {
            switch application.works[work] {
            case .change: change(work)
            case .publish: publish(work)
            case .invite: invite(work)
            case .unpair: unpair(work)
            }
        }
        scheduleWork(work)
    }

    private mutating func change(_ work: Int) {
        let burst = application.draws[work].chance(0.1) ? 3 : 1
        for _ in 0..<burst {
            guard let engine = hub.engine else { return }
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
        let value = "value \(application.lastRequest)"
        let record = RandomID(using: &application.draws[work])
        let name = application.draws[work].pick(Application.names)
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
            return [CellChange(key: key, value: value), CellChange(key: other, value: value)]
        default: return [CellChange(key: key, value: value)]
        }
    }

    private mutating func publish(_ work: Int) {
        let register = application.nextRegister(work)
        checks.published(register)
        stepHub(.publish(register))
        guard application.draws[work].chance(0.1) else { return }
        // An older value comes again, as a broker's retained message does: it must change nothing.
        var old = register
        old.order -= 1
        old.value = [0]
        stepHub(.publish(old))
    }

    private mutating func invite(_ work: Int) {
        let strangers = watches.filter { $0.role == .idle }.map(\.number)
        let refused = watches.filter { isForgotten($0) }.map(\.number)
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
    private func isForgotten(_ watch: SimulatedWatch) -> Bool {
        watch.role == .paired && !checks.isPaired(watch.key)
    }

    private mutating func unpair(_ work: Int) {
        let request = application.nextRequest()
        let watch = application.draws[work].below(watches.count)
        hub.requests[request.number] = .some(nil)
        application.unpairings.insert(request.number)
        stepHub(.unpair(request, watches[watch].key))
    }

    /// The hub answered one of the application's requests.
    mutating func answered(_ request: HubEngine.RequestID, _ answer: HubEngine.Answer) {
        trace.mix(request.number)
        let expected = hub.requests.removeValue(forKey: request.number)
        if case .done = answer, application.unpairings.contains(request.number) { occasions.note(.watchUnpaired) }
        noteAnswer(answer, wasNothing: checks.isLastAnswer(answer))
        fail(checks.answers(request, answer, expected: expected))
        guard let invitation = application.invitations.removeValue(forKey: request.number) else { return }
        guard case .done = answer else { return }
        for watch in invitation.watches {
            // A watch that is being paired, or that is paired and known, has no use for another invitation.
            guard watches[watch].role == .idle || isForgotten(watches[watch]) else { continue }
            become(watch, .pairing(invitation: invitation.key))
        }
    }
}
