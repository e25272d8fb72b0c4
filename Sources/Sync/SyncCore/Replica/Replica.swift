/// A watch's copy of the configuration: what the hub said last, and over it what the person has changed since.
///
/// A step is first prepared, then made durable by the shell, then applied:
///
///     prepare ──▶ (durable) ──▶ apply
///        └──────▶ (refused by the disk) ──▶ dropped, nothing has changed
package struct Replica: Hashable, Sendable {
    /// The edits of a person that may wait for the hub.
    package static let editCountMax = 1024
    /// The writes of lost histories that may wait for the hub.
    static let salvageCountMax = 4096

    package private(set) var state: ReplicaState
    private var clock: HybridClock
    private let flaws: DesignFlaws

    /// Continues what a store remembers; `node` is the watch's own.
    package init(state: ReplicaState, node: UInt64, flaws: DesignFlaws = []) {
        self.state = state
        self.flaws = flaws
        // Each stamp that this watch made or saw is in what it remembers, or was replaced by one that is greater.
        clock = HybridClock(node: node, after: state.stamps.max())
    }

    package mutating func apply(_ record: ReplicaRecord) {
        state.apply(record)
    }

    /// The epochs that the watch has seen are durable without a step.
    mutating func followed(_ fence: EpochFence) { state.fence = fence }

    // MARK: - What the person sees

    /// The cell as the person sees it: the newest own change that waits, or what the hub said last.
    package func view(of key: CellKey) -> VisibleCell? {
        for pending in state.pending.reversed() {
            guard case .edit(let edit) = pending.upload,
                let index = edit.changes.lastIndex(where: { $0.key == key })
            else { continue }
            return VisibleCell(value: edit.changes[index].value, dot: edit.dot(of: index), isPending: true)
        }
        return state.snapshot?.cells[key].map { VisibleCell(value: $0.value, dot: $0.dot, isPending: false) }
    }

    /// All cells as the person sees them, without those that are deleted.
    package var view: SortedMap<CellKey, VisibleCell> {
        var view = SortedMap<CellKey, VisibleCell>()
        for (key, cell) in state.snapshot?.cells.pairs ?? SortedMap().pairs {
            view[key] = VisibleCell(value: cell.value, dot: cell.dot, isPending: false)
        }
        for pending in state.pending {
            guard case .edit(let edit) = pending.upload else { continue }
            for (index, change) in edit.changes.enumerated() {
                view[change.key] = VisibleCell(value: change.value, dot: edit.dot(of: index), isPending: true)
            }
        }
        view.removeAll { $1.value == nil }
        return view
    }

    /// The edits of the person that wait for the hub.
    package var pendingEdits: [Edit] {
        state.pending.compactMap { if case .edit(let edit) = $0.upload { edit } else { nil } }
    }

    // MARK: - Edits

    /// Prepares what a person changed, based on what was `shown` when the person acted (nil for what is shown now); nil
    /// if it changes nothing.
    ///
    /// An own change that waits counts as seen, what came from the hub only if it was shown.
    package mutating func prepareEdit(
        _ changes: [CellChange], shown: SortedMap<CellKey, VisibleCell>? = nil, resolving resolves: RandomID?,
        schema: UInt32, wallMilliseconds: Int64, generator: inout SplitMix64
    ) throws(EditFault) -> (edit: Edit, record: ReplicaRecord)? {
        let waiting = pendingEdits.count
        guard waiting < Self.editCountMax else { throw .full(waiting: waiting) }
        var wanted = SortedMap<CellKey, Edit.Change>()
        for change in changes {
            try Self.check(change)
            let current = flaws.contains(.watchSeesOnlySnapshot) ? shadow(of: change.key) : view(of: change.key)
            let seen = if let shown, current?.isPending != true { shown[change.key] } else { current }
            guard seen?.value != change.value else {
                wanted[change.key] = nil
                continue
            }
            // Only for people who compare: a long text is left out, the write that produced it is named in any case.
            let isShort = (seen?.value?.utf8.count ?? 0) <= Edit.valueByteCountMax
            wanted[change.key] = Edit.Change(
                key: change.key, value: change.value, base: seen?.dot, seen: isShort ? seen?.value : nil)
        }
        guard wanted.count <= Edit.changeCountMax else { throw .tooManyChanges(wanted.count) }
        guard !wanted.isEmpty || resolves != nil else { return nil }
        if flaws.contains(.clocksAreRaw) { clock = HybridClock(node: clock.node) }
        let stamp = clock.stamp(wallMilliseconds: wallMilliseconds)
        let edit = Edit(
            id: RandomID(using: &generator), changes: wanted.values, stamp: stamp, schema: schema, resolves: resolves)
        return (edit, record(adding: edit))
    }

    private func record(adding edit: Edit) -> ReplicaRecord {
        if flaws.contains(.watchMergesSentEdits), let record = recordMerging(edit) { return record }
        let upload = NumberedUpload(sequence: state.nextSequence, upload: .edit(edit))
        return record(pending: .added(upload), nextSequence: state.nextSequence + 1)
    }

    /// The flaw: the newer value under the name of the edit that waits, which may be on its way already.
    private func recordMerging(_ edit: Edit) -> ReplicaRecord? {
        guard
            let index = state.pending.lastIndex(where: { pending in
                guard case .edit(let other) = pending.upload else { return false }
                return other.changes.map(\.key) == edit.changes.map(\.key)
            }), case .edit(var merged) = state.pending[index].upload
        else { return nil }
        for position in merged.changes.indices { merged.changes[position].value = edit.changes[position].value }
        merged.stamp = edit.stamp
        var pending = state.pending
        pending[index].upload = .edit(merged)
        return record(pending: .replaced(pending), nextSequence: state.nextSequence)
    }

    private func shadow(of key: CellKey) -> VisibleCell? {
        state.snapshot?.cells[key].map { VisibleCell(value: $0.value, dot: $0.dot, isPending: false) }
    }

    private static func check(_ change: CellChange) throws(EditFault) {
        for name in [change.key.kind, change.key.group] where !(1...64).contains(name.utf8.count) {
            throw .badName(name)
        }
        let byteCount = change.value?.utf8.count ?? 0
        guard byteCount <= Edit.valueByteCountMax else { throw .valueTooLarge(change.key, byteCount: byteCount) }
    }

    // MARK: - Snapshots

    /// What to do with a snapshot that arrived.
    package enum SnapshotVerdict {
        /// Make this durable; these edits are confirmed with it.
        case take(ReplicaRecord, confirmed: [ConfirmedEdit])
        /// It is held already: acknowledge it.
        case held(Version)
        /// It is older than what is held.
        case old
    }

    /// Prepares a snapshot of a history that the watch has not left, and what the hub says with it of the uploads.
    package mutating func prepare(
        _ snapshot: Snapshot, receipt: UploadReceipt?, wallMilliseconds: Int64, generator: inout SplitMix64
    ) -> SnapshotVerdict {
        if let held = state.snapshot, held.version == snapshot.version, held.records == snapshot.records {
            return .held(held.version)
        }
        if let held = state.snapshot?.version, held.epoch == snapshot.version.epoch,
            isOld(snapshot.version, than: held), !flaws.contains(.watchIgnoresRevisions)
        {
            return .old
        }
        if let newest = snapshot.stamp { clock.receive(newest, wallMilliseconds: wallMilliseconds) }
        var record = record(pending: .unchanged, nextSequence: state.nextSequence)
        record.snapshot = snapshot
        record.deletions = deletionsSeen(with: snapshot)
        var confirmed: [ConfirmedEdit] = []
        if let held = state.snapshot, held.version.epoch != snapshot.version.epoch {
            follow(snapshot, from: held, &record, generator: &generator)
        } else if let receipt {
            confirmed = confirm(receipt, &record, generator: &generator)
        }
        return .take(record, confirmed: confirmed)
    }

    /// The deletions to remember once a snapshot is held, nil if they stay the same.
    private func deletionsSeen(with snapshot: Snapshot) -> [SeenDeletion]? {
        guard let held = state.snapshot, !flaws.contains(.watchForgetsDeletions) else { return nil }
        let deletions = state.deletions.following(held, by: snapshot)
        return deletions == state.deletions ? nil : deletions
    }

    /// Whether a version of the same epoch is no news; the same one for other records is.
    private func isOld(_ version: Version, than held: Version) -> Bool {
        version.revision < held.revision || version.revision == held.revision && version.chain != held.chain
    }

    /// Drops what the hub has taken in, unless both do not mean the same by a number.
    private func confirm(
        _ receipt: UploadReceipt, _ record: inout ReplicaRecord, generator: inout SplitMix64
    ) -> [ConfirmedEdit] {
        guard receipt.incarnation == state.incarnation else { return [] }
        guard agrees(receipt) else {
            renumber(state.pending, &record, generator: &generator)
            return []
        }
        let settled = state.pending.prefix { $0.sequence <= receipt.highest }
        guard !settled.isEmpty else { return [] }
        let confirmed = settled.compactMap { pending -> ConfirmedEdit? in
            guard case .edit(let edit) = pending.upload else { return nil }
            return ConfirmedEdit(edit: edit, rule: receipt.outcomes.first { $0.id == edit.id }?.rule)
        }
        record.pending = .confirmed(receipt.highest)
        record.journaled = confirmed.map(\.edit)
        return confirmed
    }

    /// Whether the hub's count of this watch's uploads fits what this watch remembers.
    private func agrees(_ receipt: UploadReceipt) -> Bool {
        if flaws.contains(.watchTrustsNumbers) { return true }
        guard receipt.highest < state.nextSequence else { return false }
        guard let same = state.pending.first(where: { $0.sequence == receipt.highest }) else { return true }
        return same.upload.id == receipt.last
    }

    /// Goes over to another history: what this watch knows and the new history does not, is brought to the hub.
    private func follow(
        _ snapshot: Snapshot, from held: Snapshot, _ record: inout ReplicaRecord, generator: inout SplitMix64
    ) {
        var pending = state.pending
        if !flaws.contains(.watchSalvagesNothing) {
            let edits = Set(pendingEdits.map(\.id))
            let waiting = Set(pending.compactMap(\.upload.salvaged))
            let room = Self.salvageCountMax - (pending.count - pendingEdits.count)
            let salvage = RecoveredEdits(held: held, journal: state.journal, deletions: state.deletions, flaws: flaws)
            let lost = salvage.missing(in: snapshot).filter {
                !edits.contains($0.id) && !waiting.contains(RecoveredWrite($0))
            }
            pending += lost.prefix(max(0, room)).map { NumberedUpload(sequence: 0, upload: .salvage($0)) }
        }
        if flaws.contains(.watchKeepsNumbering) {
            for index in pending.indices where pending[index].sequence == 0 {
                pending[index].sequence = record.nextSequence
                record.nextSequence += 1
            }
            record.pending = .replaced(pending)
        } else {
            renumber(pending, &record, generator: &generator)
        }
    }

    /// Prepares a new numbering if what the hub has taken in (nil for nothing) does not fit; nil if it does.
    package func prepareNumbering(_ position: UploadReceipt?, generator: inout SplitMix64) -> ReplicaRecord? {
        let isAgreed: Bool
        if let position, position.incarnation == state.incarnation {
            // What is missing before the first that waits, or before the next one, can never be brought.
            let first = state.pending.first?.sequence ?? state.nextSequence
            isAgreed = agrees(position) && position.highest &+ 1 >= first
        } else {
            isAgreed = (state.pending.first?.sequence ?? state.nextSequence) == 1
        }
        guard !isAgreed, !flaws.contains(.watchTrustsNumbers) else { return nil }
        return prepareRenumbering(generator: &generator)
    }

    /// Prepares a new numbering in any case.
    package func prepareRenumbering(generator: inout SplitMix64) -> ReplicaRecord {
        var record = record(pending: .unchanged, nextSequence: state.nextSequence)
        renumber(state.pending, &record, generator: &generator)
        return record
    }

    private func renumber(
        _ uploads: [NumberedUpload], _ record: inout ReplicaRecord, generator: inout SplitMix64
    ) {
        record.incarnation = RandomID(using: &generator)
        record.nextSequence = UInt64(uploads.count) + 1
        record.pending = .replaced(
            uploads.enumerated().map { NumberedUpload(sequence: UInt64($0) + 1, upload: $1.upload) })
    }

    private func record(pending: ReplicaRecord.PendingChange, nextSequence: UInt64) -> ReplicaRecord {
        ReplicaRecord(
            snapshot: nil, fence: state.fence, incarnation: state.incarnation, nextSequence: nextSequence,
            pending: pending, journaled: [])
    }
}

extension ReplicaState {
    fileprivate var stamps: [Stamp] {
        let cells = snapshot?.stamp.map { [$0] } ?? []
        let waiting = pending.compactMap { if case .edit(let edit) = $0.upload { edit.stamp } else { nil } }
        return cells + waiting + journal.map(\.stamp)
    }
}
