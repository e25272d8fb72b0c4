import TestSupport
import Testing

@testable import SyncCore

/// One of four watches sends false names, values and authors, before and after the hub is restored.
///
/// No value of the honest watches or the hub is ever lost without a trace.
@Suite struct LyingWatchTests {
    @Test(.longWork) func `no lie about names takes an honest value away`() {
        // I2, PROTOCOL §8 and §9
        let worlds = (1...100 as ClosedRange<UInt64>).map { seed in
            var world = LyingWorld(seed: seed)
            world.run()
            return world
        }
        let losses = worlds.flatMap(\.losses)
        #expect(losses.isEmpty, "\(losses.prefix(5))")
        // A run without these events would show nothing.
        #expect(worlds.reduce(0) { $0 + $1.renamedCount } > 250)
        #expect(worlds.reduce(0) { $0 + $1.broughtCount } > 250)
        #expect(worlds.reduce(0) { $0 + $1.settledLieCount } > 25)
    }
}

/// A hub, three honest watches and a lying one, without a network: uploads are accepted immediately.
private struct LyingWorld {
    private struct Written: Hashable {
        var key: CellKey
        var value: String
        var isHonest: Bool { !value.hasPrefix("lie") }
    }

    private struct Named {
        var id: RandomID
        var key: CellKey
        var node: UInt64
    }

    private struct Watch {
        var held: Snapshot
        var journal: [Edit] = []
        /// The watch's own writes on top of the present cells.
        var own: [CellKey: (dot: RandomID, value: String)] = [:]
        /// The writes that it had seen when it made its own, including those under its own rejected writes.
        var seen: Set<Written> = []
    }

    /// The author of a step, and what the author had seen of each cell.
    private enum Hand {
        case hub
        case liar
        case honest(Set<Written>)
    }

    private static let cells = [title(1), title(2), title(3), color(1), color(2)]
    private let seed: UInt64
    private let liar = key(9)
    private var draws: SplitMix64
    private var hub = MergeScript()
    private var watches: [Watch]
    private var hearsay: [Named] = []
    private var number: UInt64 = 100
    /// The writes that were replaced by an author who had seen them.
    private var replaced: Set<Written> = []
    private(set) var losses: [String] = []
    private(set) var renamedCount = 0
    private(set) var broughtCount = 0
    private(set) var settledLieCount = 0

    init(seed: UInt64) {
        self.seed = seed
        draws = SplitMix64(seed: seed)
        watches = (1...3).map { _ in Watch(held: Snapshot(version: version(0, chain: 0), cells: SortedMap())) }
    }

    mutating func run() {
        live(draws.below(10))
        restore()
        if draws.chance(0.5) { restore() }
    }

    /// Restores the hub to an earlier state; all watches follow.
    private mutating func restore() {
        let (ledger, replacedBefore) = (hub.ledger, replaced)
        live(4 + draws.below(12))
        let brought = watches.map { known(to: $0) }
        hub.ledger = ledger
        replaced = replacedBefore
        hub.ledger.apply(hub.ledger.prepareFork(generator: &hub.generator))
        for watch in watches.indices {
            for _ in 0..<draws.below(5) { lie() }
            if draws.chance(0.3) { edit(watch) }
            follow(watch)
        }
        live(draws.below(6))
        for written in Set(brought.joined()).subtracting(shown()).subtracting(replaced) {
            losses.append("seed \(seed): \(written.value) of \(written.key.group) was brought, and is gone")
        }
    }

    // MARK: - Steps

    private mutating func live(_ count: Int) {
        for _ in 0..<count {
            let watch = draws.below(3)
            switch draws.below(8) {
            case 0, 1, 2: edit(watch)
            case 3:
                watches[watch] = Watch(
                    held: hub.ledger.snapshot(houseSchema), journal: watches[watch].journal, seen: watches[watch].seen)
            case 4: write()
            case 5: settleLie()
            default: lie()
            }
        }
    }

    private mutating func edit(_ watch: Int) {
        number += 1
        let keys = draws.chance(0.3) ? [title(1), color(1)] : [draws.pick(Self.cells)]
        let changes = keys.map { key in
            let (own, held) = (watches[watch].own[key], watches[watch].held.cells[key])
            let seen = own?.value ?? held?.value
            if let seen { watches[watch].seen.insert(Written(key: key, value: seen)) }
            return change(key, "true \(number) \(key.group)", base: own?.dot ?? held?.dot, seen: seen)
        }
        let edit = SyncCoreTests.edit(number, changes, at: Int64(draws.below(4000)))
        watches[watch].journal.append(edit)
        for (index, change) in changes.enumerated() {
            watches[watch].own[change.key] = (edit.dot(of: index), change.value ?? "")
        }
        bring(.edit(edit), by: watch, seen: watches[watch].seen)
    }

    private mutating func write() {
        number += 1
        let (cell, value) = (draws.pick(Self.cells), "true \(number) of the hub")
        step(by: .hub) { $0.write(cell, value) }
    }

    /// A watch accepts the new epoch's snapshot, and uploads what the snapshot lacks.
    private mutating func follow(_ watch: Int) {
        let snapshot = hub.ledger.snapshot(houseSchema)
        let salvage = RecoveredEdits(held: watches[watch].held, journal: watches[watch].journal)
        for lost in salvage.missing(in: snapshot) where lost.loser.value != nil {
            broughtCount += 1
            bring(.salvage(lost), by: watch)
        }
        watches[watch] = Watch(held: snapshot, seen: watches[watch].seen)
    }

