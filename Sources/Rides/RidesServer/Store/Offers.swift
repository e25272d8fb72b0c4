package import Postgres
import RidesModel

/// Offers rides to the drivers near them, ring by ring, each for a time.
///
/// Several servers may do it on one database: a ride is the work of the one that has its advisory lock.
package struct Offers: Sendable {
    /// A ring: how many drivers, and how far away at most.
    package struct Ring: Hashable, Sendable {
        package var drivers: Int
        package var metres: Double

        /// Describes a ring.
        package init(drivers: Int, metres: Double) {
            self.drivers = drivers
            self.metres = metres
        }
    }

    /// How many of the nearest are looked at for each ring, because some are taken meanwhile.
    private static let candidatesMax = 16

    private let database: Database
    private let rings: [Ring]
    private let seconds: Double

    /// Uses a database.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - rings: The rings, the nearest first.
    ///   - seconds: How long a ring's offers can be accepted, in seconds.
    package init(
        _ database: Database,
        rings: [Ring] = [
            Ring(drivers: 3, metres: 2000), Ring(drivers: 5, metres: 3500), Ring(drivers: 5, metres: 5000),
        ], seconds: Double = 15
    ) {
        self.database = database
        self.rings = rings
        self.seconds = seconds
    }

    /// Goes on with each ride whose ring is over, or whose offers were all refused.
    ///
    /// - Returns: The number of rides that it worked on.
    /// - Throws: `PostgresError` of the last ride for which it could not be done, after the others.
    package func tick() async throws -> Int {
        let due: [Int] = try await database.transaction(isReadOnly: true) { connection in
            try connection.execute("SELECT set_config('role', 'rides_moteur', true)")
            return try connection.execute(
                """
                SELECT c.id FROM courses c JOIN course_detail d ON d.course_id = c.id
                WHERE c.statut = 'demande' AND (d.anneau_fin <= now() OR NOT EXISTS (
                    SELECT FROM offre o WHERE o.course_id = c.id AND NOT o.refusee AND o.expire > now()))
                ORDER BY c.id LIMIT 200
                """
            ).map { try $0["id"] }
        }
        var failure: (any Error)?
        for course in due {
            do {
                try await goOn(with: course)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return due.count
    }

    private func goOn(with course: Int) async throws {
        let (rings, seconds) = (rings, seconds)
        try await database.transaction { connection in
            try connection.execute("SELECT set_config('role', 'rides_moteur', true)")
            let lock = try connection.execute(
                "SELECT pg_try_advisory_xact_lock(4418, $1::integer) AS own", .int(course))
            guard try lock.first?["own"] == true else { return }
            let rows = try connection.execute(
                """
                SELECT d.anneau, c.depart_point, c.arrivee_point, c.montant_estime FROM courses c JOIN course_detail d ON d.course_id = c.id
                WHERE c.id = $1 AND c.statut = 'demande' AND (d.anneau_fin <= now() OR NOT EXISTS (
                    SELECT FROM offre o WHERE o.course_id = c.id AND NOT o.refusee AND o.expire > now()))
                """, .int(course))
            guard let row = rows.first else { return }
            // Another program may have written a point without a place, or an amount that is none.
            let ends = try [row.place("depart_point"), row.place("arrivee_point")].compactMap(\.self)
            guard ends.count == 2, (try? row.montant("montant_estime")) != nil else {
                return try Self.giveUp(course, "it has no place on earth or no amount", connection)
            }
            var number: Int = try row["anneau"]
            var drivers: [Int] = []
            while drivers.isEmpty, number < rings.count {
                // Whom another transaction changes now may be free in a moment: the ride waits for the next look.
                guard let found = try Self.drivers(for: course, from: ends[0], in: rings[number], connection) else {
                    return
                }
                drivers = found
                number += 1
            }
            guard !drivers.isEmpty else { return try Self.giveUp(course, "no driver is near", connection) }
            try connection.execute(
                """
                INSERT INTO offre (course_id, chauffeur_id, anneau, expire)
                SELECT $1, unnest($2::bigint[]), $3, now() + make_interval(secs => $4)
                """, .int(course), .ints(drivers), .int(number), .double(seconds))
            try connection.execute(
                "UPDATE course_detail SET anneau = $2, anneau_fin = now() + make_interval(secs => $3) WHERE course_id = $1",
                .int(course), .int(number), .double(seconds))
        }
    }

    /// The nearest drivers of a ring that the ride was not offered to yet; nil if all of them are being changed.
    ///
    /// First the search, then the locks by key: `FOR UPDATE` in a statement with `<->` damaged tables (15.18). A driver whom
    /// another transaction changes now is skipped, and so is one that was not heard for two minutes.
    private static func drivers(
        for course: Int, from start: Location, in ring: Ring, _ connection: Connection
    ) throws -> [Int]? {
        let nearest: [Int] = try connection.execute(
            """
            SELECT c.id FROM chauffeurs c LEFT JOIN position p ON p.chauffeur_id = c.id
            WHERE c.statut = 'disponible' AND ST_DWithin(c.localisation, $1::bytea::geography, $2, false)
                AND (p.mesuree IS NULL OR p.mesuree > now() - interval '120 s')
                AND NOT EXISTS (SELECT FROM offre o WHERE o.course_id = $3 AND o.chauffeur_id = c.id)
            ORDER BY c.localisation <-> $1::bytea::geography LIMIT $4
            """, .bytes(start.ewkb), .double(ring.metres), .int(course), .int(candidatesMax)
        ).map { try $0["id"] }
        guard !nearest.isEmpty else { return [] }
        // Shared: another ride may be offered to the same driver at the same time.
        let free: [Int] = try connection.execute(
            "SELECT id FROM chauffeurs WHERE id = ANY ($1) AND statut = 'disponible' FOR SHARE SKIP LOCKED",
            .ints(nearest)
        ).map { try $0["id"] }
        let sql: StaticString = "SELECT id FROM chauffeurs WHERE id = ANY ($1) AND statut = 'disponible' LIMIT 1"
        if free.isEmpty, try connection.execute(sql, .ints(nearest)).count > 0 { return nil }
        return Array(nearest.filter(Set(free).contains).prefix(ring.drivers))
    }

    private static func giveUp(_ course: Int, _ reason: String, _ connection: Connection) throws {
        let client: Int? = try connection.execute("SELECT client_id FROM courses WHERE id = $1", .int(course)).first?[
            "client_id"]
        try connection.lockRides(ofClient: client)
        try connection.execute(
            "UPDATE course_detail SET annulee_par = 'systeme', raison = $2 WHERE course_id = $1", .int(course),
            .text(reason))
        try connection.execute(
            "UPDATE courses SET statut = 'annule' WHERE id = $1 AND statut = 'demande'", .int(course))
    }
}
