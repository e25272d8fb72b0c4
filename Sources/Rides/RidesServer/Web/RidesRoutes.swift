import Platform
import Postgres
import RidesApp
import RidesModel
import Service
import Text
import WebServer

/// What answers the routes of the rides.
package struct RidesHandlers: Sendable {
    let store: RidesStore
    let events: EventSource
    let changes: ChangeSignal

    /// Answers, and says in words of HTTP why not.
    func answer(_ body: () async throws -> WebResponse) async throws -> WebResponse {
        do {
            return try await body()
        } catch let refusal as Refusal {
            switch refusal {
            case .unknownPerson, .noRide: throw Problem(.missing, refusal.description, french: refusal.french)
            case .otherRole: throw Problem(.forbidden, refusal.description, french: refusal.french)
            case .unavailable, .driverBusy, .clientBusy, .foreignCommand:
                throw Problem(.refused, refusal.description, french: refusal.french)
            }
        } catch let error as MontantError {
            throw Problem(.wrongMember, "\(error)", member: "arrivee_point")
        } catch PostgresError.unknownOutcome {
            throw Problem(
                .storeAbsent, "the database went away at the end, so it may be done: send the same command again",
                french: "la base de données a disparu à la fin : renvoyez la même commande")
        } catch let error as PostgresError where error.isConnectionLost || error == .closed || error.isLocked {
            throw Problem(
                .storeAbsent, "the database does not answer now: try again in a moment",
                french: "la base de données ne répond pas : réessayez dans un instant")
        }
    }

    /// A command of the account's person.
    func command(_ context: RequestContext, _ command: RidesCommand, key: String?) async throws -> WebResponse {
        try await answer {
            let course = try await store.perform(command, key: key?.lowercased(), as: try context.person())
            return try .json(["course": course])
        }
    }
}

extension Refusal {
    /// The reason in French.
    var french: String {
        switch self {
        case .unknownPerson(let person): "\(person) n'existe pas"
        case .unavailable(let id): "la course \(id) n'est plus disponible"
        case .driverBusy: "ce chauffeur a une course ou est hors ligne"
        case .clientBusy: "ce client a déjà une course"
        case .noRide: "il n'y a pas de telle course"
        case .otherRole: "ce n'est pas pour ce rôle"
        case .foreignCommand: "cette identité a servi à une autre commande ou personne : créez-en une autre"
        }
    }
}

