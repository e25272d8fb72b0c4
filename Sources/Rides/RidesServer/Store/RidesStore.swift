package import Postgres
package import RidesApp
package import RidesModel
import Text

/// Why a person's command was not carried out.
@nonexhaustive
package enum Refusal: Error, Hashable, Sendable {
    /// The person does not exist.
    case unknownPerson(Person)
    /// Another driver was faster, or the ride is not offered any more.
    case unavailable(Int)
    /// The driver has a ride, or is off duty.
    case driverBusy
    /// The client has a ride that is open.
    case clientBusy
    /// The person has no ride of which that can be said.
    case noRide(String)
    /// It is for the other role.
    case otherRole(expected: String)
    /// The command's identity belongs to another command or another person.
    case foreignCommand
}

extension Refusal: CustomStringConvertible {
    /// The reason, and the way out.
    package var description: String {
        switch self {
        case .unknownPerson(let person): "there is no \(person): make it in the database first"
        case .unavailable(let id): "the ride \(id) is not available any more: take another one"
        case .driverBusy: "this driver has a ride or is off duty: end the ride, or begin work"
        case .clientBusy: "this client has an open ride: cancel it, or wait for its end"
        case .noRide(let what): "there is no ride that \(what)"
        case .otherRole(let expected): "this is for a \(expected)"
        case .foreignCommand: "this identity was used for another command or by another person: make a new one"
        }
    }
}

