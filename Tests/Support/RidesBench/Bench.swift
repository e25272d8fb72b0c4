import Commands
import Foundation
import Platform
import Postgres
import Primitives
import PrivateCluster
import RidesApp
import RidesModel
import RidesServer

/// What is measured: searches, places, and drivers who accept the same rides at once; the statements of the first and the last in
/// pgbench, too.
struct Bench: Sendable {
    private static let searches = 5000
    private static let workers = 8
    /// How many drivers want each ride.
    private static let rivals = 5

    private let string: String
    private let drivers: Int
    private let pgbench: Pgbench
    /// How many drivers accept, of each program.
    private var attempts: Int { min(4000, drivers / 2 / (Self.workers * Self.rivals) * Self.workers * Self.rivals) }

    init(_ string: String, drivers: Int, pgbench: Pgbench) {
        self.string = string
        self.drivers = drivers
        self.pgbench = pgbench
    }

    func run() async throws {
        let database = Database(string, connections: Self.workers)
        defer { database.close() }
        _ = try await Migrator(database).run()
        let store = RidesStore(database)
        // A square of about 60 km with all drivers, each a person.
        try await database.execute(
            """
            INSERT INTO utilisateurs (role, email, password_hash)
            SELECT 'chauffeur', n || '@example.org', '!' FROM generate_series(1, $1::bigint) n
            """, .int(drivers))
        try await database.execute(
            """
            INSERT INTO chauffeurs (user_id, localisation, statut)
            SELECT n, ST_SetSRID(ST_MakePoint(15 + random() * 0.6, -4.6 + random() * 0.6), 4326)::geography, 'disponible'
            FROM generate_series(1, $1::bigint) n
            """, .int(drivers))
        try await database.connection { try $0.run(Script(file: "VACUUM ANALYZE chauffeurs")) }
        try await nearest(database)
        try await accepts(database, store)
        try await places(store)
    }

    private func nearest(_ database: Database) async throws {
        let microseconds: [Double] = try await database.transaction(isReadOnly: true) { connection in
            var generator = SplitMix64(seed: 5)
            return try (0..<Self.searches).map { _ in
                let place = try Location(
                    latitude: .random(in: -4.5 ... -4.1, using: &generator),
                    longitude: .random(in: 15.1...15.5, using: &generator))
                let start = ContinuousClock.now
                let found = try connection.execute(
                    """
                    SELECT id FROM chauffeurs WHERE statut = 'disponible'
                    ORDER BY localisation <-> $1::bytea::geography LIMIT 5
                    """, .bytes(place.ewkb))
                guard found.count == 5 else { throw CommandFailure("the search found \(found.count) drivers") }
                return start.duration(to: .now) / .microseconds(1)
            }
        }.sorted()
        let mean = microseconds.reduce(0, +) / Double(microseconds.count)
        let other = try await pgbench.milliseconds(
            """
            \\set lon random(15100000, 15500000)
            \\set lat random(-4500000, -4100000)
            SELECT id FROM chauffeurs WHERE statut = 'disponible' ORDER BY localisation
            <-> ST_SetSRID(ST_MakePoint(:lon / 1000000.0, :lat / 1000000.0), 4326)::geography LIMIT 5;
            """, clients: 1, transactions: Self.searches)
        Output.standard.line(
            "nearest 5 of \(drivers): mean \(whole(mean)) µs, median \(whole(microseconds[microseconds.count / 2])) µs, "
                + "99 of 100 below \(whole(microseconds[microseconds.count * 99 / 100])) µs; "
                + "pgbench: mean \(whole(other * 1000)) µs, \(ratio(mean / (other * 1000))) times as long here")
    }

