package import Logging
import Platform
import PoolControl
package import PoolModel

/// Answers requests: everything between the bytes of HTTP and the hub.
package final class WebAPI: Sendable {
    let settings: WebSettings
    let streams: Places

    private let hub: HubWatcher
    private let accounts: AccountStore
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp

    private let counts = RequestCounts()
    private let requestsOfAccount: RateLimiter
    private let requestsOfLink: RateLimiter

    private let sessions: SessionRoutes
    private let people: AccountRoutes
    private let water: WaterRoutes
    private let history: HistoryRoutes
    private let advice: AdviceRoutes
    private let house: HouseRoutes
    private let events: EventRoutes

    /// Creates the answerer.
    ///
    /// - Parameters:
    ///   - settings: How the server is reached.
    ///   - hub: The hub.
    ///   - accounts: The accounts.
    ///   - setupCode: The code of the first account.
    ///   - logger: Gets what goes wrong in the server.
    ///   - clock: The time of sessions.
    package init(
        settings: WebSettings, hub: HubWatcher, accounts: AccountStore, setupCode: SetupCode,
        logger: Logger = Logger(label: "web"), clock: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.settings = settings
        self.hub = hub
        self.accounts = accounts
        self.logger = logger
        self.clock = clock
        streams = Places(perHolder: settings.streamsPerSession, all: settings.streams)
        requestsOfAccount = RateLimiter(limit: settings.requestsPerMinute, doubles: false)
        requestsOfLink = RateLimiter(limit: settings.requestsPerMinuteOfLink, doubles: false)
        let gate = HashingGate()
        sessions = SessionRoutes(settings: settings, accounts: accounts, setupCode: setupCode, gate: gate)
        people = AccountRoutes(settings: settings, accounts: accounts, hub: hub, gate: gate)
        water = WaterRoutes(hub: hub)
        history = HistoryRoutes(hub: hub, accounts: accounts, streams: streams, clock: clock)
        advice = AdviceRoutes(hub: hub)
        house = HouseRoutes(hub: hub)
        events = EventRoutes(settings: settings, hub: hub, accounts: accounts, streams: streams, clock: clock)
    }

    /// Answers a request.
    package func respond(to request: WebRequest) async -> WebResponse {
        var label = "none"
        var response: WebResponse
        do {
            response = try await answer(request, &label)
        } catch {
            response = problem(error).response
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
        label = match.route.rawValue
        let now = clock()
        let account: Account?
        do {
            account = try identify(request, at: now)
        } catch {
            // A client that guesses tokens is counted, too.
            try limit(requestsOfAccount, "address \(request.address)")
            throw error
        }
        if let account {
            try limit(account.kind == .share ? requestsOfLink : requestsOfAccount, account.key)
        } else {
            try limit(requestsOfAccount, "address \(request.address)")
        }
        try AccessPolicy.check(match.route, account, showsMetrics: settings.showsMetrics, at: now)
        try checkForm(request, of: match.route, account)
        return try await handle(match, request, account, at: now)
    }

    private func limit(_ limiter: RateLimiter, _ key: String) throws(Problem) {
        guard let wait = limiter.count(key) else { return }
        throw Problem.tooMany("too many requests: wait \(wait) s", wait: wait)
    }

    /// Who asks; nil for nobody.
    private func identify(_ request: WebRequest, at now: Timestamp) throws -> Account? {
        let cookie = request.cookie(settings.cookie)
        if request.headers["authorization"] != nil {
            guard cookie == nil else {
                throw Problem(
                    .badRequest, "the request has both a token and a cookie: send one of them", member: "Authorization")
            }
            guard let account = try request.token.flatMap({ try accounts.tokens.account(of: $0, at: now) }) else {
                throw Problem(
                    .noSession, "this token is unknown, revoked or too old: make another one", member: "Authorization")
            }
            return account
        }
        return try cookie.flatMap { try accounts.sessions.account(of: $0, at: now) }
    }

    /// Checks what every request of a route must have beside its members.
    private func checkForm(_ request: WebRequest, of route: Route, _ account: Account?) throws(Problem) {
        var seen: Set<String> = []
        for (name, value) in request.query {
            guard route.parameters.contains(name) else {
                let known = route.parameters.sorted().joined(separator: ", ")
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
        guard route.hasBody else { return }
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
            case .noUser: return Problem(.missing, "\(error)")
            case .nameUnfit(let name): return Problem(.wrongMember, "\(error)", member: "name", value: name)
            case .noPool(let pool): return Problem(.wrongMember, "\(error)", member: "poolID", value: pool)
            case .metricsOfOwners: return Problem(.forbidden, "\(error)", member: "scopes")
            case .nameTaken, .lastOwner, .notFirst, .tooMany, .newerFile, .passwordUnfit:
                return Problem(.refused, "\(error)")
            }
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return Problem(.failed, "the server failed; its log says why")
        }
    }

    // MARK: - Routes

    private func handle(
        _ match: RouteMatch, _ request: WebRequest, _ account: Account?, at now: Timestamp
    ) async throws -> WebResponse {
        let (route, subject) = (match.route, match.subject)
        func ask() throws(Problem) -> Asking {
            guard let account else { throw Problem(.noSession, "this needs a session") }
            return Asking(route: route, request: request, account: account, now: now)
        }
        return switch route {
        case .health: try .json(Health(isUp: true, isHubRunning: hub.view.isRunning))
        case .metrics: MetricsRoute(hub: hub, streams: streams, counts: counts).metrics()
        case .openapi: PageResource.openapi.response(to: request)
        case .setup: try .json(["isNeeded": try accounts.users.isEmpty()])
        case .setUp: try await sessions.setUp(request, at: now)
        case .logIn: try await sessions.logIn(request, at: now)
        case .logOut: try sessions.logOut(ask())
        case .confirm: try await sessions.confirm(ask())
        case .me: try .json(AccountView(ask().account))
        case .changePassword: try await sessions.changePassword(ask())
        case .pools: try water.pools(ask())
        case .pool: try water.pool(subject, ask())
        case .editPool: try await water.editPool(subject, ask())
        case .poolLimits: try water.poolLimits(subject, ask())
        case .setPoolLimits: try await water.setPoolLimits(subject, ask())
        case .devices: try water.devices(ask())
        case .device: try water.device(subject, ask())
        case .editDevice: try await water.editDevice(subject, ask())
        case .deviceLimits: try water.deviceLimits(subject, ask())
        case .setDeviceLimits: try await water.setDeviceLimits(subject, ask())
        case .readings: try await history.readings(subject, ask())
        case .series: try await history.series(subject, ask())
        case .export: try history.export(subject, ask())
        case .calibrations: try water.calibrations(subject, ask())
        case .calibrate: try await water.calibrate(subject, ask())
        case .removeCalibration: try await water.removeCalibration(subject, ask())
        case .forecasts: try await advice.forecasts(ask())
        case .advice: try await advice.advice(ask())
        case .doses: try await advice.doses(ask())
        case .addDose: try await advice.addDose(ask())
        case .removeDose: try await advice.removeDose(subject, ask())
        case .alerts: try await house.alerts(ask())
        case .acknowledge: try await house.acknowledge(subject, ask())
        case .snooze: try await house.snooze(subject, ask())
        case .conflicts: try .json(try hub.snapshot().state.conflicts)
        case .restoreConflict: try await house.settle(subject, restoring: true, ask())
        case .dismissConflict: try await house.settle(subject, restoring: false, ask())
        case .changes: try await house.changes(ask())
        case .watches: try house.watches()
        case .invite: try await house.invite(ask())
        case .unpair: try await house.unpair(subject, ask())
        case .users: try .json(try accounts.users.all())
        case .addUser: try await people.addUser(ask())
        case .editUser: try await people.editUser(subject, ask())
        case .removeUser: try people.removeUser(subject)
        case .tokens: try people.tokens(ask())
        case .addToken: try people.addToken(ask())
        case .removeToken: try people.removeToken(subject, ask())
        case .shares: try .json(try accounts.shares.all(at: now))
        case .addShare: try people.addShare(ask())
        case .removeShare: try people.removeShare(subject)
        case .events: try events.events(ask())
        }
    }

    private struct Health: Encodable {
        var isUp: Bool
        var isHubRunning: Bool
    }
}
