package import Text

/// A request, with the account that it comes from.
package struct RequestContext: Sendable {
    package let product: WebProduct
    package let route: Route
    /// What stands in the place of the braces of the path; empty if there are none.
    package let subject: String
    package let request: WebRequest
    package let account: Account
    package let now: Timestamp

    /// Joins a request and the account that it comes from.
    package init(
        product: WebProduct, route: Route, subject: String, request: WebRequest, account: Account, now: Timestamp
    ) {
        self.product = product
        self.route = route
        self.subject = subject
        self.request = request
        self.account = account
        self.now = now
    }

    /// A parameter behind the `?`.
    package func parameter(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

    /// A parameter that is a whole number, or the usual one.
    package func number(_ name: String) throws(Problem) -> Int {
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
    package func decimal(_ name: String) throws(Problem) -> Double? {
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
    package func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = parameter(name) else { return nil }
        guard let time = Timestamp(iso8601: text), time.hasFourDigits else {
            throw wrong(name, text, "a time with a zone, such as 2026-06-01T12:00:00Z (a + is written %2B)")
        }
        return time
    }

    /// A problem with a parameter; `right` says what would be right.
    package func wrong(_ name: String, _ text: String, _ right: String) -> Problem {
        Problem(.badRequest, "\(name) is \(Excerpt(text)), expected \(right)", member: name, value: text)
    }

    /// A problem that a parameter is missing.
    package func lacks(_ name: String) -> Problem {
        Problem(.badRequest, "the parameter \(name) is missing: add it", member: name)
    }

    /// The members of the body.
    package func members(_ allowed: Set<String>) throws(Problem) -> RequestMembers {
        try RequestMembers(request.body, allowed: allowed)
    }

    /// Checks that the account may use the route for a subject.
    ///
    /// For an account that may not read the subject, the subject does not exist.
    ///
    /// - Parameters:
    ///   - scope: The thing that is granted to which the subject belongs; nil for none.
    ///   - missing: The problem that the subject does not exist.
    /// - Throws: ``Problem``.
    package func check(of scope: String?, missing: Problem) throws(Problem) {
        try AccessPolicy.check(route, account, of: scope, in: product, missing: missing)
    }
}

extension Timestamp {
    /// Whether its year is written with four digits.
    ///
    /// What is later could be written, and read by nobody.
    package var hasFourDigits: Bool { (-62_167_219_200_000..<253_402_300_800_000).contains(milliseconds) }
}
