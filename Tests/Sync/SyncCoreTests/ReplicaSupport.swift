@testable import SyncCore

/// A snapshot with these cells: key, value and the number of the write.
func held(_ cells: [(CellKey, String, UInt64)], revision: UInt64 = 1, epoch: UInt64 = 1) -> Snapshot {
    let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
    var snapshot = Snapshot(version: version(revision, epoch: epoch, chain: revision), cells: SortedMap())
    for (key, value, dot) in cells {
        snapshot.cells[key] = Cell(value: value, dot: id(dot), stamp: stamp(1), written: place, created: place)
    }
    return snapshot
}

/// A watch's replica without an engine around it; each step is durable immediately.
struct ReplicaScript {
    private(set) var replica: Replica
    private var generator = SplitMix64(seed: 1)

    init(_ state: ReplicaState = ReplicaState(incarnation: id(1))) {
        replica = Replica(state: state, node: key(1).node)
    }

    mutating func restart() {
        replica = Replica(state: replica.state, node: key(1).node)
    }

    /// Stores a snapshot, regardless of how it arrived.
    mutating func hold(_ snapshot: Snapshot) {
        var state = replica.state
        state.snapshot = snapshot
        replica = Replica(state: state, node: key(1).node)
    }

    mutating func edit(_ changes: [CellChange], resolving: RandomID? = nil) throws(EditError) -> Edit? {
        let prepared = try replica.prepareEdit(
            changes, resolving: resolving, schema: 2, wallMilliseconds: moment(10).wallMilliseconds,
            generator: &generator)
        guard let (edit, record) = prepared else { return nil }
        replica.apply(record)
        return edit
    }

    mutating func prepare(_ snapshot: Snapshot, receipt: UploadReceipt? = nil) -> Replica.SnapshotVerdict {
        replica.prepare(
            snapshot, receipt: receipt, wallMilliseconds: moment(10).wallMilliseconds, generator: &generator)
    }

    @discardableResult
    mutating func receive(_ snapshot: Snapshot, receipt: UploadReceipt?) -> [ConfirmedEdit] {
        guard case .take(let record, let confirmed) = prepare(snapshot, receipt: receipt) else { return [] }
        replica.apply(record)
        return confirmed
    }

    /// The hub's receipt after it has accepted all uploads up to a number.
    func receipt(_ highest: UInt64) -> UploadReceipt {
        let last = replica.state.pending.first { $0.sequence == highest }?.upload.id
        return UploadReceipt(
            incarnation: replica.state.incarnation, highest: highest, last: last, outcomes: [])
    }

    /// The new numbering that the hub's position requires; nil if both agree.
    mutating func numbering(_ position: UploadReceipt?) -> ReplicaRecord? {
        replica.prepareNumbering(position, generator: &generator)
    }
}
