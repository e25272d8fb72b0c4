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
    /// The previous format; a file in it is converted when it is opened.
    var earlier: EarlierFormat
    /// Writes the rows that a new store begins with.
    var begin: @Sendable (Database) throws -> Void

    /// The migrations that create or convert the tables, in one transaction.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(step) { database in
            if try earlier.isThere(database) {
                try earlier.convert(database, createTables: createTables)
            } else {
                if !otherTables.isEmpty { try database.execute(sql: otherTables) }
                try createTables(in: database)
            }
        }
        return migrator
    }

    private func createTables(in database: Database) throws {
        for table in tables { try table.create(in: database) }
    }

    /// Rejects a file that a newer version of the program wrote, or one that is too old to be converted.
    func checkSteps(of database: Database, at path: String) throws {
        let steps = try migrator.appliedIdentifiers(database)
        let newer = steps.subtracting(earlier.steps + [step])
        guard newer.isEmpty else { throw StoreError.newerSchema(path: path, steps: newer.sorted()) }
        guard !steps.isEmpty else { throw CorruptionError(finding: "nothing says in which form it is") }
        guard steps.contains(step) || steps.isSuperset(of: earlier.steps) else {
            throw StoreError.failed(
                path: path,
                reason: "an early version of this program wrote it: open it once with the version before this one")
        }
    }
}
