internal import GRDB
public import SyncCore

/// A hub's ledger on the disk: one SQLite file, `hub.sqlite`, in a state folder.
///
/// A commit is on the disk when it returns, and is there as a whole or not at all after any crash. What is read is
/// checked, row by row. A damaged file is refused and left as it is: only a person can tell what is lost with it.
///
/// Its functions may be called on any thread, one at a time.
public final class HubStore: HubStorage {
    let file: DatabaseFile

    /// Opens the store of a folder, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - folder: The folder; it stays held as long as the store lives.
    ///   - firstEpoch: The epoch, of a random number, in which the history of a new store begins; an existing store
    ///     does not look at it.
    /// - Throws: ``StoreError``; an existing file was not changed then.
    public init(in folder: StateFolder, firstEpoch: Epoch) throws(StoreError) {
        file = try DatabaseFile(.hub(firstEpoch: firstEpoch), in: folder)
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file; the next use opens it again.
    public func close() {
        file.close()
    }

    /// All that the history has come to.
    ///
    /// - Throws: ``StoreError``.
    public func load() throws(StoreError) -> LedgerState {
        try file.read { database in
            let head = try LedgerHead(database)
            var state = LedgerState(
                version: head.version, chain: SortedMap(), lineage: SortedMap(), cells: SortedMap(),
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
            try Self.check(state, contents: head.contents, database)
            return state
        }
    }

    /// Makes a transaction durable as a whole, or throws and leaves nothing of it.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unexpectedVersion(path:stored:expected:)`` if it does not continue what
    ///   is stored.
    public func commit(_ transaction: Transaction) throws(StoreError) {
        do throws(StoreError) {
            try file.write { database in
                try append(transaction, database)
            }
        } catch {
            try settle(transaction, after: error)
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

    // MARK: - Writing

    private func append(_ transaction: Transaction, _ database: Database) throws {
        var head = try LedgerHead(database)
        guard head.version == transaction.before else {
            throw StoreError.unexpectedVersion(path: path, stored: head.version, expected: transaction.before)
        }
        for key in transaction.removed + transaction.written.keys {
            head.contents &-= try database.removeCell(key)
        }
        for (key, cell) in transaction.written.pairs {
            head.contents &+= try database.putCell(cell, at: key)
        }
        if transaction.forks {
            head.contents &+= try leave(transaction.before, database)
        }
        try database.putDigest(transaction.after.chain, of: transaction.after.revision)
        let (oldest, isYoung) = transaction.after.revision.subtractingReportingOverflow(UInt64(Ledger.chainCountMax))
        if !isYoung {
            try database.execute(sql: "DELETE FROM chain WHERE revision <= ?", arguments: [oldest.column])
        }
        try LoggedTransaction(transaction).append(to: database)
        head.version = transaction.after
        head.lastStamp = transaction.stamp
        try head.put(into: database)
    }

    /// Writes down where the history leaves an epoch; gives the change of the sum of checksums.
    private func leave(_ version: Version, _ database: Database) throws -> Int64 {
        try database.execute(sql: "DELETE FROM chain")
        let before = try Int64.fetchOne(
            database, sql: "DELETE FROM lineage WHERE epoch = ? RETURNING checksum",
            arguments: [version.epoch.number.column])
        return try database.put([version.epoch.number.column, version.revision.column], into: "lineage")
            - (before ?? 0)
    }

    /// Decides what a failed commit was.
    ///
    /// If the disk failed late, the transaction may already stand complete in the journal, where a crash would bring
    /// it to light. Opening the file anew settles it: then it either counts, or is gone for good.
    func settle(_ transaction: Transaction, after failure: StoreError) throws(StoreError) {
        guard case .diskFailed = failure else { throw failure }
        file.close()
        // If the disk does not even let us look, the next commit finds out; this one did not succeed as far as we know.
        guard let stored = try? file.read({ try LedgerHead($0).version }), stored == transaction.after else {
            throw failure
        }
    }

    // MARK: - Checking

    /// Finds rows that are missing or come from another time of the store.
    private static func check(_ state: LedgerState, contents: Int64, _ database: Database) throws {
        let sum = try Int64.fetchOne(
            database,
            sql: """
                SELECT (SELECT coalesce(sum(checksum), 0) FROM cell)
                    + (SELECT coalesce(sum(checksum), 0) FROM lineage)
                """)
        guard sum == contents else {
            throw Damage(finding: "the rows of the tables cell and lineage are not those that were written")
        }
        let revisions = state.chain.keys
        guard revisions.last == state.version.revision, state.chain[state.version.revision] == state.version.chain,
            zip(revisions, revisions.dropFirst()).allSatisfy({ $1 - $0 == 1 })
        else {
            throw Damage(finding: "the rows of the table chain do not lead to revision \(state.version.revision)")
        }
    }
}
