import Foundation
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// The document and the router say the same.
@Suite struct RouteTests {
    /// The operations of the document by their identities.
    private static func operations() throws -> [String: (method: String, path: String, operation: [String: Any])] {
        let document = try JSONSerialization.jsonObject(with: Data(PoolDocument.resource.bytes)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: [String: Any]]])
        var found: [String: (String, String, [String: Any])] = [:]
        for (path, methods) in paths {
            for (method, operation) in methods {
                let id = try #require(operation["operationId"] as? String)
                #expect(found[id] == nil, "\(id) stands twice")
                found[id] = (method.uppercased(), path, operation)
            }
        }
        return found
    }

    /// `Fixtures/wire/routes.txt` has a line for each operation of the document, with all that is said of it there.
    ///
    /// Scripts rely on it, so a difference is a breaking change. BLESS=1 in the environment rewrites the file.
    @Test func `V10 the document says of each operation what it said`() throws {
        let lines = try Self.operations().values.map { found in
            let json = try JSONSerialization.data(
                withJSONObject: found.operation, options: [.sortedKeys, .withoutEscapingSlashes])
            return "\(found.method) \(found.path)\t\(String(decoding: json, as: UTF8.self))"
        }.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let file = Repository.url("Fixtures/wire/routes.txt")
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        for (line, wanted) in zip(lines, expected) { #expect(line == wanted) }
        #expect(lines.count == expected.count)
    }

    @Test func `V10 every route is in the document, and every operation of the document is a route`() throws {
        let operations = try Self.operations()
        #expect(operations.count == PoolRoutes.all.count)
        for route in PoolRoutes.all.map(\.route) {
            let found = try #require(operations[route.id], "\(route.id)")
            #expect(found.method == route.method && found.path == route.path, "\(route.id)")
            let match = try RouteMatch.find(
                WebRequest(method: route.method, target: route.path), in: PoolRoutes.all.map(\.route))
            #expect(PoolRoutes.all[match.index].route.id == route.id)
        }
    }

    @Test func `V10 the document has each quantity of the table`() throws {
        let document = try JSONSerialization.jsonObject(with: Data(PoolDocument.resource.bytes)) as? [String: Any]
        let components = try #require(document?["components"] as? [String: [String: Any]])
        func member(_ path: String) throws -> [String: Any] {
            try path.split(separator: " ").reduce(components["schemas"] ?? [:]) { object, key in
                let inner = try #require(object[String(key)] as? [String: Any], "\(path)")
                return inner["properties"] as? [String: Any] ?? inner
            }
        }
        #expect(try member("quantity")["enum"] as? [String] == Quantity.allCases.map(\.rawValue))
        for path in [
            "pool limits", "reading raw", "reading corrected", "limitsOfOwner limits", "limitsOfOwner own",
            "ownLimits own", "calibrations calibrations", "preset limits",
        ] { #expect(try Set(member(path).keys) == Set(Quantity.allCases.map(\.rawValue)), "\(path)") }
        let description = try #require((document?["info"] as? [String: String])?["description"])
        for quantity in Quantity.allCases { #expect(description.contains(" \(quantity.facts.unit.rawValue)")) }
    }

    @Test func `a route that needs an account says so, and every schema that it names is in the document`() throws {
        let document = try JSONSerialization.jsonObject(with: Data(PoolDocument.resource.bytes)) as? [String: Any]
        let components = try #require(document?["components"] as? [String: [String: Any]])
        var names: Set<String> = []
        func collect(_ value: Any) {
            if let object = value as? [String: Any] {
                if let name = object["$ref"] as? String { names.insert(name) }
                object.values.forEach(collect)
            }
            (value as? [Any])?.forEach(collect)
        }
        collect(document as Any)
        for name in names {
            let parts = name.split(separator: "/")
            #expect(components[String(parts[2])]?[String(parts[3])] != nil, "\(name)")
        }
        for served in PoolRoutes.all {
            let isForAll = if case .forAll = served.handler { true } else { false }
            #expect(isForAll == [.nothing, .metrics].contains(served.route.demand), "\(served.route.id)")
        }
    }

    @Test(arguments: Problem.Kind.allCases) func `the document knows the status of each problem`(_ kind: Problem.Kind)
        throws
    {
        let codes = try Self.operations().values.flatMap {
            Array(($0.operation["responses"] as? [String: Any] ?? [:]).keys)
        }
        #expect(codes.contains("\(kind.status)"))
    }

    @Test func `a path is found with its subject, and no other path is`() throws {
        func find(_ method: String, _ path: String) throws -> RouteMatch {
            try RouteMatch.find(WebRequest(method: method, target: path), in: PoolRoutes.all.map(\.route))
        }
        let match = try find("GET", "/api/v1/pools/a%20b/limits")
        #expect(PoolRoutes.all[match.index].route.id == "poolLimits" && match.subject == "a b")
        for path in [
            "/api/v1/pools/", "/api/v1//pools", "/api/v1/pools/x/limits/", "/api/v1", "//", "", "/api/v2/pools",
        ] {
            #expect(throws: Problem.self, "\(path)") { try find("GET", path) }
        }
        let wrong = #expect(throws: Problem.self) { try find("PUT", "/api/v1/pools/x") }
        #expect(wrong?.kind == .wrongMethod && wrong?.allowed == ["DELETE", "GET", "PATCH"])
        let invitations = #expect(throws: Problem.self) { try find("DELETE", "/api/v1/watches/invitations") }
        #expect(invitations?.allowed == ["POST"])
    }
}

extension Route {
    /// The route of an identity.
    static func named(_ id: String) throws -> Route {
        try #require(PoolRoutes.all.first { $0.route.id == id }?.route, "\(id)")
    }
}
