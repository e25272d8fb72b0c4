internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a hub that begins its history with an epoch.
    static func hub(firstEpoch: Epoch) -> DatabaseKind {
        DatabaseKind(
            fileName: "hub.sqlite", applicationID: 0x5053_5748, step: "6 records",
            tables: [LedgerTables.head] + LedgerTables.summed + ExchangeTables.all, otherTables: LoggedTransaction.sql,
            earlier: earlierHub
        ) { database in
            try LedgerRows.fill(with: LedgerState(newEpoch: firstEpoch), database)
        }
    }

    private static let earlierHub = EarlierFormat(steps: EarlierRecords.hubSteps, tables: EarlierRecords.hubTables) {
        database in
        let (ledger, transfers) = try EarlierRecords.hub(database)
        return { database in
            try LedgerRows.fill(with: ledger, database)
            for (peer, state) in transfers { try TransferRows.fill(state, of: peer.bytes, database) }
        }
    }
}

/// The tables of a hub's ledger.
enum LedgerTables {
    /// The one row of the ``LedgerHead``.
    static let head = RecordTable("head", .numbers)
    /// The digests of the last revisions, by revision.
    static let chain = RecordTable("chain", .bytes)
    /// The revisions at which epochs were left, by epoch.
    static let lineage = RecordTable("lineage", .bytes)
    static let cells = RecordTable("cell", .bytes)
    /// The open conflicts, by the write that lost.
    static let conflicts = RecordTable("conflict", .bytes)
    /// How far each watch's uploads were taken in, by watch.
    static let uploads = RecordTable("upload", .bytes)
    /// What became of uploads, by watch and number.
    static let outcomes = RecordTable("outcome", .bytes)
    /// The writes that were rejected last, by watch and ordinals without a hole.
    static let rejected = RecordTable("rejected", .bytes)
    /// What the last uploads are known by, by watch and ordinals without a hole.
    static let taken = RecordTable("taken", .bytes, hasIDs: true)
    /// The hub's own last writes, by ordinals without a hole.
    static let written = RecordTable("written", .bytes, hasIDs: true)

    /// The tables for whose rows the head answers.
    static let summed = [chain, lineage, cells, conflicts, uploads, outcomes, rejected, taken, written]
}

/// The one row that says where the history stands, and what the other rows must add up to.
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

/// An open conflict, with the watch whose upload brought it into the log.
struct StoredConflict: RecordCodable {
    var conflict: Conflict
    var bringer: PeerKey?

    static func code(_ value: StoredConflict?, _ coder: inout RecordCoder) throws(CodecError) -> StoredConflict {
        StoredConflict(conflict: try coder(value?.conflict), bringer: try coder.optional(value?.bringer))
    }
}
