import Postgres
package import RidesApp
import RidesModel
import Text

extension RidesStore {
    /// What a person is shown now.
    package func view(of person: Person) async throws -> RidesView {
        let fare = fare
        return try await acting(as: .person(person), isReadOnly: true) { connection in
            var view = RidesView(person: person, ride: nil, driving: nil)
            let found: Rows
            switch person {
            case .client(let id): found = try Self.ride(ofClient: id, connection)
            case .chauffeur(let id):
                view.driving = try Self.driving(id, connection)
                found = try Self.ride(ofDriver: id, connection)
            }
            guard let row = found.first, let course = try found.readable({ try $0.course() }).first else { return view }
            var ride = RidesView.Ride(
                course: course, phase: (try row["phase"] as String?).flatMap(Phase.init(rawValue:)),
                driver: nil,
                etaSeconds: nil, annulation: nil)
            if ride.course.estAnnulee { ride.annulation = try row["annulation"] }
            if ride.course.estAcceptee {
                let fix = try Self.fix(ofDriver: ride.course.chauffeur_id, connection)
                if case .client = person { ride.driver = fix }
                if let fix = fix?.fix, fix.age(at: try row["maintenant"]) != .unknown {
                    let target = ride.phase == .aBord ? ride.course.arrivee_point : ride.course.depart_point
                    ride.etaSeconds = fare.seconds(from: fix.localisation, to: target)
                }
            }
            view.ride = ride
            return view
        }
    }

    private static func ride(ofClient id: Int, _ connection: Connection) throws -> Rows {
        try connection.execute(
            """
            SELECT c.*, p.phase, concat_ws(': ', d.annulee_par, d.raison) AS annulation, now() AS maintenant FROM courses c
            LEFT JOIN phase p ON p.course_id = c.id LEFT JOIN course_detail d ON d.course_id = c.id
            WHERE c.client_id = $1 ORDER BY c.id DESC LIMIT 1
            """, .int(id))
    }

    private static func ride(ofDriver id: Int, _ connection: Connection) throws -> Rows {
        try connection.execute(
            """
            SELECT c.*, p.phase, concat_ws(': ', d.annulee_par, d.raison) AS annulation, now() AS maintenant FROM courses c
            LEFT JOIN phase p ON p.course_id = c.id LEFT JOIN course_detail d ON d.course_id = c.id
            WHERE c.chauffeur_id = $1 ORDER BY (c.statut = 'accepte') DESC, c.id DESC LIMIT 1
            """, .int(id))
    }

    private static func fix(ofDriver id: Int?, _ connection: Connection) throws -> RidesView.Driver? {
        try connection.execute(
            """
            SELECT c.localisation, p.mesuree, coalesce(f.nom, '') AS nom, coalesce(f.plaque, '') AS plaque
            FROM chauffeurs c LEFT JOIN position p ON p.chauffeur_id = c.id
            LEFT JOIN chauffeur_profil f ON f.chauffeur_id = c.id WHERE c.id = $1
            """, .int(id)
        ).first.map { RidesView.Driver(nom: try $0["nom"], plaque: try $0["plaque"], fix: try fix($0)) }
    }

    private static func driving(_ id: Int, _ connection: Connection) throws -> RidesView.Driving? {
        let own = try connection.execute(
            """
            SELECT c.localisation, c.statut, p.mesuree, coalesce(p.suspecte, false) AS suspecte
            FROM chauffeurs c LEFT JOIN position p ON p.chauffeur_id = c.id WHERE c.id = $1
            """, .int(id))
        guard let row = own.first else { return nil }
        let offers = try connection.execute(
            """
            SELECT o.course_id, o.expire, c.depart_point, c.arrivee_point, c.montant_estime,
                ST_Distance(c.depart_point, d.localisation, false) AS metres
            FROM offre o JOIN courses c ON c.id = o.course_id AND c.statut = 'demande'
            JOIN chauffeurs d ON d.id = o.chauffeur_id AND d.statut = 'disponible'
            WHERE o.chauffeur_id = $1 AND o.expire > now() AND NOT o.refusee ORDER BY metres, o.course_id LIMIT $2
            """, .int(id), .int(RidesView.offersMax))
        return RidesView.Driving(
            statut: try row.value("statut"),
            fix: try fix(row), estSuspecte: try row["suspecte"],
            offres: try offers.readable { offer -> RidesView.Offer? in
                guard let metres: Double = try offer["metres"], metres.isFinite else { return nil }
                return RidesView.Offer(
                    course: try offer["course_id"], depart: try offer.location("depart_point"),
                    arrivee: try offer.location("arrivee_point"), montant: try offer.montant("montant_estime"),
                    distanceMetres: Int(metres.rounded()), expire: try offer["expire"])
            }.compactMap(\.self))
    }

    private static func fix(_ row: Row) throws -> RidesView.Fix? {
        let mesuree: Timestamp? = try row["mesuree"]
        return try row.place("localisation").map { RidesView.Fix(localisation: $0, mesuree: mesuree) }
    }
}
