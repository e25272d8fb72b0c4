internal import GRDB
internal import SyncCore

/// Reads and writes the rows of a hub's ledger.
///
/// A transaction writes only the rows that it changes.
enum LedgerRows {
    // MARK: - Writing

    /// Applies a transaction to the rows, as `LedgerState.apply(_:)` applies it to a state.
    static func append(_ transaction: Transaction, _ head: inout LedgerHead, _ database: Database) throws {
        for (key, cell) in transaction.written.pairs {
            try LedgerTables.cells.replace(cell, at: RowKey(of: key), &head.sum, database)
        }
        for key in transaction.removed {
            try LedgerTables.cells.remove(RowRange(RowKey(of: key)), &head.sum, database)
        }
        try remember(transaction.ownWrites, in: LedgerTables.written, &head.sum, database)
        for (id, conflict) in transaction.logged.pairs {
            try LedgerTables.conflicts.replace(
                StoredConflict(conflict: conflict, bringer: transaction.progress?.peer), at: RowKey(of: id), &head.sum,
                database)
        }
        for id in transaction.settled {
            try LedgerTables.conflicts.remove(RowRange(RowKey(of: id)), &head.sum, database)
        }
        if let progress = transaction.progress { try advance(progress, &head.sum, database) }
        for peer in transaction.released { try forget(peer, &head.sum, database) }
        if transaction.forks { try leave(transaction.before, &head.sum, database) }
        try move(to: transaction.after, &head.sum, database)
        head.version = transaction.after
        head.lastStamp = transaction.stamp
    }

    /// Adds the digest of a version, and removes those beyond the limit.
    private static func move(to version: Version, _ sum: inout RowSum, _ database: Database) throws {
        // No row has this revision: it is the next one, and a fork removes those of the epoch that it leaves.
        try LedgerTables.chain.insert(version.chain, at: RowKey(version.revision), &sum, database)
        let (oldest, isYoung) = version.revision.subtractingReportingOverflow(UInt64(LedgerState.chainCountMax))
        guard !isYoung else { return }
        try LedgerTables.chain.remove(RowRange(RowKey(0), RowKey(oldest)), &sum, database)
    }

    /// Records the revision at which the history leaves an epoch.
    private static func leave(_ version: Version, _ sum: inout RowSum, _ database: Database) throws {
        try LedgerTables.chain.remove(nil, &sum, database)
        try LedgerTables.lineage.replace(version.revision, at: RowKey(version.epoch.number), &sum, database)
        let epochs = try lineage(database)
        guard epochs.count > LedgerState.lineageCountMax else { return }
        // The same rule as in the ledger: beyond the limit, the epoch that ended at the lowest revision is removed.
        let oldest = epochs.pairs.min { ($0.value, $0.key) < ($1.value, $1.key) }
        guard let oldest else { return }
        try LedgerTables.lineage.remove(RowRange(RowKey(oldest.key.number)), &sum, database)
    }

    private static func advance(_ progress: UploadProgress, _ sum: inout RowSum, _ database: Database) throws {
        let watch = progress.peer.bytes
        if let row = try LedgerTables.uploads.row(at: .bytes(watch), database) {
            let mark: UploadMark = try row.record()
            if mark.incarnation != progress.incarnation {
                try LedgerTables.outcomes.remove(RowRange(under: watch), &sum, database)
            }
        }
        let mark = UploadMark(incarnation: progress.incarnation, highest: progress.highest, last: progress.last)
        try put(mark, of: watch, &sum, database)
        if progress.firstPending > 0 {
            let known = RowRange(RowKey(watch, 0), RowKey(watch, progress.firstPending - 1))
            try LedgerTables.outcomes.remove(known, &sum, database)
        }
        try put(progress.outcomes, of: watch, &sum, database)
        try remember(progress.remembered, in: LedgerTables.taken, under: watch, &sum, database)
        try append(progress.rejected, of: watch, &sum, database)
    }

    /// Writes the row of an upload mark.
    ///
    /// Its lists are stored as separate rows.
    private static func put(
        _ mark: UploadMark, of watch: [UInt8], _ sum: inout RowSum, _ database: Database
    ) throws {
        var row = mark
        (row.outcomes, row.taken, row.rejected) = ([], RecentIDs(), [])
        try LedgerTables.uploads.replace(row, at: .bytes(watch), &sum, database)
    }

