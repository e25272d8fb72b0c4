import PoolModel

/// The routes of the server; each one is the `operationId` of an operation in `openapi.json`.
package enum Route: String, CaseIterable, Sendable {
    case health, metrics, openapi
    case setup, setUp, logIn, logOut, confirm, me, changePassword
    case sessions, removeSession, removeSessions
    case pools, pool, editPool, poolLimits, setPoolLimits
    case devices, device, editDevice, deviceLimits, setDeviceLimits
    case readings, series, export
    case calibrations, calibrate, removeCalibration
    case forecasts, advice, doses, addDose, removeDose
    case alerts, acknowledge, snooze
    case conflicts, restoreConflict, dismissConflict, changes
    case watches, invite, unpair
    case users, addUser, editUser, removeUser
    case tokens, addToken, removeToken
    case shares, addShare, removeShare
    case events

    /// The method and the path; a part in braces stands for any text.
    package var operation: (method: String, path: String) {
        let version = "/api/v1"
        return switch self {
        case .health: ("GET", "/healthz")
        case .metrics: ("GET", "/metrics")
        case .openapi: ("GET", version + "/openapi.json")
        case .setup: ("GET", version + "/setup")
        case .setUp: ("POST", version + "/setup")
        case .logIn: ("POST", version + "/session")
        case .logOut: ("DELETE", version + "/session")
        case .confirm: ("POST", version + "/session/confirmation")
        case .me: ("GET", version + "/me")
        case .changePassword: ("POST", version + "/me/password")
        case .sessions: ("GET", version + "/me/sessions")
        case .removeSession: ("DELETE", version + "/me/sessions/{session}")
        case .removeSessions: ("DELETE", version + "/me/sessions")
        case .pools: ("GET", version + "/pools")
        case .pool: ("GET", version + "/pools/{pool}")
        case .editPool: ("PATCH", version + "/pools/{pool}")
        case .poolLimits: ("GET", version + "/pools/{pool}/limits")
        case .setPoolLimits: ("PUT", version + "/pools/{pool}/limits")
        case .devices: ("GET", version + "/devices")
        case .device: ("GET", version + "/devices/{device}")
        case .editDevice: ("PATCH", version + "/devices/{device}")
        case .deviceLimits: ("GET", version + "/devices/{device}/limits")
        case .setDeviceLimits: ("PUT", version + "/devices/{device}/limits")
        case .readings: ("GET", version + "/devices/{device}/readings")
        case .series: ("GET", version + "/devices/{device}/series")
        case .export: ("GET", version + "/devices/{device}/export.csv")
        case .calibrations: ("GET", version + "/devices/{device}/calibrations")
        case .calibrate: ("POST", version + "/devices/{device}/calibrations")
        case .removeCalibration: ("DELETE", version + "/devices/{device}/calibrations")
        case .forecasts: ("GET", version + "/forecasts")
        case .advice: ("GET", version + "/advice")
        case .doses: ("GET", version + "/doses")
        case .addDose: ("POST", version + "/doses")
        case .removeDose: ("DELETE", version + "/doses/{dose}")
        case .alerts: ("GET", version + "/alerts")
        case .acknowledge: ("POST", version + "/alerts/{alert}/acknowledge")
        case .snooze: ("POST", version + "/alerts/{alert}/snooze")
        case .conflicts: ("GET", version + "/conflicts")
        case .restoreConflict: ("POST", version + "/conflicts/{conflict}/restore")
        case .dismissConflict: ("POST", version + "/conflicts/{conflict}/dismiss")
        case .changes: ("GET", version + "/changes")
        case .watches: ("GET", version + "/watches")
        case .invite: ("POST", version + "/watches/invitations")
        case .unpair: ("DELETE", version + "/watches/{watch}")
        case .users: ("GET", version + "/users")
        case .addUser: ("POST", version + "/users")
        case .editUser: ("PATCH", version + "/users/{user}")
        case .removeUser: ("DELETE", version + "/users/{user}")
        case .tokens: ("GET", version + "/tokens")
        case .addToken: ("POST", version + "/tokens")
        case .removeToken: ("DELETE", version + "/tokens/{token}")
        case .shares: ("GET", version + "/shares")
        case .addShare: ("POST", version + "/shares")
        case .removeShare: ("DELETE", version + "/shares/{share}")
        case .events: ("GET", version + "/events")
        }
    }

    /// Whether the request has a body, which must be JSON then.
    var hasBody: Bool {
        switch self {
        case .setUp, .logIn, .confirm, .changePassword, .editPool, .setPoolLimits, .editDevice, .setDeviceLimits,
            .calibrate, .addDose, .snooze, .invite, .addUser, .editUser, .addToken, .addShare:
            true
        case .health, .metrics, .openapi, .setup, .logOut, .me, .sessions, .removeSession, .removeSessions, .pools,
            .pool, .poolLimits, .devices, .device,
            .deviceLimits, .readings, .series, .export, .calibrations, .removeCalibration, .forecasts, .advice,
            .doses, .removeDose, .alerts, .acknowledge, .conflicts, .restoreConflict, .dismissConflict, .changes,
            .watches, .unpair, .users, .removeUser, .tokens,
            .removeToken, .shares, .removeShare, .events:
            false
        }
    }

    /// The parameters behind the `?`.
    var parameters: Set<String> {
        switch self {
        case .devices: ["pool"]
        case .readings: ["quantity", "from", "to", "limit", "cursor"]
        case .series: ["quantity", "from", "to", "points"]
        case .export: ["from", "to"]
        case .removeCalibration: ["quantity", "validFrom"]
        case .forecasts: ["device"]
        case .advice: ["pool", "totalAlkalinity", "cyanuricAcid", "borates", "turnoverHours", "product"]
        case .doses: ["pool", "limit"]
        case .alerts: ["notices"]
        case .changes: ["last"]
        case .health, .metrics, .openapi, .setup, .setUp, .logIn, .logOut, .confirm, .me, .changePassword,
            .sessions, .removeSession, .removeSessions, .pools,
            .pool, .editPool, .poolLimits, .setPoolLimits, .device, .editDevice, .deviceLimits, .setDeviceLimits,
            .calibrations, .calibrate, .addDose, .removeDose, .acknowledge, .snooze, .conflicts, .restoreConflict,
            .dismissConflict,
            .watches, .invite, .unpair, .users, .addUser, .editUser, .removeUser, .tokens, .addToken, .removeToken,
            .shares, .addShare, .removeShare, .events:
            []
        }
    }
}

