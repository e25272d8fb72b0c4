internal import GRDB
internal import Platform
public import SyncCore

/// A hub's ledger on the disk: one SQLite file, `hub.sqlite`, in a state folder.
///
/// A commit is durable when it returns, and atomic: after a crash, either all of it is there or nothing. Every row is
/// checked when it is read. A damaged file is rejected and left as it is, because only the user can decide what to do
/// about the lost data.
///
/// A small file beside the folder, `<folder>.guard`, holds the version. With it, the store detects at opening that the
/// folder was restored from a backup.
///
/// The methods can be called on any thread, but only one at a time.
public final class HubStore: HubStorage {
    /// A store that is older than its guard file says: the folder was restored from a backup, or its last commits are
    /// lost.
    public struct PutBack: Hashable, Sendable {
        /// The version of the store.
        public var stored: Version
        /// The version in the guard file.
        public var guarded: Version
    }

    /// The versions of a restored store; nil if the store is as new as its guard file says.
    ///
    /// The hub must begin a new epoch (``beginEpoch()``), because other devices may know what the store has lost. Until
    /// then, every opening reports it.
    public let wasPutBack: PutBack?
    let file: DatabaseFile
    let transferWriter: TransferWriter
    /// What is known of the log.
    let logByteCounts = Lock<LoggedTransaction.ByteCounts>([:])
    private let versionGuard: VersionGuard

    /// Opens the store in a folder.
    ///
    /// Creates it, with a new history, if it does not exist.
    ///
    /// - Parameter folder: The state folder. The store keeps it locked.
    /// - Throws: ``StoreError``; an existing file was not changed in that case.
    public convenience init(in folder: StateFolder) throws(StoreError) {
        try self.init(in: folder, firstEpoch: Epoch(number: .random(in: 1...(.max))))
    }

    /// Opens the store in a folder.
    ///
    /// Creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The state folder. The store keeps it locked.
    ///   - firstEpoch: The first epoch of a new store, with a random number. It is ignored if the store exists.
    /// - Throws: ``StoreError``; an existing file was not changed in that case.
    package convenience init(in folder: StateFolder, firstEpoch: Epoch) throws(StoreError) {
        try self.init(in: folder, firstEpoch: firstEpoch) { ContinuousClock.now }
    }

    /// Opens the store with a clock for the interval between the guard's writes.
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
        // A restored store must be reported until the new epoch has begun, so the guard file keeps its version.
        if !hasLost { versionGuard.note(stored) }
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file.
    ///
    /// The next use opens it again.
    public func close() {
        transferWriter.forget()
        file.close()
        versionGuard.write()
    }

    /// Reads the complete state of the ledger.
    ///
    /// - Throws: ``StoreError``.
    public func load() throws(StoreError) -> LedgerState {
        try file.read { try LedgerRows.state($0) }
    }

    /// Makes a transaction durable; nothing of it is kept if this throws.
    ///
    /// - Throws: ``StoreError``; ``StoreError/unexpectedVersion(path:stored:expected:)`` if the transaction does not
    ///   follow the stored version.
    public func commit(_ transaction: Transaction) throws(StoreError) {
        try commit([transaction])
    }

    /// Makes a group of transactions durable in one step; nothing of any of them is kept if this throws.
    ///
    /// - Parameter group: The transactions, each for the version that results from the one before it; at least one.
    /// - Throws: ``StoreError``; ``StoreError/unexpectedVersion(path:stored:expected:)`` if a transaction does not
    ///   follow the version before it, which is the stored one for the first.
    public func commit(_ group: [Transaction]) throws(StoreError) {
        guard let last = group.last else { preconditionFailure("a group of no transactions") }
        if group.contains(where: { !$0.forgotten.isEmpty }) { transferWriter.forget() }
        do throws(StoreError) {
            try file.write { database in
                var head = try LedgerHead(database)
                for transaction in group { try append(transaction, &head, database) }
                try head.put(into: database)
            }
        } catch {
            logByteCounts.withLock { $0 = [:] }
            try settle(last, after: error)
        }
        if wasPutBack == nil || last.after.epoch != wasPutBack?.stored.epoch {
            versionGuard.note(last.after)
        }
    }

    /// Begins a new epoch, because the store is an earlier copy of what other devices may know.
    ///
    /// For a store that no hub uses yet: after ``wasPutBack``, and after a restore of a backup.
    ///
    /// - Throws: ``StoreError``.
    public func beginEpoch() throws(StoreError) {
        var seeds = SystemRandomNumberGenerator()
        var generator = SplitMix64(seed: seeds.next())
        try commit(Ledger(state: load()).prepareFork(generator: &generator))
    }

    /// The latest transactions of the log, oldest first.
    ///
    /// - Parameter count: The maximum number to return. The log keeps ``LoggedTransaction/countMax`` transactions
    ///   of the hub, and ``LoggedTransaction/countMaxOfWatch`` of each watch.
    /// - Returns: The transactions; fewer than `count` if the log has fewer.
    /// - Throws: ``StoreError``.
    package func loggedTransactions(last count: Int) throws(StoreError) -> [LoggedTransaction] {
        try file.read { database in
            try LoggedTransaction.fetch(last: count, database)
        }
    }

    /// Who wanted the transactions with some stamps, as far as the log has them and names somebody.
    ///
    /// - Parameter stamps: The stamps of the transactions, which are those of the hub's own writes in them.
    /// - Returns: The authors by the stamps.
    /// - Throws: ``StoreError``.
    package func loggedAuthors(of stamps: Set<Stamp>) throws(StoreError) -> [Stamp: String] {
        guard !stamps.isEmpty else { return [:] }
        return try file.read { database in
            try LoggedTransaction.authors(of: stamps, database)
        }
    }

    /// Writes a backup of the store to a new file that only this user can read.
    ///
    /// The store can be in use meanwhile.
    ///
    /// The backup is a copy of one point in time. Its rows are checked, and it is durable when this returns. If it
    /// replaces the store's file while the hub is stopped, the hub has its earlier state.
    ///
    /// - Parameter path: The file to create. Its folder must exist.
    /// - Throws: ``StoreError``, such as ``StoreError/exists(path:)`` if the path exists; no file was created in that
    ///   case.
    public func backUp(to path: String) throws(StoreError) {
        try file.backUp(to: path) { _ = try LedgerRows.state($0) }
    }

    // MARK: - Writing

    private func append(_ transaction: Transaction, _ head: inout LedgerHead, _ database: Database) throws {
        guard head.version == transaction.before else {
            throw StoreError.unexpectedVersion(path: path, stored: head.version, expected: transaction.before)
        }
        try LedgerRows.append(transaction, &head, database)
        for peer in transaction.forgotten { try TransferRows.forget(peer.bytes, database) }
        try logByteCounts.withLock { try LoggedTransaction(transaction).append(counting: &$0, to: database) }
    }

    /// Determines whether a failed commit took effect, of which this is the last transaction.
    func settle(_ transaction: Transaction, after failure: StoreError) throws(StoreError) {
        try file.settle(after: failure) { try LedgerHead($0).version == transaction.after }
    }
}
