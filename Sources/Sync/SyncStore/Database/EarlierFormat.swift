internal import GRDB

/// The previous format of a kind of store: how to recognise a file in it, and how to convert it when it is opened.
///
/// It will be removed in version 0.2, with the folder Conversion.
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
