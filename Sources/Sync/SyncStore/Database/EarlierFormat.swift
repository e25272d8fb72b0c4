internal import GRDB

// What to remove in version 0.2, and nothing else:
//
// Whole files: this one, Conversion/EarlierRecords.swift, the folder Fixtures/stores, and of Tests/Sync/SyncStoreTests
// EarlierFormatTests.swift and Support/SampleStores.swift.
//
// Hub/HubTables.swift, Watch/WatchTables.swift, Keyed/KeyedTables.swift: `earlierHub`, `earlierWatch`, `earlierKeyed`. Each
// was the argument `earlier`, which becomes `earlierSteps`, with the names of `hubSteps`, `watchSteps`, `keyedSteps`.
//
// Database/DatabaseKind.swift: the property `earlier` becomes `earlierSteps: [String]`, so that a file in the format is still
// refused as too old, not as too new. In `migrator` only the two lines after `else` stay. In `checkSteps` the steps that are
// not newer are `earlierSteps + [step]`, and the last guard is only `steps.contains(step)`; its reason names version 0.1.
//
// Watch/RecoveredMemory.swift: in `read(_:)` the guard with `kind.earlier`; all of `take(_:_:)`.
//
// Database/RecoveryScan.swift: nothing else reads `database` or calls `rows(of:by:_:)`, which become private.
//
// SyncCore: `UploadOutcome.init(decoding:)` in Records/EditCoding.swift; `[SeenDeletion].init(decoding:)` in
// Replica/SeenDeletion.swift, with its test in SeenDeletionTests.
//
// Pages: the paragraph on the earlier form in Docs/decisions/0004-sqlite-under-the-ledger.md; the last sentence of "change what
// the engine stores" in Docs/internals/architecture.md. The floor in .ci/test-floor.

/// The previous format of a kind of store: how to recognise a file in it, and how to convert it when it is opened.
///
/// It will be removed in version 0.2, as listed above.
struct EarlierFormat: Sendable {
    /// The names of the migrations of the format; a file in it has applied all of them.
    let steps: [String]
    /// The tables to drop.
    let tables: [String]
    /// Reads and checks everything in a file.
    ///
    /// The returned function writes it into the new tables.
    let read: @Sendable (Database) throws -> (Database) throws -> Void

    /// Whether a file has this format: one of its tables is not a record table.
    func isThere(_ database: Database) throws -> Bool {
        try tables.contains { table in
            guard try database.tableExists(table) else { return false }
            return try !Set(database.columns(in: table).map(\.name)).isSuperset(of: ["key", "record"])
        }
    }

    /// Converts a file.
    ///
    /// It must run within a transaction.
    func convert(_ database: Database, createTables: (Database) throws -> Void) throws {
        let fill = try read(database)
        for table in tables { try database.execute(sql: "DROP TABLE \(table)") }
        try createTables(database)
        try fill(database)
    }
}
