internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a watch, whose first numbering of uploads has this name.
    static func watch(newIncarnation incarnation: RandomID) -> DatabaseKind {
        DatabaseKind(
            fileName: "watch.sqlite", applicationID: 0x5053_5757, step: "6 records",
            tables: [
                WatchTables.head, WatchTables.state, WatchTables.uploads, WatchTables.journal, WatchTables.registers,
            ] + ExchangeTables.all, earlier: earlierWatch
        ) { database in
            // Written from the start, so that a missing row shows.
            try ReplicaRows.fill(with: ReplicaState(incarnation: incarnation), database)
        }
    }

    private static let earlierWatch = EarlierFormat(
        steps: EarlierRecords.watchSteps, tables: EarlierRecords.watchTables
    ) { database in
        let (replica, registers, transfers) = try EarlierRecords.watch(database)
        return { database in
            try ReplicaRows.fill(with: replica, database)
            for register in registers {
                try WatchTables.registers.put(register, at: RowKey(of: register.register.key), database)
            }
            for state in transfers { try TransferRows.fill(state, of: ExchangeTables.hub, database) }
        }
    }
}

/// The tables of a watch.
enum WatchTables {
    /// The one row of the ``WatchHead``.
    static let head = RecordTable("head", .numbers)
    /// What is written as a whole, by ``StateKey``.
    static let state = RecordTable("state", .numbers)
    /// The uploads that wait for the hub, by their number.
    static let uploads = RecordTable("upload", .bytes)
    /// The edits that were confirmed last, by ordinals without a hole.
    static let journal = RecordTable("journal", .bytes)
    /// The registers, by name; the hub sends again what is missing.
    static let registers = RecordTable("register", .bytes)

    /// The tables for whose rows the head answers.
    static let summed = [uploads, journal]

    /// The rows of the table ``state``.
    enum StateKey: Int64, CaseIterable {
        case snapshot = 1
        case fence = 2
        case deletions = 3

        var key: RowKey { .number(rawValue) }
    }
}

/// The one row that says how far a watch has numbered its uploads, and what the other rows must add up to.
struct WatchHead {
    var incarnation: RandomID
    var nextSequence: UInt64 = 1
    /// The writes to the store so far, by which one is known again whose end was in doubt.
    var writeCount: Int64 = 0
    /// The uploads that wait, and the edits in the journal.
    var sum = RowSum()

    init(incarnation: RandomID, nextSequence: UInt64 = 1, writeCount: Int64 = 0, sum: RowSum = RowSum()) {
        self.incarnation = incarnation
        self.nextSequence = nextSequence
        self.writeCount = writeCount
        self.sum = sum
    }

    init(_ database: Database) throws {
        self = try WatchTables.head.onlyRecord(database)
    }

    func put(into database: Database) throws {
        try WatchTables.head.put(self, at: .number(1), database)
    }
}

extension WatchHead: RecordCodable {
    static func code(_ value: WatchHead?, _ coder: inout RecordCoder) throws(CodecError) -> WatchHead {
        WatchHead(
            incarnation: try coder(value?.incarnation), nextSequence: try coder(value?.nextSequence),
            writeCount: try coder(value?.writeCount), sum: try coder(value?.sum))
    }
}

/// A snapshot, or that none was received yet.
struct StoredSnapshot: RecordCodable {
    var snapshot: Snapshot?

    static func code(_ value: StoredSnapshot?, _ coder: inout RecordCoder) throws(CodecError) -> StoredSnapshot {
        StoredSnapshot(snapshot: try coder.optional(value?.snapshot))
    }
}
