package import Text

/// A route with the code that answers it, which gets what it needs as handlers; a table of them needs no server yet.
package struct HandledRoute<Handlers: Sendable>: Sendable {
    /// Answers requests.
    package enum Handler: Sendable {
        /// For routes that need no account.
        case forAll(@Sendable (Handlers, WebRequest, Timestamp) async throws -> WebResponse)
        case forAccounts(@Sendable (Handlers, RequestContext) async throws -> WebResponse)
    }

    package let route: Route
    let handler: Handler

    /// The route, answered by the handlers that are a part of others.
    package func answered<Others>(by part: @escaping @Sendable (Others) -> Handlers) -> HandledRoute<Others> {
        switch handler {
        case .forAll(let answer):
            HandledRoute<Others>(route: route, handler: .forAll { try await answer(part($0), $1, $2) })
        case .forAccounts(let answer):
            HandledRoute<Others>(route: route, handler: .forAccounts { try await answer(part($0), $1) })
        }
    }

    /// The route, answered by these handlers.
    package func served(by handlers: Handlers) -> ServedRoute {
        switch handler {
        case .forAll(let answer): ServedRoute(route: route, handler: .forAll { try await answer(handlers, $0, $1) })
        case .forAccounts(let answer):
            ServedRoute(route: route, handler: .forAccounts { try await answer(handlers, $0) })
        }
    }
}

extension Route {
    /// The route with the code that answers the accounts which may use it.
    package func handled<Handlers>(
        _ handler: @escaping @Sendable (Handlers, RequestContext) async throws -> WebResponse
    ) -> HandledRoute<Handlers> { HandledRoute(route: self, handler: .forAccounts(handler)) }

    /// The route with the code that answers it also without an account, at a time.
    package func handledForAll<Handlers>(
        _ handler: @escaping @Sendable (Handlers, WebRequest, Timestamp) async throws -> WebResponse
    ) -> HandledRoute<Handlers> { HandledRoute(route: self, handler: .forAll(handler)) }
}
