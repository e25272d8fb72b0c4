import SyncCore

/// What really happened in a small world, which no device in it can know.
struct SmallGroundTruth: Sendable {
    /// A write that a person made.
    struct Write: Hashable, Sendable {
        /// The watch, nil for the hub.
        var author: Int?
        var key: CellKey
        var isDeletion: Bool
        /// The write whose value the person saw.
        var seen: RandomID?
        /// The operation in which it was made.
        var operation: Int

        init(author: Int?, key: CellKey, isDeletion: Bool, seen: RandomID?, _ operation: Int) {
            self.author = author
            self.key = key
            self.isDeletion = isDeletion
            self.seen = seen
            self.operation = operation
        }
    }

    private(set) var writes: [RandomID: Write] = [:]
    /// The writes in the order in which they were made.
    private(set) var order: [RandomID] = []
    /// The writes that took effect in the history that the hub has now.
    var effects: Set<RandomID> = []
    private var durableEffects: Set<RandomID> = []
    private var backedUpEffects: Set<RandomID> = []
    /// The contents that a device held at a version.
    var observed: [Cell.Place: Int] = [:]
    /// The writes that were on some watch since it was last restored.
    private var seenByWatches: Set<RandomID> = []
    /// The deletions whose effect each watch saw, and those that it had seen when it was copied.
    private var seenDeletions: [Int: Set<RandomID>] = [:]
    private var backedUpDeletions: [Int: Set<RandomID>] = [:]
    /// The writes that a watch lost when it was restored.
    private(set) var lostByWatches: Set<RandomID> = []
    var hasForked = false
    private(set) var hubWasRestored = false

    mutating func add(_ dot: RandomID, _ write: Write) {
        writes[dot] = write
        order.append(dot)
    }

    /// Everything that the author of a write had seen, directly or through others.
    func ancestors(of dot: RandomID) -> Set<RandomID> {
        var ancestors: Set<RandomID> = []
        var next = writes[dot]?.seen
        while let ancestor = next, ancestors.insert(ancestor).inserted {
            next = writes[ancestor]?.seen
        }
        return ancestors
    }

    mutating func effectsDurable() { durableEffects = effects }
    mutating func effectsBackedUp() { backedUpEffects = effects }
    mutating func hubCrashed() { effects = durableEffects }

    mutating func hubRestored() {
        effects = backedUpEffects
        durableEffects = backedUpEffects
        hubWasRestored = true
    }

    /// A watch stores a snapshot in place of another one: it sees what is there, and what is no longer there.
    mutating func sawSnapshot(_ snapshot: Snapshot, after held: Snapshot?, by watch: Int) {
        for (_, cell) in snapshot.cells.pairs { seenByWatches.insert(cell.dot) }
        guard let held, held.version.epoch == snapshot.version.epoch else { return }
        let gone = Set(held.cells.keys.filter { snapshot.cells[$0] == nil })
        for (dot, write) in writes where write.isDeletion && gone.contains(write.key) && effects.contains(dot) {
            seenDeletions[watch, default: []].insert(dot)
        }
    }

    /// Whether some watch still holds a write, or knows of a deletion.
    func isSeen(_ dot: RandomID) -> Bool {
        seenByWatches.contains(dot) || seenDeletions.values.contains { $0.contains(dot) }
    }

    mutating func watchBackedUp(_ watch: Int) { backedUpDeletions[watch] = seenDeletions[watch] }

    /// A watch is restored; `others` are the states of all watches afterwards.
    mutating func watchRestored(_ watch: Int, from: ReplicaState, to: ReplicaState, others: [ReplicaState]) {
        seenDeletions[watch] = backedUpDeletions[watch]
        lostByWatches.formUnion(Self.known(from).subtracting(Self.known(to)))
        seenByWatches = Set(others.flatMap { Self.known($0, pending: false) })
    }

    private static func known(_ state: ReplicaState, pending: Bool = true) -> Set<RandomID> {
        var known = Set(state.journal.map(\.id))
        if let snapshot = state.snapshot {
            for (_, cell) in snapshot.cells.pairs { known.insert(cell.dot) }
            for (id, _) in snapshot.conflicts.pairs { known.insert(id) }
        }
        if pending { known.formUnion(state.pending.map(\.upload.id)) }
        return known
    }
}
