internal import GRDB
internal import SyncCore

/// What can still be read from a watch's damaged store: each row whose checksum is correct.
///
/// Edits that the hub has not received exist nowhere else. Registers are not recovered, because the hub sends them
/// again.
struct RecoveredMemory {
    /// The pending uploads in their order.
    var uploads: [Upload] = []
    /// The latest edits that the hub confirmed.
    var journal: [Edit] = []
    /// The snapshot; nil if it cannot be read.
    var snapshot: Snapshot?
    /// The epochs that the watch has seen; the initial fence if they cannot be read.
    var fence = EpochFence()
    /// The cells that the watch saw deleted; empty if they cannot be read.
    var deletions: [SeenDeletion] = []
    /// The user info and the files, without their numbering.
    var transfers = TransferState()
    /// The number of rows that cannot be read; nil if the original number is unknown.
    var lostCount: Int?

    /// Reads what can be read.
    ///
    /// The file is not changed.
    init(path: String) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { try read($0) }
            try queue.close()
        } catch {
            // SQLite cannot read anything in the file. The caller that found the damage reports it.
        }
    }

    /// The recovered replica, with a new incarnation that the hub does not know.
    func state(newIncarnation incarnation: RandomID) -> ReplicaState {
        // A restored older page can contain an edit as pending that was confirmed later.
        let confirmed = Set(journal.map { Upload.edit($0) })
        let pending = uploads.filter { !confirmed.contains($0) }.enumerated().map {
            NumberedUpload(sequence: UInt64($0) + 1, upload: $1)
        }
        return ReplicaState(
            snapshot: snapshot, fence: fence, incarnation: incarnation, nextSequence: UInt64(pending.count) + 1,
            pending: pending, journal: journal, deletions: deletions)
    }

    private mutating func read(_ database: Database) throws {
        let kind = DatabaseKind.watch(newIncarnation: RandomID(high: 0, low: 0))
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == kind.applicationID else { return }
        let scan = RecoveryScan(database)
        uploads = scan.records(of: WatchTables.uploads).map { ($0.1 as NumberedUpload).upload }
        journal = scan.records(of: WatchTables.journal).map(\.1)
        // Both can be missing: the hub sends the snapshot again, and the fence only rejects epochs that ended long ago.
        if let fence = try? ReplicaRows.fence(database) { self.fence = fence }
        if let snapshot = try? ReplicaRows.snapshot(database) { self.snapshot = snapshot }
        let _: [(RowKey, SnapshotDelta)] = scan.records(of: WatchTables.deltas)
        // These matter only if a hub loses a deletion.
        if let deletions = try? ReplicaRows.deletions(database) { self.deletions = deletions }
        let head = try? ExchangeHead(of: ExchangeTables.hub, database)
        transfers = Self.transfers(scan, head)
        // Without both heads, the original number of rows is unknown.
        let expectedCount = (try? WatchHead(database).sum.count).flatMap { count in head.map { $0.sum.count + count } }
        lostCount = expectedCount.map { max(0, Int($0) - scan.rowCount) }
    }

    // MARK: - User info and files

    /// The recovered transfers with the hub.
    ///
    /// Their tracks have no numbering: the items get new numbers, and the hub recognises them by their ids. A file that
    /// was being received starts again.
    ///
    /// - Parameters:
    ///   - scan: Reads the damaged store.
    ///   - head: The head of the hub's rows; nil if it cannot be read.
    /// - Returns: The recovered transfers.
    private static func transfers(_ scan: RecoveryScan, _ head: ExchangeHead?) -> TransferState {
        var state = TransferState()
        state.exchange.budget = head?.budget ?? UrgentBudget()
        let _: [(RowKey, ItemOutbox)] = scan.records(of: ExchangeTables.tracks)
        let items: [(RowKey, Item)] = scan.records(of: ExchangeTables.items)
        for track in ItemTrack.allCases {
            let items = items.filter { ExchangeHead.track($0.0) == track }
            state.exchange.outboxes[track] = ItemOutbox(items: items.map(\.1))
        }
        var positions = ItemPositions()
        let positionRows: [(RowKey, ItemPosition)] = scan.records(of: ExchangeTables.positions)
        for (key, position) in positionRows { positions[ExchangeHead.track(key)] = position }
        state.exchange.inbox = ItemInbox(
            positions: positions, recent: scan.records(of: ExchangeTables.arrivals).map(\.1),
            items: scan.records(of: ExchangeTables.inbox).map(\.1))
        state.files.queue = scan.records(of: ExchangeTables.outgoing).map(\.1)
        state.files.results = scan.records(of: ExchangeTables.results).map(\.1)
        state.files.received = scan.records(of: ExchangeTables.delivered).map(\.1)
        state.files.finished = scan.records(of: ExchangeTables.finished).map(\.1)
        let _: [(RowKey, IncomingFile)] = scan.records(of: ExchangeTables.incoming)
        state.files.lastNumber = max(head?.lastFile ?? 0, state.files.queue.last?.number ?? 0)
        return state
    }
}
