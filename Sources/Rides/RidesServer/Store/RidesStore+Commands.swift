import Crypto
import Postgres
package import RidesApp
import RidesModel
import Text

extension RidesStore {
    /// What a person wants, with the identity of the command: what was carried out once gives the same answer again.
    package func perform(_ command: RidesCommand, key: String?, as person: Person) async throws -> Int? {
        do {
            return try await attempt(command, key: key, as: person)
        } catch PostgresError.server("23505", _, let constraint) where constraint == "commande_pkey" {
            // The same command came twice at once, and the other one is through now.
            do {
                return try await attempt(command, key: key, as: person)
            } catch PostgresError.server("23505", _, _) {
                throw Refusal.foreignCommand
            }
        }
    }

    private func attempt(_ command: RidesCommand, key: String?, as person: Person) async throws -> Int? {
        let fare = fare
        do {
            return try await acting(as: .person(person)) { connection in
                try Self.lock(for: command, of: person, connection)
                guard let key else { return try Self.carryOut(command, of: person, fare, connection) }
                let hash = Hexadecimal.text(Array(SHA256.hash(data: try CanonicalJSON.encode(command))))
                let known = try connection.execute(
                    "SELECT course_id, coalesce(empreinte, $2) = $2 AS same FROM commande WHERE cle = $1", .text(key),
                    .text(hash))
                if let row = known.first {
                    guard try row["same"] else { throw Refusal.foreignCommand }
                    return try row["course_id"]
                }
                try connection.execute(
                    "INSERT INTO commande (cle, utilisateur_id, empreinte) VALUES ($1, moi(), $2)", .text(key),
                    .text(hash))
                let course = try Self.carryOut(command, of: person, fare, connection)
                try connection.execute("UPDATE commande SET course_id = $2 WHERE cle = $1", .text(key), .int(course))
                return course
            }
        } catch PostgresError.server("23505", _, let constraint?) {
            switch constraint {
            case "une_course_par_client": throw Refusal.clientBusy
            case "une_course_par_chauffeur": throw Refusal.driverBusy
            default:
                throw PostgresError.server(sqlState: "23505", message: "it is there already", constraint: constraint)
            }
        }
    }

    /// Takes the locks of those whose rides the command may change, before the transaction gets its number.
    ///
    /// A transaction that waited for a row would have the lower number and the later event; with these locks, the numbers of
    /// transactions have the order of what happened to each client and each driver. Clients come before drivers everywhere.
    private static func lock(for command: RidesCommand, of person: Person, _ connection: Connection) throws {
        switch (command, person) {
        case (.ask, .client(let client)), (.cancel, .client(let client)):
            try connection.lockRides(ofClient: client)
            let open = try connection.execute(
                "SELECT chauffeur_id FROM courses WHERE client_id = $1 AND statut = 'accepte'", .int(client))
            try connection.lockRides(ofDriver: open.first?["chauffeur_id"])
        case (.accept(let course), .chauffeur(let driver)):
            let offered = try connection.execute("SELECT client_id FROM courses WHERE id = $1", .int(course))
            try connection.lockRides(ofClient: offered.first?["client_id"])
            try connection.lockRides(ofDriver: driver)
        case (_, .chauffeur(let driver)):
            let open = try connection.execute(
                "SELECT client_id FROM courses WHERE chauffeur_id = $1 AND statut = 'accepte'", .int(driver))
            try connection.lockRides(ofClient: open.first?["client_id"])
            try connection.lockRides(ofDriver: driver)
        case (_, .client): break
        }
    }