    /// Adds outcomes, and removes the oldest beyond the limit of a watch, as the ledger does.
    private static func put(
        _ outcomes: [UploadOutcome], of watch: [UInt8], _ sum: inout RowSum, _ database: Database
    ) throws {
        guard !outcomes.isEmpty else { return }
        for outcome in outcomes {
            try LedgerTables.outcomes.replace(outcome, at: RowKey(watch, outcome.sequence), &sum, database)
        }
        let rowCount = Int(try LedgerTables.outcomes.sum(RowRange(under: watch), database).count)
        let excess = rowCount - UploadMark.outcomeCountMax
        guard excess > 0,
            let last = try LedgerTables.outcomes.row(excess - 1, in: RowRange(under: watch), database)
        else { return }
        try LedgerTables.outcomes.remove(RowRange(RowKey(watch, 0), last.key), &sum, database)
    }

    /// Appends rejected writes, and removes the oldest beyond the limit, as the ledger does.
    private static func append(
        _ writes: [RejectedWrite], of watch: [UInt8], _ sum: inout RowSum, _ database: Database
    ) throws {
        guard !writes.isEmpty else { return }
        let range = RowRange(under: watch)
        var last = try LedgerTables.rejected.bounds(of: range, database)?.last.number ?? 0
        for write in writes {
            last += 1
            try LedgerTables.rejected.insert(write, at: RowKey(watch, last), &sum, database)
        }
        guard last > UInt64(UploadMark.rejectedCountMax) else { return }
        let oldest = RowKey(watch, last - UInt64(UploadMark.rejectedCountMax))
        try LedgerTables.rejected.remove(RowRange(RowKey(watch, 0), oldest), &sum, database)
    }

    /// Appends each new id once, and removes the oldest beyond the limit, as `RecentIDs` does.
    private static func remember(
        _ ids: [RandomID], in table: RecordTable, under prefix: [UInt8] = [], _ sum: inout RowSum, _ database: Database
    ) throws {
        guard !ids.isEmpty else { return }
        let range = RowRange(under: prefix)
        let bounds = try table.bounds(of: range, database)
        let first = bounds?.first.number ?? 1
        var last = bounds?.last.number ?? 0
        for id in ids where try table.key(of: id, in: range, database) == nil {
            last += 1
            try table.insert(id, at: RowKey(prefix, last), &sum, database)
        }
        guard last + 1 > first + UInt64(RecentIDs.countMax + RecentIDs.countMax / 4) else { return }
        let oldest = RowKey(prefix, last - UInt64(RecentIDs.countMax))
        try table.remove(RowRange(RowKey(prefix, 0), oldest), &sum, database)
    }

    private static func forget(_ peer: PeerKey, _ sum: inout RowSum, _ database: Database) throws {
        try LedgerTables.uploads.remove(RowRange(.bytes(peer.bytes)), &sum, database)
        for table in [LedgerTables.outcomes, LedgerTables.taken, LedgerTables.rejected] {
            try table.remove(RowRange(under: peer.bytes), &sum, database)
        }
    }

    /// Writes a complete state into empty tables.
    static func fill(with state: LedgerState, _ database: Database) throws {
        var sum = RowSum()
        for (revision, digest) in state.chain.pairs {
            try LedgerTables.chain.insert(digest, at: RowKey(revision), &sum, database)
        }
        for (epoch, revision) in state.lineage.pairs {
            try LedgerTables.lineage.insert(revision, at: RowKey(epoch.number), &sum, database)
        }
        for (key, cell) in state.cells.pairs {
            try LedgerTables.cells.insert(cell, at: RowKey(of: key), &sum, database)
        }
        for (id, conflict) in state.conflicts.pairs {
            try LedgerTables.conflicts.insert(
                StoredConflict(conflict: conflict, bringer: state.bringers[id]), at: RowKey(of: id), &sum, database)
        }
        try remember(state.written.ids, in: LedgerTables.written, &sum, database)
        for (peer, mark) in state.uploads.pairs {
            try put(mark, of: peer.bytes, &sum, database)
            try put(mark.outcomes, of: peer.bytes, &sum, database)
            try remember(mark.taken.ids, in: LedgerTables.taken, under: peer.bytes, &sum, database)
            try append(mark.rejected, of: peer.bytes, &sum, database)
        }
        try LedgerHead(version: state.version, lastStamp: state.lastStamp, sum: sum).put(into: database)
    }