    /// An honest watch uploads something twice, because the answer may be late.
    private mutating func bring(_ upload: Upload, by watch: Int, seen: Set<Written> = []) {
        let peer = key(UInt8(watch + 1))
        let uploads = [NumberedUpload(sequence: (hub.ledger.state.uploads[peer]?.highest ?? 0) + 1, upload: upload)]
        step(by: .honest(seen)) { $0.take(uploads, from: peer) }
        guard case .nothing = hub.verdict(uploads, from: peer) else {
            losses.append("seed \(seed): \(upload.id) is another upload when it comes again")
            return
        }
    }

    // MARK: - Attacks

    private mutating func lie() {
        listen()
        var next = hub.generator
        let guess = Named(id: RandomID(using: &next), key: draws.pick(Self.cells), node: 0)
        // Names are random but not secret, so a lie may use a name that a watch has created and not yet uploaded.
        let coming = Named(id: id(number + UInt64(2 + draws.below(3))), key: draws.pick(Self.cells), node: key(1).node)
        let known = draws.chance(0.2) || hearsay.isEmpty ? draws.pick([guess, coming]) : draws.pick(hearsay)
        number += 1
        if draws.chance(0.5) { lieInSalvage(known) } else { lieInEdit(known) }
    }

    private mutating func listen() {
        for (key, cell) in hub.ledger.state.cells.pairs {
            hearsay.append(Named(id: cell.dot, key: key, node: cell.stamp.node))
        }
        for conflict in hub.conflicts.values {
            hearsay.append(Named(id: conflict.id, key: conflict.key, node: conflict.loser.stamp.node))
        }
        hearsay = hearsay.suffix(60)
    }

    private mutating func lieInSalvage(_ known: Named) {
        let key = draws.chance(0.7) ? known.key : draws.pick(Self.cells)
        let isDeletion = draws.chance(0.1)
        var lie = Conflict(
            id: known.id, edit: draws.chance(0.5) ? known.id : id(number), key: key, base: nil,
            loser: Conflict.Side(
                value: isDeletion ? nil : "lie \(number)", dot: known.id, stamp: stamp(1), author: "nobody"),
            winner: nil, rule: isDeletion ? .deletionLostInRestore : .lostInRestore,
            place: Cell.Place(epoch: Epoch(number: 1), revision: 1))
        lie.loser.stamp.node = draws.chance(0.7) ? known.node : liar.node
        step(by: .liar) { [liar] in $0.salvage(lie, from: liar) }
    }

    private mutating func lieInEdit(_ known: Named) {
        // The name of its first or of its second change.
        let isSecond = draws.chance(0.3)
        let name = isSecond ? RandomID(high: known.id.high, low: known.id.low &- 1) : known.id
        let key = draws.chance(0.7) ? known.key : draws.pick(Self.cells)
        let other = Self.cells.first { $0 != key } ?? key
        let base = draws.chance(0.5) ? known.id : nil
        let keys = isSecond ? [other, key] : [key]
        let edit = Edit(
            id: name, changes: keys.map { change($0, "lie \(number) \($0.group)", base: base) },
            stamp: stamp(Int64(draws.below(5000))), schema: 2, resolves: nil)
        step(by: .liar) { [liar] in $0.take(edit, from: liar) }
    }

    /// The liar dismisses one of its own lies, so that it is no longer visible.
    private mutating func settleLie() {
        let lies = hub.conflicts.values.filter { lie in
            hub.conflicts.values.ofEdit(with: lie.id).allSatisfy { $0.loser.value?.hasPrefix("lie") ?? true }
        }
        guard !lies.isEmpty else { return }
        number += 1
        settledLieCount += 1
        let edit = SyncCoreTests.edit(number, [], resolves: draws.pick(lies).id)
        step(by: .liar) { [liar] in $0.take(edit, from: liar) }
    }

    // MARK: - Checks

    private mutating func step(by hand: Hand, _ body: (inout MergeScript) -> Void) {
        let (before, cells) = (shown(), hub.ledger.state.cells)
        let names = Set(hub.conflicts.keys + cells.values.map(\.dot))
        body(&hub)
        renamedCount += Set(hub.conflicts.keys).subtracting(names).count { !$0.isGiven }
        for written in before.subtracting(shown()) {
            let stood = cells[written.key]?.value == written.value
            let isAllowed =
                switch hand {
                case .hub, .liar: stood
                case .honest(let seen): stood && seen.contains(written)
                }
            guard isAllowed else {
                losses.append("seed \(seed): \(written.value) of \(written.key.group) is gone by \(hand)")
                continue
            }
            replaced.insert(written)
        }
    }

    /// The honest values that are current or logged.
    private func shown() -> Set<Written> {
        let standing = hub.ledger.state.cells.pairs.compactMap { key, cell in
            cell.value.map { Written(key: key, value: $0) }
        }
        let logged = hub.conflicts.values.compactMap { lost in
            lost.loser.value.map { Written(key: lost.key, value: $0) }
        }
        return Set(standing + logged).filter(\.isHonest)
    }

    /// The honest values that a watch can upload.
    private func known(to watch: Watch) -> Set<Written> {
        let held = watch.held.cells.pairs.compactMap { key, cell in cell.value.map { Written(key: key, value: $0) } }
        let logged = watch.held.conflicts.values.compactMap { lost in
            lost.loser.value.map { Written(key: lost.key, value: $0) }
        }
        let own = watch.journal.flatMap { edit in
            edit.changes.compactMap { change in change.value.map { Written(key: change.key, value: $0) } }
        }
        return Set(held + logged + own).filter(\.isHonest)
    }
}

extension SplitMix64 {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    fileprivate mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

extension RandomID {
    /// Whether a script created the name, not the hub.
    fileprivate var isGiven: Bool { high == id(0).high }
}
