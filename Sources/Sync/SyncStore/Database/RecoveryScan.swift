internal import GRDB
internal import SyncCore

/// Reads the tables of a damaged store from both ends, as far as SQLite can read them.
final class RecoveryScan {
    private let database: Database
    /// The number of rows read so far.
    private(set) var rowCount = 0

    init(_ database: Database) {
        self.database = database
    }

    /// The readable rows of a table with their keys, in the order of the keys: the rows before the first place where
    /// SQLite finds the table damaged, and those after the last such place.
    func records<Record: RecordCodable>(of table: RecordTable) -> [(RowKey, Record)] {
        rows(of: table.name, by: ["key"]) { row in
            let row = try table.row(row)
            return (row.key, try row.record())
        }
    }

    /// The rows of a table for which `value` succeeds.
    ///
    /// The other rows are damaged.
    private func rows<Value>(of table: String, by key: [String], _ value: (Row) throws -> Value) -> [Value] {
        var first: [Value] = []
        var last: [Value] = []
        var keys: Set<[DatabaseValue]> = []
        let isWhole = scan(table, key.joined(separator: ", ")) { row in
            keys.insert(Array(row.databaseValues.prefix(key.count)))
            // Any error means that this row cannot be read.
            if let value = try? value(row) { first.append(value) }
            return true
        }
        if !isWhole {
            _ = scan(table, key.map { "\($0) DESC" }.joined(separator: ", ")) { row in
                guard keys.insert(Array(row.databaseValues.prefix(key.count))).inserted else { return false }
                if let value = try? value(row) { last.append(value) }
                return true
            }
        }
        rowCount += first.count + last.count
        return first + last.reversed()
    }

    /// Visits rows until `visit` returns false, the table ends, or SQLite finds it damaged.
    ///
    /// Returns false only in the last case.
    private func scan(_ table: String, _ order: String, _ visit: (Row) -> Bool) -> Bool {
        do {
            let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM \(table) ORDER BY \(order)")
            while let row = try cursor.next() {
                guard visit(row) else { break }
            }
            return true
        } catch {
            return false
        }
    }
}