/// A route with the text in the place of its braces.
struct RouteMatch: Sendable {
    let route: Route
    /// What stands in the place of the braces; empty if there are none.
    let subject: String

    /// The routes by their methods; the patterns of the paths, as parts.
    private static let table = Route.allCases.map { route in
        (route: route, method: route.operation.method, parts: route.operation.path.split(separator: "/"))
    }

    /// Finds the route of a request.
    ///
    /// - Throws: ``Problem`` if there is none with this path, or none with this method.
    static func find(_ request: WebRequest) throws(Problem) -> RouteMatch {
        // An empty part is a part: `/api//v1` is another path than `/api/v1`.
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let matches = table.compactMap { entry in subject(of: parts, in: entry.parts).map { (entry, $0) } }
        // A path without braces is no subject of another one, so `watches/invitations` is no watch.
        let isPlain = matches.contains { $0.1.isEmpty }
        let allowed = matches.filter { $0.1.isEmpty == isPlain }
        if let (entry, subject) = allowed.first(where: { $0.0.method == request.method }) {
            return RouteMatch(route: entry.route, subject: subject)
        }
        guard !allowed.isEmpty else {
            throw Problem(
                .missing, "there is nothing at \(Excerpt(request.path)); /api/v1/openapi.json lists what there is",
                value: request.path)
        }
        let methods = allowed.map(\.0.method).sorted()
        var problem = Problem(
            .wrongMethod,
            "\(Excerpt(request.path)) takes \(methods.joined(separator: ", ")), not \(Excerpt(request.method))",
            value: request.method)
        problem.allowed = methods
        throw problem
    }

    /// The text in the place of the braces; empty if there are none, nil if the parts do not match the pattern.
    private static func subject(of parts: ArraySlice<Substring>, in pattern: [Substring]) -> String? {
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
