import DatabaseFixture
import Postgres
import RidesApp
import RidesModel
import RidesServer
import Testing

/// The tables, their constraints and their migrations, on a real server.
@Suite(.timeLimit(.minutes(20))) struct SchemaTests {
    @Test func `each migration is carried out once, and a changed or unknown one is refused by its name`() async throws
    {
        let string = try await TestCluster.shared.database()
        let database = Database(string, connections: 2)
        defer { database.close() }
        // Several servers that start at once wait for each other.
        let done = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<2 { group.addTask { try await Migrator(database).run() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(done == Migration.all.map(\.name))
        #expect(
            done == [
                "0001-tables.sql", "0002-rides.sql", "0003-roles.sql", "0004-policies.sql", "0005-reasons.sql",
                "0006-commands.sql",
            ])

        var changed = Migration.all
        changed[1] = Migration(name: changed[1].name, text: changed[1].text + "\n-- another word")
        let migrations = changed
        await #expect(throws: SchemaError.changed("0002-rides.sql")) {
            try await Migrator(database, migrations: migrations).run()
        }
        await #expect(throws: SchemaError.newer("0006-commands.sql")) {
            try await Migrator(database, migrations: Array(Migration.all.dropLast())).run()
        }
        // One that fails leaves nothing behind.
        let broken = Migration(name: "0007-broken.sql", text: "CREATE TABLE half (n int); SELECT 1/0;")
        await #expect(throws: PostgresError.self) {
            try await Migrator(database, migrations: Migration.all + [broken]).run()
        }
        #expect(try await Migrator(database).run().isEmpty)
        let half = try await database.transaction {
            try $0.execute("SELECT count(*) AS n FROM pg_tables WHERE tablename = 'half'").first?["n"] as Int?
        }
        #expect(half == 0)
    }

    @Test func `C28 a column that can be NULL unlike in the model is refused at the start`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        try await town.database.execute("ALTER TABLE courses ALTER COLUMN client_id DROP NOT NULL")
        await #expect(throws: SchemaError.nullability("courses.client_id")) { try await Migrator(town.database).run() }
    }

    @Test func `C4 C18 C32 keys are unique and refer to rows that exist`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let table: [(StaticString, String)] = [
            (
                """
                INSERT INTO utilisateurs (role, email, password_hash)
                VALUES ('client', 'a@b', '!'), ('client', 'a@b', '!')
                """, "23505"
            ),
            ("INSERT INTO utilisateurs (role, email, password_hash) VALUES ('client', NULL, '!')", "23502"),
            ("INSERT INTO utilisateurs (role, email, password_hash) VALUES ('admin', 'c@d', '!')", "23514"),
            (
                "INSERT INTO chauffeurs (user_id, localisation, statut) VALUES (999, 'POINT(1 2)', 'disponible')",
                "23503"
            ),
            ("INSERT INTO transactions (course_id, montant_final, statut) VALUES (999, 1, 'charged')", "23503"),
            (
                """
                INSERT INTO courses (client_id, depart_point, arrivee_point, statut, montant_estime)
                VALUES (999, 'POINT(1 2)', 'POINT(1 2)', 'demande', 1)
                """, "23503"
            ),
        ]
        for (sql, state) in table {
            let error = await #expect(throws: PostgresError.self) {
                try await town.database.execute(sql)
            }
            #expect(error?.sqlState == state, "\(sql)")
        }
        // A second payment of one ride.
        let client = try await town.client()
        let driver = try await town.driver()
        let ride = try await town.ask(client)
        try await town.offer(ride, to: [driver])
        #expect(try await town.refusal(.accept(course: ride), as: .chauffeur(driver)) == nil)
        #expect(try await town.refusal(.complete, as: .chauffeur(driver)) == nil)
        let error = await #expect(throws: PostgresError.self) {
            try await town.database.execute(
                "INSERT INTO transactions (course_id, montant_final, statut) VALUES ($1, 1, 'charged')", .int(ride))
        }
        #expect(error?.sqlState == "23505")
    }

    @Test func `C26 C27 a point of the database is the same place, and an empty one is a typed error`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let paris = try await town.database.transaction { connection in
            let row = try #require(
                try connection.execute(
                    """
                    SELECT 'SRID=4326;POINT(2.35 48.85)'::geography AS g, 'POINT EMPTY'::geography AS e,
                        ST_AsText($1::bytea::geography) AS t
                    """, .bytes(try Location(latitude: -4.32, longitude: 15.31).ewkb)
                ).first)
            #expect(try row["t"] == "POINT(15.31 -4.32)")
            let empty: RawBytes = try row["e"]
            #expect(throws: LocationError.empty) { try Location(ewkb: empty.bytes) }
            return try Location(ewkb: (row["g"] as RawBytes).bytes)
        }
        #expect(paris.latitude == 48.85 && paris.longitude == 2.35)
    }

    @Test func `C15 an amount that is NaN in the table is an error, not a number`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let ride = try await town.ask(try await town.client())
        let error = await #expect(throws: PostgresError.self) {
            try await town.database.execute("UPDATE courses SET montant_estime = 'NaN' WHERE id = $1", .int(ride))
        }
        #expect(error?.sqlState == "RD003")
        // And where it comes from somewhere else, it is read as none.
        try await town.database.transaction { connection in
            let row = try connection.execute("SELECT 'NaN'::numeric AS montant_estime").first
            #expect(throws: PostgresError.column("montant_estime", "is NaN: expected a number")) {
                try row?["montant_estime"] as Hundredths?
            }
        }
    }

    @Test func `C35 the trigger and the enum agree on every step, at random`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let client = try await town.client()
        let driver = try await town.driver()
        let ride = try await town.ask(client)
        let rounds = Town.rounds(4000, large: 100_000)
        // The row is set up without its triggers, and then changed with them.
        try await town.database.connection { connection in
            try connection.execute(
                "CREATE TABLE tried (de text, vers text, sans boolean, done boolean, count bigint, UNIQUE (de, vers, sans))"
            )
            try connection.run(
                Script(
                    file: """
                        CREATE FUNCTION try_steps(ride int, driver int, rounds int) RETURNS void LANGUAGE plpgsql AS $$
                        DECLARE
                            all_statuses text[] := '{demande,accepte,annule,completed}';
                            d text; v text; without boolean; done boolean;
                        BEGIN
                            FOR i IN 1..rounds LOOP
                                d := all_statuses[1 + floor(random() * 4)];
                                v := all_statuses[1 + floor(random() * 4)];
                                without := random() < 0.3;
                                PERFORM set_config('session_replication_role', 'replica', true);
                                UPDATE courses SET statut = d, chauffeur_id =
                                    CASE WHEN d IN ('accepte', 'completed') THEN driver END WHERE id = ride;
                                DELETE FROM phase; DELETE FROM transactions;
                                PERFORM set_config('session_replication_role', 'origin', true);
                                BEGIN
                                    UPDATE courses SET statut = v, chauffeur_id = CASE WHEN without THEN NULL
                                        WHEN v IN ('accepte', 'completed') THEN driver ELSE chauffeur_id END
                                    WHERE id = ride;
                                    done := true;
                                EXCEPTION WHEN SQLSTATE 'RD001' OR SQLSTATE 'RD002' THEN done := false;
                                END;
                                INSERT INTO tried VALUES (d, v, without, done, 1)
                                ON CONFLICT (de, vers, sans) DO UPDATE SET count = tried.count + 1,
                                    done = CASE WHEN tried.done = excluded.done THEN tried.done END;
                            END LOOP;
                        END $$
                        """))
            try connection.execute(
                "SELECT try_steps($1::integer, $2::integer, $3::integer)", .int(ride), .int(driver), .int(rounds))
        }
        let tried = try await town.database.transaction { connection in
            try connection.execute("SELECT de, vers, sans, done, count FROM tried").map { row in
                (
                    try Course.Statut(colonne: row["de"]), try Course.Statut(colonne: row["vers"]),
                    try row["sans"] as Bool, try row["done"] as Bool?, try row["count"] as Int
                )
            }
        }
        #expect(tried.map(\.4).reduce(0, +) == rounds)
        #expect(tried.count == 32, "every step was tried, with a driver and without")
        for (from, to, isWithout, done, _) in tried where from != to {
            let lacksDriver = isWithout && (from == .accepte || to.demandeUnChauffeur)
            #expect(done == (from.peutDevenir(to) && !lacksDriver), "\(from) to \(to), without a driver: \(isWithout)")
        }
    }
}
