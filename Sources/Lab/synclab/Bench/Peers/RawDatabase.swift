import CommandSupport
import GRDBSQLite

/// A bare SQLite file with one table, written with the engine's durability: WAL, `synchronous = FULL`.
@safe
struct RawDatabase {
    private let database: OpaquePointer
    private let statement: OpaquePointer

    /// Creates the file.
    init(path: String) throws {
        var database: OpaquePointer?
        // SQLite fills the pointers that it is given, and keeps no text after a call.
        guard unsafe sqlite3_open(path, &database) == SQLITE_OK, let database = unsafe database else {
            throw CommandFailure("SQLite cannot create \(path)")
        }
        let setup = """
            PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE item (ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL, value TEXT NOT NULL) STRICT;
            """
        var statement: OpaquePointer?
        guard unsafe sqlite3_exec(database, setup, nil, nil, nil) == SQLITE_OK,
            unsafe sqlite3_prepare_v2(database, "INSERT INTO item (id, value) VALUES (?, ?)", -1, &statement, nil)
                == SQLITE_OK,
            let statement = unsafe statement
        else { throw CommandFailure("SQLite cannot use \(path): \(unsafe String(cString: sqlite3_errmsg(database)))") }
        unsafe self.database = database
        unsafe self.statement = statement
    }

    /// Commits one row, under an id of 32 digits as in the engine.
    func insert(_ text: String) throws {
        // Any digits will do; only the row should cost time.
        let id = "00112233445566778899aabbccddeeff"
        // The texts are valid until the statement is reset; after that SQLite does not use them.
        let result = unsafe id.withCString { id in
            unsafe text.withCString { text in
                unsafe sqlite3_bind_text(statement, 1, id, -1, nil)
                unsafe sqlite3_bind_text(statement, 2, text, -1, nil)
                let result = unsafe sqlite3_step(statement)
                unsafe sqlite3_reset(statement)
                return result
            }
        }
        guard result == SQLITE_DONE else {
            throw CommandFailure("SQLite cannot write: \(unsafe String(cString: sqlite3_errmsg(database)))")
        }
    }

    /// Commits some rows together.
    func insert(_ texts: [String]) throws {
        guard texts.count > 1 else { return try texts.forEach(insert) }
        try execute("BEGIN IMMEDIATE")
        try texts.forEach(insert)
        try execute("COMMIT")
    }

    private func execute(_ statement: String) throws {
        guard unsafe sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else {
            throw CommandFailure("SQLite cannot write: \(unsafe String(cString: sqlite3_errmsg(database)))")
        }
    }

    /// Closes the file.
    func close() {
        // They fail only for handles that are not open.
        _ = unsafe sqlite3_finalize(statement)
        _ = unsafe sqlite3_close(database)
    }
}
