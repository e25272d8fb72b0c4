internal import GRDB
public import SyncCore

/// A watch's state on the disk: one SQLite file, `watch.sqlite`, in a state folder.
///
/// A write is durable when it returns, and atomic: after a crash, either all of it is there or nothing. Edits that the
/// hub has not confirmed exist nowhere else. So if the file is damaged, everything readable is copied to a new file and
/// the damaged one is renamed. The hub has all other data.
///
/// The methods can be called on any thread, but only one at a time.
public final class WatchStore: WatchStorage {
    /// A damaged file that was set aside.
    public struct SetAside: Hashable, Sendable {
        /// The path of the damaged file.
        ///
        /// The next damaged file will overwrite it.
        public var path: String
        /// The damage that was found.
        public var finding: String
        /// The number of pending uploads that were recovered.
        public var savedUploadCount: Int
        /// The number of confirmed edits that were recovered.
        public var savedJournalCount: Int
        /// The number of user info items, sent and received, that were recovered.
        public var savedItemCount: Int
        /// The number of outgoing files and of received files not yet consumed that were recovered.
        public var savedFileCount: Int
        /// The number of rows of these kinds that could not be read; nil if the original number is unknown.
        public var unreadableCount: Int?
    }

    /// The damaged file that was set aside when this store was opened; nil if there was none.
    public let setAside: SetAside?
    let file: DatabaseFile
    private let transferWriter: TransferWriter

    /// Opens the store in a folder.
    ///
    /// Creates it if it does not exist, and repairs it if it is damaged.
    ///
    /// - Parameter folder: The state folder. The store keeps it locked.
    /// - Throws: ``StoreError``; an existing file was not changed in that case.
    public convenience init(in folder: StateFolder) throws(StoreError) {
        var generator = SystemRandomNumberGenerator()
        try self.init(in: folder, newIncarnation: RandomID(using: &generator))
    }

    /// Opens the store in a folder.
    ///
    /// Creates it if it does not exist, and repairs it if it is damaged.
    ///
    /// - Parameters:
    ///   - folder: The state folder. The store keeps it locked.
    ///   - incarnation: 128 random bits: the incarnation of a store that is created or repaired.
    /// - Throws: ``StoreError``; an existing file was not changed in that case.
    package init(in folder: StateFolder, newIncarnation incarnation: RandomID) throws(StoreError) {
        let kind = DatabaseKind.watch(newIncarnation: incarnation)
        do throws(StoreError) {
            file = try Self.open(kind, in: folder)
        } catch {
            guard case .damaged(_, let finding) = error else { throw error }
            setAside = try Self.repair(kind, in: folder, newIncarnation: incarnation, finding: finding)
            file = try Self.open(kind, in: folder)
            transferWriter = TransferWriter(file)
            return
        }
        transferWriter = TransferWriter(file)
        setAside = file.hasReplacedDamaged ? try Self.report(interrupted: file) : nil
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file.
    ///
    /// The next use opens it again.
    public func close() {
        transferWriter.forget()
        file.close()
    }

    /// Reads the complete state of the watch.
    ///
    /// - Throws: ``StoreError``.
    public func load() throws(StoreError) -> WatchEngine.State {
        try Self.state(file)
    }

    /// Makes a record durable; nothing of it is kept if this throws.
    ///
    /// - Throws: ``StoreError``.
    public func write(_ record: WatchEngine.Record) throws(StoreError) {
        switch record {
        case .replica(let record):
            try write { database, head in
                try ReplicaRows.append(record, &head, database)
            }
        case .registers(let registers, let fence):
            try write { database, _ in
                for register in registers {
                    try WatchTables.registers.put(register, at: RowKey(of: register.register.key), database)
                }
                try ReplicaRows.put(fence, database)
            }
        case .transfer(let record):
            try write([record])
        }
    }

    /// Makes records of user info and files durable, in one transaction.
    ///
    /// - Throws: ``StoreError``; nothing was written in that case.
    package func write(_ records: [TransferRecord]) throws(StoreError) {
        try transferWriter.commit(records, of: ExchangeTables.hub)
    }

    /// Writes in one transaction.
    ///
    /// The write count shows whether a write that failed late took effect.
    private func write(_ work: (Database, inout WatchHead) throws -> Void) throws(StoreError) {
        var number: Int64?
        do throws(StoreError) {
            try file.write { database in
                var head = try WatchHead(database)
                head.writeCount += 1
                number = head.writeCount
                try work(database, &head)
                try head.put(into: database)
            }
        } catch {
            try file.settle(after: error) { try WatchHead($0).writeCount == number }
        }
    }

    // MARK: - Opening

    private static func open(_ kind: DatabaseKind, in folder: StateFolder) throws(StoreError) -> DatabaseFile {
        let file = try DatabaseFile(kind, in: folder)
        // Damage is found only by reading everything.
        _ = try state(file)
        return file
    }

    private static func state(_ file: DatabaseFile) throws(StoreError) -> WatchEngine.State {
        try file.read { database in
            var registers = SortedMap<String, HeldRegister>()
            for row in try WatchTables.registers.rows(nil, database) {
                let register: HeldRegister = try row.record()
                registers[register.register.key] = register
            }
            return WatchEngine.State(
                replica: try ReplicaRows.state(database), registers: registers,
                transfers: try TransferRows.state(with: ExchangeTables.hub, database))
        }
    }

    // MARK: - Repairing

    /// Replaces a damaged store with a new one that holds everything readable.
    private static func repair(
        _ kind: DatabaseKind, in folder: StateFolder, newIncarnation incarnation: RandomID, finding: String
    ) throws(StoreError) -> SetAside {
        let salvaged = RecoveredMemory(path: folder.path(of: kind.fileName))
        let state = salvaged.state(newIncarnation: incarnation)
        let place = try DatabaseFile.replace(kind, in: folder) { database in
            try ReplicaRows.fill(with: state, database)
            try TransferRows.fill(salvaged.transfers, of: ExchangeTables.hub, database)
        }
        return SetAside(
            path: place, finding: finding, state, salvaged.transfers, unreadableCount: salvaged.lostCount)
    }

    /// The report of a repair that a crash interrupted after the new store was complete.
    private static func report(interrupted file: DatabaseFile) throws(StoreError) -> SetAside {
        let state = try state(file)
        return SetAside(
            path: DatabaseFile.quarantinePath(of: file.path), finding: "it was being repaired when a crash came",
            state.replica, state.transfers, unreadableCount: nil)
    }
}

extension WatchStore.SetAside {
    fileprivate init(
        path: String, finding: String, _ state: ReplicaState, _ transfers: TransferState, unreadableCount: Int?
    ) {
        let (exchange, files) = (transfers.exchange, transfers.files)
        self.init(
            path: path, finding: finding, savedUploadCount: state.pending.count,
            savedJournalCount: state.journal.count,
            savedItemCount: exchange.outboxes.urgent.items.count + exchange.outboxes.ordinary.items.count
                + exchange.inbox.items.count,
            savedFileCount: files.queue.count + files.received.count, unreadableCount: unreadableCount)
    }
}
