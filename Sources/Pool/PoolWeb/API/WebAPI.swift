package import Logging
import Platform
import PoolControl
package import PoolModel

/// Answers requests: everything between the bytes of HTTP and the hub.
package final class WebAPI: Sendable {
    let settings: WebSettings
    let streams: StreamPlaces

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

    private let handlers: RouteHandlers

    /// Creates the answerer.
    ///
    /// - Parameters:
    ///   - settings: How the server is reached.
    ///   - hub: The hub.
    ///   - accounts: The accounts.
    ///   - setupCode: The code of the first account.
    ///   - logger: Gets what goes wrong in the server.
    ///   - clock: The time of sessions.
    ///   - steadyClock: The time of the limits of attempts and requests.
    package init(
        settings: WebSettings, hub: HubWatcher, accounts: AccountStore, setupCode: SetupCode,
        logger: Logger = Logger(label: "web"), clock: @escaping @Sendable () -> Timestamp = { .now },
        steadyClock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.settings = settings
        self.accounts = accounts
        self.logger = logger
        self.clock = clock
        streams = StreamPlaces(settings)
        requestsOfAccount = RateLimiter(limit: settings.requestsPerMinute, doubles: false, now: steadyClock)
        requestsOfLink = RateLimiter(limit: settings.requestsPerMinuteOfLink, doubles: false, now: steadyClock)
        requestsOfAddress = RateLimiter(limit: settings.requestsPerMinute, doubles: false, now: steadyClock)
        let gate = HashingGate()
        handlers = RouteHandlers(
            sessions: SessionRoutes(
                settings: settings, accounts: accounts, setupCode: setupCode, gate: gate,
                limits: LoginLimits(now: steadyClock)),
            people: AccountRoutes(settings: settings, accounts: accounts, hub: hub, gate: gate),
            water: WaterRoutes(hub: hub),
            history: HistoryRoutes(hub: hub, accounts: accounts, streams: streams, clock: clock),
            advice: AdviceRoutes(hub: hub), hubRoutes: HubRoutes(hub: hub),
            servers: ServerRoutes(hub: hub), devices: DeviceRoutes(hub: hub), detection: DetectionRoutes(hub: hub),
            alertSettings: AlertRoutes(hub: hub), keeping: KeepingRoutes(hub: hub),
            events: EventRoutes(settings: settings, hub: hub, accounts: accounts, streams: streams, clock: clock),
            metrics: MetricsRoute(hub: hub, streams: streams, counts: counts), hub: hub, accounts: accounts)
    }

    /// Answers a request.
    package func respond(to request: WebRequest) async -> WebResponse {
        var label = "none"
        var response: WebResponse
        do {
            response = try await answer(request, &label)
        } catch {
            response = problem(error).response(in: request.language)
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
        if let resource = PageResource.find(request) {
            label = "page"
            return resource.response(to: request)
        }
        let match = try RouteMatch.find(request)
        let route = match.served.route
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
        try AccessPolicy.check(route, account, showsMetrics: settings.showsMetrics, at: now)
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
        guard route.body != nil else { return }
        let type = request.headers["content-type"]?.split(separator: ";").first?.lowercased()
        guard type?.filter({ $0 != " " }) == "application/json" else {
            throw Problem(
                .wrongType, "the body is \(Excerpt(type ?? "of no type")): send application/json",
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
            case .noPool(let pool): return Problem(.wrongMember, "\(error)", member: "poolID", value: pool)
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
        switch match.served.handler {
        case .forAll(let handler): return try await handler(handlers, request, now)
        case .forAccounts(let handler):
            guard let account else { throw Problem(.noSession, "this needs a session") }
            return try await handler(
                handlers,
                RequestContext(
                    route: match.served.route, subject: match.subject, request: request, account: account, now: now))
        }
    }
}
