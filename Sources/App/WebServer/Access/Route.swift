import Text

/// A route of the server: all that is true of it but the code that answers it.
///
/// The router, the policy of access, the checks of parameters and the document of the API read it.
package struct Route: Sendable {
    /// A group of operations in the document.
    package struct Tag: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name in the document.
        package let text: String

        package init(stringLiteral text: String) { self.text = text }

        package static let server: Tag = "server"
        package static let session: Tag = "session"
        package static let accounts: Tag = "accounts"
    }

    /// The JSON Schema of an answer's body.
    package enum Schema: Sendable {
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
    package struct Answer: Sendable {
        package var status = 200
        /// What it says, in a sentence.
        package let description: String
        /// The content type; nil for an answer without a body.
        package var type: String? = "application/json"
        package var schema = Schema.object
        /// Whether it has an ETag.
        package var hasTag = false

        package static func one(_ schema: String, _ description: String) -> Answer {
            Answer(description: description, schema: .named(schema))
        }

        package static func list(of schema: String, _ description: String) -> Answer {
            Answer(description: description, schema: .list(schema))
        }

        package static func created(_ schema: String, _ description: String) -> Answer {
            Answer(status: 201, description: description, schema: .named(schema))
        }

        package static func object(_ description: String) -> Answer { Answer(description: description) }

        package static func text(_ type: String, _ description: String) -> Answer {
            Answer(description: description, type: type, schema: .text)
        }

        package static func nothing(_ description: String) -> Answer {
            Answer(status: 204, description: description, type: nil)
        }

        /// The same with an ETag.
        package var tagged: Answer {
            var answer = self
            answer.hasTag = true
            return answer
        }
    }

    /// A body that is no JSON, which only an account that may use the route can send.
    package struct Upload: Sendable {
        /// The content type.
        package let type: String
        /// The most bytes.
        package let byteCountMax: Int

        package init(type: String, byteCountMax: Int) {
            self.type = type
            self.byteCountMax = byteCountMax
        }
    }

    /// The identity: the `operationId` in the document, and the label in the measurements.
    package let id: String
    /// The method, in capitals.
    package let method: String
    /// The path; a part in braces stands for any text: the subject.
    package let path: String
    /// Who may use it.
    package let demand: AccessPolicy.Demand
    package let tag: Tag
    /// What the subject's text must be.
    package let subjectKind: RouteParameter.Kind
    /// What it is for, in a sentence.
    package let summary: String
    /// What else one should know of it; nil for nothing.
    package let note: String?
    /// The parameters behind the `?`, and headers.
    package let parameters: [RouteParameter]
    /// The name of the schema of the body, which is JSON, in the document; nil if the request has no body.
    package let body: String?
    /// The body that is no JSON; nil if the request has none.
    package let upload: Upload?
    package let answer: Answer
    /// Whether the hub or the accounts may refuse what is well formed and allowed.
    package let isRefusable: Bool
    /// Further problems that it may have beside those that follow from the rest.
    package let problems: [Problem.Kind]

    /// Creates a route from its identity, its method and its path, and what else is true of it.
    package init(
        _ id: String, _ method: String, _ path: String, for demand: AccessPolicy.Demand, in tag: Tag,
        _ summary: String, subject: RouteParameter.Kind = .id, note: String? = nil, parameters: [RouteParameter] = [],
        body: String? = nil, upload: Upload? = nil, answer: Answer,
        isRefusable: Bool = false, problems: [Problem.Kind] = []
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.demand = demand
        self.tag = tag
        self.summary = summary
        subjectKind = subject
        self.note = note
        self.parameters = parameters
        self.body = body
        self.upload = upload
        self.answer = answer
        self.isRefusable = isRefusable
        self.problems = problems
    }

    /// The names of the parameters behind the `?`.
    package var queryNames: [String] { parameters.filter { $0.place == .query }.map(\.name) }

    /// The parameters in the braces of the path.
    package var subjects: [RouteParameter] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            RouteParameter(String(part.dropFirst().dropLast()), subjectKind, in: .path, isRequired: true, nil)
        }
    }

    /// The text in the place of the braces; empty if there are none, nil if the parts do not match the pattern.
    package func subject(of parts: ArraySlice<Substring>) -> String? {
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
package struct RouteParameter: Sendable {
    /// What its text must be.
    package enum Kind: Sendable {
        case text
        /// A text of this regular expression.
        case pattern(String, example: String? = nil)
        /// The identity of a record.
        case id
        /// A schema of the document, by its name there.
        case named(String)
        /// A time with a zone.
        case time
        /// A whole number, and the one that is meant if the parameter is missing.
        case integer(ClosedRange<Int>, usual: Int)
        case decimal(ClosedRange<Double>)
    }

    /// Where it stands in a request.
    package enum Place: String, Sendable {
        case query, header, path
    }

    package let name: String
    package let kind: Kind
    package let place: Place
    package let isRequired: Bool
    /// What it is for, in a sentence.
    package let description: String?

    package init(
        _ name: String, _ kind: Kind, in place: Place = .query, isRequired: Bool = false, _ description: String?
    ) {
        self.name = name
        self.kind = kind
        self.place = place
        self.isRequired = isRequired
        self.description = description
    }

    package static func header(_ name: String, _ description: String) -> RouteParameter {
        RouteParameter(name, .text, in: .header, description)
    }

    package static let from = RouteParameter("from", .time, "The first sample time, with a zone.")
    package static let to = RouteParameter("to", .time, "The last sample time, with a zone.")
    /// The precondition of a change; the routes that have it answer with an ETag.
    package static let ifMatch = RouteParameter(
        "If-Match", .text, in: .header, isRequired: true, "The ETag of the resource as it was read.")
}
