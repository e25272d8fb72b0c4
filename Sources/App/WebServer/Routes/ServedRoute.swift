package import Text

/// A route with the code that answers it.
package struct ServedRoute: Sendable {
    /// Answers requests.
    package enum Handler: Sendable {
        /// For routes that need no account.
        case forAll(@Sendable (WebRequest, Timestamp) async throws -> WebResponse)
        case forAccounts(@Sendable (RequestContext) async throws -> WebResponse)
    }

    package let route: Route
    package let handler: Handler

    /// Joins a route and what answers it.
    package init(route: Route, handler: Handler) {
        self.route = route
        self.handler = handler
    }
}

/// The route of a request, with the text in the place of its braces.
package struct RouteMatch: Sendable {
    /// The place of the route in the table.
    package let index: Int
    /// What stands in the place of the braces; empty if there are none.
    package let subject: String

    /// Finds the route of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - routes: The table.
    /// - Returns: The place of the route.
    /// - Throws: ``Problem`` if no route has this path, or none of them this method.
    package static func find(_ request: WebRequest, in routes: [Route]) throws(Problem) -> RouteMatch {
        // An empty part is a part: `/api//v1` is another path than `/api/v1`.
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let matches = routes.indices.compactMap { index in
            routes[index].subject(of: parts).map { RouteMatch(index: index, subject: $0) }
        }
        // A path without braces is no subject of another one, so `doors/invitations` is no door.
        let isPlain = matches.contains { $0.subject.isEmpty }
        let allowed = matches.filter { $0.subject.isEmpty == isPlain }
        if let match = allowed.first(where: { routes[$0.index].method == request.method }) { return match }
        guard !allowed.isEmpty else {
            let document = routes.first { $0.path.hasSuffix(OpenAPIDocument.fileName) }
            let advice = document.map { "; \($0.path) lists what there is" } ?? ""
            throw Problem(.missing, "there is nothing at \(Excerpt(request.path))\(advice)", value: request.path)
        }
        let methods = allowed.map { routes[$0.index].method }.sorted()
        var problem = Problem(
            .wrongMethod,
            "\(Excerpt(request.path)) takes \(methods.joined(separator: ", ")), not \(Excerpt(request.method))",
            value: request.method)
        problem.allowed = methods
        throw problem
    }
}
