import DatabaseFixture
import Foundation
import Logging
import Platform
import Postgres
import Primitives
import RidesApp
import RidesModel
import RidesServer
import TestSupport
import Testing
import Text
import WebServer

@testable import rides

/// The API as clients see it: accounts, roles, bodies, the document.
@Suite(.timeLimit(.minutes(20))) struct APITests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A server's API on a database, and accounts for it.
    private struct Served {
        let town: Town
        let api: WebAPI
        let administration: AccountAdministration

        init(_ folder: TemporaryFolder) async throws {
            town = try await Town()
            let accounts = try AccountStore(folder: folder.path, product: .rides)
            administration = AccountAdministration(accounts)
            let service = RidesService(.init(database: town.string), logger: Logger(label: "test"))
            api = service.api(
                WebSettings(product: .rides, hosts: ["rides.test"]), accounts: accounts, setupCode: SetupCode { _ in })
            try await administration.add(name: "ops", password: "sesame-71-sesame", role: .owner, grants: [])
        }

        /// A token of a person, or of the operator.
        func token(_ person: Person?) async throws -> String {
            if let person {
                try await administration.add(
                    name: "\(person)", password: "sesame-72-sesame", role: .member,
                    grants: [Grant(scope: "\(person)", level: .edit)])
            }
            return try await administration.addToken(
                of: person.map { "\($0)" } ?? "ops", name: "test", scopes: [.read, .write])
        }

        func ask(
            _ method: String, _ target: String, _ body: String? = nil, token: String?, language: String = "en"
        ) async -> (status: Int, text: String) {
            var headers = ["host": "rides.test", "accept-language": language]
            headers["authorization"] = token.map { "Bearer \($0)" }
            if body != nil { headers["content-type"] = "application/json" }
            let response = await api.respond(
                to: WebRequest(
                    method: method, target: "/api/v1\(target)", headers: headers, body: Array((body ?? "").utf8)))
            guard case .bytes(let bytes) = response.body else { return (response.status, "stream") }
            return (response.status, String(decoding: bytes, as: UTF8.self))
        }
    }

    private static let ride = """
        {"depart_point":{"type":"Point","coordinates":[15.315,-4.325]},\
        "arrivee_point":{"type":"Point","coordinates":[15.3,-4.35]}}
        """

    @Test func `C29 C31 the drivers of a status decode into the models of the published app`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        let near = try await served.town.driver(north: 10)
        _ = try await served.town.driver(statut: .hors_ligne)
        let token = try await served.token(nil)
        let answer = await served.ask("GET", "/chauffeurs?statut=disponible", token: token)
        #expect(answer.status == 200)
        let drivers = try JSONDecoder().decode([Chauffeur].self, from: Data(answer.text.utf8))
        #expect(drivers.map(\.id) == [near] && drivers.allSatisfy(\.estDisponible))
        #expect(abs(drivers[0].coordinate.longitude - Town.centre.longitude) < 1e-9)
        _ = try await served.town.ask(try await served.town.client())
        let rides = await served.ask("GET", "/courses?statut=Demand%C3%A9", token: token)
        #expect(
            try JSONDecoder().decode([Course].self, from: Data(rides.text.utf8)).map(\.estEnAttente) == [true])
        #expect(await served.ask("GET", "/chauffeurs?statut=libre", token: token).status == 400)
    }

    @Test func `C44 a ride goes its way over the API, and others see nothing of it`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        let (ada, eve) = (try await served.town.client(), try await served.town.client())
        let driver = try await served.town.driver(north: 100)
        let (adas, eves) = (try await served.token(ada), try await served.token(eve))
        let drivers = try await served.token(.chauffeur(driver))
        let operators = try await served.token(nil)

        let asked = await served.ask("POST", "/courses", Self.ride, token: adas)
        #expect(asked.status == 200)
        let ride = try #require(try JSONDecoder().decode([String: Int].self, from: Data(asked.text.utf8))["course"])
        #expect(await served.ask("POST", "/courses", Self.ride, token: adas).status == 409)
        let refused = await served.ask("POST", "/courses", Self.ride, token: adas, language: "fr")
        #expect(refused.text.contains("ce client a déjà une course"))
        #expect(await served.ask("POST", "/courses", Self.ride, token: operators).status == 403)
        #expect(await served.ask("POST", "/courses", Self.ride, token: drivers).status == 403)
        #expect(
            await served.ask("POST", "/courses/\(ride)/accepter", "{}", token: drivers).status == 409, "not offered")
        try await served.town.offer(ride, to: [driver])
        #expect(await served.ask("POST", "/courses/\(ride)/accepter", "{}", token: drivers).status == 200)
        #expect(await served.ask("GET", "/courses", token: eves).text == "[]")
        #expect(await served.ask("POST", "/course/annuler", #"{"raison":"x"}"#, token: eves).status == 404)
        #expect(await served.ask("PUT", "/chauffeur/statut", #"{"statut":"hors_ligne"}"#, token: drivers).status == 409)
        for (path, body) in [
            ("/course/phase", #"{"phase":"arrive"}"#), ("/course/phase", #"{"phase":"a_bord"}"#),
            ("/course/terminer", "{}"),
        ] {
            #expect(await served.ask("POST", path, body, token: drivers).status == 200, "\(path)")
        }
        let paid = await served.ask("GET", "/transactions", token: adas)
        let payment = try #require(try JSONDecoder().decode([Transaction].self, from: Data(paid.text.utf8)).first)
        #expect(payment.estPaye && payment.course_id == ride && payment.token_paiement == nil)

        // All that any account may read has no hash and no reference, and of e-mails only the own one.
        guard case .client(let id) = ada else { return }
        #expect(await served.ask("GET", "/utilisateurs/\(id)", token: adas).status == 200)
        #expect(await served.ask("GET", "/utilisateurs/\(id)", token: eves).status == 404)
        for token in [adas, eves, drivers, operators] {
            for path in [
                "/courses", "/chauffeurs", "/transactions", "/vue", "/evenements", "/utilisateurs/\(id)", "/me",
            ] {
                let text = await served.ask("GET", path, token: token).text
                for secret in ["secret-hash", "password", "sim_", "token_paiement"] {
                    #expect(!text.contains(secret), "\(path) has \(secret)")
                }
                if path != "/utilisateurs/\(id)" { #expect(!text.contains("@example.org"), "\(path)") }
            }
        }
        for path in ["/courses", "/vue", "/flux", "/transactions"] {
            #expect(await served.ask("GET", path, token: nil).status == 401)
        }
        #expect(await served.ask("GET", "/vue", token: operators).status == 403)
    }

    @Test func `C31 an identity stands for one command, and a reason has 200 characters`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        let token = try await served.token(try await served.town.client())
        let key = String(repeating: "a1", count: 16)
        let ride = String(Self.ride.dropLast()) + #","commande":"\#(key)"}"#
        let first = await served.ask("POST", "/courses", ride, token: token)
        #expect(first.status == 200)
        #expect(await served.ask("POST", "/courses", ride, token: token).text == first.text)
        #expect(
            await served.ask("POST", "/courses", ride.replacing(key, with: key.uppercased()), token: token).text
                == first.text)
        for (path, body) in [
            ("/course/annuler", #"{"raison":"x","commande":"\#(key)"}"#),
            ("/courses", ride.replacing("-4.35", with: "-4.36")),
        ] {
            let other = await served.ask("POST", path, body, token: token)
            #expect(other.status == 409 && other.text.contains("another command"), "\(path): \(other.text)")
        }
        for (length, status) in [(201, 422), (200, 200)] {
            let reason = String(repeating: "é", count: length)
            let answer = await served.ask("POST", "/course/annuler", #"{"raison":"\#(reason)"}"#, token: token)
            #expect(answer.status == status, "\(length): \(answer.text)")
        }
    }

    @Test func `tokens of programs leave the setup code for the first person`() async throws {
        let accounts = try AccountStore(folder: folder.path, product: .rides)
        let administration = AccountAdministration(accounts)
        let local = LocalAccounts(accounts)
        for person in [Person.client(1), nil] {
            let token = try await local.token(of: person)
            #expect(try await accounts.tokens.account(of: token, at: .now) != nil)
        }
        #expect(try await accounts.users.lackOwner())
        await #expect(throws: AccountError.firstIsOwner("Ada")) {
            try await administration.add(name: "Ada", password: "sesame-72-sesame", role: .member, grants: [])
        }
        try await administration.add(name: "Ada", password: "sesame-72-sesame", role: .owner, grants: [])
        #expect(try await !accounts.users.lackOwner())
        // The account of programs is no owner that could be left alone.
        await #expect(throws: AccountError.lastOwner("Ada")) { try await administration.remove("Ada") }
        try await administration.remove("operator")
    }

    @Test func `bodies and keys that are wrong are told with the member and the value`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        let ada = try await served.town.client()
        let token = try await served.token(ada)
        let driver = try await served.token(.chauffeur(try await served.town.driver()))
        let table: [(String, String, String, Int, String)] = [
            ("POST", "/courses", "{}", 422, "depart_point"),
            ("POST", "/courses", Self.ride.replacing("-4.325", with: "-94"), 422, "latitude is -94"),
            ("POST", "/courses", Self.ride.replacing("[15.3,-4.35]", with: "[]"), 422, "the point is empty"),
            ("POST", "/courses", Self.ride.replacing("Point", with: "Polygon"), 422, "Polygon"),
            ("POST", "/courses", "[1]", 422, "no object"),
            ("POST", "/courses", "{", 400, "not JSON"),
            ("POST", "/courses", #"{"prix":1}"#, 422, "prix"),
            ("POST", "/courses", Self.ride.dropLast() + #","commande":"xyz"}"#, 422, "32 hexadecimal digits"),
            ("POST", "/courses/0/accepter", "{}", 404, "0"),
            ("POST", "/courses/99999999999/accepter", "{}", 404, "99999999999"),
            ("POST", "/courses/+7/accepter", "{}", 404, "7"),
            ("POST", "/course/annuler", #"{"raison":""}"#, 422, "raison"),
            ("POST", "/course/annuler", #"{"raison":"a\u0000b"}"#, 422, "raison"),
            ("POST", "/course/annuler", #"{"raison":"  "}"#, 422, "raison"),
            ("POST", "/course/phase", #"{"phase":"en_route"}"#, 422, "en_route"),
            ("PUT", "/chauffeur/statut", #"{"statut":"en_course"}"#, 422, "a ride decides"),
            ("PUT", "/chauffeur/statut", #"{"statut":"libre"}"#, 422, "libre"),
            ("POST", "/positions", #"{"positions":[]}"#, 403, "owner"),
        ].map { ($0.0, $0.1, String($0.2), $0.3, $0.4) }
        for (method, path, body, status, word) in table {
            let answer = await served.ask(method, path, body, token: token)
            #expect(answer.status == status, "\(path) \(body): \(answer.text)")
            #expect(answer.text.contains(word), "\(path) \(body): \(answer.text)")
        }
        for (place, status) in [
            (#"{"localisation":{"type":"Point","coordinates":[15.3,-4.3]},"mesuree":"2026-01-01T00:00:00"}"#, 422),
            (#"{"localisation":{"type":"Point","coordinates":[15.3,-4.3]}}"#, 200),
        ] {
            #expect(await served.ask("PUT", "/chauffeur/position", place, token: driver).status == status)
        }
        #expect(await served.ask("GET", "/evenements?apres=x", token: token).status == 400)
        #expect(await served.ask("GET", "/courses?limite=0", token: token).status == 400)
    }

    @Test func `every route is in the document, and each schema that it names is there`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        let text = await served.ask("GET", "/openapi.json", token: nil).text
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: Any])
        for path in ["/api/v1/courses", "/api/v1/courses/{id}/accepter", "/api/v1/flux", "/api/v1/session"] {
            #expect(paths[path] != nil, "\(path)")
        }
        let components = try #require(document["components"] as? [String: [String: Any]])
        for match in text.matches(of: /#\/components\/(\w+)\/(\w+)/) {
            #expect(components[String(match.1)]?[String(match.2)] != nil, "\(match.0)")
        }
    }

    @Test func `C30 C44 an operator reads the places of all who work, with their age`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        let (seen, unseen) = (try await served.town.driver(north: 100), try await served.town.driver(north: 200))
        _ = try await served.town.driver(statut: .hors_ligne)
        let time = Timestamp(milliseconds: 1_700_000_000_000)
        let place = try Town.place(north: 50)
        _ = try await served.town.store.take(
            [DriverFix(chauffeur: seen, localisation: place, mesuree: time)], at: .now)
        let answer = await served.ask("GET", "/positions", token: try await served.token(nil))
        let places = try CanonicalJSON.decode([DriverPlace].self, from: Array(answer.text.utf8))
        #expect(places.map(\.chauffeur) == [seen, unseen])
        #expect(places.map(\.mesuree) == [time, nil])
        #expect(places.first.map { $0.localisation.distance(to: place).metres < 0.001 } == true)
        let ada = try await served.token(try await served.town.client())
        #expect(await served.ask("GET", "/positions", token: ada).status == 403)
        #expect(await served.ask("GET", "/positions", token: nil).status == 401)
    }

    @Test func `C30 the page draws its own map, and speaks both languages`() async throws {
        let served = try await Served(folder)
        defer { served.town.database.close() }
        var scripts: [String] = []
        for (path, word) in [("/", "<svg id=\"map\""), ("/page.js", "Demander une course"), ("/page.css", "#map")] {
            let response = await served.api.respond(
                to: WebRequest(method: "GET", target: path, headers: ["host": "rides.test"]))
            guard case .bytes(let bytes) = response.body else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(response.status == 200 && text.contains(word), "\(path)")
            scripts.append(text)
        }
        // Both tables of words have the same keys.
        let script = try #require(scripts.first { $0.contains("const words") })
        let tables = script.split(separator: "fr: {", maxSplits: 1).map(String.init)
        func keys(_ text: String) -> Set<String> {
            Set(text.prefix { $0 != "}" }.matches(of: /(\w+): '/).map { String($0.1) })
        }
        let english = keys(String(tables[0].split(separator: "en: {", maxSplits: 1)[1]))
        #expect(english.count > 30 && english == keys(tables[1]))
    }
}
