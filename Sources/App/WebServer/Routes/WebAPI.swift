package import Logging
import Platform
package import Text

/// Answers requests: everything between the bytes of HTTP and an app.
package final class WebAPI: Sendable {
    package let settings: WebSettings
    package let streams: StreamPlaces

    private let accounts: AccountStore
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp

    private let counts = RequestCounts()
    let requestsOfAccount: RateLimiter
    private let requestsOfLink: RateLimiter
    /// Apart from those of accounts, which no stranger can fill with keys.
    private let requestsOfAddress: RateLimiter
    /// So that a file that cannot be used does not fill the log.
    private let outages = RateLimiter(limit: 1, doubles: false)

    /// Few bodies are in memory that may be large.
    private let uploads: ConcurrencyLimit

    private let resource: @Sendable (WebRequest) -> PageResource?
    private let routes: [Route]
    private let handlers: [ServedRoute.Handler]

    /// What routes are made from.
    package struct Parts: Sendable {
        package let settings: WebSettings
        package let accounts: AccountStore
        package let streams: StreamPlaces
        package let counts: RequestCounts
        /// Answers for sessions, and for the first account.
        package let sessions: SessionRoutes
        /// Lets few passwords be hashed at a time.
        fileprivate let gate: HashingGate
        package let clock: @Sendable () -> Timestamp

        /// What answers the routes of accounts.
        ///
        /// - Parameter hasScope: Whether there is one of the things that are granted; throws while nobody knows.
        /// - Returns: The handlers.
        package func accountHandlers(hasScope: @escaping @Sendable (String) throws -> Bool) -> AccountRouteHandlers {
            AccountRouteHandlers(
                sessions: sessions,
                people: AccountRoutes(settings: settings, accounts: accounts, hasScope: hasScope, gate: gate),
                store: accounts)
        }

        /// The routes of accounts, answered.
        ///
        /// - Parameter hasScope: As for ``accountHandlers(hasScope:)``.
        /// - Returns: The routes, those of sessions first.
        package func accountRoutes(hasScope: @escaping @Sendable (String) throws -> Bool) -> [ServedRoute] {
            let handlers = accountHandlers(hasScope: hasScope)
            return (AccountRouteTable.sessions + AccountRouteTable.accounts(settings.product)).map {
                $0.served(by: handlers)
            }
        }
    }

    /// Creates the answerer.
    ///
    /// - Parameters:
    ///   - settings: How the server is reached.
    ///   - accounts: The accounts.
    ///   - setupCode: The code of the first account.
    ///   - logger: Gets what goes wrong in the server.
    ///   - clock: The time of sessions.
    ///   - steadyClock: The time of the limits of attempts and requests.
    ///   - resource: The file that a request asks for; nil for another request.
    ///   - routes: Makes the routes.
    package init(
        settings: WebSettings, accounts: AccountStore, setupCode: SetupCode, logger: Logger = Logger(label: "web"),
        clock: @escaping @Sendable () -> Timestamp = { .now },
        steadyClock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        resource: @escaping @Sendable (WebRequest) -> PageResource?, routes: (Parts) -> [ServedRoute]
    ) {
        self.settings = settings
        self.accounts = accounts
        self.logger = logger
        self.clock = clock
        self.resource = resource
        streams = StreamPlaces(settings)
        uploads = ConcurrencyLimit(perHolder: settings.uploadsPerSession, all: settings.uploads)
        requestsOfAccount = RateLimiter(limit: settings.requestsPerMinute, doubles: false, now: steadyClock)
        requestsOfLink = RateLimiter(limit: settings.requestsPerMinuteOfLink, doubles: false, now: steadyClock)
        requestsOfAddress = RateLimiter(limit: settings.requestsPerMinute, doubles: false, now: steadyClock)
        let gate = HashingGate()
        let served = routes(
            Parts(
                settings: settings, accounts: accounts, streams: streams, counts: counts,
                sessions: SessionRoutes(
                    settings: settings, accounts: accounts, setupCode: setupCode, gate: gate,
                    limits: LoginLimits(now: steadyClock)), gate: gate, clock: clock))
        self.routes = served.map(\.route)
        handlers = served.map(\.handler)
    }

    /// The most bytes that a body of any route may have.
    package var bodyByteCountMax: Int {
        routes.compactMap(\.upload?.byteCountMax).reduce(HTTPServer.bodyByteCountMax, max)
    }

    /// How large the body of a request may be, of which only the header has arrived.
    struct Admission: Sendable {
        var byteCountMax = HTTPServer.bodyByteCountMax
        /// Whether it is an upload, for which there is more time.
        var isUpload: Bool { place != nil }
        /// Held as long as the body is in memory.
        fileprivate var place: ConcurrencyLimit.Slot?
    }

    /// Decides how large a body may be: large ones are for accounts that may use their route, and few at a time.
    ///
    /// - Throws: ``Problem`` if too many large ones are there.
    func admit(_ request: WebRequest) async throws(Problem) -> Admission {
        let now = clock()
        // What else is wrong with the request is said when it is answered.
        guard let match = try? RouteMatch.find(request, in: routes), let upload = routes[match.index].upload,
            let account = try? await identify(request, at: now),
            (try? AccessPolicy.check(
                routes[match.index], account, of: settings.product, showsMetrics: settings.showsMetrics, at: now))
                != nil
        else { return Admission() }
        guard let place = uploads.take(account.key) else {
            throw Problem.tooMany("other files are being sent: try again in a moment", wait: 2)
        }
        return Admission(byteCountMax: upload.byteCountMax, place: place)
    }

    /// Answers a request.
    package func respond(to request: WebRequest) async -> WebResponse {
        var label = "none"
        var response: WebResponse
        do {
            response = try await answer(request, &label)
        } catch {
            response = problem(error).response(of: settings.product.app, in: request.language)
        }
        counts.note(route: label, status: response.status)
        for (name, value) in headers where !response.headers.contains(where: { $0.name == name }) {
            response.headers.append((name, value))
        }
        return response
    }

    private func answer(_ request: WebRequest, _ label: inout String) async throws -> WebResponse {
        let host = request.headers["host"]?.lowercased() ?? ""
        // Source: RFC 9112, section 3.2.
        guard !host.isEmpty, !host.contains(",") else {
            throw Problem(
                .badRequest, "the request has \(host.isEmpty ? "no host" : "more than one host"): send one header Host",
                member: "Host", value: host)
        }
        guard settings.hosts.contains(host) else {
            throw Problem(
                .wrongHost,
                "the host \(Excerpt(host)) is not one of this server's: \(settings.hosts.sorted().joined(separator: ", ")); "
                    + "give others with --host", member: "Host", value: host)
        }
        if let file = resource(request) {
            label = "page"
            return file.response(to: request)
        }
        let match = try RouteMatch.find(request, in: routes)
        let route = routes[match.index]
        label = route.id
        let now = clock()
        let account: Account?
        do {
            account = try await identify(request, at: now)
        } catch {
            // A client that guesses tokens is counted, too.
            try limit(requestsOfAddress, request.address)
            throw error
        }
        if let account {
            try limit(account.kind == .share ? requestsOfLink : requestsOfAccount, account.key)
        } else {
            try limit(requestsOfAddress, request.address)
        }
        try AccessPolicy.check(route, account, of: settings.product, showsMetrics: settings.showsMetrics, at: now)
        try checkForm(request, of: route, account)
        let response = try await handle(match, request, account, at: now)
        guard let account, account.isRenewed, account.kind == .user, let session = account.session,
            request.method == "GET"
        else { return response }
        // The browser keeps its cookie as long as the session lasts.
        var renewed = account
        renewed.expires = now.advanced(byMilliseconds: AccountSessions.milliseconds)
        return response.with("set-cookie", settings.cookie(of: renewed, session, at: now))
    }

    private func limit(_ limiter: RateLimiter, _ key: String) throws(Problem) {
        guard let wait = limiter.count(key) else { return }
        throw Problem.tooMany("too many requests: wait \(wait) s", wait: wait)
    }

    /// Who asks; nil for nobody.
    private func identify(_ request: WebRequest, at now: Timestamp) async throws -> Account? {
        let cookie = request.cookie(settings.cookie)
        if request.headers["authorization"] != nil {
            guard cookie == nil else {
                throw Problem(
                    .badRequest, "the request has both a token and a cookie: send one of them", member: "Authorization")
            }
            guard let token = request.token, let account = try await accounts.tokens.account(of: token, at: now) else {
                throw Problem(
                    .noSession, "this token is unknown, revoked or too old: make another one", member: "Authorization")
            }
            return account
        }
        guard let cookie else { return nil }
        return try await accounts.sessions.account(of: cookie, at: now)
    }

    /// Checks what every request of a route must have beside its members.
    private func checkForm(_ request: WebRequest, of route: Route, _ account: Account?) throws(Problem) {
        var seen: Set<String> = []
        let names = route.queryNames
        for (name, value) in request.query {
            guard names.contains(name) else {
                let known = names.sorted().joined(separator: ", ")
                throw Problem(
                    .badRequest,
                    "there is no parameter \(Excerpt(name)); \(known.isEmpty ? "this path has none" : "there are: \(known)")",
                    member: name.shortened, value: value)
            }
            guard seen.insert(name).inserted else {
                throw Problem(.badRequest, "the parameter \(name) stands twice: send it once", member: name)
            }
        }
        guard request.method != "GET" else { return }
        if account?.kind != .token {
            let origin = request.headers["origin"] ?? ""
            guard origin.lowercased() == "\(settings.scheme)://\(request.headers["host"]?.lowercased() ?? "")" else {
                throw Problem(
                    .wrongOrigin,
                    "the origin \(Excerpt(origin)) is not this page: browsers send it by themselves, scripts use a token",
                    member: "Origin", value: origin)
            }
        }
        guard let wanted = route.upload?.type ?? route.body.map({ _ in "application/json" }) else { return }
        let type = request.headers["content-type"]?.split(separator: ";").first?.lowercased()
        guard type?.filter({ $0 != " " }) == wanted else {
            throw Problem(
                .wrongType, "the body is \(Excerpt(type ?? "of no type")): send \(wanted)",
                member: "Content-Type",
                value: type)
        }
    }

    private var headers: [(name: String, value: String)] {
        var all = [
            ("cache-control", "no-store"),
            (
                "content-security-policy",
                "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
                    + "base-uri 'none'; form-action 'self'"
            ),
            ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin"),
        ]
        if settings.isSecure { all.append(("strict-transport-security", "max-age=31536000")) }
        return all.map { (name: $0.0, value: $0.1) }
    }

    /// The problem for an error.
    private func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as AccountError:
            switch error {
            case .noUser: return Problem(.missing, "\(error)", french: error.french)
            case .nameUnfit(let name):
                return Problem(.wrongMember, "\(error)", french: error.french, member: "name", value: name)
            case .noScope(let scope, _, _):
                return Problem(.wrongMember, "\(error)", member: settings.product.scope.member, value: scope)
            case .metricsOfOwners: return Problem(.forbidden, "\(error)", member: "scopes")
            case .firstIsOwner: return Problem(.wrongMember, "\(error)", member: "role")
            case .nameTaken, .lastOwner, .notFirst, .tooMany, .newerFile, .passwordUnfit:
                return Problem(.refused, "\(error)", french: error.french)
            case .damaged, .unreadable, .unwritable:
                if outages.count("\(error)") == nil { logger.error("\(error)") }
                return Problem(
                    .accountsAbsent, error.outage ?? "the accounts cannot be used now", french: error.french)
            }
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return Problem(
                .failed, "the server failed; its log says why",
                french: "le serveur a échoué ; son journal dit pourquoi")
        }
    }

    // MARK: - Routes

    private func handle(
        _ match: RouteMatch, _ request: WebRequest, _ account: Account?, at now: Timestamp
    ) async throws -> WebResponse {
        switch handlers[match.index] {
        case .forAll(let handler): return try await handler(request, now)
        case .forAccounts(let handler):
            guard let account else { throw Problem(.noSession, "this needs a session") }
            return try await handler(
                RequestContext(
                    product: settings.product, route: routes[match.index], subject: match.subject, request: request,
                    account: account, now: now))
        }
    }
}
