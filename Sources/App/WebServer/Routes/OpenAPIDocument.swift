import Text

/// The document of the API: the routes, in the frame of `openapi.json`, which has the schemas.
package enum OpenAPIDocument {
    /// The name of the document, and of its frame.
    package static let fileName = "openapi.json"

    /// The document as it is served.
    ///
    /// - Parameters:
    ///   - frame: The document with three places: `"paths": {}`, and for what every page has `"common components": {}` and
    ///     `"common schemas": {}`. It defines the schema `scopeID`, the identity of what accounts are granted.
    ///   - routes: The routes, in the order of the document.
    ///   - product: What the page is called.
    /// - Returns: The file `openapi.json`.
    package static func resource(frame: [UInt8], routes: [Route], of product: WebProduct) -> PageResource {
        let places = [
            "\"paths\": {}": "\"paths\": {\(paths(routes))\n  }",
            "\"common components\": {}": PageKit.members("components", of: product),
            "\"common schemas\": {}": PageKit.members("schemas", of: product),
        ]
        var text = String(decoding: frame, as: UTF8.self)
        for (place, filling) in places {
            precondition(text.contains(place), "openapi.json has no place \(place)")
            text = text.replacing(place, with: filling)
        }
        return PageResource(fileName, Array(text.utf8))
    }

    /// The operations by their paths, in the order in which the paths first occur; one operation a line.
    private static func paths(_ routes: [Route]) -> String {
        var order: [String] = []
        var operations: [String: [String]] = [:]
        for route in routes {
            if operations[route.path] == nil { order.append(route.path) }
            operations[route.path, default: []].append(
                "\n      \(text(route.method.lowercased())): \(operation(route).jsonText)")
        }
        return order.map { path in
            "\n    \(text(path)): {\((operations[path] ?? []).joined(separator: ","))\n    }"
        }.joined(separator: ",")
    }

    private static func operation(_ route: Route) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("operationId", .string(route.id)), .init("summary", .string(route.summary)),
            .init("tags", .array([.string(route.tag.text)])),
        ]
        if let note = route.note { members.append(.init("description", .string(note))) }
        let parameters = route.subjects + route.parameters
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters.map(parameter)))) }
        if let body = route.body {
            members.append(
                .init(
                    "requestBody",
                    .object([
                        .init("required", .bool(true)),
                        .init("content", content("application/json", reference("schemas", body))),
                    ])))
        }
        members.append(.init("responses", .object(responses(of: route))))
        if route.demand == .nothing { members.append(.init("security", .array([]))) }
        return .object(members)
    }

    private static func responses(of route: Route) -> [JSONValue.Member] {
        var answer: [JSONValue.Member] = [.init("description", .string(route.answer.description))]
        if let type = route.answer.type {
            answer.append(.init("content", content(type, schema(route.answer.schema))))
        }
        if route.answer.hasTag {
            answer.append(.init("headers", .object([.init("ETag", reference("headers", "tag"))])))
        }
        let problems = Set(route.possibleProblems.map(\.response)).sorted()
        return [.init("\(route.answer.status)", .object(answer))]
            + problems.map { .init("\($0.status)", reference("responses", $0.name)) }
    }

    private static func parameter(_ parameter: RouteParameter) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(parameter.name)), .init("in", .string(parameter.place.rawValue)),
            .init("required", .bool(parameter.isRequired)), .init("schema", schema(parameter.kind)),
        ]
        if case .pattern(_, let example?) = parameter.kind { members.append(.init("example", .string(example))) }
        if let description = parameter.description { members.append(.init("description", .string(description))) }
        return .object(members)
    }

    // MARK: - Schemas

    private static func schema(_ kind: RouteParameter.Kind) -> JSONValue {
        switch kind {
        case .text: .object([.init("type", .string("string"))])
        case .pattern(let pattern, _):
            .object([.init("type", .string("string")), .init("pattern", .string(pattern))])
        case .id: reference("schemas", "id")
        case .named(let name): reference("schemas", name)
        case .time:
            .object([.init("type", .string("string")), .init("description", .string("ISO 8601 with a zone."))])
        case .integer(let range, let usual):
            .object([
                .init("type", .string("integer")), .init("minimum", .number("\(range.lowerBound)")),
                .init("maximum", .number("\(range.upperBound)")), .init("default", .number("\(usual)")),
            ])
        case .decimal(let range):
            .object([
                .init("type", .string("number")), .init("minimum", .number(text(range.lowerBound))),
                .init("maximum", .number(text(range.upperBound))),
            ])
        }
    }

    private static func schema(_ schema: Route.Schema) -> JSONValue {
        switch schema {
        case .text: .object([.init("type", .string("string"))])
        case .object: .object([.init("type", .string("object"))])
        case .named(let name): reference("schemas", name)
        case .list(let name):
            .object([.init("type", .string("array")), .init("items", reference("schemas", name))])
        }
    }

    private static func content(_ type: String, _ schema: JSONValue) -> JSONValue {
        .object([.init(type, .object([.init("schema", schema)]))])
    }

    private static func reference(_ kind: String, _ name: String) -> JSONValue {
        .object([.init("$ref", .string("#/components/\(kind)/\(name)"))])
    }

    /// A number without a fraction that is 0.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    fileprivate static func text(_ string: String) -> String {
        String(decoding: CanonicalJSON.bytes(ofEncodable: string), as: UTF8.self)
    }
}

extension Route {
    /// The kinds of problems that its answers may have.
    fileprivate var possibleProblems: [Problem.Kind] {
        var kinds: [Problem.Kind] = [.badRequest, .wrongMethod, .wrongHost, .tooMany, .failed, .hubAbsent]
        if demand != .nothing { kinds += [.noSession, .forbidden, .missing] }
        if method != "GET" { kinds.append(.tooLarge) }
        if body != nil { kinds += [.wrongType, .wrongMember] }
        if parameters.contains(where: { $0.name == RouteParameter.ifMatch.name }) {
            kinds += [.changed, .noPrecondition]
        }
        if isRefusable { kinds.append(.refused) }
        return kinds + problems
    }
}

extension Problem.Kind {
    /// A response of the document.
    fileprivate struct Response: Hashable, Comparable {
        var status: Int
        var name: String

        static func < (one: Response, other: Response) -> Bool { one.status < other.status }
    }

    fileprivate var response: Response { Response(status: status, name: "\(self)") }
}

extension JSONValue.Member {
    fileprivate init(_ key: String, _ value: JSONValue) { self.init(key: key, value: value) }
}

extension JSONValue {
    /// The value on one line.
    fileprivate var jsonText: String {
        switch self {
        case .null, .nonFinite: "null"
        case .bool(let isTrue): "\(isTrue)"
        case .number(let number): number
        case .string(let string): OpenAPIDocument.text(string)
        case .array(let values): "[\(values.map(\.jsonText).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(OpenAPIDocument.text($0.key)): \($0.value.jsonText)" }.joined(separator: ", "))}"
        }
    }
}
