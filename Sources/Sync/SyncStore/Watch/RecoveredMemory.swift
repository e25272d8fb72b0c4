internal import GRDB
internal import SyncCore

/// What can still be read of a damaged store of a watch: each row that fits its checksum.
///
/// What a person changed, and the hub does not have yet, exists nowhere else. The registers are not looked at, because
/// the hub sends them again.
struct RecoveredMemory {
    /// The uploads that wait for the hub, in their order.
    var uploads: [Upload] = []
    /// The last edits that the hub confirmed.
    var journal: [Edit] = []
    /// The snapshot, if it can be read.
    var snapshot: Snapshot?
    /// The epochs that the watch has seen, as far as they can be read.
    var fence = EpochFence()
    /// The cells that the watch saw disappear, if they can be read.
    var deletions: [SeenDeletion] = []
    /// The user info and the files, under no numbering.
    var transfers = TransferState()
    /// The rows that were in the store and cannot be read, nil if nothing says how many there were.
    var lostCount: Int?

    /// Reads what can be read; the file stays as it is.
    init(path: String) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { try read($0) }
            try queue.close()
        } catch {
            // There is nothing in it that SQLite can read; why it is damaged is told by the code that found it.
        }
    }

    /// What the store is to hold from now on, under a numbering that the hub does not know.
    func state(newIncarnation incarnation: RandomID) -> ReplicaState {
        // A page of an earlier time may bring back an edit that was confirmed since.
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
        guard try !kind.earlier.isThere(database) else { return take(EarlierRecords.recover(scan), scan) }
        uploads = scan.records(of: WatchTables.uploads).map { ($0.1 as NumberedUpload).upload }
        journal = scan.records(of: WatchTables.journal).map(\.1)
        // The hub has both: it sends the snapshot again, and only an epoch that was left long ago would pass again.
        if let fence = try? ReplicaRows.fence(database) { self.fence = fence }
        if let snapshot = try? ReplicaRows.snapshot(database) { self.snapshot = snapshot }
        // Only a hub that loses a deletion would miss them.
        if let deletions = try? ReplicaRows.deletions(database) { self.deletions = deletions }
        let head = try? ExchangeHead(of: ExchangeTables.hub, database)
        transfers = Self.transfers(scan, head)
        // Without a head nobody knows how many there were.
        let expectedCount = (try? WatchHead(database).sum.count).flatMap { count in head.map { $0.sum.count + count } }
        lostCount = expectedCount.map { max(0, Int($0) - scan.rowCount) }
    }

    private mutating func take(_ found: EarlierRecords.Recovered, _ scan: RecoveryScan) {
        (uploads, journal, snapshot, transfers) = (found.uploads, found.journal, found.snapshot, found.transfers)
        fence = found.fence ?? fence
        deletions = found.deletions ?? deletions
        lostCount = found.expectedCount.map { max(0, Int($0) - scan.rowCount) }
    }

    // MARK: - User info and files

    /// What can be read of the transfers with the hub.
    ///
    /// The tracks have no numbering then: the items get new numbers, and the hub knows them again by their ids. A file
    /// that was being received begins anew.
    ///
    /// - Parameters:
    ///   - scan: Reads the damaged store.
    ///   - head: The head of the hub's rows, nil if it cannot be read.
    /// - Returns: What can be read.
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
