import Text

/// Who may try a password now.
///
/// What is counted belongs to the one who tries: an address and a name, a browser, or a session. So nobody can keep out
/// somebody else: neither a person who is logged in, nor a browser on which that person has logged in before, nor another
/// address.
struct LoginLimits: Sendable {
    private let ofNameAtAddress: RateLimiter
    private let ofAddress: RateLimiter
    /// Against many addresses that guess at one name.
    private let ofName: RateLimiter
    private let ofDevice: RateLimiter
    private let ofSession: RateLimiter
    private let setupsOfAddress: RateLimiter
    private let linksOfAddress: RateLimiter

    /// Creates limits that nothing counts against yet.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        func limiter(_ limit: Int, doubles: Bool = false) -> RateLimiter {
            RateLimiter(limit: limit, doubles: doubles, now: now)
        }
        ofNameAtAddress = limiter(5, doubles: true)
        ofAddress = limiter(20)
        ofName = limiter(60)
        ofDevice = limiter(5, doubles: true)
        ofSession = limiter(5, doubles: true)
        setupsOfAddress = limiter(20)
        linksOfAddress = limiter(30)
    }

    /// An attempt that was counted.
    struct Attempt {
        fileprivate var counts: [(limiter: RateLimiter, key: String)] = []

        /// Takes the counts back: what was tried was right, or was not even looked at.
        func forgive() {
            for (limiter, key) in counts { limiter.forgive(key) }
        }

        fileprivate mutating func count(_ key: String, _ limiter: RateLimiter) throws(Problem) {
            if let wait = limiter.count(key) {
                // What is refused by one limit is not counted by the others.
                forgive()
                var problem = Problem.tooMany("too many attempts: wait \(wait) s", wait: wait)
                problem.french = "trop d'essais : attendez \(wait) s"
                throw problem
            }
            counts.append((limiter, key))
        }
    }

    /// Counts a login with a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - address: Where it comes from.
    ///   - device: A browser on which this name has logged in before; nil for another browser.
    /// - Returns: What was counted.
    /// - Throws: ``Problem`` with the time to wait.
    func logIn(_ name: String, from address: String, device: String?) throws(Problem) -> Attempt {
        // All ways to write the name of one account are one name.
        let name = HiddenCharacter.drawn(name.lowercased())
        var attempt = Attempt()
        if let device {
            try attempt.count("\(device) \(name)", ofDevice)
        } else {
            try attempt.count("\(address) \(name)", ofNameAtAddress)
            try attempt.count(address, ofAddress)
            try attempt.count("name \(name)", ofName)
        }
        return attempt
    }

    /// Counts a password of somebody who is logged in.
    ///
    /// - Throws: ``Problem`` with the time to wait.
    func confirm(_ account: Account) throws(Problem) -> Attempt {
        var attempt = Attempt()
        try attempt.count(account.key, ofSession)
        return attempt
    }

    /// Counts a code for the first account.
    ///
    /// - Throws: ``Problem`` with the time to wait.
    func setUp(from address: String) throws(Problem) {
        var attempt = Attempt()
        try attempt.count(address, setupsOfAddress)
    }

    /// Counts that a link is opened, right or wrong.
    ///
    /// - Throws: ``Problem`` with the time to wait.
    func openLink(from address: String) throws(Problem) {
        var attempt = Attempt()
        try attempt.count(address, linksOfAddress)
    }
}
