internal import GRDB

/// What tells one kind of store from another: its file, the number in it, its tables.
struct DatabaseKind: Sendable {
    /// The name of the file in the state folder.
    var fileName: String
    /// The number in the file's header (`PRAGMA application_id`), by which the kind is known again.
    var applicationID: Int32
    /// The name of the step that made the tables what they are: files know it.
    var step: String
    /// The tables of records.
    var tables: [RecordTable]
    /// The tables of another form.
    var otherTables = ""
    /// The form before, of which a file is converted when it is opened.
    var earlier: EarlierFormat
    /// Writes what a store holds from its first moment.
    var begin: @Sendable (Database) throws -> Void

    /// What makes a file what it must be, in one transaction.
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

    /// Refuses a file that a newer program wrote, or one so old that nothing converts it.
    func checkSteps(of database: Database, at path: String) throws {
        let steps = try migrator.appliedIdentifiers(database)
        let newer = steps.subtracting(earlier.steps + [step])
        guard newer.isEmpty else { throw StoreError.newerSchema(path: path, steps: newer.sorted()) }
        guard !steps.isEmpty else { throw Damage(finding: "nothing says in which form it is") }
        guard steps.contains(step) || steps.isSuperset(of: earlier.steps) else {
            throw StoreError.failed(
                path: path,
                reason: "an early version of this program wrote it: open it once with the version before this one")
        }
    }
}
