import PoolModel

/// A route of the server: all that is true of it but the code that answers it.
///
/// The router, the policy of access, the checks of parameters and the document of the API read it. The routes stand in
/// `ServedRoutes.swift`.
struct Route: Sendable {
    /// A group of operations in the document.
    enum Tag: String, Sendable {
        case server, session, water, history, alerts, servers, configuration, watches, accounts
    }

    /// The JSON Schema of an answer's body.
    enum Schema: Sendable {
        /// A text.
        case text
        /// Any JSON object.
        case object
        /// A schema of the document, by its name there.
        case named(String)
        /// A list of them.
        case list(String)
    }

    /// The answer if all goes well, for the document.
    struct Answer: Sendable {
        var status = 200
        /// What it says, in a sentence.
        let description: String
        /// The content type; nil for an answer without a body.
        var type: String? = "application/json"
        var schema = Schema.object
        /// Whether it has an ETag.
        var hasTag = false

        static func one(_ schema: String, _ description: String) -> Answer {
            Answer(description: description, schema: .named(schema))
        }

        static func list(of schema: String, _ description: String) -> Answer {
            Answer(description: description, schema: .list(schema))
        }

        static func created(_ schema: String, _ description: String) -> Answer {
            Answer(status: 201, description: description, schema: .named(schema))
        }

        static func object(_ description: String) -> Answer { Answer(description: description) }

        static func text(_ type: String, _ description: String) -> Answer {
            Answer(description: description, type: type, schema: .text)
        }

        static func nothing(_ description: String) -> Answer {
            Answer(status: 204, description: description, type: nil)
        }

        /// The same with an ETag.
        var tagged: Answer {
            var answer = self
            answer.hasTag = true
            return answer
        }
    }

    /// The identity: the `operationId` in the document, and the label in the measurements.
    let id: String
    /// The method, in capitals.
    let method: String
    /// The path; a part in braces stands for any text, and is a key of ``RouteParameter/subjects``.
    let path: String
    /// Who may use it.
    let demand: AccessPolicy.Demand
    let tag: Tag
    /// What it is for, in a sentence.
    let summary: String
    /// What else one should know of it; nil for nothing.
    let note: String?
    /// The parameters behind the `?`, and headers.
    let parameters: [RouteParameter]
    /// The name of the schema of the body, which is JSON, in the document; nil if the request has no body.
    let body: String?
    let answer: Answer
    /// Whether the hub or the accounts may refuse what is well formed and allowed.
    let isRefusable: Bool
    /// Further problems that it may have beside those that follow from the rest.
    let problems: [Problem.Kind]

    /// Creates a route from its identity, its method and its path, and what else is true of it.
    init(
        _ id: String, _ method: String, _ path: String, for demand: AccessPolicy.Demand, in tag: Tag,
        _ summary: String, note: String? = nil, parameters: [RouteParameter] = [], body: String? = nil, answer: Answer,
        isRefusable: Bool = false, problems: [Problem.Kind] = []
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.demand = demand
        self.tag = tag
        self.summary = summary
        self.note = note
        self.parameters = parameters
        self.body = body
        self.answer = answer
        self.isRefusable = isRefusable
        self.problems = problems
    }

    /// The names of the parameters behind the `?`.
    var queryNames: [String] { parameters.filter { $0.place == .query }.map(\.name) }

    /// The parameters in the braces of the path.
    var subjects: [RouteParameter] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            let name = String(part.dropFirst().dropLast())
            guard let kind = RouteParameter.subjects[name] else {
                preconditionFailure("the path \(path) has no known subject \(name)")
            }
            return RouteParameter(name, kind, in: .path, isRequired: true, nil)
        }
    }

    /// The text in the place of the braces; empty if there are none, nil if the parts do not match the pattern.
    func subject(of parts: ArraySlice<Substring>) -> String? {
        let pattern = path.split(separator: "/")
        guard parts.count == pattern.count else { return nil }
        var subject = ""
        for (wanted, part) in zip(pattern, parts) {
            guard wanted.hasPrefix("{") else {
                guard wanted == part else { return nil }
                continue
            }
            guard !part.isEmpty else { return nil }
            subject = WebRequest.decoded(part)
        }
        return subject
    }
}

/// A parameter of a route, with what it must be.
struct RouteParameter: Sendable {
    /// What its text must be.
    enum Kind: Sendable {
        case text
        /// A text of this regular expression.
        case pattern(String, example: String? = nil)
        /// The identity of a pool, a device, a dose, an alert or an account.
        case id
        case quantity
        /// A time with a zone.
        case time
        /// A whole number, and the one that is meant if the parameter is missing.
        case integer(ClosedRange<Int>, usual: Int)
        case decimal(ClosedRange<Double>)
    }

    /// Where it stands in a request.
    enum Place: String, Sendable {
        case query, header, path
    }

    let name: String
    let kind: Kind
    let place: Place
    let isRequired: Bool
    /// What it is for, in a sentence.
    let description: String?

    init(
        _ name: String, _ kind: Kind, in place: Place = .query, isRequired: Bool = false, _ description: String?
    ) {
        self.name = name
        self.kind = kind
        self.place = place
        self.isRequired = isRequired
        self.description = description
    }

    static func header(_ name: String, _ description: String) -> RouteParameter {
        RouteParameter(name, .text, in: .header, description)
    }

    static let from = RouteParameter("from", .time, "The first sample time, with a zone.")
    static let to = RouteParameter("to", .time, "The last sample time, with a zone.")
    /// The precondition of a change; the routes that have it answer with an ETag.
    static let ifMatch = RouteParameter(
        "If-Match", .text, in: .header, isRequired: true, "The ETag of the resource as it was read.")

    /// What may stand in the braces of a path.
    static let subjects: [String: Kind] = [
        "pool": .id, "device": .id, "dose": .id, "alert": .id, "user": .id, "server": .id,
        "conflict": .pattern("^[0-9a-f]{32}$"), "watch": .pattern("^[0-9a-f]{8}$"),
        "session": .pattern("^[0-9a-f]{16}$"), "token": .pattern("^[0-9a-f]{16}$"),
        "share": .pattern("^[0-9a-f]{16}$"),
        "channel": .pattern("^(\(ChannelRow.all.map(\.channel.rawValue).joined(separator: "|")))$"),
    ]

    /// The products at hand, each with its strength or without.
    static let products: Kind = {
        let names = DoseProduct.allCases.filter { $0.quantity != nil }.map(\.rawValue)
        let one = "(\(names.joined(separator: "|")))(=[0-9]{1,3}(\\.[0-9]{1,4})?)?"
        return .pattern(
            "^\(one)(,\(one)){0,\(names.count - 1)}$", example: "sodium-hypochlorite=9.6,sodium-bisulfate")
    }()
}
