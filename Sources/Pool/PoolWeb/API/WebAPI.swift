package import Logging
import Platform
import PoolControl
package import PoolModel

/// Answers requests: everything between the bytes of HTTP and the hub.
package final class WebAPI: Sendable {
    let settings: WebSettings
    let hub: HubWatcher
    let accounts: AccountStore
    let setupCode: SetupCode
    let counts = RequestCounts()
    let gate = HashingGate()
    let streams: StreamRegistry
    let logger: Logger
    let clock: @Sendable () -> Timestamp

    let loginsOfName = RateLimiter(limit: 5, doubles: true)
    let loginsOfAddress = RateLimiter(limit: 20, doubles: true)
    private let requestsOfAccount: RateLimiter
    private let requestsOfLink: RateLimiter

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
        self.setupCode = setupCode
        self.logger = logger
        self.clock = clock
        streams = StreamRegistry(perSession: settings.streamsPerSession, all: settings.streams)
        requestsOfAccount = RateLimiter(limit: settings.requestsPerMinute, doubles: false)
        requestsOfLink = RateLimiter(limit: settings.requestsPerMinuteOfLink, doubles: false)
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
        let account = try identify(request, at: now)
        if let wait =
            (account.map { ($0.kind == .share ? requestsOfLink : requestsOfAccount).count($0.key) }
                ?? requestsOfAccount.count("address \(request.address)"))
        {
            var problem = Problem(.tooMany, "too many requests: wait \(wait) s")
            problem.retryAfter = wait
            throw problem
        }
        try AccessPolicy.check(match.route, account, showsMetrics: settings.showsMetrics, at: now)
        try checkForm(request, of: match.route, account)
        return try await handle(match, request, account, at: now)
    }

    /// Who asks; nil for nobody.
    private func identify(_ request: WebRequest, at now: Timestamp) throws -> Account? {
        let cookie = request.cookie(settings.cookie)
        if let authorization = request.headers["authorization"] {
            guard cookie == nil else {
                throw Problem(
                    .badRequest, "the request has both a token and a cookie: send one of them", member: "Authorization")
            }
            let parts = authorization.split(separator: " ")
            guard parts.count == 2, parts[0].lowercased() == "bearer",
                let account = try accounts.account(token: String(parts[1]), at: now)
            else {
                throw Problem(
                    .noSession, "this token is unknown, revoked or too old: make another one", member: "Authorization")
            }
            return account
        }
        return try cookie.flatMap { try accounts.account(session: $0, at: now) }
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

    /// What is said about an error.
    private func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as AccountError:
            switch error {
            case .noUser: return Problem(.missing, "\(error)")
            case .nameUnfit(let name): return Problem(.wrongMember, "\(error)", member: "name", value: name)
            case .noPool(let pool): return Problem(.wrongMember, "\(error)", member: "poolID", value: pool)
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
        let subject = match.subject
        switch match.route {
        case .health: return try .json(Health(isUp: true, isHubRunning: hub.view.isRunning))
        case .metrics: return metrics()
        case .openapi: return PageResource.openapi.response(to: request)
        case .setup: return try .json(["isNeeded": try accounts.isEmpty()])
        case .setUp: return try await setUp(request, at: now)
        case .logIn: return try await logIn(request, at: now)
        case .logOut, .confirm, .me, .changePassword, .pools, .pool, .editPool, .poolLimits, .setPoolLimits, .devices,
            .device, .editDevice, .deviceLimits, .setDeviceLimits, .readings, .series, .export, .calibrations,
            .calibrate, .removeCalibration, .alerts, .acknowledge, .snooze, .conflicts, .restoreConflict,
            .dismissConflict, .changes, .watches, .invite, .unpair, .users, .addUser, .editUser, .removeUser, .tokens,
            .addToken, .removeToken, .shares, .addShare, .removeShare, .events:
            break
        }
        guard let account else { throw Problem(.noSession, "this needs a session") }
        let ask = Asking(route: match.route, request: request, account: account, now: now)
        switch match.route {
        case .logOut: return try logOut(ask)
        case .confirm: return try await confirm(ask)
        case .me: return try .json(AccountView(account))
        case .changePassword: return try await changePassword(ask)
        case .pools: return try pools(ask)
        case .pool: return try pool(subject, ask)
        case .editPool: return try await editPool(subject, ask)
        case .poolLimits: return try poolLimits(subject, ask)
        case .setPoolLimits: return try await setPoolLimits(subject, ask)
        case .devices: return try devices(ask)
        case .device: return try device(subject, ask)
        case .editDevice: return try await editDevice(subject, ask)
        case .deviceLimits: return try deviceLimits(subject, ask)
        case .setDeviceLimits: return try await setDeviceLimits(subject, ask)
        case .readings: return try await readings(subject, ask)
        case .series: return try await series(subject, ask)
        case .export: return try export(subject, ask)
        case .calibrations: return try calibrations(subject, ask)
        case .calibrate: return try await calibrate(subject, ask)
        case .removeCalibration: return try await removeCalibration(subject, ask)
        case .alerts: return try await alerts(ask)
        case .acknowledge: return try await acknowledge(subject, ask)
        case .snooze: return try await snooze(subject, ask)
        case .conflicts: return try .json(try hub.snapshot().state.conflicts)
        case .restoreConflict: return try await settle(subject, restoring: true, ask)
        case .dismissConflict: return try await settle(subject, restoring: false, ask)
        case .changes: return try await changes(ask)
        case .watches: return try watches()
        case .invite: return try await invite(ask)
        case .unpair: return try await unpair(subject, ask)
        case .users: return try .json(try accounts.users())
        case .addUser: return try await addUser(ask)
        case .editUser: return try await editUser(subject, ask)
        case .removeUser: return try removeUser(subject)
        case .tokens: return try .json(try accounts.tokens(of: account.role == .owner ? nil : account.userID))
        case .addToken: return try addToken(ask)
        case .removeToken: return try removeToken(subject, ask)
        case .shares: return try .json(try accounts.shares(at: now))
        case .addShare: return try addShare(ask)
        case .removeShare: return try removeShare(subject)
        case .events: return try events(ask)
        case .health, .metrics, .openapi, .setup, .setUp, .logIn: return WebResponse(500)
        }
    }

    private struct Health: Encodable {
        var isUp: Bool
        var isHubRunning: Bool
    }
}

