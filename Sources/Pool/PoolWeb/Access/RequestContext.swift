import PoolControl
import PoolModel

/// A request, with the account that it comes from.
struct RequestContext: Sendable {
    let route: Route
    /// What stands in the place of the braces of the path; empty if there are none.
    let subject: String
    let request: WebRequest
    let account: Account
    let now: Timestamp

    /// A parameter behind the `?`.
    func parameter(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

    /// A parameter that is a whole number, or the usual one.
    func number(_ name: String) throws(Problem) -> Int {
        guard case .integer(let range, let usual) = kind(of: name) else {
            preconditionFailure("the route \(route.id) has no whole number \(name)")
        }
        guard let text = parameter(name) else { return usual }
        guard let number = Int(text), range.contains(number), !text.hasPrefix("+") else {
            throw wrong(name, text, "a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A parameter that is a number.
    func decimal(_ name: String) throws(Problem) -> Double? {
        guard case .decimal(let range) = kind(of: name) else {
            preconditionFailure("the route \(route.id) has no number \(name)")
        }
        guard let text = parameter(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw wrong(name, text, "a number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func kind(of name: String) -> RouteParameter.Kind? { route.parameters.first { $0.name == name }?.kind }

    /// A parameter that is a time with a zone.
    func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = parameter(name) else { return nil }
        guard let time = Timestamp(iso8601: text), time.hasFourDigits else {
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

    // MARK: - Subjects

    /// A pool that the account may read, and edit if the route needs that.
    func pool(_ id: String, in state: HubState) throws(Problem) -> Pool {
        let missing = Problem(.missing, "there is no pool \(Excerpt(id)): see /api/v1/pools", value: id)
        guard let pool = PoolID(id).flatMap({ state.pool($0) }) else { throw missing }
        try AccessPolicy.check(route, account, of: pool.id, missing: missing)
        return pool
    }

    /// A device that the account may read, and edit if the route needs that.
    func device(_ id: String, in state: HubState) throws(Problem) -> DeviceState {
        let missing = Problem(.missing, "there is no device \(Excerpt(id)): see /api/v1/devices", value: id)
        guard let device = DeviceID(id).flatMap({ state.device($0) }) else { throw missing }
        try AccessPolicy.check(route, account, of: device.device.poolID, missing: missing)
        return device
    }
}

extension Timestamp {
    /// Whether its year is written with four digits.
    ///
    /// What is later could be written, and read by nobody.
    var hasFourDigits: Bool { (-62_167_219_200_000..<253_402_300_800_000).contains(milliseconds) }
}
