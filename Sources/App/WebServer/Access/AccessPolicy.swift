package import Text

/// Who may use which route: what the demand of a route means, and the only place where it is checked.
package enum AccessPolicy {
    /// What a route demands.
    package enum Demand: Equatable, Sendable {
        /// Nothing.
        case nothing
        /// Any account; what it is shown depends on its grants.
        case account
        /// A person with a password.
        case person
        /// A person who has entered the password lately.
        case confirmedPerson
        /// The right to read the subject.
        case read
        /// The right to change the subject.
        case edit
        /// The right to change everything that is granted.
        case editAll
        /// An owner.
        case owner
        /// An owner who has entered the password lately.
        case confirmedOwner
        /// An owner's token for it, or that the server was told to show it.
        case metrics
    }

    /// Checks that an account may use a route, as far as it does not depend on the subject.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - account: Who asks; nil for nobody.
    ///   - product: What the page is called.
    ///   - showsMetrics: Whether the server shows its measurements to everybody.
    ///   - now: The time, for how long ago the password was confirmed.
    /// - Throws: ``Problem``.
    package static func check(
        _ route: Route, _ account: Account?, of product: WebProduct, showsMetrics: Bool, at now: Timestamp
    ) throws(Problem) {
        let demand = route.demand
        if demand == .nothing || demand == .metrics && showsMetrics { return }
        guard let account else {
            throw Problem(.noSession, "this needs a session: log in with POST /api/v1/session, or send a token")
        }
        switch demand {
        case .nothing, .account: return
        case .metrics:
            // They show everything, so the right of one thing is not enough.
            if account.scopes?.contains(.metrics) == true, account.role == .owner { return }
            throw Problem(
                .forbidden, "the measurements need an owner's token with the scope metrics, or the option --metrics")
        case .read, .edit: return
        case .person, .confirmedPerson:
            guard account.kind == .user else { throw onlyPersons }
            if demand == .confirmedPerson { try checkConfirmation(account, at: now) }
        case .editAll:
            guard account.levelOfAll == .edit else {
                throw Problem(
                    .forbidden, "this needs an owner, or a member of all \(product.scope.plural): ask an owner for it")
            }
        case .owner, .confirmedOwner:
            guard account.role == .owner, account.levelOfAll != nil else {
                throw Problem(.forbidden, "this needs an owner: ask one for it")
            }
            if demand == .confirmedOwner {
                guard account.kind == .user else { throw onlyPersons }
                try checkConfirmation(account, at: now)
            } else if route.method != "GET", account.levelOfAll != .edit {
                throw Problem(.forbidden, "this needs a token with the scope write: make one")
            }
        }
    }

    /// Checks that an account may use a route for a subject.
    ///
    /// For an account that may not read the subject, the subject does not exist.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - account: Who asks.
    ///   - scope: The thing that is granted to which the subject belongs; nil for none.
    ///   - product: What the page is called.
    ///   - missing: The problem that the subject does not exist.
    /// - Throws: ``Problem``.
    package static func check(
        _ route: Route, _ account: Account, of scope: String?, in product: WebProduct, missing: Problem
    ) throws(Problem) {
        guard let level = account.level(of: scope) else { throw missing }
        if route.demand == .edit, level < .edit {
            throw Problem(
                .forbidden, "this account may only read this \(product.scope.noun): ask an owner for the right to edit")
        }
    }

    private static let onlyPersons = Problem(
        .forbidden, "this needs a person with a password: a token or a link cannot do it")

    private static func checkConfirmation(_ account: Account, at now: Timestamp) throws(Problem) {
        guard let until = account.confirmedUntil, now < until else {
            throw Problem(
                .confirmPassword,
                "this needs the password once in 12 hours: confirm it with POST /api/v1/session/confirmation")
        }
    }
}