/// A request with who asks.
struct Asking: Sendable {
    let route: Route
    let request: WebRequest
    let account: Account
    let now: Timestamp

    /// A parameter behind the `?`.
    func parameter(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

    /// A parameter that is a whole number.
    func number(_ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int(text), range.contains(number), !text.hasPrefix("+") else {
            throw wrong(name, text, "a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A parameter that is a time with a zone.
    func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = parameter(name) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw wrong(name, text, "a time with a zone, such as 2026-06-01T12:00:00Z (a + is written %2B)")
        }
        return time
    }

    /// A parameter that is a quantity.
    func quantity() throws(Problem) -> Quantity? {
        guard let text = parameter("quantity") else { return nil }
        guard let quantity = Quantity(rawValue: text) else {
            throw wrong("quantity", text, "one of " + Quantity.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return quantity
    }

    /// A problem with a parameter; `right` says what would be right.
    func wrong(_ name: String, _ text: String, _ right: String) -> Problem {
        Problem(.badRequest, "\(name) is \(Excerpt(text)), expected \(right)", member: name, value: text)
    }

    /// A problem that a parameter is missing.
    func lacks(_ name: String) -> Problem {
        Problem(.badRequest, "the parameter \(name) is missing: add it", member: name)
    }

    /// The members of the body.
    func members(_ allowed: Set<String>) throws(Problem) -> RequestMembers {
        try RequestMembers(request.body, allowed: allowed)
    }
}
