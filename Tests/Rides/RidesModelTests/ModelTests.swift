import Foundation
import RidesModel
import Testing

/// The four models as the published app has them, row by row.
@Suite struct ModelTests {
    private func decode<Model: Decodable>(_ type: Model.Type = Model.self, _ text: String) throws -> Model {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The sentence of the error with which decoding fails.
    private func refusal<Model: Decodable>(_ type: Model.Type, _ text: String) -> String? {
        do {
            _ = try decode(type, text)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch {
            return "another error: \(error)"
        }
    }

    private static let course = """
        {"id":7,"client_id":12,"chauffeur_id":null,"depart_point":{"type":"Point","coordinates":[15.31,-4.32]},\
        "arrivee_point":{"type":"Point","coordinates":[15.2,-4.4]},"statut":"demande","montant_estime":12500.5}
        """

    @Test func `C1 C2 C3 C4 C6 a user decodes, and another role is an error that names it`() throws {
        let client = try decode(Utilisateur.self, #"{"id":12,"role":"client","email":"a@b.cd"}"#)
        #expect(client == Utilisateur(id: 12, role: .client, email: "a@b.cd"))
        #expect(client.estClient && !client.estChauffeur)
        #expect(try decode(Utilisateur.self, #"{"id":13,"role":"chauffeur","email":"b@b.cd"}"#).estChauffeur)
        #expect(
            refusal(Utilisateur.self, #"{"id":1,"role":"admin","email":"a@b.cd"}"#)
                == #""admin" is no role of a user: expected client, chauffeur"#)
    }

    @Test func `C5 the password hash is neither decoded nor encoded`() throws {
        let user = try decode(Utilisateur.self, #"{"id":1,"role":"client","email":"e","password_hash":"$2b$secret"}"#)
        #expect(user.password_hash == nil)
        #expect(try encode(user) == #"{"email":"e","id":1,"role":"client"}"#)
    }

    @Test func `C7 C8 C9 C10 a driver decodes with its place`() throws {
        let text =
            #"{"id":7,"user_id":40,"localisation":{"type":"Point","coordinates":[15.31,-4.32]},"statut":"disponible"}"#
        let driver = try decode(Chauffeur.self, text)
        #expect(driver.user_id == 40 && driver.estDisponible && !driver.estEnCourse)
        #expect(driver.coordinate.latitude == -4.32 && driver.coordinate.longitude == 15.31)
        #expect(try decode(Chauffeur.self, try encode(driver)) == driver)
        #expect(try decode(Chauffeur.self, text.replacing("disponible", with: "en_course")).estEnCourse)
    }

    @Test func `C11 C12 C13 C16 C28 a ride decodes, with or without a driver`() throws {
        let ride = try decode(Course.self, Self.course)
        #expect(ride.chauffeur_id == nil && ride.client_id == 12)
        #expect(ride.departCoordinate == ride.depart_point && ride.arriveeCoordinate.latitude == -4.4)
        #expect(try decode(Course.self, Self.course.replacing(#""chauffeur_id":null,"#, with: "")).chauffeur_id == nil)
        #expect(try decode(Course.self, Self.course.replacing("null", with: "7")).chauffeur_id == 7)
        // By PostGIS: ST_Distance of the two as geography, with use_spheroid => false.
        #expect(abs(ride.distance.metres - 15_095.5527) < 0.001)
        #expect(ride.distance.kilometres == ride.distance.metres / 1000)
    }

    @Test(arguments: [
        ("demande", Course.Statut.demande), ("demandé", .demande), ("demande\u{301}", .demande), ("DEMANDÉ", .demande),
        ("DEMANDE\u{301}", .demande), ("Accepté", .accepte), ("accepte", .accepte), ("annule\u{301}", .annule),
        ("ANNULÉ", .annule), ("Completed", .completed),
    ])
    func `C14 both spellings are read, and one is written`(_ text: String, _ expected: Course.Statut) throws {
        let ride = try decode(Course.self, Self.course.replacing(#""demande""#, with: "\"\(text)\""))
        #expect(ride.statut == expected)
        #expect(try encode(ride).contains("\"statut\":\"\(expected.rawValue)\""))
    }

    @Test func `C17 exactly one of the four is true`() throws {
        for statut in Course.Statut.allCases {
            var ride = try decode(Course.self, Self.course)
            ride.statut = statut
            let flags = [ride.estEnAttente, ride.estAcceptee, ride.estTerminee, ride.estAnnulee]
            #expect(flags.filter(\.self).count == 1)
            #expect(flags[[.demande, .accepte, .completed, .annule].firstIndex(of: statut) ?? 0])
        }
    }

    @Test func `C18 C19 C20 C21 C22 C23 a payment decodes, and its token is not encoded`() throws {
        let text = #"{"id":3,"course_id":7,"montant_final":99999999.99,"token_paiement":"tok_1","statut":"charged"}"#
        let paid = try decode(Transaction.self, text)
        #expect(paid.estPaye && !paid.aEchoue && !paid.estRembourse && paid.token_paiement == "tok_1")
        #expect(try encode(paid) == #"{"course_id":7,"id":3,"montant_final":99999999.99,"statut":"charged"}"#)
        #expect(try decode(Transaction.self, text.replacing("charged", with: "failed")).aEchoue)
        #expect(try decode(Transaction.self, text.replacing("charged", with: "refunded")).estRembourse)
        #expect(paid.montantFormate(langue: .fr, devise: "CDF") == "99\u{202F}999\u{202F}999,99\u{A0}CDF")
        #expect(paid.montantFormate(langue: .en, devise: "USD") == "USD\u{A0}99,999,999.99")
    }

    @Test func `C25 a value that the constraint does not allow is an error`() {
        for (statut, noun) in [("arrive", "ride"), ("", "ride"), ("demandee", "ride"), ("annulè", "ride")] {
            let text = Self.course.replacing(#""demande""#, with: "\"\(statut)\"")
            #expect(
                refusal(Course.self, text)
                    == "\"\(statut)\" is no status of a \(noun): expected demande, accepte, annule, completed")
        }
        #expect(refusal(Course.self, Self.course.replacing(#""demande""#, with: "4"))?.contains("is no status") == true)
        for statut in ["DISPONIBLE", "libre", "en course"] {
            let text =
                #"{"id":7,"user_id":4,"localisation":{"type":"Point","coordinates":[1,2]},"statut":"\#(statut)"}"#
            #expect(refusal(Chauffeur.self, text)?.hasPrefix("\"\(statut)\" is no status of a driver") == true)
        }
        for statut in ["Charged", "pending"] {
            let text = #"{"id":3,"course_id":7,"montant_final":1,"statut":"\#(statut)"}"#
            #expect(refusal(Transaction.self, text)?.hasPrefix("\"\(statut)\" is no status of a payment") == true)
        }
    }

    @Test func `C35 four steps are allowed, and ends are final`() {
        for from in Course.Statut.allCases {
            for to in Course.Statut.allCases {
                let isAllowed =
                    from == .demande && (to == .accepte || to == .annule)
                    || from == .accepte && (to == .annule || to == .completed)
                #expect(from.peutDevenir(to) == isAllowed, "\(from) to \(to)")
            }
        }
        #expect(Course.Statut.allCases.filter(\.estFinal) == [.annule, .completed])
        #expect(Course.Statut.allCases.filter(\.demandeUnChauffeur) == [.accepte, .completed])
    }
}