    /// Carries out a command; returns its ride.
    private static func carryOut(
        _ command: RidesCommand, of person: Person, _ fare: Fare, _ connection: Connection
    ) throws -> Int? {
        switch (command, person) {
        case (.ask(let depart, let arrivee), .client(let client)):
            let price = try fare.price(from: depart, to: arrivee)
            return try connection.execute(
                """
                INSERT INTO courses (client_id, depart_point, arrivee_point, statut, montant_estime)
                VALUES ($1, $2::bytea::geography, $3::bytea::geography, 'demande', $4::bigint::numeric / 100) RETURNING id
                """, .int(client), .bytes(depart.ewkb), .bytes(arrivee.ewkb), .int(Int(price.centimes))
            ).first?["id"]
        case (.cancel(let reason), _): return try cancel(reason, of: person, connection)
        case (.accept(let course), .chauffeur(let driver)):
            // Both hit one row, or neither: the first driver wins, and a driver has one ride.
            let accepted = try connection.execute(
                "UPDATE courses SET statut = 'accepte', chauffeur_id = $2 WHERE id = $1 AND statut = 'demande'",
                .int(course), .int(driver))
            guard accepted.affectedCount == 1 else { throw Refusal.unavailable(course) }
            let taken = try connection.execute(
                "UPDATE chauffeurs SET statut = 'en_course' WHERE id = $1 AND statut = 'disponible'", .int(driver))
            guard taken.affectedCount == 1 else { throw Refusal.driverBusy }
            return course
        case (.refuse(let course), .chauffeur(let driver)):
            let refused = try connection.execute(
                "UPDATE offre SET refusee = true WHERE course_id = $1 AND chauffeur_id = $2", .int(course), .int(driver)
            )
            guard refused.affectedCount == 1 else { throw Refusal.unavailable(course) }
            return course
        case (.arrived, .chauffeur(let driver)): return try advance(to: .arrive, driver, connection)
        case (.onBoard, .chauffeur(let driver)): return try advance(to: .aBord, driver, connection)
        case (.complete, .chauffeur(let driver)):
            let ended = try connection.execute(
                "UPDATE courses SET statut = 'completed' WHERE chauffeur_id = $1 AND statut = 'accepte' RETURNING id",
                .int(driver))
            guard let row = ended.first else { throw Refusal.noRide("can be completed") }
            return try row["id"]
        case (.status(let isAvailable), .chauffeur(let driver)):
            let changed = try connection.execute(
                "UPDATE chauffeurs SET statut = $2 WHERE id = $1 AND statut <> 'en_course'", .int(driver),
                .text((isAvailable ? Chauffeur.Statut.disponible : .hors_ligne).rawValue))
            guard changed.affectedCount == 1 else { throw Refusal.driverBusy }
            return nil
        case (.ask, .chauffeur): throw Refusal.otherRole(expected: "client")
        case (.accept, .client), (.refuse, .client), (.arrived, .client), (.onBoard, .client), (.complete, .client),
            (.status, .client):
            throw Refusal.otherRole(expected: "driver")
        case (.ledger, _): throw Refusal.otherRole(expected: "watch")
        }
    }

    private static func cancel(_ reason: String, of person: Person, _ connection: Connection) throws -> Int? {
        let open: Rows
        let role: String
        switch person {
        case .client(let id):
            role = "client"
            open = try connection.execute(
                "SELECT id FROM courses WHERE client_id = $1 AND statut IN ('demande', 'accepte') FOR UPDATE", .int(id))
        case .chauffeur(let id):
            role = "chauffeur"
            open = try connection.execute(
                "SELECT id FROM courses WHERE chauffeur_id = $1 AND statut = 'accepte' FOR UPDATE", .int(id))
        }
        guard let course: Int = try open.first?["id"] else { throw Refusal.noRide("can be cancelled") }
        try connection.execute(
            "UPDATE course_detail SET annulee_par = $2, raison = $3 WHERE course_id = $1", .int(course), .text(role),
            .text(reason))
        try connection.execute("UPDATE courses SET statut = 'annule' WHERE id = $1", .int(course))
        return course
    }

    private static func advance(to phase: Phase, _ driver: Int, _ connection: Connection) throws -> Int? {
        let changed = try connection.execute(
            """
            UPDATE phase SET phase = $2, depuis = now() FROM courses
            WHERE courses.id = phase.course_id AND courses.chauffeur_id = $1 AND courses.statut = 'accepte'
                AND phase.phase = $3 RETURNING phase.course_id AS id
            """, .int(driver), .text(phase.rawValue), .text(phase.before?.rawValue))
        guard let row = changed.first else { throw Refusal.noRide("is in the phase before this one") }
        return try row["id"]
    }
}

extension Connection {
    /// Waits until no other transaction changes rides of a client, and keeps it so until the end of this one; nil for none.
    func lockRides(ofClient client: Int?) throws(PostgresError) {
        guard let client else { return }
        try execute("SELECT pg_advisory_xact_lock(4419, $1::integer)", .int(client))
    }

    /// The same for a driver.
    func lockRides(ofDriver driver: Int?) throws(PostgresError) {
        guard let driver else { return }
        try execute("SELECT pg_advisory_xact_lock(4420, $1::integer)", .int(driver))
    }
}
