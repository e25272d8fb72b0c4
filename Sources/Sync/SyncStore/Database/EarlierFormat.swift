internal import GRDB

/// The form that a kind of store had before: how a file in it is known, and converted when it is opened.
///
/// It goes at 0.2, with the folder Conversion.
struct EarlierFormat: Sendable {
    /// The names of the steps that made the form, all of which a file must know.
    let steps: [String]
    /// The tables that go.
    let tables: [String]
    /// Reads and checks all that a file holds; the result writes that into the new tables.
    let read: @Sendable (Database) throws -> (Database) throws -> Void

    /// Whether a file has the form: one of its tables is not one of records.
    func isThere(_ database: Database) throws -> Bool {
        try tables.contains { table in
            guard try database.tableExists(table) else { return false }
            return try !Set(database.columns(in: table).map(\.name)).isSuperset(of: ["key", "record"])
        }
    }

    /// Converts a file, within a transaction.
    func convert(_ database: Database, createTables: (Database) throws -> Void) throws {
        let fill = try read(database)
        for table in tables { try database.execute(sql: "DROP TABLE \(table)") }
        try createTables(database)
        try fill(database)
    }
}