/// The routes of the rides.
package enum RidesRoutes {
    private static let key = RouteParameter.Kind.pattern("^[1-9][0-9]{0,9}$", example: "7")
    private static let limit = RouteParameter("limite", .integer(1...1000, usual: 100), "The most that are returned.")
    private static let now: [Problem.Kind] = [.storeAbsent]

    private static func statut(_ kind: String) -> RouteParameter {
        RouteParameter("statut", .named(kind), "Only those with this status.")
    }

    private static func route(
        _ id: String, _ method: String, _ path: String, _ summary: String, parameters: [RouteParameter] = [],
        body: String? = nil, for demand: AccessPolicy.Demand = .account, answer: Route.Answer
    ) -> Route {
        Route(
            id, method, "/api/v1\(path)", for: demand, in: "rides", summary, subject: key, parameters: parameters,
            body: body,
            answer: answer, isRefusable: method != "GET", problems: now)
    }

    /// The routes that read.
    static let reading: [HandledRoute<RidesHandlers>] = [
        route(
            "utilisateur", "GET", "/utilisateurs/{id}", "A person: oneself, or any for an operator.",
            answer: .one("utilisateur", "The person.")
        ).handled { handlers, context in
            try await handlers.answer {
                let id = try context.key()
                guard let user = try await handlers.store.utilisateur(id, as: try context.actor()) else {
                    throw Problem(.missing, "there is no person \(id)", member: "id")
                }
                return try .json(user)
            }
        },
        route(
            "chauffeurs", "GET", "/chauffeurs", "The drivers that the account sees.",
            parameters: [statut("statutChauffeur"), limit], answer: .list(of: "chauffeur", "By key.")
        ).handled { handlers, context in
            try await handlers.answer {
                let statut: Chauffeur.Statut? = try context.status()
                let limit = try context.number("limite")
                return try .json(
                    try await handlers.store.chauffeurs(statut, limit: limit, as: try context.actor()))
            }
        },
        route(
            "courses", "GET", "/courses", "The rides that the account sees.",
            parameters: [statut("statutCourse"), limit],
            answer: .list(of: "course", "The newest first.")
        ).handled { handlers, context in
            try await handlers.answer {
                let statut: Course.Statut? = try context.status()
                let limit = try context.number("limite")
                return try .json(try await handlers.store.courses(statut, limit: limit, as: try context.actor()))
            }
        },
        route(
            "transactions", "GET", "/transactions", "The payments that the account sees.", parameters: [limit],
            answer: .list(of: "transaction", "The newest first.")
        ).handled { handlers, context in
            try await handlers.answer {
                let limit = try context.number("limite")
                return try .json(try await handlers.store.transactions(limit: limit, as: try context.actor()))
            }
        },
        route(
            "places", "GET", "/positions", "Where the drivers who work are. Times are milliseconds since 1970.",
            parameters: [limit], for: .owner, answer: .list(of: "place", "By key.")
        ).handled { handlers, context in
            try await handlers.answer {
                let places = try await handlers.store.places(limit: try context.number("limite"))
                return WebResponse(200, .bytes(try CanonicalJSON.encode(places)), type: "application/json")
            }
        },
        route(
            "vue", "GET", "/vue", "What the account's person is shown now. Times are milliseconds since 1970.",
            answer: .object("The view.")
        ).handled { handlers, context in
            try await handlers.answer {
                let view = try await handlers.store.view(of: try context.person())
                return WebResponse(200, .bytes(try CanonicalJSON.encode(view)), type: "application/json")
            }
        },
        route(
            "evenements", "GET", "/evenements",
            "What happened to the person's rides, in order. Times are milliseconds since 1970.",
            parameters: [
                RouteParameter(
                    "apres", .pattern("^[0-9]{1,18}-[0-9]{1,18}$", example: "0-0"),
                    "The position of the last event that is known, as xid-id."), limit,
            ], answer: .list(of: "evenement", "Behind the position, the oldest first.")
        ).handled { handlers, context in
            try await handlers.answer {
                let text = context.parameter("apres") ?? RideEvent.Position.start.text
                guard let position = RideEvent.Position(text) else {
                    throw context.wrong("apres", text, "a position such as 0-0")
                }
                let events = try await handlers.store.events(
                    after: position, limit: try context.number("limite"), as: .person(try context.person()))
                return WebResponse(200, .bytes(try CanonicalJSON.encode(events)), type: "application/json")
            }
        },
        route(
            "flux", "GET", "/flux",
            "A stream of server-sent events: `vue` with what the person is shown, when it changes.",
            answer: .text("text/event-stream", "The stream.")
        ).handled { handlers, context in try await handlers.answer { try await handlers.stream(context) } },
    ]

    /// The routes that change something; a command with the same identity is carried out once.
    static let changing: [HandledRoute<RidesHandlers>] = [
        route("demander", "POST", "/courses", "A client asks for a ride.", body: "demande", answer: done).handled {
            let body: Bodies.Ask = try $1.body()
            return try await $0.command(
                $1, .ask(depart: body.depart_point, arrivee: body.arrivee_point), key: body.commande)
        },
        route(
            "accepter", "POST", "/courses/{id}/accepter",
            "A driver takes a ride that is offered; the first one has it.",
            body: "commande", answer: done
        ).handled {
            let body: Bodies.Plain = try $1.body()
            return try await $0.command($1, .accept(course: try $1.key()), key: body.commande)
        },
        route("refuser", "POST", "/courses/{id}/refuser", "A driver refuses an offer.", body: "commande", answer: done)
            .handled {
                let body: Bodies.Plain = try $1.body()
                return try await $0.command($1, .refuse(course: try $1.key()), key: body.commande)
            },
        route("annuler", "POST", "/course/annuler", "Cancels the open ride.", body: "annulation", answer: done).handled
        {
            let body: Bodies.Cancel = try $1.body()
            return try await $0.command($1, .cancel(reason: body.raison), key: body.commande)
        },
        route(
            "phase", "POST", "/course/phase", "The driver waits, or the client is on board.", body: "phase",
            answer: done
        )
        .handled {
            let body: Bodies.PhaseChange = try $1.body()
            return try await $0.command($1, body.phase == .arrive ? .arrived : .onBoard, key: body.commande)
        },
        route("terminer", "POST", "/course/terminer", "Completes the driver's ride.", body: "commande", answer: done)
            .handled {
                let body: Bodies.Plain = try $1.body()
                return try await $0.command($1, .complete, key: body.commande)
            },
        route("statut", "PUT", "/chauffeur/statut", "The driver begins or ends work.", body: "statut", answer: done)
            .handled {
                let body: Bodies.Status = try $1.body()
                return try await $0.command($1, .status(isAvailable: body.statut == .disponible), key: body.commande)
            },
        route(
            "position", "PUT", "/chauffeur/position", "Where the driver is; an older measurement replaces nothing.",
            body: "position", answer: taken
        ).handled { handlers, context in
            try await handlers.answer {
                guard case .chauffeur(let id) = try context.person() else {
                    throw Refusal.otherRole(expected: "driver")
                }
                let body: Bodies.Position = try context.body()
                let fix = DriverFix(
                    chauffeur: id, localisation: body.localisation, mesuree: try body.time(context.now))
                return try .json(["prises": try await handlers.store.take([fix], at: context.now)])
            }
        },
        route(
            "positions", "POST", "/positions", "Where drivers are, from a receiver of the operator.", body: "positions",
            for: .owner, answer: taken
        ).handled { handlers, context in
            try await handlers.answer {
                let body: Bodies.Positions = try context.body()
                let fixes = try body.positions.map {
                    DriverFix(
                        chauffeur: $0.chauffeur, localisation: $0.localisation, mesuree: try $0.time(context.now))
                }
                return try .json(["prises": try await handlers.store.take(fixes, at: context.now)])
            }
        },
    ]

    private static let done = Route.Answer.one("fait", "It was done, for this ride.")
    private static let taken = Route.Answer.one("prises", "How many drivers have another place now.")

    /// All routes, with those of sessions.
    static func all(_ parts: WebAPI.Parts, store: RidesStore, changes: ChangeSignal) -> [ServedRoute] {
        let accounts = parts.accountHandlers { Person($0) != nil }
        let handlers = RidesHandlers(
            store: store, events: EventSource(parts), changes: changes)
        let document = OpenAPIDocument.resource(
            frame: PageFiles.rides.sources[OpenAPIDocument.fileName] ?? [],
            routes: AccountRouteTable.sessions.map(\.route) + table.map(\.route),
            of: .rides)
        let openapi = Route(
            "openapi", "GET", "/api/v1/openapi.json", for: .nothing, in: .server, "This document.",
            answer: .object("The document."))
        return AccountRouteTable.sessions.map { $0.served(by: accounts) } + table.map { $0.served(by: handlers) } + [
            ServedRoute(route: openapi, handler: .forAll { request, _ in document.response(to: request) })
        ]
    }

    private static let table = reading + changing
}

extension RequestContext {
    /// The parameter `statut`; nil if it is missing.
    fileprivate func status<Value: ColumnValue>() throws(Problem) -> Value? {
        guard let text = parameter("statut") else { return nil }
        do throws(UnknownValue) {
            return try Value(colonne: text)
        } catch {
            throw Problem(.badRequest, error.description, member: "statut", value: text)
        }
    }

    /// The body, without members that are unknown.
    fileprivate func body<Body: RequestBody>() throws(Problem) -> Body {
        _ = try members(Body.members)
        let body: Body
        do throws(CanonicalJSON.Failure) {
            body = try CanonicalJSON.decode(Body.self, from: request.body)
        } catch {
            let place = error.reason.prefix { $0 != ":" && $0 != "." }
            let member = Body.members.contains(String(place)) ? String(place) : nil
            throw Problem(.wrongMember, "the body cannot be read: \(error.reason)", member: member)
        }
        try body.check()
        return body
    }
}
