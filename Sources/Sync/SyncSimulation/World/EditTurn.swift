import SyncCore

/// One turn of the persons' changes of cells, at a watch or at the hub.
struct EditTurn {
    /// The randomness of the turn.
    private var draws: SplitMix64

    init(draws: SplitMix64) {
        self.draws = draws
    }

    /// A person edits cells at a watch.
    mutating func edit(_ checked: inout CheckedWorld) {
        let running = Self.awakeWatches(checked.world) { _ in true }
        guard !running.isEmpty else { return }
        let watch = draws.pick(running)
        let burst = draws.chance(0.15) ? 3 : 1
        for _ in 0..<burst {
            guard let engine = checked.world.watches[watch].engine else { return }
            let number = checked.application.nextValue()
            checked.edit(changes(engine, of: watch, number, checked.world), at: watch)
        }
    }

    /// The watches that run, are not suspended and fulfil a condition.
    private static func awakeWatches(_ world: DrawnWorld, _ isWanted: (WatchEngine) -> Bool) -> [Int] {
        world.watches.indices.filter {
            (world.watches[$0].engine.map(isWanted) ?? false) && world.pausedUntil(.watch($0)) <= world.now
        }
    }

    private mutating func changes(
        _ engine: WatchEngine, of watch: Int, _ number: UInt64, _ world: DrawnWorld
    ) -> [CellChange] {
        let shown = engine.view.pairs.map { ($0.key, $0.value) }
        let fresh = RandomID(using: &draws)
        let choice = draws.below(20)
        let value = (choice == 0 ? "unfit " : "edit ") + "\(number)"
        let group = draws.pick(["name", "place"])
        let lamps = shown.filter { $0.0.kind == "lamp" && $0.0.group != "wiring" }
        if choice < 3 {
            // The own layout, and now and then another watch's, which must be declined.
            let owner = draws.chance(0.6) ? watch : draws.below(world.watches.count)
            let key = CellKey(kind: "layout", record: Schema.record(of: world.watches[owner].key), group: "order")
            return [CellChange(key: key, value: value)]
        }
        guard !lamps.isEmpty, choice > 4 || lamps.count >= Application.recordCountMax else {
            let key = CellKey(kind: "lamp", record: fresh, group: group)
            return [CellChange(key: key, value: value)]
        }
        let (key, cell) = lamps[draws.below(lamps.count)]
        let other = CellKey(kind: "lamp", record: key.record, group: group)
        let wiring = CellKey(kind: "lamp", record: key.record, group: "wiring")
        switch choice {
        case 5, 6: return [CellChange(key: key, value: nil)]
        case 7: return [CellChange(key: key, value: cell.value)]
        case 8: return [CellChange(key: wiring, value: value)]
        case 9: return [CellChange(key: key, value: value), CellChange(key: wiring, value: value + "w")]
        case 10...13: return [CellChange(key: key, value: value + "a"), CellChange(key: other, value: value + "b")]
        // Few different values, so that two persons enter the same.
        case 14: return [CellChange(key: key, value: "common")]
        default: return [CellChange(key: key, value: value)]
        }
    }

    /// A person restores a conflict, or dismisses it.
    mutating func settle(_ checked: inout CheckedWorld) {
        let isRestored = draws.chance(0.6)
        let atHub = draws.chance(0.5)
        let running = Self.awakeWatches(checked.world) { $0.snapshot != nil }
        if atHub || running.isEmpty {
            settleAtHub(isRestored: isRestored, &checked)
        } else {
            let watch = draws.pick(running)
            let open = checked.world.watches[watch].engine?.snapshot?.conflicts.values ?? []
            guard !open.isEmpty else { return }
            checked.settle(draws.pick(open), isRestored: isRestored, at: watch)
        }
    }

    private mutating func settleAtHub(isRestored: Bool, _ checked: inout CheckedWorld) {
        guard let open = checked.world.hub.engine?.conflicts.values else { return }
        let request = checked.application.nextRequest()
        let conflict = open.isEmpty ? nil : draws.pick(open)
        let id = conflict?.id ?? RandomID(using: &draws)
        checked.askHub(
            request, for: .settling(conflict, isRestored: isRestored),
            .settle(request, conflict: id, restoring: isRestored))
    }
}