    // MARK: - Reading

    /// Reads the complete state.
    ///
    /// Fails if rows are missing or were changed.
    static func state(_ database: Database) throws -> LedgerState {
        let head = try LedgerHead(database)
        var state = LedgerState(
            version: head.version, chain: SortedMap(), lineage: try lineage(database),
            // Rows come in the order of their keys' bytes, which is not that of the keys.
            cells: SortedMap(try LedgerTables.cells.rows(nil, database).map { (try $0.key.value(), try $0.record()) }),
            uploads: try uploads(database),
            written: RecentIDs(try LedgerTables.written.rows(nil, database).map { try $0.record() }),
            lastStamp: head.lastStamp)
        for row in try LedgerTables.chain.rows(nil, database) { state.chain[row.key.number] = try row.record() }
        for row in try LedgerTables.conflicts.rows(nil, database) {
            let stored: StoredConflict = try row.record()
            let id: RandomID = try row.key.value()
            state.conflicts[id] = stored.conflict
            if let bringer = stored.bringer { state.bringers[id] = bringer }
        }
        try check(state, head.sum, database)
        return state
    }

    private static func lineage(_ database: Database) throws -> SortedMap<Epoch, UInt64> {
        var lineage = SortedMap<Epoch, UInt64>()
        for row in try LedgerTables.lineage.rows(nil, database) {
            lineage[Epoch(number: row.key.number)] = try row.record()
        }
        return lineage
    }

    private static func uploads(_ database: Database) throws -> SortedMap<PeerKey, UploadMark> {
        var marks = SortedMap<PeerKey, UploadMark>()
        for row in try LedgerTables.uploads.rows(nil, database) { marks[try peer(row)] = try row.record() }
        func collect<Record: RecordCodable>(
            _ table: RecordTable, _ take: (inout UploadMark, [Record]) -> Void
        ) throws {
            var records: [PeerKey: [Record]] = [:]
            for row in try table.rows(nil, database) { records[try peer(row), default: []].append(try row.record()) }
            for (peer, records) in records {
                guard marks.modify(peer, { take(&$0, records) }) != nil else {
                    throw CorruptionError(finding: "the table upload lacks a watch of the table \(table.name)")
                }
            }
        }
        try collect(LedgerTables.outcomes) { $0.outcomes = $1 }
        try collect(LedgerTables.taken) { $0.taken = RecentIDs($1) }
        try collect(LedgerTables.rejected) { $0.rejected = $1 }
        return marks
    }

    private static func peer(_ row: StoredRow) throws -> PeerKey {
        guard let peer = PeerKey(bytes: Array(row.key.bytes.prefix(32))) else {
            throw CorruptionError(finding: "a key of the table \(row.table) is unfit")
        }
        return peer
    }

    /// Whether the store lacks a version that it once held.
    static func hasLost(_ guarded: Version, stored: Version, _ database: Database) throws -> Bool {
        guard guarded.epoch == stored.epoch else {
            return try LedgerTables.lineage.row(at: RowKey(guarded.epoch.number), database) == nil
        }
        guard guarded.revision <= stored.revision else { return true }
        // The digest of an old revision may have been removed; then there is nothing to compare.
        guard let row = try LedgerTables.chain.row(at: RowKey(guarded.revision), database) else { return false }
        let digest: UInt64 = try row.record()
        return digest != guarded.chain
    }

    /// Fails if rows are missing or outdated.
    private static func check(_ state: LedgerState, _ sum: RowSum, _ database: Database) throws {
        let found = try LedgerTables.summed.reduce(RowSum()) { $0 + (try $1.sum(nil, database)) }
        guard found == sum else {
            let tables = LedgerTables.summed.map(\.name).joined(separator: ", ")
            throw CorruptionError(finding: "the rows of the tables \(tables) are not those that were written")
        }
        let revisions = state.chain.keys
        guard revisions.last == state.version.revision, state.chain[state.version.revision] == state.version.chain,
            zip(revisions, revisions.dropFirst()).allSatisfy({ $1 - $0 == 1 })
        else {
            throw CorruptionError(
                finding: "the rows of the table chain do not lead to revision \(state.version.revision)")
        }
    }
}
