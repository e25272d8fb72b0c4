internal import GRDB

/// What tells one kind of store from another: its file, the number in it, its tables.
struct DatabaseKind: Sendable {
    /// The name of the file in the state folder.
    var fileName: String
    /// The number in the file's header (`PRAGMA application_id`), by which the kind is known again.
    var applicationID: Int32
    /// The steps that made the tables what they are, oldest first.
    ///
    /// A step that was released never changes, and neither does its name: files know their steps by the names.
    var steps: [Step]
    /// Writes what a store holds from its first moment.
    var begin: @Sendable (Database) throws -> Void

    /// One change of the tables.
    struct Step: Sendable {
        var name: String
        var sql: String
        /// What SQL alone cannot do; it comes after it.
        var rest: @Sendable (Database) throws -> Void = { _ in }
    }

    /// The steps, as GRDB carries them out: each once, in one transaction.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for step in steps {
            migrator.registerMigration(step.name) { database in
                try database.execute(sql: step.sql)
                try step.rest(database)
            }
        }
        return migrator
    }
}
