@testable import SyncCore

/// A watch whose records are generated from a seed.
///
/// Its user edits; its hub confirms, uses another numbering, or begins another epoch.
struct SampleMemory {
    /// The state of the watch after the records so far.
    private(set) var state = WatchEngine.State(newIncarnation: sampleIncarnation)
    private var replica: Replica
    private var generator: SplitMix64
    private var history: SampleHistory
    private var items = SampleItems(seed: 9)
    private(set) var count: UInt64 = 0

    init(seed: UInt64 = 1) {
        generator = SplitMix64(seed: seed)
        history = SampleHistory(seed: seed)
        replica = Replica(state: state.replica, node: 5)
    }

    /// The next record.
    mutating func next() -> WatchEngine.Record {
        count += 1
        switch generator.next() % 8 {
        case 0..<2:
            let record = WatchEngine.Record.registers([register(0), register(1 + generator.next() % 5)], fence)
            return took(record)
        case 2, 3, 5:
            return took(.replica(snapshot()))
        case 4:
            let changes = items.next()
            return took(.transfer(.exchange(Exchange.Record(number: count, changes: changes))))
        default:
            return took(.replica(edit()))
        }
    }

    private mutating func took(_ record: WatchEngine.Record) -> WatchEngine.Record {
        switch record {
        case .replica(var step):
            step.fence = fence
            replica.apply(step)
            state.replica.apply(step)
            return .replica(step)
        case .registers(let registers, let fence):
            for register in registers { state.registers[register.register.key] = register }
            state.replica.fence = fence
            return record
        case .transfer(let step):
            state.transfers.apply(step)
            return record
        }
    }

    private var fence: EpochFence {
        EpochFence(
            current: Epoch(number: count), abandoned: (0..<count).suffix(64).map { Epoch(number: $0) })
    }

    private mutating func register(_ key: UInt64) -> HeldRegister {
        HeldRegister(
            register: Register(key: "register \(key)", order: count, value: Array("value \(count)".utf8)),
            epoch: Epoch(number: count))
    }

    private mutating func edit() -> ReplicaRecord {
        let changes = (0...generator.next() % 3).map { number in
            CellChange(
                key: CellKey(kind: "thing", record: RandomID(high: 0, low: number), group: "name"),
                value: "edit \(generator.next())")
        }
        do {
            let prepared = try replica.prepareEdit(
                changes, resolving: nil, schema: 1, wallMilliseconds: 1_700_000_000_000, generator: &generator)
            return prepared?.record ?? snapshot()
        } catch {
            return snapshot()
        }
    }

    private mutating func snapshot() -> ReplicaRecord {
        if generator.next() % 6 == 0 {
            _ = history.fork()
        } else {
            // Several steps at once, so that the watch sometimes sees a cell disappear.
            for _ in 0...generator.next() % 24 { _ = history.next() }
        }
        let pending = replica.state.pending
        let confirmed = pending.prefix(Int(generator.next() % UInt64(pending.count + 1))).last
        let isOtherCount = generator.next() % 6 == 0
        let receipt = UploadReceipt(
            incarnation: replica.state.incarnation, highest: confirmed?.sequence ?? 0,
            last: isOtherCount ? RandomID(high: 0, low: 0) : confirmed?.upload.id, outcomes: [])
        let snapshot = history.ledger.snapshot(SampleHistory.schema)
        let delta = generator.next() % 3 == 0 ? nil : replica.state.snapshot.flatMap { $0.delta(to: snapshot) }
        let verdict =
            if let delta {
                replica.prepare(
                    delta, receipt: receipt, wallMilliseconds: 1_700_000_000_000, generator: &generator)
            } else {
                replica.prepare(
                    snapshot, receipt: receipt, wallMilliseconds: 1_700_000_000_000, generator: &generator)
            }
        guard case .take(let record, _) = verdict else { preconditionFailure("a newer snapshot was not taken") }
        return record
    }
}

extension Snapshot {
    /// The delta that leads to another snapshot; nil if none does.
    func delta(to next: Snapshot) -> SnapshotDelta? {
        guard version.epoch == next.version.epoch, records == next.records, version.revision < next.version.revision
        else { return nil }
        var delta = SnapshotDelta(
            base: version, version: next.version, records: records, stamp: next.stamp,
            gone: cells.keys.filter { next.cells[$0] == nil },
            settled: conflicts.keys.filter { next.conflicts[$0] == nil })
        for (key, cell) in next.cells.pairs where cells[key] != cell { delta.written[key] = cell }
        for (id, conflict) in next.conflicts.pairs where conflicts[id] != conflict { delta.logged[id] = conflict }
        return delta
    }
}

/// The state of a sample watch after its n-th record.
func sampleState(after count: UInt64) -> WatchEngine.State {
    var memory = SampleMemory()
    while memory.count < count { _ = memory.next() }
    return memory.state
}

/// A record that only sets a register.
func registerRecord(_ register: Register, epoch: UInt64 = 1) -> WatchEngine.Record {
    let epoch = Epoch(number: epoch)
    return .registers([HeldRegister(register: register, epoch: epoch)], EpochFence(current: epoch))
}
