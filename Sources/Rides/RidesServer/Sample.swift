import Postgres
import Primitives

/// Made-up people in Kinshasa, for a demo and for the first steps.
package enum Sample {
    /// The centre, in degrees.
    package static let latitude = -4.325
    package static let longitude = 15.315

    /// Adds clients and drivers if there are no people yet; each driver is a person.
    ///
    /// The clients have the keys 1 and following, the drivers too. The first driver is at the centre.
    ///
    /// - Returns: Whether it added them.
    package static func add(to store: RidesStore, clients: Int, drivers: Int, seed: UInt64) async throws -> Bool {
        var generator = SplitMix64(seed: seed)
        let places = (0..<drivers).map { number in
            let spread = number == 0 ? 0 : 0.03
            return (
                longitude + Double.random(in: -spread...spread, using: &generator),
                latitude + Double.random(in: -spread...spread, using: &generator)
            )
        }
        return try await store.database.transaction { connection in
            try connection.execute("LOCK TABLE utilisateurs IN EXCLUSIVE MODE")
            guard try connection.execute("SELECT id FROM utilisateurs LIMIT 1").first == nil else { return false }
            // No password has such a hash.
            try connection.execute(
                """
                INSERT INTO utilisateurs (role, email, password_hash)
                SELECT 'client', 'client' || n || '@example.org', '!' FROM generate_series(1, $1::bigint) AS n
                """, .int(clients))
            try connection.execute(
                """
                WITH people AS (
                    INSERT INTO utilisateurs (role, email, password_hash)
                    SELECT 'chauffeur', 'chauffeur' || n || '@example.org', '!' FROM generate_series(1, $1::bigint) AS n
                    RETURNING id
                ), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM people)
                INSERT INTO chauffeurs (user_id, localisation, statut)
                SELECT numbered.id, ST_SetSRID(ST_MakePoint(($2::float8[])[n], ($3::float8[])[n]), 4326)::geography, 'disponible'
                FROM numbered ORDER BY n
                """, .int(drivers), .doubles(places.map(\.0)), .doubles(places.map(\.1)))
            try connection.execute(
                """
                INSERT INTO chauffeur_profil (chauffeur_id, nom, plaque)
                SELECT id, 'Driver ' || id, 'CGO-' || lpad((id * 7919 % 10000)::text, 4, '0') FROM chauffeurs
                """)
            return true
        }
    }
}
