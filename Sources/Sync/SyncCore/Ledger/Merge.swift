/// Merges the uploads of one watch into the history, as one transaction.
///
/// For each cell of an edit, the first matching row decides. The numbers are those of the table in section 8 of
/// `Docs/internals/protocol.md`; in parentheses is the rule under which the value that is not shown is logged:
///
///     1…4     not allowed, or the value is not accepted            ──▶ loses (readOnly, schema, invalid, tooLarge)
///     5       no such cell: the author saw none, or deletes it     ──▶ applied; a deletion of a cell that the author
///                                                                     saw leaves a tombstone, another one nothing
///     6       no such cell, though the author saw one              ──▶ loses (deleted)
///     7       the cell's current write is the one the author saw   ──▶ applied
///     8       the cell already has the same value                  ──▶ same: nothing to do
///     9       deleted, and restored by an author who saw that      ──▶ applied
///     10      only another's tombstone, and created anew later     ──▶ wins (deletionLostInRestore)
///     11      deleted, and created anew later                      ──▶ applied
///     12      deleted                                              ──▶ loses (deleted)
///     13      the edit deletes a value its author had not seen     ──▶ loses (unseen)
///     14      in the author's own record                           ──▶ wins (owner)
///     15, 16  written without knowing of each other                ──▶ wins if it is the newer one, or else loses (newest)
///
/// An edit on top of the author's own rejected writes counts as made on what the author had seen below them. An edit
/// of several cells takes effect as a whole or not at all: if one cell loses, the others lose with it (together).
/// Before all that, a write with the identifier of another write gets a new one. Clocks only decide which of two
/// values is shown; a wrong clock loses nothing.
package struct Merge {
    /// The author of the edits.
    package struct Author: Hashable, Sendable {
        /// The watch.
        var peer: PeerKey
        /// Its name, for people.
        var name: String
        /// The record version that it reads.
        var records: UInt32

        /// Creates an author.
        package init(peer: PeerKey, name: String, records: UInt32) {
            self.peer = peer
            self.name = name
            self.records = records
        }

        /// The node of its stamps.
        var node: UInt64 { peer.node }
    }

    /// The rules for uploads of watches.
    package struct Policy: Sendable {
        /// Who may change what.
        var schema: Schema
        /// Why the application does not accept a value; nil if it does.
        var objection: @Sendable (CellKey, String?) -> String?
        /// Whether the author may write a cell that the schema lets watches write.
        var mayWrite: @Sendable (CellKey) -> Bool = { _ in true }
        /// The name of a node, for people.
        var name: @Sendable (UInt64) -> String
        /// The number of paired watches, among which half of the conflict log and the last quarter of the room for
        /// cells are divided.
        var watchCount: Int

        /// Creates a policy.
        package init(
            schema: Schema, watchCount: Int = 1, objection: @escaping @Sendable (CellKey, String?) -> String?,
            name: @escaping @Sendable (UInt64) -> String
        ) {
            self.schema = schema
            self.watchCount = watchCount
            self.objection = objection
            self.name = name
        }
    }

    /// The most milliseconds by which a watch's clock may be ahead of the hub's before its stamps are corrected.
    static let clockBound: Int64 = 5000
    /// The highest accepted counter of a stamp: a higher one could use up the counters of a millisecond.
    static let counterBound: UInt32 = 1 << 31

    let ledger: Ledger
    let state: LedgerState
    let author: Author
    let policy: Policy
    let wallMilliseconds: Int64
    let place: Cell.Place
    var clock: HybridClock
    /// The latest accepted time of a stamp.
    private let latestMilliseconds: Int64
    var transaction: Transaction
    /// The cells of the transaction by the identifiers of the writes that it made, replaced ones included.
    private(set) var written: [RandomID: [CellKey]] = [:]
    var size: ConfigurationSize
    /// What is left of the conflict log for this author.
    var room: ConflictLogCapacity
    /// The identifiers by which this watch's uploads are recognised when they arrive again.
    var taken: RecentIDs
    /// The author's last rejected writes, each with the write that it was based on, if any.
    var rejected: [RandomID: RandomID?]
    /// The cells, conflicts and writes that it has looked at.
    let steps = StepCounter()
    /// Whether a stamp was too far ahead.
    private(set) var isClockSuspect = false
    /// Why the next upload has to wait, nil if none has to.
    private(set) var obstacle: UploadOutcome?

    init(ledger: Ledger, author: Author, policy: Policy, size: ConfigurationSize, wallMilliseconds: Int64) {
        self.ledger = ledger
        state = ledger.head
        clock = ledger.clock
        latestMilliseconds = ledger.clock.limit(wallMilliseconds: wallMilliseconds, bound: Self.clockBound)
        self.author = author
        self.policy = policy
        self.size = size
        room = ConflictLogCapacity(state, author: author.peer, watchCount: policy.watchCount)
        self.wallMilliseconds = wallMilliseconds
        place = Cell.Place(epoch: state.version.epoch, revision: state.version.revision + 1)
        transaction = ledger.begin(stamp: clock.current)
        taken = state.uploads[author.peer]?.taken ?? RecentIDs()
        rejected = Dictionary((state.uploads[author.peer]?.rejected ?? []).map { ($0.dot, $0.base) }) { $1 }
    }

    /// Counts steps, also those of copies that are discarded.
    final class StepCounter {
        var count = 0
    }

    /// Processes the uploads in order; stops where the conflict log has no room.
    ///
    /// - Returns: The transaction, nil if there is nothing to process.
    mutating func take(_ batch: UploadBatch) -> Transaction? {
        let mark = state.uploads[author.peer].flatMap { $0.incarnation == batch.incarnation ? $0 : nil }
        var progress = UploadProgress(
            peer: author.peer, incarnation: batch.incarnation, highest: mark?.highest ?? 0, last: mark?.last,
            firstPending: batch.firstPending, outcomes: [], taken: [])
        let start = progress.highest
        for numbered in batch.uploads where isNext(numbered.sequence, after: progress.highest) {
            if let rule = obstacle(to: numbered.upload) {
                obstacle = UploadOutcome(sequence: numbered.sequence, id: numbered.upload.id, rule: rule)
                break
            }
            let rule = isTaken(numbered.upload) ? nil : take(numbered.upload, &progress)
            if let rule {
                progress.outcomes.append(
                    UploadOutcome(sequence: numbered.sequence, id: numbered.upload.id, rule: rule))
            }
            progress.highest = numbered.sequence
            progress.last = numbered.upload.id
        }
        guard progress.highest > start else { return nil }
        transaction.progress = progress
        transaction.stamp = clock.current
        ledger.limitTombstones(&transaction)
        return transaction.finished
    }

    private func isNext(_ sequence: UInt64, after highest: UInt64) -> Bool {
        sequence == highest + 1
    }

    private func isTaken(_ upload: Upload) -> Bool {
        upload.isRemembered(by: taken)
    }

    private mutating func take(_ upload: Upload, _ progress: inout UploadProgress) -> Conflict.Rule? {
        switch upload {
        case .edit(let edit):
            let named = named(edit)
            remember(edit, as: named, &progress)
            return take(named, &progress)
        case .salvage(let lost):
            // The identifier is that of the write, not of its edit: the hub may know other cells of the edit, and not
            // this one.
            guard policy.schema.rule(of: lost.key) != nil, !isKnown(lost) else { return nil }
            let named = named(lost)
            guard salvage(named) else { return nil }
            remember(lost, as: named, &progress)
            return nil
        }
    }

    // MARK: - Edits

    /// Whether an edit would take effect; it calls this on a copy that it discards, so it does not remember the edit.
    mutating func takesEffect(_ edit: Edit) -> Bool {
        var progress = UploadProgress(
            peer: author.peer, incarnation: edit.id, highest: 0, last: nil, firstPending: 0, outcomes: [], taken: [])
        return take(named(edit), &progress) == nil
    }

    private mutating func take(_ edit: Edit, _ progress: inout UploadProgress) -> Conflict.Rule? {
        let stamp = received(edit.stamp)
        // All cells of an edit need room at the same time.
        let hasRoom = hasRoom(for: edit)
        let verdicts = edit.changes.indices.map { judge(edit, $0, stamp, hasRoom: hasRoom) }
        if let rule = verdicts.compactMap(\.loss).first {
            for (index, verdict) in verdicts.enumerated() {
                if verdict != .same { log(edit, index, stamp, rule: verdict.loss ?? .together) }
                guard verdict.loss?.isConcurrency != true else { continue }
                reject(RejectedWrite(dot: edit.dot(of: index), base: edit.changes[index].base), &progress)
            }
            return rule
        }
        for (index, verdict) in verdicts.enumerated() {
            if let rule = verdict.loss { log(edit, index, stamp, rule: rule) }
            apply(edit, index, stamp, verdict)
        }
        // To dismiss a value is a decision about its cell, too.
        if let id = edit.resolves, conflicts(ofEditOf: id).allSatisfy({ policy.mayWrite($0.key) }) { settle(id) }
        return nil
    }

    /// The result of one change.
    private enum Verdict: Hashable {
        case applied
        /// The cell already has this value.
        case same
        /// The value is shown, and the value before it is logged.
        case wins(Conflict.Rule)
        case loses(Conflict.Rule)

        var loss: Conflict.Rule? {
            switch self {
            case .loses(let rule): rule
            case .applied, .same, .wins: nil
            }
        }
    }

    /// Judges one change of an edit, row by row of the table above.
    private func judge(_ edit: Edit, _ index: Int, _ stamp: Stamp, hasRoom: Bool) -> Verdict {
        let change = edit.changes[index]
        // Rows 1 to 4.
        if let rule = rejection(of: change, schema: edit.schema, hasRoom: hasRoom) { return .loses(rule) }
        let base = foundation(of: change.base)
        guard let current = cell(change.key) else {
            // Rows 5 and 6.
            // Nobody can bring a cell that its author never saw.
            if base == nil, change.value == nil { return .same }
            // A deletion leaves a tombstone even here: after a restore, a watch may still upload the cell that it
            // removed.
            let isCreation = base == nil || change.value == nil
            return isCreation ? .applied : .loses(.deleted)
        }
        // Row 7.
        if isMade(change, on: current) || base != change.base && current.dot == base { return .applied }
        // Row 8.
        if current.value == change.value { return .same }
        if current.value == nil {
            // Row 9.
            if isUndeletion(edit, change, of: current) { return .applied }
            // Row 12.
            guard creates(edit, change, after: current, stamp) else { return .loses(.deleted) }
            // Rows 10 and 11.
            // A cell that this history never had may be the one that the deletion removed in the lost history.
            let mayBeRemoved = current.isOnlyTrace && current.stamp.node != author.node
            return mayBeRemoved ? .wins(.deletionLostInRestore) : .applied
        }
        // Row 13.
        if change.value == nil { return .loses(.unseen) }
        // Row 14.
        if policy.schema.rule(of: change.key)?.authority == .owner { return .wins(.owner) }
        // Rows 15 and 16.
        return stamp > current.stamp ? .wins(.newest) : .loses(.newest)
    }

    /// Whether the author had seen the current write: its identifier and, if the edit says so, its value.
    private func isMade(_ change: Edit.Change, on current: Cell) -> Bool {
        current.dot == change.base && (change.seen == nil || change.seen == current.value)
    }

    /// What the author had seen below its own rejected writes: an edit on top of those is based on that.
    private func foundation(of base: RandomID?) -> RandomID? {
        var base = base
        // A forged chain may contain a cycle, or be longer than the hub remembers.
        for _ in 0..<UploadMark.rejectedCountMax {
            guard let dot = base, let below = rejected[dot] else { break }
            steps.count += 1
            base = below
        }
        return base
    }

    /// Whether a change creates a cell anew after its deletion: its author had seen no cell, and wrote later.
    ///
    /// An edit that restores a losing value does not count: it is based on an earlier cell.
    private func creates(_ edit: Edit, _ change: Edit.Change, after deleted: Cell, _ stamp: Stamp) -> Bool {
        edit.resolves == nil && change.base == nil && change.value != nil && stamp > deleted.stamp
    }

    /// Whether the edit restores a value that lost against exactly this deletion, which its author saw in the
    /// conflict log.
    private func isUndeletion(_ edit: Edit, _ change: Edit.Change, of deleted: Cell) -> Bool {
        guard change.base == nil, let id = edit.resolves else { return false }
        return conflicts(ofEditOf: id).contains { $0.key == change.key && $0.winner?.dot == deleted.dot }
    }

    /// Why a change loses whatever its cell contains; nil if it may take effect.
    ///
    /// These are rows 1 to 4, in order.
    private func rejection(of change: Edit.Change, schema: UInt32, hasRoom: Bool) -> Conflict.Rule? {
        guard let rule = policy.schema.rule(of: change.key) else { return .readOnly }
        switch rule.authority {
        case .hub: return .readOnly
        case .shared: break
        case .owner: if change.key.record != Schema.record(of: author.peer) { return .readOnly }
        }
        guard policy.mayWrite(change.key) else { return .readOnly }
        guard rule.versions.contains(author.records), schema >= rule.editableSince else { return .schema }
        guard policy.objection(change.key, change.value) == nil else { return .invalid }
        return !hasRoom && growth(by: change) > 0 ? .tooLarge : nil
    }

    /// Whether the configuration may become as large as it would be with all changes of an edit.
    private func hasRoom(for edit: Edit) -> Bool {
        var (growth, own) = (0, 0)
        for change in edit.changes {
            let current = cell(change.key)
            let byteCount = ConfigurationSize.byteCount(of: change.value, at: change.key)
            let replaced = ConfigurationSize.byteCount(of: current, at: change.key)
            growth += byteCount - replaced
            own += current?.stamp.node == author.node ? byteCount - replaced : byteCount
        }
        return size.hasRoom(for: growth, own: own, of: author.node, watchCount: policy.watchCount)
    }

    /// The bytes by which a change makes the configuration larger; negative if smaller.
    private func growth(by change: Edit.Change) -> Int {
        ConfigurationSize.byteCount(of: change.value, at: change.key)
            - ConfigurationSize.byteCount(of: cell(change.key), at: change.key)
    }

    private mutating func apply(_ edit: Edit, _ index: Int, _ stamp: Stamp, _ verdict: Verdict) {
        let change = edit.changes[index]
        let current = cell(change.key)
        switch verdict {
        case .same, .loses: return
        case .applied: break
        case .wins(let rule):
            if let current {
                let dot = edit.dot(of: index)
                let winner = Conflict.Side(value: change.value, dot: dot, stamp: stamp, author: author.name)
                put(
                    Conflict(
                        id: current.dot, edit: current.dot, key: change.key, base: nil, loser: side(current),
                        winner: winner, rule: rule, place: place))
            }
        }
        // Without a cell before, a deletion leaves only a tombstone.
        let created = change.value == nil && current == nil ? Cell.Place.never(in: place.epoch) : place
        let new = Cell(
            value: change.value, dot: edit.dot(of: index), stamp: stamp, written: place,
            created: current.flatMap(\.firstPlace) ?? created)
        size.replace(current, by: new, at: change.key)
        write(new, at: change.key)
    }

    /// Gives a cell its new contents in the transaction.
    mutating func write(_ cell: Cell, at key: CellKey) {
        steps.count += 1
        transaction.written[key] = cell
        written[cell.dot, default: []].append(key)
    }

    private mutating func log(_ edit: Edit, _ index: Int, _ stamp: Stamp, rule: Conflict.Rule) {
        let change = edit.changes[index]
        let dot = edit.dot(of: index)
        put(
            Conflict(
                id: dot, edit: edit.id, key: change.key, base: change.seen,
                loser: Conflict.Side(value: change.value, dot: dot, stamp: stamp, author: author.name),
                winner: cell(change.key).map(side), rule: rule, place: place))
    }

    /// The stamp after correction by the hub.
    private mutating func received(_ stamp: Stamp) -> Stamp {
        // The node comes from the authenticated connection, not from the stamp.
        var stamp = Stamp(milliseconds: stamp.milliseconds, counter: stamp.counter, node: author.node)
        let isAhead = stamp.milliseconds > latestMilliseconds
        guard isAhead || stamp.counter > Self.counterBound else {
            clock.receive(stamp, wallMilliseconds: wallMilliseconds)
            return stamp
        }
        // The hub's own clock advances, but does not follow a stamp that is out of bounds.
        let now = clock.stamp(wallMilliseconds: wallMilliseconds)
        if isAhead { isClockSuspect = true }
        stamp.milliseconds = min(stamp.milliseconds, latestMilliseconds)
        stamp.counter = min(stamp.counter, Self.counterBound)
        // If the hub's own stamps are later than that: a stamp after everything that the edit can be based on.
        return max(stamp, Stamp(milliseconds: now.milliseconds, counter: now.counter, node: author.node))
    }

    func cell(_ key: CellKey) -> Cell? {
        steps.count += 1
        return transaction.written[key] ?? state.cells[key]
    }

    func side(_ cell: Cell) -> Conflict.Side {
        Conflict.Side(
            value: cell.value, dot: cell.dot, stamp: cell.stamp, author: policy.name(cell.stamp.node))
    }
}
