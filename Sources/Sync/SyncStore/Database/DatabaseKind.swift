internal import GRDB

/// What distinguishes one kind of store from another: its file name, its application ID and its tables.
struct DatabaseKind: Sendable {
    /// The name of the file in the state folder.
    var fileName: String
    /// The number in the file's header (`PRAGMA application_id`) that identifies the kind.
    var applicationID: Int32
    /// The name of the migration that creates the tables; it is recorded in each file.
    var step: String
    /// The tables of records.
    var tables: [RecordTable]
    /// SQL that creates the tables that are not record tables.
    var otherTables = ""
    /// The names of the migrations of versions before 0.1, whose files are refused.
    var earlierSteps: [String]
    /// What later versions added; a file without it gets it when it is opened.
    var laterSteps: [LaterStep] = []
    /// Whether freed space is overwritten, so that nothing that was removed can be found in the file.
    var overwrites = false
    /// Writes the rows that a new store begins with.
    var begin: @Sendable (Database) throws -> Void

    /// A migration that adds tables.
    struct LaterStep: Sendable {
        /// Its name, which is recorded in each file.
        var name: String
        /// The tables that it creates.
        var tables: [RecordTable]
    }

    /// The migrations that create the tables.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(step) { database in
            if !otherTables.isEmpty { try database.execute(sql: otherTables) }
            for table in tables { try table.create(in: database) }
        }
        for step in laterSteps {
            migrator.registerMigration(step.name) { database in
                for table in step.tables { try table.create(in: database) }
            }
        }
        return migrator
    }

    /// Rejects a file that a newer version of the program wrote, or one before 0.1.
    func checkSteps(of database: Database, at path: String) throws {
        let steps = try migrator.appliedIdentifiers(database)
        let newer = steps.subtracting(earlierSteps + [step] + laterSteps.map(\.name))
        guard newer.isEmpty else { throw StoreError.newerSchema(path: path, steps: newer.sorted()) }
        guard !steps.isEmpty else { throw CorruptionError(finding: "nothing says in which form it is") }
        guard steps.contains(step) else {
            throw StoreError.failed(
                path: path, reason: "a version before 0.1 wrote it: open it once with version 0.1, which converts it")
        }
    }
}