/// The rides in the database: what a person may see and do, and what the operator sees.
package struct RidesStore: Sendable {
    /// Who works with the tables; the database decides what each of them sees.
    package enum Actor: Hashable, Sendable {
        case person(Person)
        /// Reads everything.
        case operatorOnly

        /// The key of the client or of the driver, as two parameters; an index finds what belongs to it, and the policies
        /// look only at that.
        var keys: (client: Parameter, driver: Parameter) {
            switch self {
            case .person(.client(let id)): (.int(id), .int(nil))
            case .person(.chauffeur(let id)): (.int(nil), .int(id))
            case .operatorOnly: (.int(nil), .int(nil))
            }
        }
    }

    let database: Database
    let fare: Fare

    /// Uses a database with the present schema.
    package init(_ database: Database, fare: Fare = Fare()) {
        self.database = database
        self.fare = fare
    }

    /// Works as an actor, in one transaction.
    func acting<Result: Sendable>(
        as actor: Actor, isReadOnly: Bool = false, _ work: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await database.transaction(isReadOnly: isReadOnly) { connection in
            try connection.execute("SELECT set_config('role', 'rides_regie', true)")
            guard case .person(let person) = actor else { return try work(connection) }
            let found: Rows
            switch person {
            case .client(let id):
                found = try connection.execute(
                    "SELECT id FROM utilisateurs WHERE id = $1 AND role = 'client'", .int(id))
            case .chauffeur(let id):
                found = try connection.execute("SELECT user_id AS id FROM chauffeurs WHERE id = $1", .int(id))
            }
            guard let user: Int = try found.first?["id"] else { throw Refusal.unknownPerson(person) }
            try connection.execute(
                "SELECT set_config('role', 'rides_personne', true), set_config('rides.utilisateur', $1, true)",
                .text("\(user)"))
            return try work(connection)
        }
    }

    // MARK: - Reading

    /// The person of an identity; nil if the actor does not see it.
    package func utilisateur(_ id: Int, as actor: Actor) async throws -> Utilisateur? {
        try await acting(as: actor, isReadOnly: true) { connection in
            try connection.execute("SELECT id, role, email FROM utilisateurs WHERE id = $1", .int(id)).first.map {
                Utilisateur(id: try $0["id"], role: try $0.value("role"), email: try $0["email"])
            }
        }
    }

    /// The drivers that the actor sees, with a status or with any; at most `limit`, by key.
    package func chauffeurs(_ statut: Chauffeur.Statut?, limit: Int, as actor: Actor) async throws -> [Chauffeur] {
        try await acting(as: actor, isReadOnly: true) { connection in
            try connection.execute(
                """
                SELECT id, user_id, localisation, statut FROM chauffeurs WHERE $1::text IS NULL OR statut = $1
                ORDER BY id LIMIT $2
                """, .text(statut?.rawValue), .int(limit)
            ).readable { try $0.chauffeur() }
        }
    }

    /// The rides that the actor sees, with a status or with any; the newest `limit`.
    package func courses(_ statut: Course.Statut?, limit: Int, as actor: Actor) async throws -> [Course] {
        try await acting(as: actor, isReadOnly: true) { connection in
            try connection.execute(
                """
                SELECT id, client_id, chauffeur_id, depart_point, arrivee_point, statut, montant_estime FROM courses
                WHERE ($1::text IS NULL OR statut = $1) AND ($3::bigint IS NULL OR client_id = $3)
                    AND ($4::bigint IS NULL OR chauffeur_id = $4 OR statut = 'demande' AND id = ANY (ARRAY(
                        SELECT course_id FROM offre WHERE offre.chauffeur_id = $4 AND expire > now() AND NOT refusee)))
                ORDER BY id DESC LIMIT $2
                """, .text(statut?.rawValue), .int(limit), actor.keys.client, actor.keys.driver
            ).readable { try $0.course() }
        }
    }

    /// The payments that the actor sees; the newest `limit`.
    package func transactions(limit: Int, as actor: Actor) async throws -> [Transaction] {
        try await acting(as: actor, isReadOnly: true) { connection in
            try connection.execute(
                """
                SELECT t.id, t.course_id, t.montant_final, t.statut
                FROM transactions t JOIN courses c ON c.id = t.course_id
                WHERE ($2::bigint IS NULL OR c.client_id = $2) AND ($3::bigint IS NULL OR c.chauffeur_id = $3)
                ORDER BY t.id DESC LIMIT $1
                """, .int(limit), actor.keys.client, actor.keys.driver
            ).readable { try $0.transaction() }
        }
    }

    /// What happened to the person's rides behind a position, in order, each once; at most `limit`.
    ///
    /// Only what is below the oldest running transaction is read, because an earlier one may still commit before it.
    package func events(
        after position: RideEvent.Position, limit: Int, as actor: Actor
    ) async throws -> [RideEvent] {
        try await acting(as: actor, isReadOnly: true) { connection in
            try connection.execute(
                """
                SELECT id, xid, course_id, genre, texte, montant, le FROM course_evenement
                WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
                    AND ($4::bigint IS NULL OR client_id = $4) AND ($5::bigint IS NULL OR chauffeur_id = $5)
                ORDER BY xid, id LIMIT $3
                """, .text("\(position.xid)"), .int(position.id), .int(limit), actor.keys.client, actor.keys.driver
            ).map { try $0.event() }
        }
    }

    /// How many seconds the oldest transaction with changes has been open, in any database of the server: it holds the events
    /// back; 0 for none.
    package func oldestTransactionSeconds() async throws -> Double {
        try await database.transaction(isReadOnly: true) { connection in
            try connection.execute(
                """
                SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 AS seconds
                FROM pg_stat_activity WHERE backend_xid IS NOT NULL
                """
            ).first?["seconds"] ?? 0
        }
    }
}

/// What a ride costs, and how long it takes, as far as is assumed.
package struct Fare: Hashable, Sendable {
    /// The price of every ride, in hundredths.
    package var baseCentimes: Int64 = 200_000
    /// The price of a kilometre as the crow flies, in hundredths.
    package var kilometreCentimes: Int64 = 130_000
    /// The speed as the crow flies.
    package var metresPerSecond = 5.0

    /// The usual fare.
    package init() {}

    /// The price of a ride, to the hundredth.
    ///
    /// - Throws: `MontantError` if the way is so long that no amount is large enough.
    package func price(from depart: Location, to arrivee: Location) throws -> Montant {
        let metres = Int64(depart.distance(to: arrivee).metres.rounded())
        return try Montant(centimes: baseCentimes + metres * kilometreCentimes / 1000)
    }

    /// The time of a way, in seconds.
    func seconds(from one: Location, to other: Location) -> Int {
        Int((one.distance(to: other).metres / metresPerSecond).rounded())
    }
}
