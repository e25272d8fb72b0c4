import Crypto
package import Postgres
import Text
import WebServer

/// A change of the schema: a file of the program.
package struct Migration: Sendable {
    /// The name, which begins with its number.
    package let name: String
    package let text: String

    /// Describes a change.
    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// The hash of its text, which is kept in the database.
    var hash: String { Hexadecimal.text(Array(SHA256.hash(data: Array(text.utf8)))) }

    /// All that there are, in order.
    package static let all = PageFiles.rides.sources.filter { $0.key.hasSuffix(".sql") }.sorted { $0.key < $1.key }.map
    {
        Migration(name: $0.key, text: String(decoding: $0.value, as: UTF8.self))
    }
}

/// Why a database cannot be used as it is.
@nonexhaustive
package enum SchemaError: Error, Hashable, Sendable {
    /// The server is older than 15.20.
    case oldServer(String)
    /// The server has no PostGIS.
    case noPostGIS
    /// A migration that was carried out has another text now.
    case changed(String)
    /// The database has a migration that this program does not know.
    case newer(String)
    /// A column can be NULL and the model does not expect it, or the other way round.
    case nullability(String)
}

extension SchemaError: CustomStringConvertible {
    /// The error, and what to do.
    package var description: String {
        switch self {
        case .oldServer(let version):
            "the database is PostgreSQL \(version), and 15.20 or newer is needed: 15.18 damages tables when rows are locked "
                + "in a search for the nearest"
        case .noPostGIS:
            "the database has no PostGIS; install it on its machine with: apt-get install postgresql-15-postgis-3"
        case .changed(let name):
            "the migration \(name) was carried out with another text: use the program that did it, or restore the file"
        case .newer(let name): "the database has the migration \(name), which this program does not know: update it"
        case .nullability(let column):
            "the column \(column) can be NULL or cannot, unlike in the model: restore its table"
        }
    }
}

/// Brings the schema of a database up to date.
package struct Migrator: Sendable {
    private let database: Database
    private let migrations: [Migration]

    /// Uses a database, whose user owns the schema.
    package init(_ database: Database, migrations: [Migration] = Migration.all) {
        self.database = database
        self.migrations = migrations
    }

    /// Carries out what is missing, each migration in one transaction; other programs that do the same wait.
    ///
    /// - Returns: The names of those that were carried out now.
    /// - Throws: ``SchemaError``, `PostgresError`.
    package func run() async throws -> [String] {
        let migrations = migrations
        return try await database.connection { connection in
            guard connection.serverVersion >= 150_020 else {
                let (major, minor) = (connection.serverVersion / 10_000, connection.serverVersion % 10_000)
                throw SchemaError.oldServer("\(major).\(minor)")
            }
            // A migration of another program may take long.
            try connection.execute("SET lock_timeout = 0")
            try connection.execute("SELECT pg_advisory_lock(4417)")
            // They end with the connection at the latest.
            defer {
                _ = try? connection.execute("SELECT pg_advisory_unlock(4417)")
                _ = try? connection.execute("SET lock_timeout = '10s'")
            }
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS rides_migration (
                    nom VARCHAR(80) PRIMARY KEY, sha256 VARCHAR(64) NOT NULL, le TIMESTAMPTZ NOT NULL DEFAULT now())
                """)
            var known: [String: String] = [:]
            for (name, hash) in try connection.execute("SELECT nom, sha256 FROM rides_migration").map({
                (try $0["nom"] as String, try $0["sha256"] as String)
            }) {
                guard migrations.contains(where: { $0.name == name }) else { throw SchemaError.newer(name) }
                known[name] = hash
            }
            var done: [String] = []
            for migration in migrations {
                if let hash = known[migration.name] {
                    guard hash == migration.hash else { throw SchemaError.changed(migration.name) }
                    continue
                }
                try Self.carryOut(migration, connection)
                done.append(migration.name)
            }
            try Self.checkNullability(connection)
            return done
        }
    }

    private static func carryOut(_ migration: Migration, _ connection: Connection) throws {
        try connection.execute("BEGIN")
        do {
            try connection.run(Script(file: migration.text))
            try connection.execute(
                "INSERT INTO rides_migration (nom, sha256) VALUES ($1, $2)", .text(migration.name),
                .text(migration.hash))
            try connection.execute("COMMIT")
        } catch {
            // If the connection broke, nothing was changed.
            _ = try? connection.execute("ROLLBACK")
            // The file of the extension, or its right, is missing.
            guard migration.text.contains("EXTENSION"), ["58P01", "0A000", "42501"].contains(error.sqlState) else {
                throw error
            }
            throw SchemaError.noPostGIS
        }
    }

    /// The columns of the models that can be NULL (C28); `password_hash` is optional in the model and not in the table.
    private static let nullable: Set = ["courses.chauffeur_id", "transactions.token_paiement"]

    private static func checkNullability(_ connection: Connection) throws {
        let rows = try connection.execute(
            """
            SELECT table_name || '.' || column_name AS name, is_nullable = 'YES' AS nullable
            FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name IN ('utilisateurs', 'chauffeurs', 'courses', 'transactions')
            """)
        for (name, isNullable) in try rows.map({ (try $0["name"] as String, try $0["nullable"] as Bool) })
        where nullable.contains(name) != isNullable {
            throw SchemaError.nullability(name)
        }
    }
}
