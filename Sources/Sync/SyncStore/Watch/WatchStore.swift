internal import GRDB
public import SyncCore

/// A watch's memory on the disk: one SQLite file, `watch.sqlite`, in a state folder.
///
/// A record is on the disk when a write returns, and is there as a whole or not at all after any crash. What a person
/// changed, and the hub has not confirmed, is nowhere else: if the file is damaged, what can be read of it goes into a
/// new one, and the damaged one is moved aside. The hub has all the rest.
///
/// Its functions may be called on any thread, one at a time.
public final class WatchStore: WatchStorage {
    /// A damaged file that was moved aside.
    public struct SetAside: Hashable, Sendable {
        /// Where the file lies now; the next one takes its place.
        public var path: String
        /// What was found in it.
        public var finding: String
        /// The edits and other uploads that wait for the hub, saved from it.
        public var savedUploadCount: Int
        /// The confirmed edits that were saved from it.
        public var savedJournalCount: Int
        /// The items of user info, to the hub and from it, that were saved from it.
        public var savedItemCount: Int
        /// The files that wait for the hub, or for the application, that were saved from it.
        public var savedFileCount: Int
        /// The rows of all these that could not be read; nil if the file does not even tell their number.
        public var unreadableCount: Int?
    }

    /// The damaged file that was moved aside when this store was opened, nil if there was none.
    public let setAside: SetAside?
    let file: DatabaseFile
    private let transferWriter: TransferWriter

    /// Opens the store of a folder, and creates it if it does not exist or is damaged.
    ///
    /// - Parameter folder: The folder; it stays held as long as the store lives.
    /// - Throws: ``StoreError``; an existing file was not changed then.
    public convenience init(in folder: StateFolder) throws(StoreError) {
        var generator = SystemRandomNumberGenerator()
        try self.init(in: folder, newIncarnation: RandomID(using: &generator))
    }

    /// Opens the store of a folder, and creates it if it does not exist or is damaged.
    ///
    /// - Parameters:
    ///   - folder: The folder; it stays held as long as the store lives.
    ///   - incarnation: 128 random bits, the name of the numbering of a store that is created or has to be repaired.
    /// - Throws: ``StoreError``; an existing file was not changed then.
    public init(in folder: StateFolder, newIncarnation incarnation: RandomID) throws(StoreError) {
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
        setAside = file.hasTakenPlace ? try Self.report(interrupted: file) : nil
    }

    /// The path of the file.
    public var path: String { file.path }

    /// Closes the file; the next use opens it again.
    public func close() {
        transferWriter.forget()
        file.close()
    }

    /// All that the watch remembers.
    ///
    /// - Throws: ``StoreError``.
    public func load() throws(StoreError) -> WatchEngine.State {
        try Self.state(file)
    }

    /// Makes a record durable as a whole, or throws and leaves nothing of it.
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

    /// Makes records of the user info and the files durable, all or none of them.
    ///
    /// - Throws: ``StoreError``; nothing of them was kept then.
    public func write(_ records: [TransferRecord]) throws(StoreError) {
        try transferWriter.commit(records, of: ExchangeTables.hub)
    }

    /// Writes all or nothing; a write whose end is in doubt is known again by its number.
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
        // Only reading everything shows whether it is what was written.
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

    /// Puts a new store in the place of a damaged one, with all that can be read of that.
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

    /// The report of a repair that a crash had interrupted when everything was saved already.
    private static func report(interrupted file: DatabaseFile) throws(StoreError) -> SetAside {
        let state = try state(file)
        return SetAside(
            path: DatabaseFile.placeAside(of: file.path), finding: "it was being repaired when a crash came",
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
