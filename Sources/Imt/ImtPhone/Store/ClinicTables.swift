import GRDB

/// The tables of a clinic; released migrations never change.
enum ClinicTables {
    /// Tells the file from other databases: "imt1".
    static let applicationID: Int32 = 0x696D_7431

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { database in try database.execute(sql: first) }
        return migrator
    }

    /// Names are here in clear; photos are files beside, and here are their wrapped keys.
    private static let first = """
        CREATE TABLE customer (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, given TEXT NOT NULL CHECK (trim(given) <> ''),
            family TEXT, birth TEXT, sort TEXT NOT NULL, clinical INTEGER, marketing INTEGER) STRICT;
        CREATE INDEX customer_sort ON customer (sort, number);

        CREATE VIRTUAL TABLE customer_name USING fts5 (
            given, family, content = 'customer', content_rowid = 'number', prefix = '1 2 3',
            tokenize = 'unicode61 remove_diacritics 2');
        CREATE TRIGGER customer_added AFTER INSERT ON customer BEGIN
            INSERT INTO customer_name (rowid, given, family) VALUES (new.number, new.given, new.family);
        END;
        CREATE TRIGGER customer_removed AFTER DELETE ON customer BEGIN
            INSERT INTO customer_name (customer_name, rowid, given, family)
                VALUES ('delete', old.number, old.given, old.family);
        END;
        CREATE TRIGGER customer_renamed AFTER UPDATE OF given, family ON customer BEGIN
            INSERT INTO customer_name (customer_name, rowid, given, family)
                VALUES ('delete', old.number, old.given, old.family);
            INSERT INTO customer_name (rowid, given, family) VALUES (new.number, new.given, new.family);
        END;

        CREATE TABLE transformation (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            customer INTEGER NOT NULL REFERENCES customer ON DELETE CASCADE,
            name TEXT, dayBefore TEXT, dayAfter TEXT) STRICT;
        CREATE INDEX transformation_customer ON transformation (customer, number);

        CREATE TABLE photo (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
            transformation INTEGER NOT NULL REFERENCES transformation ON DELETE CASCADE,
            side TEXT NOT NULL CHECK (side IN ('before', 'after')),
            view TEXT NOT NULL CHECK (view IN ('front', 'left', 'right')),
            taken TEXT, isEstimated INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
            byteCount INTEGER NOT NULL, hash TEXT NOT NULL,
            leftX REAL, leftY REAL, rightX REAL, rightY REAL, clinical INTEGER, marketing INTEGER,
            key BLOB NOT NULL) STRICT;
        CREATE INDEX photo_transformation ON photo (transformation, view, side);
        CREATE UNIQUE INDEX photo_before ON photo (transformation, view) WHERE side = 'before';
        CREATE TRIGGER photo_order BEFORE INSERT ON photo WHEN new.side = 'after' AND NOT EXISTS (
            SELECT 1 FROM photo WHERE transformation = new.transformation AND view = new.view AND side = 'before') BEGIN
            SELECT RAISE(ABORT, 'after before before');
        END;

        CREATE TABLE copy (
            id TEXT PRIMARY KEY, photo INTEGER NOT NULL REFERENCES photo ON DELETE CASCADE, kind TEXT NOT NULL,
            byteCount INTEGER NOT NULL, hash TEXT NOT NULL, key BLOB NOT NULL, UNIQUE (photo, kind)) STRICT;

        CREATE TABLE delivery (
            copy TEXT NOT NULL, photo TEXT NOT NULL, watch TEXT NOT NULL, transfer TEXT, at INTEGER NOT NULL,
            isRevoked INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (copy, watch)) STRICT;
        CREATE INDEX delivery_photo ON delivery (photo);

        CREATE TABLE erased (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;

        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, who TEXT NOT NULL, watch TEXT,
            action TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL) STRICT;
        CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        CREATE TRIGGER audit_is BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        """
}
