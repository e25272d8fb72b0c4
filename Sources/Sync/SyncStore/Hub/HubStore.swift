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
        let hasLost = try file.read { try LedgerRows.hasLost(guarded, stored: stored, $0) }
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
        try file.read { try LedgerRows.state($0) }
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
        try file.backUp(to: path) { _ = try LedgerRows.state($0) }
    }

    // MARK: - Writing

    private func append(_ transaction: Transaction, _ database: Database) throws {
        var head = try LedgerHead(database)
        guard head.version == transaction.before else {
            throw StoreError.unexpectedVersion(path: path, stored: head.version, expected: transaction.before)
        }
        try LedgerRows.append(transaction, &head, database)
        for peer in transaction.forgotten { try TransferRows.forget(peer.bytes, database) }
        try LoggedTransaction(transaction).append(to: database)
        try head.put(into: database)
    }

    /// Decides what a failed commit was.
    func settle(_ transaction: Transaction, after failure: StoreError) throws(StoreError) {
        try file.settle(after: failure) { try LedgerHead($0).version == transaction.after }
    }
}
