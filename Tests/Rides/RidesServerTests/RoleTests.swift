import Postgres
import RidesApp
import RidesModel
import RidesServer
import Testing

/// Who sees and may do what: the database decides, whatever the program asks.
@Suite(.timeLimit(.minutes(20))) struct RoleTests {
    @Test func `C5 no role of the server may read a password hash or a reference of a payment`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        _ = try await town.client()
        for role in ["rides_personne", "rides_regie", "rides_moteur"] {
            for statement in [
                "password_hash FROM utilisateurs", "token_paiement FROM transactions", "* FROM utilisateurs",
            ] {
                let error = await #expect(throws: PostgresError.self) {
                    try await town.database.connection { connection in
                        try connection.execute("SELECT set_config('role', $1, false)", .text(role))
                        defer { _ = try? connection.execute("RESET ROLE") }
                        try connection.run(Script(file: "SELECT \(statement)"))
                    }
                }
                #expect(error?.sqlState == "42501", "\(role): \(statement)")
            }
        }
    }

    @Test func `C44 a client sees its rides and its driver while the ride is accepted, and nothing of others`()
        async throws
    {
        let town = try await Town()
        defer { town.database.close() }
        let (ada, eve) = (try await town.client(), try await town.client())
        let driver = try await town.driver(north: 400)
        let other = try await town.driver(north: 500)
        let ride = try await town.ask(ada)
        func visible(_ person: Person) async throws -> [Int] {
            try await town.store.chauffeurs(nil, limit: 100, as: .person(person)).map(\.id)
        }
        #expect(try await visible(ada).isEmpty, "a driver is sought")
        #expect(try await town.store.courses(nil, limit: 9, as: .person(ada)).map(\.id) == [ride])
        #expect(try await town.store.courses(nil, limit: 9, as: .person(eve)).isEmpty)
        #expect(try await town.store.courses(nil, limit: 9, as: .person(.chauffeur(driver))).isEmpty, "not offered")

        try await town.offer(ride, to: [driver])
        #expect(try await town.store.courses(nil, limit: 9, as: .person(.chauffeur(driver))).map(\.id) == [ride])
        #expect(try await town.store.courses(nil, limit: 9, as: .person(.chauffeur(other))).isEmpty)
        #expect(try await town.refusal(.accept(course: ride), as: .chauffeur(other)) == .unavailable(ride))
        #expect(try await town.refusal(.accept(course: ride), as: .chauffeur(driver)) == nil)

        #expect(try await visible(ada) == [driver])
        #expect(try await visible(eve).isEmpty)
        let view = try await town.store.view(of: ada)
        #expect(view.ride?.driver?.plaque == "CGO-\(driver)" && view.ride?.phase == .enRoute)
        // 400 m at 5 m/s.
        #expect(view.ride?.etaSeconds == nil, "the place has no time, so its age is not known")

        for step in [RidesCommand.arrived, .onBoard, .complete] {
            #expect(try await town.refusal(step, as: .chauffeur(driver)) == nil)
        }
        #expect(try await visible(ada).isEmpty, "the ride is over")
        #expect(try await town.store.transactions(limit: 9, as: .person(ada)).map(\.course_id) == [ride])
        #expect(try await town.store.transactions(limit: 9, as: .person(eve)).isEmpty)
        #expect(try await town.events(of: eve).isEmpty)
        #expect(
            try await town.events(of: ada).map(\.genre)
                == [.demande, .accepte, .arrive, .aBord, .completed, .recu])
        #expect(
            try await town.events(of: .chauffeur(driver)).map(\.genre)
                == [.accepte, .arrive, .aBord, .completed, .recu])
    }

    @Test func `C44 a statement that forgets who asks changes nothing of others`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let (ada, eve) = (try await town.client(), try await town.client())
        let driver = try await town.driver()
        let ride = try await town.ask(ada)
        try await town.offer(ride, to: [driver])
        guard case .client(let id) = eve else { return }
        let changed = try await town.database.transaction { connection in
            try connection.execute(
                "SELECT set_config('role', 'rides_personne', true), set_config('rides.utilisateur', $1, true)",
                .text("\(id)"))
            return [
                try connection.execute("UPDATE courses SET statut = 'annule'").affectedCount,
                try connection.execute("UPDATE chauffeurs SET statut = 'hors_ligne'").affectedCount,
                try connection.execute("UPDATE offre SET refusee = true").affectedCount,
                try connection.execute("UPDATE course_detail SET raison = 'x'").affectedCount,
            ]
        }
        #expect(changed == [0, 0, 0, 0])
        #expect(try await town.statut(ride) == .demande)
        // Nor does one without anybody.
        let seen = try await town.database.transaction { connection in
            try connection.execute("SELECT set_config('role', 'rides_personne', true)")
            return try connection.execute("SELECT count(*) AS n FROM courses").first?["n"] as Int?
        }
        #expect(seen == 0)
    }

    @Test func `C44 a client can only cancel, and a driver cannot take a ride for another one`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let ada = try await town.client()
        let (driver, other) = (try await town.driver(), try await town.driver())
        let ride = try await town.ask(ada)
        try await town.offer(ride, to: [driver])
        let user = try await town.value("SELECT user_id AS id FROM chauffeurs WHERE id = $1", .int(driver))
        guard case .client(let client) = ada else { return }
        for (person, sql) in [
            (client, "UPDATE courses SET statut = 'accepte', chauffeur_id = \(driver)"),
            (user, "UPDATE courses SET statut = 'accepte', chauffeur_id = \(other)"),
            (user, "UPDATE courses SET statut = 'annule'"),
            (client, "UPDATE courses SET montant_estime = 0"),
            (client, "INSERT INTO transactions (course_id, montant_final, statut) VALUES (\(ride), 0, 'charged')"),
        ] {
            let error = await #expect(throws: PostgresError.self, "\(sql)") {
                try await town.database.transaction { connection in
                    try connection.execute(
                        "SELECT set_config('role', 'rides_personne', true), set_config('rides.utilisateur', $1, true)",
                        .text("\(person)"))
                    try connection.run(Script(file: sql))
                }
            }
            #expect(error?.sqlState == "42501", "\(sql)")
        }
        #expect(try await town.statut(ride) == .demande)
        #expect(try await town.refusal(.complete, as: ada) == .otherRole(expected: "driver"))
        #expect(
            try await town.refusal(
                .ask(depart: try Town.place(), arrivee: try Town.place(north: 9)), as: .chauffeur(driver))
                == .otherRole(expected: "client"))
        #expect(try await town.refusal(.arrived, as: .client(9999)) == .unknownPerson(.client(9999)))
    }

    @Test func `C44 what a person's statements look at follows its rides, not how many drivers it is`() async throws {
        let town = try await Town(connections: 1)
        defer { town.database.close() }
        let ada = try await town.client()
        let driver = try await town.driver()
        let others = 100_000
        try await town.database.execute(
            """
            INSERT INTO chauffeurs (user_id, localisation, statut)
            SELECT (SELECT user_id FROM chauffeurs WHERE id = $1), 'POINT(0 0)', 'hors_ligne'
            FROM generate_series(1, $2::bigint)
            """, .int(driver), .int(others))
        try await town.database.connection { try $0.run(Script(file: "ANALYZE")) }
        let ride = try await town.ask(ada)
        try await town.offer(ride, to: [driver])
        // A connection of its own counts only what follows.
        let database = Database(town.string, connections: 1)
        defer { database.close() }
        let user = try await town.value("SELECT user_id AS id FROM chauffeurs WHERE id = $1", .int(driver))
        let looked: Int? = try await database.transaction { connection in
            try connection.execute(
                "SELECT set_config('role', 'rides_personne', true), set_config('rides.utilisateur', $1, true)",
                .text("\(user)"))
            #expect(
                try connection.execute(
                    "UPDATE courses SET statut = 'accepte', chauffeur_id = $2 WHERE id = $1 AND statut = 'demande'",
                    .int(ride), .int(driver)
                ).affectedCount == 1)
            #expect(
                try connection.execute("UPDATE chauffeurs SET statut = 'en_course' WHERE id = $1", .int(driver))
                    .affectedCount == 1)
            for statement: StaticString in [
                "SELECT statut FROM courses WHERE chauffeur_id = $1",
                "SELECT phase FROM phase JOIN courses c ON c.id = course_id WHERE chauffeur_id = $1",
                "SELECT nom FROM chauffeur_profil WHERE chauffeur_id = $1",
                "SELECT course_id FROM offre WHERE chauffeur_id = $1",
                "SELECT genre FROM course_evenement WHERE chauffeur_id = $1",
            ] {
                #expect(try connection.execute(statement, .int(driver)).count == 1, "\(statement)")
            }
            return try connection.execute(
                "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS n FROM pg_stat_xact_user_tables"
            ).first?["n"]
        }
        #expect((1...1000).contains(looked ?? 0), "it looked at \(looked ?? 0) rows")
        // And so does what the program asks.
        #expect(try await town.store.view(of: .chauffeur(driver)).ride?.course.id == ride)
        #expect(try await town.events(of: .chauffeur(driver)).map(\.genre) == [.accepte])
        #expect(try await town.refusal(.complete, as: .chauffeur(driver)) == nil)
        #expect(try await town.store.transactions(limit: 9, as: .person(.chauffeur(driver))).count == 1)
    }
}
