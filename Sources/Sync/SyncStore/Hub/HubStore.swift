internal import GRDB
public import SyncCore

/// A hub's ledger on the disk: one SQLite file, `hub.sqlite`, in a state folder.
///
/// A commit is on the disk when it returns, and is there as a whole or not at all after any crash. What is read is
/// checked, row by row. A damaged file is refused and left as it is: only a person can tell what is lost with it.
///
/// Beside the folder lies a small note of the version, `<folder>.guard`, by which an opening finds out that a backup of
/// the folder was put back.
///
/// Its functions may be called on any thread, one at a time.
public final class HubStore: HubStorage {
    /// A store that is not as new as the guard beside its folder says: a backup was put back, or the last commits are
    /// lost.
    public struct PutBack: Hashable, Sendable {
        /// The version that the store holds.
        public var stored: Version
        /// A version that it has held before.
        public var guarded: Version
    }

    /// What the guard beside the folder told when this store was opened, nil if the store is as new as it was.
    ///
    /// Its hub must begin a new epoch: other devices may know what the store has lost. Until then each opening tells it.
    public let wasPutBack: PutBack?
    let file: DatabaseFile
    let transferWriter: TransferWriter
    private let versionGuard: VersionGuard

    /// Opens the store of a folder, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder; it stays held as long as the store lives.
    ///   - firstEpoch: The epoch, of a random number, in which the history of a new store begins; an existing store
    ///     does not look at it.
    /// - Throws: ``StoreError``; an existing file was not changed then.
    public convenience init(in folder: StateFolder, firstEpoch: Epoch) throws(StoreError) {
        try self.init(in: folder, firstEpoch: firstEpoch) { ContinuousClock.now }
    }

