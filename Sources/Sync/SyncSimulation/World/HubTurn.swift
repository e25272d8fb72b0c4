import SyncCore

/// One turn of what the application of the hub does by itself.
struct HubTurn {
    /// The randomness of the turn.
    private var draws: SplitMix64

    init(draws: SplitMix64) {
        self.draws = draws
    }

    /// It changes cells.
    mutating func change(_ checked: inout CheckedWorld) {
        let burst = draws.chance(0.1) ? 3 : 1
        for _ in 0..<burst {
            guard let engine = checked.world.hub.engine else { return }
            var expected: Version?
            switch draws.below(4) {
            case 0: expected = engine.version
            case 1:
                expected = engine.version
                expected?.revision &-= 1
            default: break
            }
            let request = checked.application.nextRequest()
            let changes = changes(engine.cells, as: request)
            checked.askHub(request, for: .change(expected: expected), .transact(request, changes, expected: expected))
        }
    }

    private mutating func changes(_ cells: SortedMap<CellKey, Cell>, as request: RequestID) -> [CellChange] {
        let living = cells.pairs.filter { $0.value.value != nil && !$0.key.kind.hasPrefix("sync.") }
        let plain = "value \(request.number)"
        let secret = plain + String(decoding: [Application.secretMark], as: UTF8.self)
        let record = RandomID(using: &draws)
        let name = draws.pick(Application.names)
        let value = name.kind == "host" ? secret : plain
        let choice = draws.below(20)
        if choice == 0 {
            return [CellChange(key: CellKey(kind: "sync.watch", record: record, group: "pairing"), value: value)]
        }
        guard !living.isEmpty, living.count < Application.recordCountMax || choice > 12 else {
            return [CellChange(key: CellKey(kind: name.kind, record: record, group: name.group), value: value)]
        }
        let (key, cell) = living[draws.below(living.count)]
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

    /// It publishes registers.
    mutating func publish(_ checked: inout CheckedWorld) {
        let register = publishNew(&checked)
        if checked.application.isBurst(using: &draws) {
            for _ in 0..<Application.wideBurst.registers { _ = publishNew(&checked) }
            return
        }
        guard draws.chance(0.1) else { return }
        // An older value comes again, as a broker's retained message does: it must change nothing.
        var old = register
        old.order -= 1
        old.value = [0]
        checked.give(.publish(old))
    }

    private mutating func publishNew(_ checked: inout CheckedWorld) -> Register {
        let register = checked.application.nextRegister(using: &draws)
        checked.record.checks.published(register)
        checked.give(.publish(register))
        return register
    }

    /// It invites the watches that are not paired.
    mutating func invite(_ checked: inout CheckedWorld) {
        let strangers = checked.watches.indices.filter { checked.watches[$0].role == .idle }
        let invited = strangers + checked.watches.indices.filter { checked.isForgotten($0) }
        for watch in invited {
            let request = checked.application.nextRequest()
            let key = checked.application.nextInvitation(using: &draws)
            // Now and then two watches get the same invitation; only one may use it.
            let isShared = draws.chance(0.3)
            let isNamed = draws.chance(0.5)
            let valid = Int64(draws.below(60_000)) + 500
            checked.askHub(
                request, for: .invitation(key, watches: isShared ? invited : [watch]),
                .invite(request, key: key, name: isNamed ? "kitchen" : nil, validMilliseconds: valid))
        }
    }

    /// It unpairs a watch.
    mutating func unpair(_ checked: inout CheckedWorld) {
        let request = checked.application.nextRequest()
        let watch = draws.below(checked.watches.count)
        checked.askHub(request, for: .unpairing, .unpair(request, checked.world.watches[watch].key))
    }
}
