import DatabaseFixture
import Foundation
import Postgres
import Primitives
import RidesApp
import RidesModel
import RidesServer
import TestSupport
import Testing

/// A database with the present tables, which only one test uses.
struct Town: Sendable {
    let string: String
    let database: Database
    let store: RidesStore

    /// Around the middle of Kinshasa.
    static let centre = (latitude: -4.325, longitude: 15.315)

    /// More rounds where `RIDES_LARGE` is set.
    static func rounds(_ usual: Int, large: Int) -> Int {
        ProcessInfo.processInfo.environment["RIDES_LARGE"] == nil ? usual : large
    }

    /// A database that a program has prepared.
    init(string: String, database: Database, store: RidesStore) {
        self.string = string
        self.database = database
        self.store = store
    }

    init(connections: Int = 4) async throws {
        string = try await TestCluster.shared.database { string in
            let database = Database(string, connections: 1)
            defer { database.close() }
            _ = try await Migrator(database).run()
        }
        database = Database(string, connections: connections, patience: .seconds(600))
        store = RidesStore(database)
    }

    /// Adds a client; returns its person.
    func client() async throws -> Person {
        .client(
            try await value(
                """
                INSERT INTO utilisateurs (role, email, password_hash)
                VALUES ('client', gen_random_uuid() || '@example.org', 'secret-hash') RETURNING id
                """))
    }

    /// Adds a driver some metres north and east of the centre; returns its key.
    func driver(north: Double = 0, east: Double = 0, statut: Chauffeur.Statut = .disponible) async throws -> Int {
        let place = try Self.place(north: north, east: east)
        return try await value(
            """
            WITH u AS (
                INSERT INTO utilisateurs (role, email, password_hash)
                VALUES ('chauffeur', gen_random_uuid() || '@example.org', 'secret-hash') RETURNING id
            ), c AS (
                INSERT INTO chauffeurs (user_id, localisation, statut)
                SELECT id, $1::bytea::geography, $2 FROM u RETURNING id
            ), p AS (INSERT INTO chauffeur_profil SELECT id, 'Ben', 'CGO-' || id FROM c)
            SELECT id FROM c
            """, .bytes(place.ewkb), .text(statut.rawValue))
    }

    /// A place some metres north and east of the centre.
    static func place(north: Double = 0, east: Double = 0) throws -> Location {
        try Location(
            latitude: centre.latitude + north / 111_195,
            longitude: centre.longitude + east / 111_195 / cos(centre.latitude * .pi / 180))
    }

    /// The whole number in the column `id` of the first row.
    func value(_ sql: StaticString, _ parameters: Parameter...) async throws -> Int {
        try await database.transaction { connection in
            let rows: Rows
            switch parameters.count {
            case 0: rows = try connection.execute(sql)
            case 1: rows = try connection.execute(sql, parameters[0])
            default: rows = try connection.execute(sql, parameters[0], parameters[1])
            }
            return try #require(try rows.first?["id"] as Int?)
        }
    }

    /// Asks for a ride at the centre; returns its key.
    func ask(_ client: Person, key: String? = nil) async throws -> Int {
        let command = RidesCommand.ask(
            depart: try Self.place(), arrivee: try Self.place(north: -3000, east: -2000))
        return try #require(try await store.perform(command, key: key, as: client))
    }

    /// Offers a ride to drivers, for an hour.
    func offer(_ course: Int, to drivers: [Int]) async throws {
        try await database.execute(
            """
            INSERT INTO offre (course_id, chauffeur_id, anneau, expire)
            SELECT $1, unnest($2::bigint[]), 1, now() + interval '1 hour' ON CONFLICT DO NOTHING
            """, .int(course), .ints(drivers))
    }

    /// What became of a command: nil if it was done.
    func refusal(_ command: RidesCommand, as person: Person) async throws -> Refusal? {
        do {
            _ = try await store.perform(command, key: nil, as: person)
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    /// The events of a person, when no transaction of the server, also of another database, holds any of them back.
    func events(of person: Person) async throws -> [RideEvent] {
        try await poll("no event is held back") { try await isSettled() }
        return try await store.events(after: .start, limit: 1000, as: .person(person))
    }

    /// Whether no transaction of the server, also of another database, holds an event back.
    func isSettled() async throws -> Bool {
        try await value(
            "SELECT count(*) AS id FROM course_evenement WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())") == 0
    }

    /// The status of a ride.
    func statut(_ course: Int) async throws -> Course.Statut? {
        try await store.courses(nil, limit: 1000, as: .operatorOnly).first { $0.id == course }?.statut
    }
}
