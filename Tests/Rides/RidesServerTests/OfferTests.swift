import Foundation
import Platform
import Postgres
import Primitives
import RidesApp
import RidesModel
import RidesServer
import Testing
import Text

/// Offers go to the nearest drivers, ring by ring, once to each.
@Suite(.timeLimit(.minutes(20))) struct OfferTests {
    private func offered(_ ride: Int, in town: Town) async throws -> [[Int]] {
        let rows = try await town.database.transaction { connection in
            try connection.execute(
                "SELECT anneau, chauffeur_id FROM offre WHERE course_id = $1 ORDER BY anneau, chauffeur_id", .int(ride)
            ).map { (try $0["anneau"] as Int, try $0["chauffeur_id"] as Int) }
        }
        return Dictionary(grouping: rows, by: \.0).sorted { $0.key < $1.key }.map { $0.value.map(\.1) }
    }

    /// Lets the time of the open ring be over.
    private func expire(_ town: Town) async throws {
        try await town.database.transaction { connection in
            try connection.execute("UPDATE course_detail SET anneau_fin = now() - interval '1 s'")
            try connection.execute("UPDATE offre SET expire = now() - interval '1 s'")
        }
    }

    @Test func `C37 C39 the nearest three, then five and five farther away, then nobody is near`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let client = try await town.client()
        var near: [Int] = []
        for metres in [100, 900, 1500, 1900] { near.append(try await town.driver(north: Double(metres))) }
        var far: [Int] = []
        for metres in [2500, 2600, 3000, 3400, 3450, 4000, 4900] {
            far.append(try await town.driver(east: Double(metres)))
        }
        _ = try await town.driver(north: 50, statut: .hors_ligne)
        _ = try await town.driver(north: 60, statut: .en_course)
        let outside = try await town.driver(north: 5100)
        let ride = try await town.ask(client)
        let offers = Offers(town.database)
        #expect(try await offers.tick() == 1)
        #expect(try await offered(ride, in: town) == [Array(near.prefix(3))])
        #expect(try await offers.tick() == 0, "the ring is open")
        try await expire(town)
        #expect(try await offers.tick() == 1)
        // Ring 2 reaches 3.5 km: the fourth near one, and the nearest four beyond.
        #expect(try await offered(ride, in: town).last == [near[3]] + far[0...3])
        try await expire(town)
        #expect(try await offers.tick() == 1)
        #expect(try await offered(ride, in: town).last == Array(far[4...]))
        try await expire(town)
        #expect(try await offers.tick() == 1)
        #expect(try await offered(ride, in: town).flatMap(\.self).contains(outside) == false)
        let view = try await town.store.view(of: client)
        #expect(view.ride?.course.statut == .annule && view.ride?.annulation == "systeme: no driver is near")
    }

    @Test func `C39 C41 refusing asks the next at once, and a driver who is lost is not asked`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let client = try await town.client()
        let lost = try await town.driver(north: 10)
        try await town.database.execute(
            "INSERT INTO position (chauffeur_id, mesuree) VALUES ($1, now() - interval '3 min')", .int(lost))
        let (first, second) = (try await town.driver(north: 500), try await town.driver(north: 2500))
        let ride = try await town.ask(client)
        let offers = Offers(town.database)
        #expect(try await offers.tick() == 1)
        #expect(try await offered(ride, in: town) == [[first]])
        #expect(try await town.refusal(.refuse(course: ride), as: .chauffeur(first)) == nil)
        #expect(try await town.store.view(of: .chauffeur(first)).driving?.offres.isEmpty == true)
        #expect(try await offers.tick() == 1)
        #expect(try await offered(ride, in: town) == [[first], [second]])
        #expect(try await town.refusal(.accept(course: ride), as: .chauffeur(first)) == .unavailable(ride))
        #expect(try await town.store.chauffeurs(.disponible, limit: 9, as: .operatorOnly).count == 3)
    }

    @Test func `C38 rows of other programs that are nowhere on earth hold up nobody else`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let (ada, eve, zoe) = (try await town.client(), try await town.client(), try await town.client())
        let lost = try await town.driver()
        let near = try await town.driver(north: 50)
        var bad: [Int] = []
        for client in [ada, eve] { bad.append(try await town.ask(client)) }
        try await town.database.transaction { [bad] connection in
            try connection.execute(
                "UPDATE courses SET depart_point = 'POINT EMPTY'::geography WHERE id = $1", .int(bad[0]))
            try connection.execute(
                "UPDATE courses SET depart_point = ST_MakePoint('NaN', 'NaN')::geography WHERE id = $1", .int(bad[1]))
            try connection.execute(
                "UPDATE chauffeurs SET localisation = 'POINT EMPTY'::geography WHERE id = $1", .int(lost))
        }
        let good = try await town.ask(zoe)
        #expect(try await Offers(town.database, seconds: 600).tick() == 3)
        #expect(try await offered(good, in: town) == [[near]])
        for ride in bad {
            #expect(try await town.refusal(.accept(course: ride), as: .chauffeur(near)) == .unavailable(ride))
        }
        let given = try await town.events(of: ada)
        #expect(given.map(\.texte).last == "systeme: it has no place on earth or no amount")
        // Everybody is shown what can be shown.
        #expect(try await town.store.courses(nil, limit: 9, as: .operatorOnly).map(\.id) == [good])
        #expect(try await town.store.chauffeurs(nil, limit: 9, as: .operatorOnly).map(\.id) == [near])
        #expect(try await town.store.places(limit: 9).map(\.chauffeur) == [near])
        #expect(try await town.store.view(of: ada).ride == nil)
        #expect(try await town.store.view(of: .chauffeur(near)).driving?.offres.map(\.course) == [good])
        let driving = try await town.store.view(of: .chauffeur(lost)).driving
        #expect(driving?.fix == nil && driving?.statut == .disponible)
        // The next measurement says where the driver is.
        let now = Timestamp.now
        for second in 0...1 {
            let fix = DriverFix(
                chauffeur: lost, localisation: try Town.place(north: 10),
                mesuree: now.advanced(byMilliseconds: Int64(second) * 1000 - 5000))
            #expect(try await town.store.take([fix], at: now) == 1)
        }
        #expect(try await town.store.view(of: .chauffeur(lost)).driving?.fix != nil)
    }

    @Test func `C39 a ride waits for drivers whose rows another transaction changes, and is not given up`() async throws
    {
        let town = try await Town(connections: 4)
        defer { town.database.close() }
        let drivers = [try await town.driver(north: 100), try await town.driver(north: 3000)]
        let ride = try await town.ask(try await town.client())
        let other = try Connection(town.string)
        try other.execute("BEGIN")
        try other.execute("SELECT id FROM chauffeurs FOR UPDATE")
        let offers = Offers(town.database, seconds: 600)
        #expect(try await offers.tick() == 1)
        #expect(try await town.statut(ride) == .demande)
        #expect(try await offered(ride, in: town) == [])
        try other.execute("COMMIT")
        #expect(try await offers.tick() == 1)
        #expect(try await offered(ride, in: town) == [[drivers[0]]])
    }

    @Test func `C19 an amount that is none is refused, and one of before holds up nobody`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let (ada, eve) = (try await town.client(), try await town.client())
        let driver = try await town.driver(north: 50)
        let (bad, good) = (try await town.ask(ada), try await town.ask(eve))
        let error = await #expect(throws: PostgresError.self) {
            try await town.database.execute("UPDATE courses SET montant_estime = 'NaN' WHERE id = $1", .int(bad))
        }
        #expect(error?.sqlState == "RD003")
        // One that was there before the rule.
        try await town.database.transaction { connection in
            try connection.execute("ALTER TABLE courses DISABLE TRIGGER verifier_montant")
            try connection.execute("UPDATE courses SET montant_estime = 'NaN' WHERE id = $1", .int(bad))
            try connection.execute("ALTER TABLE courses ENABLE TRIGGER verifier_montant")
        }
        #expect(try await Offers(town.database, seconds: 600).tick() == 2)
        #expect(try await town.store.view(of: .chauffeur(driver)).driving?.offres.map(\.course) == [good])
        #expect(try await town.store.courses(nil, limit: 9, as: .operatorOnly).map(\.id) == [good])
        #expect(try await town.events(of: ada).last?.genre == .annule)
        #expect(try await town.ask(ada) > good, "she may ask again")
    }

    @Test func `several servers on one database offer a ride once to each driver`() async throws {
        let town = try await Town(connections: 8)
        defer { town.database.close() }
        for number in 0..<12 { _ = try await town.driver(north: Double(number) * 100) }
        var rides: [Int] = []
        for _ in 0..<8 { rides.append(try await town.ask(try await town.client())) }
        let others = (0..<3).map { _ in Database(town.string, connections: 2) }
        defer { for other in others { other.close() } }
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in others + [town.database] {
                    group.addTask { _ = try await Offers(database).tick() }
                }
                try await group.waitForAll()
            }
        }
        for ride in rides {
            // One ring for each, although twelve ticks saw it.
            let rings = try await offered(ride, in: town)
            #expect(rings.map(\.count) == [3], "ride \(ride)")
        }
    }

    @Test func `C38 the nearest are those of brute force on the sphere, the date line and the poles included`()
        async throws
    {
        let town = try await Town()
        defer { town.database.close() }
        var generator = SplitMix64(seed: 38)
        var places: [Location] = []
        for number in 0..<Town.rounds(300, large: 1000) {
            let latitude = asin(Double.random(in: -1...1, using: &generator)) * 180 / .pi
            let longitude =
                number.isMultiple(of: 3)
                ? [179.999, -179.999, 180.0, -180.0][number % 4] : Double.random(in: -180...180, using: &generator)
            places.append(try Location(latitude: latitude, longitude: longitude))
        }
        places += [try Location(latitude: 90, longitude: 7), try Location(latitude: -90, longitude: 100)]
        let all = places
        try await town.database.transaction { connection in
            try connection.execute("CREATE TABLE places (id bigint PRIMARY KEY, g geography(Point, 4326))")
            for (index, place) in all.enumerated() {
                try connection.execute(
                    "INSERT INTO places VALUES ($1, $2::bytea::geography)", .int(index), .bytes(place.ewkb))
            }
            try connection.execute("CREATE INDEX ON places USING gist (g)")
            try connection.execute("SET LOCAL enable_seqscan = off")
            for center in all.prefix(40) + all.suffix(2) {
                let nearest = try connection.execute(
                    """
                    SELECT id, ST_Distance(g, $1::bytea::geography, false) AS metres FROM places
                    ORDER BY g <-> $1::bytea::geography LIMIT 5
                    """, .bytes(center.ewkb)
                ).map { (try $0["id"] as Int, try $0["metres"] as Double) }
                let brute = all.map { center.distance(to: $0).metres }.sorted().prefix(5)
                for ((id, metres), expected) in zip(nearest, brute) {
                    // Equal distances may come in either order.
                    #expect(abs(center.distance(to: all[id]).metres - expected) < 0.01)
                    #expect(abs(metres - expected) < 0.01, "PostGIS and the model have one sphere")
                }
            }
        }
    }
}
