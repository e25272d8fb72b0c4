internal import GRDB
internal import SyncCore

/// Reads and writes the rows of a watch's configuration replica, its pending uploads and its latest confirmed edits.
///
/// A step writes only the rows that it changes: one more edit is one more row, and so is one more change of the snapshot.
enum ReplicaRows {
    /// The most deltas that are stored after a snapshot, and the most bytes of one; beyond that the snapshot is stored as
    /// a whole.
    static let (deltaCountMax, deltaByteCountMax) = (64, 16_384)

    // MARK: - Writing

    /// Applies a replica record to the rows.
    static func append(_ record: ReplicaRecord, _ head: inout WatchHead, _ database: Database) throws {
        if let snapshot = record.snapshot { try replace(by: snapshot, &head, database) }
        if let delta = record.delta { try add(delta, &head, database) }
        switch record.pending {
        case .unchanged: break
        case .added(let upload): try add(upload, &head, database)
        case .confirmed(let highest):
            try WatchTables.uploads.remove(RowRange(RowKey(0), RowKey(highest)), &head.sum, database)
        case .replaced(let uploads):
            try WatchTables.uploads.remove(nil, &head.sum, database)
            for upload in uploads { try add(upload, &head, database) }
        }
        if !record.journaled.isEmpty { try note(record.journaled, &head, database) }
        if let deletions = record.deletions { try put(deletions, database) }
        try put(record.fence, database)
        head.incarnation = record.incarnation
        head.nextSequence = record.nextSequence
    }

    static func put(_ fence: EpochFence, _ database: Database) throws {
        try WatchTables.state.put(fence, at: WatchTables.StateKey.fence.key, database)
    }

    private static func put(_ snapshot: Snapshot?, _ database: Database) throws {
        try WatchTables.state.put(
            StoredSnapshot(snapshot: snapshot), at: WatchTables.StateKey.snapshot.key, database)
    }

    private static func replace(by snapshot: Snapshot, _ head: inout WatchHead, _ database: Database) throws {
        try put(snapshot, database)
        try WatchTables.deltas.remove(nil, &head.sum, database)
    }

    private static func add(_ delta: SnapshotDelta, _ head: inout WatchHead, _ database: Database) throws {
        let bytes = try RecordCoder.bytes(of: delta)
        let all = RowRange(.number(1), .number(.max))
        let count = try WatchTables.deltas.bounds(of: all, database)?.last.number ?? 0
        guard count < UInt64(deltaCountMax), bytes.count <= deltaByteCountMax else {
            guard var snapshot = try Self.snapshot(database) else { return }
            snapshot.apply(delta)
            return try replace(by: snapshot, &head, database)
        }
        try WatchTables.deltas.insert(bytes, at: .number(Int64(count) + 1), &head.sum, database)
    }

    private static func put(_ deletions: [SeenDeletion], _ database: Database) throws {
        try WatchTables.state.put(deletions, at: WatchTables.StateKey.deletions.key, database)
    }

    private static func add(_ upload: NumberedUpload, _ head: inout WatchHead, _ database: Database) throws {
        // `replace`, because an upload with the same number may exist; a plain insert would fail.
        try WatchTables.uploads.replace(upload, at: RowKey(upload.sequence), &head.sum, database)
    }

    private static func note(_ edits: [Edit], _ head: inout WatchHead, _ database: Database) throws {
        var last = try WatchTables.journal.bounds(of: RowRange(under: []), database)?.last.number ?? 0
        for edit in edits {
            last += 1
            try WatchTables.journal.insert(edit, at: RowKey(last), &head.sum, database)
        }
        guard last > UInt64(ReplicaState.journalCountMax) else { return }
        let oldest = RowKey(last - UInt64(ReplicaState.journalCountMax))
        try WatchTables.journal.remove(RowRange(RowKey(0), oldest), &head.sum, database)
    }

    /// Writes a complete state into empty tables.
    static func fill(with state: ReplicaState, _ database: Database) throws {
        var head = WatchHead(incarnation: state.incarnation, nextSequence: state.nextSequence)
        try put(state.snapshot, database)
        try put(state.fence, database)
        try put(state.deletions, database)
        for upload in state.pending { try add(upload, &head, database) }
        try note(state.journal, &head, database)
        try head.put(into: database)
    }

    // MARK: - Reading

    static func state(_ database: Database) throws -> ReplicaState {
        let head = try WatchHead(database)
        let state = ReplicaState(
            snapshot: try snapshot(database), fence: try fence(database), incarnation: head.incarnation,
            nextSequence: head.nextSequence,
            pending: try WatchTables.uploads.rows(nil, database).map { try $0.record() },
            journal: try WatchTables.journal.rows(nil, database).map { try $0.record() },
            deletions: try deletions(database))
        guard try WatchTables.summed.reduce(RowSum(), { $0 + (try $1.sum(nil, database)) }) == head.sum else {
            let tables = WatchTables.summed.map(\.name).joined(separator: ", ")
            throw CorruptionError(finding: "the rows of the tables \(tables) are not those that were written")
        }
        return state
    }

    static func snapshot(_ database: Database) throws -> Snapshot? {
        let stored: StoredSnapshot = try record(of: .snapshot, database)
        guard var snapshot = stored.snapshot else { return nil }
        for row in try WatchTables.deltas.rows(nil, database) {
            let delta: SnapshotDelta = try row.record()
            guard snapshot.isBase(of: delta) else {
                throw CorruptionError(finding: "the rows of the table delta do not lead on from the snapshot")
            }
            snapshot.apply(delta)
        }
        return snapshot
    }

    static func fence(_ database: Database) throws -> EpochFence { try record(of: .fence, database) }

    static func deletions(_ database: Database) throws -> [SeenDeletion] { try record(of: .deletions, database) }

    private static func record<Record: RecordCodable>(
        of key: WatchTables.StateKey, _ database: Database
    ) throws -> Record {
        guard let row = try WatchTables.state.row(at: key.key, database) else {
            throw CorruptionError(finding: "the table state has no row \(key)")
        }
        return try row.record()
    }
}
