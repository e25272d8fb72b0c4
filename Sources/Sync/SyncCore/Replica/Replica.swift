/// A watch's copy of the configuration: the last snapshot of the hub, with the person's pending changes on top.
///
/// A step is first prepared, then made durable by the driver, then applied:
///
///     prepare ──▶ (durable) ──▶ apply
///        └──────▶ (refused by the disk) ──▶ dropped, nothing has changed
package struct Replica: Hashable, Sendable {
    /// The most edits of a person that may wait for the hub.
    package static let editCountMax = 1024
    /// The most writes of lost histories that may wait for the hub.
    static let salvageCountMax = 4096

    package private(set) var state: ReplicaState
    private var clock: HybridClock

    /// Starts from the state of a store; `node` is the watch's own.
    package init(state: ReplicaState, node: UInt64) {
        self.state = state
        // Every stamp that this watch made or saw is in the stored state, or a greater one is.
        clock = HybridClock(node: node, after: state.stamps.max())
    }

    package mutating func apply(_ record: ReplicaRecord) {
        state.apply(record)
    }

    /// The store has written the epochs that the watch has seen, outside a step.
    mutating func followed(_ fence: EpochFence) { state.fence = fence }

    // MARK: - The visible configuration

    /// The cell as the person sees it: the newest pending change of this watch, or the hub's value.
    package func view(of key: CellKey) -> VisibleCell? {
        for pending in state.pending.reversed() {
            guard case .edit(let edit) = pending.upload,
                let index = edit.changes.lastIndex(where: { $0.key == key })
            else { continue }
            return VisibleCell(value: edit.changes[index].value, dot: edit.dot(of: index), isPending: true)
        }
        return state.snapshot?.cells[key].map { VisibleCell(value: $0.value, dot: $0.dot, isPending: false) }
    }

    /// All cells as the person sees them, without deleted ones.
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

    /// Prepares an edit from a person's changes, based on what was `shown` when the person acted (nil for what is
    /// shown now); nil if it changes nothing.
    ///
    /// A pending change of this watch counts as seen; a value from the hub counts only if it was shown.
    package mutating func prepareEdit(
        _ changes: [CellChange], shown: SortedMap<CellKey, VisibleCell>? = nil, resolving resolves: RandomID?,
        schema: UInt32, wallMilliseconds: Int64, generator: inout SplitMix64
    ) throws(EditError) -> (edit: Edit, record: ReplicaRecord)? {
        let waiting = pendingEdits.count
        guard waiting < Self.editCountMax else { throw .full(waiting: waiting) }
        var wanted = SortedMap<CellKey, Edit.Change>()
        for change in changes {
            try Self.check(change)
            let current = view(of: change.key)
            let seen = if let shown, current?.isPending != true { shown[change.key] } else { current }
            guard seen?.value != change.value else {
                wanted[change.key] = nil
                continue
            }
            // Only people compare these values: a long one is left out, since `base` identifies the write in any
            // case.
            let isShort = (seen?.value?.utf8.count ?? 0) <= Edit.valueByteCountMax
            wanted[change.key] = Edit.Change(
                key: change.key, value: change.value, base: seen?.dot, seen: isShort ? seen?.value : nil)
        }
        guard wanted.count <= Edit.changeCountMax else { throw .tooManyChanges(wanted.count) }
        guard !wanted.isEmpty || resolves != nil else { return nil }
        let stamp = clock.stamp(wallMilliseconds: wallMilliseconds)
        let edit = Edit(
            id: RandomID(using: &generator), changes: wanted.values, stamp: stamp, schema: schema, resolves: resolves)
        return (edit, record(adding: edit))
    }

    private func record(adding edit: Edit) -> ReplicaRecord {
        let upload = NumberedUpload(sequence: state.nextSequence, upload: .edit(edit))
        return record(pending: .added(upload), nextSequence: state.nextSequence + 1)
    }

    private static func check(_ change: CellChange) throws(EditError) {
        for name in [change.key.kind, change.key.group] where !(1...64).contains(name.utf8.count) {
            throw .badName(name)
        }
        let byteCount = change.value?.utf8.count ?? 0
        guard byteCount <= Edit.valueByteCountMax else { throw .valueTooLarge(change.key, byteCount: byteCount) }
    }

    // MARK: - Snapshots

    /// The result of a snapshot that arrived.
    package enum SnapshotVerdict {
        /// Make this durable; it confirms these edits.
        case take(ReplicaRecord, confirmed: [ConfirmedEdit])
        /// The watch already holds this version: acknowledge it.
        case held(Version)
        /// The snapshot is older than the one that the watch holds.
        case old
        /// It is a delta of a snapshot that the watch does not hold.
        case foreignBase
    }

    /// Prepares a snapshot of a history that the watch has not left, together with the hub's receipt for the uploads.
    package mutating func prepare(
        _ snapshot: Snapshot, receipt: UploadReceipt?, wallMilliseconds: Int64, generator: inout SplitMix64
    ) -> SnapshotVerdict {
        if let held = state.snapshot, held.version == snapshot.version, held.records == snapshot.records {
            return .held(held.version)
        }
        if let held = state.snapshot?.version, held.epoch == snapshot.version.epoch,
            isOld(snapshot.version, than: held)
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

    /// Prepares a delta, as a snapshot with the same result.
    ///
    /// The hub sends a whole snapshot if the watch does not acknowledge a delta.
    package mutating func prepare(
        _ delta: SnapshotDelta, receipt: UploadReceipt?, wallMilliseconds: Int64, generator: inout SplitMix64
    ) -> SnapshotVerdict {
        guard let held = state.snapshot, held.version.epoch == delta.version.epoch else { return .foreignBase }
        if held.version == delta.version, held.records == delta.records { return .held(held.version) }
        if isOld(delta.version, than: held.version) { return .old }
        guard held.isBase(of: delta) else { return .foreignBase }
        if let newest = delta.stamp { clock.receive(newest, wallMilliseconds: wallMilliseconds) }
        var record = record(pending: .unchanged, nextSequence: state.nextSequence)
        record.delta = delta
        let deletions = state.deletions.following(held, by: delta)
        if deletions != state.deletions { record.deletions = deletions }
        let confirmed = receipt.map { confirm($0, &record, generator: &generator) } ?? []
        return .take(record, confirmed: confirmed)
    }

    /// The deletions to remember once a snapshot is held; nil if they stay the same.
    private func deletionsSeen(with snapshot: Snapshot) -> [SeenDeletion]? {
        guard let held = state.snapshot else { return nil }
        let deletions = state.deletions.following(held, by: snapshot)
        return deletions == state.deletions ? nil : deletions
    }

    /// Whether a version of the same epoch is not new.
    ///
    /// The held version with other records counts as new.
    private func isOld(_ version: Version, than held: Version) -> Bool {
        version.revision < held.revision || version.revision == held.revision && version.chain != held.chain
    }

    /// Drops the uploads that the hub has taken in, unless the two sides mean different uploads by the same number.
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

    /// Whether the hub's receipt fits what this watch remembers of its uploads.
    private func agrees(_ receipt: UploadReceipt) -> Bool {
        guard receipt.highest < state.nextSequence else { return false }
        guard let same = state.pending.first(where: { $0.sequence == receipt.highest }) else { return true }
        return same.upload.id == receipt.last
    }

    /// Follows another history: writes that this watch knows and that are missing there become salvage for the hub.
    private func follow(
        _ snapshot: Snapshot, from held: Snapshot, _ record: inout ReplicaRecord, generator: inout SplitMix64
    ) {
        var pending = state.pending
        let edits = Set(pendingEdits.map(\.id))
        let waiting = Set(pending.compactMap(\.upload.salvaged))
        let room = Self.salvageCountMax - (pending.count - pendingEdits.count)
        let salvage = RecoveredEdits(held: held, journal: state.journal, deletions: state.deletions)
        let lost = salvage.missing(in: snapshot).filter {
            !edits.contains($0.id) && !waiting.contains(RecoveredWrite($0))
        }
        pending += lost.prefix(max(0, room)).map { NumberedUpload(sequence: 0, upload: .salvage($0)) }
        renumber(pending, &record, generator: &generator)
    }

    /// Prepares a new numbering if the hub's receipt (nil if the hub has taken in nothing) does not fit; nil if it
    /// fits.
    package func prepareNumbering(_ position: UploadReceipt?, generator: inout SplitMix64) -> ReplicaRecord? {
        let isAgreed: Bool
        if let position, position.incarnation == state.incarnation {
            // Uploads that are missing before the first pending one, or before the next one, can never be sent.
            let first = state.pending.first?.sequence ?? state.nextSequence
            isAgreed = agrees(position) && position.highest &+ 1 >= first
        } else {
            isAgreed = (state.pending.first?.sequence ?? state.nextSequence) == 1
        }
        guard !isAgreed else { return nil }
        return prepareRenumbering(generator: &generator)
    }

    /// Prepares a new numbering unconditionally.
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