    private func accepts(_ database: Database, _ store: RidesStore) async throws {
        let attempts = attempts
        try await database.transaction { connection in
            try connection.execute(
                """
                WITH c AS (
                    INSERT INTO utilisateurs (role, email, password_hash)
                    SELECT 'client', 'c' || n || '@example.org', '!' FROM generate_series(1, $1::bigint) n RETURNING id)
                INSERT INTO courses (client_id, depart_point, arrivee_point, statut, montant_estime)
                SELECT id, 'POINT(15.3 -4.3)', 'POINT(15.4 -4.3)', 'demande', 1 FROM c ORDER BY id
                """, .int(2 * attempts / Self.rivals))
            try connection.execute(
                """
                INSERT INTO offre (course_id, chauffeur_id, anneau, expire)
                SELECT 1 + (d - 1) / $2, d, 1, now() + interval '1 hour' FROM generate_series(1, $1::bigint) d
                """, .int(2 * attempts), .int(Self.rivals))
            try connection.run(Script(file: "CREATE SEQUENCE banc START \(attempts + 1)"))
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 1...Self.workers {
                group.addTask {
                    for driver in stride(from: worker, through: attempts, by: Self.workers) {
                        let ride = 1 + (driver - 1) / Self.rivals
                        do {
                            _ = try await store.perform(.accept(course: ride), key: nil, as: .chauffeur(driver))
                        } catch Refusal.unavailable {}
                    }
                }
            }
            try await group.waitForAll()
        }
        let own = Double(attempts) / (start.duration(to: .now) / .seconds(1))
        let milliseconds = try await pgbench.milliseconds(
            """
            SELECT nextval('banc') AS d \\gset
            \\set r 1 + (:d - 1) / \(Self.rivals)
            BEGIN;
            SELECT set_config('role', 'rides_regie', true);
            SELECT user_id AS u FROM chauffeurs WHERE id = :d \\gset
            SELECT set_config('role', 'rides_personne', true), set_config('rides.utilisateur', (:u)::text, true);
            SELECT coalesce((SELECT client_id FROM courses WHERE id = :r), 0) AS c \\gset
            SELECT pg_advisory_xact_lock(4419, :c);
            SELECT pg_advisory_xact_lock(4420, :d);
            WITH w AS (UPDATE courses SET statut = 'accepte', chauffeur_id = :d WHERE id = :r AND statut = 'demande'
            RETURNING id) SELECT count(*) AS w FROM w \\gset
            \\if :w
            UPDATE chauffeurs SET statut = 'en_course' WHERE id = :d AND statut = 'disponible';
            COMMIT;
            \\else
            ROLLBACK;
            \\endif
            """, clients: Self.workers, transactions: attempts / Self.workers)
        let other = Double(Self.workers) * 1000 / milliseconds
        let taken: Int? = try await database.transaction(isReadOnly: true) { connection in
            try connection.execute("SELECT count(DISTINCT chauffeur_id) AS n FROM courses WHERE statut = 'accepte'")
                .first?["n"]
        }
        guard taken == 2 * attempts / Self.rivals else {
            throw CommandFailure("\(taken ?? 0) of \(2 * attempts / Self.rivals) rides have a driver of their own")
        }
        Output.standard.line(
            "accepts: \(whole(own)) a second, \(Self.workers) at once, \(Self.rivals) for each ride; "
                + "pgbench: \(whole(other)), \(ratio(own / other)) times as many here")
    }

    private func places(_ store: RidesStore) async throws {
        let (batches, size) = (100, 100)
        let begin = Timestamp.now
        let start = ContinuousClock.now
        for batch in 0..<batches {
            let fixes = try (0..<size).map { index in
                DriverFix(
                    chauffeur: 1 + (batch * size + index) % drivers,
                    localisation: try Location(latitude: -4.3, longitude: 15.3 + Double(index) / 10_000),
                    mesuree: begin.advanced(byMilliseconds: Int64(batch)))
            }
            _ = try await store.take(fixes, at: .now)
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        Output.standard.line("places: \(whole(Double(batches * size) / seconds)) a second, in batches of \(size)")
    }

    private func whole(_ number: Double) -> Int { Int(number.rounded()) }

    private func ratio(_ number: Double) -> String { String(format: "%.2f", number) }
}

/// The program `pgbench`, which comes with the server.
struct Pgbench: Sendable {
    let installation: Installation
    let connection: String
    let folder: String
    let environment: Environment

    /// Runs a script, each connection as often.
    ///
    /// - Returns: The mean time of a run, in milliseconds.
    /// - Throws: ``CommandFailure`` if it cannot be run, or a statement failed.
    func milliseconds(_ script: String, clients: Int, transactions: Int) async throws -> Double {
        let file = "\(folder)/pgbench.sql"
        try NewFile.write(Array(script.utf8), to: file)
        let text = try await output(
            of: "\(installation.programs)/pgbench",
            [
                "--no-vacuum", "--protocol=prepared", "--client=\(clients)", "--jobs=\(min(2, clients))",
                "--transactions=\(transactions)", "--file=\(file)", connection,
            ], environment: environment)
        guard let found = text.firstMatch(of: /latency average = ([0-9.]+) ms/), let mean = Double(found.1),
            text.contains("number of failed transactions: 0 ")
        else { throw CommandFailure("pgbench said: \(text)") }
        return mean
    }
}
