import Foundation
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb

/// The document and the router say the same.
@Suite struct RouteTests {
    /// The operations of the document by their identities.
    private static func operations() throws -> [String: (method: String, path: String, operation: [String: Any])] {
        let document = try JSONSerialization.jsonObject(with: Data(PageResource.openapi.bytes)) as? [String: Any]
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

    /// The parameters of an operation, also those that several operations share.
    private static func parameters(of operation: [String: Any]) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(PageResource.openapi.bytes)) as? [String: Any]
        let shared = (document?["components"] as? [String: Any])?["parameters"] as? [String: [String: Any]] ?? [:]
        return try (operation["parameters"] as? [[String: Any]] ?? []).map { parameter in
            guard let reference = parameter["$ref"] as? String else { return parameter }
            return try #require(shared[String(reference.dropFirst("#/components/parameters/".count))])
        }
    }

    @Test func `V10 every route is in the document, and every operation of the document is a route`() throws {
        let operations = try Self.operations()
        #expect(Set(operations.keys) == Set(Route.allCases.map(\.rawValue)))
        for route in Route.allCases {
            let found = try #require(operations[route.rawValue], "\(route)")
            #expect(found.method == route.operation.method, "\(route)")
            #expect(found.path == route.operation.path, "\(route)")
        }
    }

    @Test func `the document names the parameters, the bodies and the preconditions of the routes`() throws {
        let operations = try Self.operations()
        for route in Route.allCases {
            let operation = try #require(operations[route.rawValue]?.operation)
            let parameters = try Self.parameters(of: operation)
            let inQuery = parameters.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
            let inPath = parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String }
            let braced = route.operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
            #expect(inPath.map { "{\($0)}" } == braced.map(String.init), "\(route)")
            let isConditional = parameters.contains { $0["name"] as? String == "If-Match" }
            #expect(Set(inQuery) == route.parameters, "\(route)")
            #expect((operation["requestBody"] != nil) == route.hasBody, "\(route)")
            let codes = Set((operation["responses"] as? [String: Any] ?? [:]).keys)
            #expect(codes.contains("412") == isConditional && codes.contains("428") == isConditional, "\(route)")
            let isOpen = (operation["security"] as? [Any])?.isEmpty == true
            #expect(isOpen == (AccessPolicy.demand(of: route) == .nothing), "\(route)")
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
            try RouteMatch.find(WebRequest(method: method, target: path))
        }
        let match = try find("GET", "/api/v1/pools/a%20b/limits")
        #expect(match.route == .poolLimits && match.subject == "a b")
        for path in [
            "/api/v1/pools/", "/api/v1//pools", "/api/v1/pools/x/limits/", "/api/v1", "//", "", "/api/v2/pools",
        ] {
            #expect(throws: Problem.self, "\(path)") { try find("GET", path) }
        }
        let wrong = #expect(throws: Problem.self) { try find("PUT", "/api/v1/pools/x") }
        #expect(wrong?.kind == .wrongMethod && wrong?.allowed == ["GET", "PATCH"])
        let invitations = #expect(throws: Problem.self) { try find("DELETE", "/api/v1/watches/invitations") }
        #expect(invitations?.allowed == ["POST"])
    }
}
