internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a hub; a new one begins with the given epoch.
    static func hub(firstEpoch: Epoch) -> DatabaseKind {
        DatabaseKind(
            fileName: "hub.sqlite", applicationID: 0x5053_5748, step: "6 records",
            tables: [LedgerTables.head] + LedgerTables.summed + ExchangeTables.all, otherTables: LoggedTransaction.sql,
            earlierSteps: [
                "1 ledger and log", "2 edits", "3 items and files", "4 rejected writes and bringers",
                "5 items by number",
            ]
        ) { database in
            try LedgerRows.fill(with: LedgerState(newEpoch: firstEpoch), database)
        }
    }
}

/// The tables of a hub's ledger.
enum LedgerTables {
    /// One row: the ``LedgerHead``.
    static let head = RecordTable("head", .numbers)
    /// The chain digests of the latest revisions, by revision.
    static let chain = RecordTable("chain", .bytes)
    /// The revision at which each former epoch ended, by epoch.
    static let lineage = RecordTable("lineage", .bytes)
    static let cells = RecordTable("cell", .bytes)
    /// The open conflicts, by the id of the rejected write.
    static let conflicts = RecordTable("conflict", .bytes)
    /// The upload progress of each watch, by watch.
    static let uploads = RecordTable("upload", .bytes)
    /// The outcomes of uploads, by watch and sequence number.
    static let outcomes = RecordTable("outcome", .bytes)
    /// The latest rejected writes, by watch and consecutive ordinals.
    static let rejected = RecordTable("rejected", .bytes)
    /// The ids of the latest accepted uploads, by watch and consecutive ordinals.
    static let taken = RecordTable("taken", .bytes, hasIDs: true)
    /// The ids of the hub's own latest writes, by consecutive ordinals.
    static let written = RecordTable("written", .bytes, hasIDs: true)

    /// The tables whose rows are included in the head's sum.
    static let summed = [chain, lineage, cells, conflicts, uploads, outcomes, rejected, taken, written]
}

/// The row with the current version, and the count and the checksum sum of the other rows.
struct LedgerHead {
    var version: Version
    var lastStamp: Stamp?
    var sum = RowSum()

    init(version: Version, lastStamp: Stamp?, sum: RowSum = RowSum()) {
        self.version = version
        self.lastStamp = lastStamp
        self.sum = sum
    }

    init(_ database: Database) throws {
        self = try LedgerTables.head.onlyRecord(database)
    }

    func put(into database: Database) throws {
        try LedgerTables.head.put(self, at: .number(1), database)
    }
}

extension LedgerHead: RecordCodable {
    static func code(_ value: LedgerHead?, _ coder: inout RecordCoder) throws(CodecError) -> LedgerHead {
        LedgerHead(
            version: try coder(value?.version), lastStamp: try coder.optional(value?.lastStamp),
            sum: try coder(value?.sum))
    }
}

/// An open conflict, with the watch whose upload caused it.
struct StoredConflict: RecordCodable {
    var conflict: Conflict
    var bringer: PeerKey?

    static func code(_ value: StoredConflict?, _ coder: inout RecordCoder) throws(CodecError) -> StoredConflict {
        StoredConflict(conflict: try coder(value?.conflict), bringer: try coder.optional(value?.bringer))
    }
}
