import Postgres
package import RidesModel
package import Text

/// A place that a driver's receiver measured.
package struct DriverFix: Hashable, Sendable {
    /// The driver's key.
    package var chauffeur: Int
    package var localisation: Location
    /// When it was measured.
    package var mesuree: Timestamp

    /// Notes a place.
    package init(chauffeur: Int, localisation: Location, mesuree: Timestamp) {
        self.chauffeur = chauffeur
        self.localisation = localisation
        self.mesuree = mesuree
    }
}

/// Where a driver who works is, for an operator.
package struct DriverPlace: Codable, Hashable, Sendable {
    package var chauffeur: Int
    package var statut: Chauffeur.Statut
    package var localisation: Location
    /// When it was measured; nil if that is not known.
    package var mesuree: Timestamp?
}

extension RidesStore {
    /// Where the drivers who work are, for operators.
    ///
    /// - Parameter limit: The most that are returned.
    /// - Returns: The places by key, without drivers who are nowhere on earth.
    /// - Throws: `PostgresError`.
    package func places(limit: Int) async throws -> [DriverPlace] {
        try await acting(as: .operatorOnly, isReadOnly: true) { connection in
            try connection.execute(
                """
                SELECT c.id, c.statut, c.localisation, p.mesuree
                FROM chauffeurs c LEFT JOIN position p ON p.chauffeur_id = c.id
                WHERE c.statut <> 'hors_ligne' ORDER BY c.id LIMIT $1
                """, .int(limit)
            ).readable {
                DriverPlace(
                    chauffeur: try $0["id"], statut: try $0.value("statut"),
                    localisation: try $0.location("localisation"), mesuree: try $0["mesuree"])
            }
        }
    }

    /// The fastest that a driver is believed to be, in metres a second.
    package static let speedMax = 70.0
    /// How far in the future a measurement may be, in milliseconds; clocks of receivers differ a little.
    package static let futureMillisecondsMax: Int64 = 30_000

    /// Takes measurements: of each driver the newest, if it is newer than the last one.
    ///
    /// One that is farther than a driver can be is kept apart and not shown, until a second one agrees with it.
    ///
    /// - Parameters:
    ///   - fixes: The measurements, in any order.
    ///   - now: The time; what is more than ``futureMillisecondsMax`` after it is not taken, since it would hold back all others.
    /// - Returns: How many drivers have another place now.
    /// - Throws: `PostgresError`.
    package func take(_ fixes: [DriverFix], at now: Timestamp) async throws -> Int {
        var newest: [Int: DriverFix] = [:]
        for fix in fixes where fix.mesuree.milliseconds(since: now) <= Self.futureMillisecondsMax {
            if let known = newest[fix.chauffeur], known.mesuree >= fix.mesuree { continue }
            newest[fix.chauffeur] = fix
        }
        // In one order everywhere, so that two servers do not wait for each other.
        let sorted = newest.values.sorted { $0.chauffeur < $1.chauffeur }
        guard !sorted.isEmpty else { return 0 }
        return try await database.transaction { connection in
            try connection.execute("SELECT set_config('role', 'rides_moteur', true)")
            try connection.execute(
                "SELECT id FROM chauffeurs WHERE id = ANY ($1) ORDER BY id FOR UPDATE", .ints(sorted.map(\.chauffeur)))
            let taken = try connection.execute(
                """
                WITH fix AS (
                    SELECT t.id, ST_SetSRID(ST_MakePoint(t.lon, t.lat), 4326)::geography AS point, t.mesuree
                    FROM unnest($1::bigint[], $2::float8[], $3::float8[], $4::timestamptz[]) AS t (id, lon, lat, mesuree)
                ), judged AS (
                    SELECT fix.*, p.chauffeur_id IS NULL
                        OR coalesce(ST_Distance(c.localisation, fix.point, false), 0)
                            <= $5 * greatest(extract(epoch FROM fix.mesuree - p.mesuree), 1)
                        OR p.suspect_point IS NOT NULL AND ST_Distance(p.suspect_point, fix.point, false)
                            <= $5 * greatest(extract(epoch FROM fix.mesuree - p.suspect_mesuree), 1) AS believed
                    FROM fix JOIN chauffeurs c ON c.id = fix.id LEFT JOIN position p ON p.chauffeur_id = fix.id
                    WHERE p.chauffeur_id IS NULL
                        OR fix.mesuree > p.mesuree AND fix.mesuree > coalesce(p.suspect_mesuree, '-infinity')
                ), noted AS (
                    INSERT INTO position AS p (chauffeur_id, mesuree)
                    SELECT id, mesuree FROM judged ORDER BY id
                    ON CONFLICT (chauffeur_id) DO UPDATE SET
                        mesuree = CASE WHEN (SELECT believed FROM judged j WHERE j.id = p.chauffeur_id)
                            THEN excluded.mesuree ELSE p.mesuree END,
                        suspecte = NOT (SELECT believed FROM judged j WHERE j.id = p.chauffeur_id),
                        suspect_point = (SELECT point FROM judged j WHERE j.id = p.chauffeur_id AND NOT believed),
                        suspect_mesuree = (SELECT mesuree FROM judged j WHERE j.id = p.chauffeur_id AND NOT believed)
                )
                UPDATE chauffeurs SET localisation = judged.point FROM judged
                WHERE chauffeurs.id = judged.id AND judged.believed
                """, .ints(sorted.map(\.chauffeur)), .doubles(sorted.map(\.localisation.longitude)),
                .doubles(sorted.map(\.localisation.latitude)), .times(sorted.map(\.mesuree)), .double(Self.speedMax))
            return taken.affectedCount
        }
    }
}
