internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a watch; a new one begins with the given incarnation.
    static func watch(newIncarnation incarnation: RandomID) -> DatabaseKind {
        DatabaseKind(
            fileName: "watch.sqlite", applicationID: 0x5053_5757, step: "6 records",
            tables: [
                WatchTables.head, WatchTables.state, WatchTables.uploads, WatchTables.journal, WatchTables.registers,
            ] + ExchangeTables.all,
            earlierSteps: ["1 state and registers", "2 edits", "3 items and files", "5 items by number"],
            laterSteps: [LaterStep(name: "7 deltas", tables: [WatchTables.deltas])]
        ) { database in
            // Written from the start, so that a missing row is detected.
            try ReplicaRows.fill(with: ReplicaState(incarnation: incarnation), database)
        }
    }
}

/// The tables of a watch.
enum WatchTables {
    /// One row: the ``WatchHead``.
    static let head = RecordTable("head", .numbers)
    /// Values that are written as a whole, by ``StateKey``.
    static let state = RecordTable("state", .numbers)
    /// The pending uploads, by sequence number.
    static let uploads = RecordTable("upload", .bytes)
    /// The latest confirmed edits, by consecutive ordinals.
    static let journal = RecordTable("journal", .bytes)
    /// What has changed in the snapshot since it was stored as a whole, by consecutive ordinals from 1.
    static let deltas = RecordTable("delta", .numbers)
    /// The registers, by name.
    ///
    /// The hub sends missing ones again.
    static let registers = RecordTable("register", .bytes)

    /// The tables whose rows are included in the head's sum.
    static let summed = [uploads, journal, deltas]

    /// The keys of the table ``state``.
    enum StateKey: Int64, CaseIterable {
        case snapshot = 1
        case fence = 2
        case deletions = 3

        var key: RowKey { .number(rawValue) }
    }
}

/// The row with the upload numbering of a watch, and the count and the checksum sum of the other rows.
struct WatchHead {
    var incarnation: RandomID
    var nextSequence: UInt64 = 1
    /// The number of writes so far.
    ///
    /// It shows whether a write that failed late took effect.
    var writeCount: Int64 = 0
    /// The sum of the pending uploads, the journal and the deltas.
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

/// The snapshot as it was last stored as a whole; nil if none was received yet.
struct StoredSnapshot: RecordCodable {
    var snapshot: Snapshot?

    static func code(_ value: StoredSnapshot?, _ coder: inout RecordCoder) throws(CodecError) -> StoredSnapshot {
        StoredSnapshot(snapshot: try coder.optional(value?.snapshot))
    }
}
