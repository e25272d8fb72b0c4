import CommandSupport
import GRDBSQLite

/// Compares what the sides stored.
enum IngestRows {
    /// Throws unless both files have as many rows, with the same samples and values in the same order.
    static func compare(_ hub: String, _ bare: String, count: Int) throws {
        let (hubRows, bareRows) = (try rows(hub), try rows(bare))
        guard hubRows.count == count, hubRows == bareRows else {
            throw CommandFailure(
                "the sides stored different rows: the hub \(hubRows.count), the bare subscriber \(bareRows.count), "
                    + "of \(count) messages")
        }
    }

    private static func rows(_ path: String) throws -> [String] {
        var database: OpaquePointer?
        // SQLite fills the pointers that it is given, and keeps no text after a call.
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK, let database = unsafe database else {
            throw CommandFailure("SQLite cannot open \(path)")
        }
        defer { _ = unsafe sqlite3_close(database) }
        var statement: OpaquePointer?
        let query = """
            SELECT sampledAt || ' ' || timeQuality || ' ' || temperature || ' ' || ph || ' ' || chlorine || ' ' || orp
            FROM reading ORDER BY ordinal
            """
        guard unsafe sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else {
            throw CommandFailure("SQLite cannot read \(path): \(unsafe String(cString: sqlite3_errmsg(database)))")
        }
        defer { _ = unsafe sqlite3_finalize(statement) }
        var rows: [String] = []
        // The text of a row is valid until the next step.
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            rows.append(unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
        }
        return rows
    }
}