    /// Opens the store of a folder under a clock by which the guard's writes are timed.
    init(
        in folder: StateFolder, firstEpoch: Epoch, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) throws(StoreError) {
        file = try DatabaseFile(.hub(firstEpoch: firstEpoch), in: folder)
        transferWriter = TransferWriter(file)
        versionGuard = VersionGuard(besides: folder.path, now: now)
        let stored = try file.read { try LedgerHead($0).version }
        guard let guarded = versionGuard.read(), !file.wasCreated else {
            wasPutBack = nil
            versionGuard.note(stored)
            return
        }
        let hasLost = try file.read { try Self.hasLost(guarded, stored: stored, $0) }
        wasPutBack = hasLost ? PutBack(stored: stored, guarded: guarded) : nil
        // Before the new epoch has begun, the guard must go on telling.
        if !hasLost { versionGuard.note(stored) }
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file; the next use opens it again.
    public func close() {
        transferWriter.forget()
        file.close()
        versionGuard.write()
    }

    /// All that the history has come to.
    ///
    /// - Throws: ``StoreError``.
    public func load() throws(StoreError) -> LedgerState {
        try file.read { try Self.state($0) }
    }

    private static func state(_ database: Database) throws -> LedgerState {
        let head = try LedgerHead(database)
        let seen = try RecentRows.all(database)
        var state = LedgerState(
            version: head.version, chain: SortedMap(), lineage: SortedMap(), cells: SortedMap(),
            conflicts: try UploadRows.conflicts(database), bringers: try UploadRows.bringers(database),
            uploads: try UploadRows.marks(database, seen: seen), written: seen[UploadRows.hub] ?? RecentIDs(),
            lastStamp: head.lastStamp)
        for var row in try database.rows(of: "chain", sql: "ORDER BY revision") {
            state.chain[try row.number()] = try row.number()
        }
        for var row in try database.rows(of: "lineage", sql: "ORDER BY epoch") {
            state.lineage[Epoch(number: try row.number())] = try row.number()
        }
        for var row in try database.rows(of: "cell", sql: "ORDER BY kind, record, fields") {
            let (key, cell) = try row.cell()
            state.cells[key] = cell
        }
        try check(state, contents: head.contents, database)
        return state
    }

    /// Makes a transaction durable as a whole, or throws and leaves nothing of it.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unexpectedVersion(path:stored:expected:)`` if it does not continue what
    ///   is stored.
    public func commit(_ transaction: Transaction) throws(StoreError) {
        if !transaction.forgotten.isEmpty { transferWriter.forget() }
        do throws(StoreError) {
            try file.write { database in
                try append(transaction, database)
            }
        } catch {
            try settle(transaction, after: error)
        }
        if wasPutBack == nil || transaction.after.epoch != wasPutBack?.stored.epoch {
            versionGuard.note(transaction.after)
        }
    }

    /// The last transactions of the log, oldest first.
    ///
    /// - Parameter count: How many at most; the log keeps the last ``LoggedTransaction/countMax``.
    /// - Returns: The transactions, fewer if there are no more.
    /// - Throws: ``StoreError``.
    public func loggedTransactions(last count: Int) throws(StoreError) -> [LoggedTransaction] {
        try file.read { database in
            try LoggedTransaction.fetch(last: count, database)
        }
    }

    /// Copies the store as it is at one moment, while it may be in use, to a new file that is for this user only.
    ///
    /// The copy is checked row by row, and is on the disk when this returns. Put in the place of the store's file of a
    /// hub that does not run, it is the hub's past.
    ///
    /// - Parameter path: The file to create, in a folder that exists.
    /// - Throws: ``StoreError``, ``StoreError/exists(path:)`` if something has that name already; no file was created
    ///   then.
    public func backUp(to path: String) throws(StoreError) {
        try file.backUp(to: path) { _ = try Self.state($0) }
    }

    // MARK: - Writing

    private func append(_ transaction: Transaction, _ database: Database) throws {
        var head = try LedgerHead(database)
        guard head.version == transaction.before else {
            throw StoreError.unexpectedVersion(path: path, stored: head.version, expected: transaction.before)
        }
        for (key, cell) in transaction.written.pairs {
            head.contents &-= try database.removeCell(key)
            head.contents &+= try database.putCell(cell, at: key)
        }
        for key in transaction.removed { head.contents &-= try database.removeCell(key) }
        head.contents &+= try UploadRows.append(transaction, database)
        for peer in transaction.forgotten { try TransferRows.forget(peer.hexadecimal, database) }
        if transaction.forks {
            head.contents &+= try leave(transaction.before, database)
        }
        try database.putDigest(transaction.after.chain, of: transaction.after.revision)
        let (oldest, isYoung) = transaction.after.revision.subtractingReportingOverflow(
            UInt64(LedgerState.chainCountMax))
        if !isYoung {
            try database.cachedStatement(sql: "DELETE FROM chain WHERE revision <= ?")
                .execute(arguments: [oldest.column])
        }
        try LoggedTransaction(transaction).append(to: database)
        head.version = transaction.after
        head.lastStamp = transaction.stamp
        try head.put(into: database)
    }

    /// Writes down where the history leaves an epoch; gives the change of the sum of checksums.
    private func leave(_ version: Version, _ database: Database) throws -> Int64 {
        try database.execute(sql: "DELETE FROM chain")
        let epoch = version.epoch.number.column
        let removed = try database.remove(from: "lineage", where: "epoch = ?", [epoch])
        let added = try database.put([epoch, version.revision.column], into: "lineage")
        // As the ledger does it: beyond the bound the epoch goes that was left at the lowest revision.
        let oldest = try database.remove(
            from: "lineage",
            where: """
                (SELECT count(*) FROM lineage) > ?
                AND epoch = (SELECT epoch FROM lineage ORDER BY revision, epoch LIMIT 1)
                """, [LedgerState.lineageCountMax])
        return added &- removed &- oldest
    }

    /// Decides what a failed commit was.
    func settle(_ transaction: Transaction, after failure: StoreError) throws(StoreError) {
        try file.settle(after: failure) { try LedgerHead($0).version == transaction.after }
    }

    // MARK: - Checking

    /// Whether the history of the store lacks a version that it once held.
    private static func hasLost(_ guarded: Version, stored: Version, _ database: Database) throws -> Bool {
        guard guarded.epoch == stored.epoch else {
            return try database.rows(
                of: "lineage", sql: "WHERE epoch = ?", arguments: [guarded.epoch.number.column]
            ).isEmpty
        }
        guard guarded.revision <= stored.revision else { return true }
        let rows = try database.rows(of: "chain", sql: "WHERE revision = ?", arguments: [guarded.revision.column])
        // An old revision's digest may be forgotten; then there is nothing to compare.
        guard var row = rows.first else { return false }
        _ = try row.number()
        return try row.number() != guarded.chain
    }

    /// Finds rows that are missing or come from another time of the store.
    private static func check(_ state: LedgerState, contents: Int64, _ database: Database) throws {
        guard try database.sumOfChecksums(LedgerHead.tables) == contents else {
            throw Damage(
                finding: "the rows of the tables \(LedgerHead.tables.joined(separator: ", ")) "
                    + "are not those that were written")
        }
        let revisions = state.chain.keys
        guard revisions.last == state.version.revision, state.chain[state.version.revision] == state.version.chain,
            zip(revisions, revisions.dropFirst()).allSatisfy({ $1 - $0 == 1 })
        else {
            throw Damage(finding: "the rows of the table chain do not lead to revision \(state.version.revision)")
        }
    }
}
