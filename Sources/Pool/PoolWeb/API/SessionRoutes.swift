import PoolModel

/// Sessions, and the first account.
struct SessionRoutes: Sendable {
    let settings: WebSettings
    let accounts: AccountStore
    let setupCode: SetupCode
    let gate: HashingGate

    private let loginsOfName = RateLimiter(limit: 5, doubles: true)
    private let loginsOfAddress = RateLimiter(limit: 20, doubles: true)

    init(settings: WebSettings, accounts: AccountStore, setupCode: SetupCode, gate: HashingGate) {
        self.settings = settings
        self.accounts = accounts
        self.setupCode = setupCode
        self.gate = gate
    }

    /// A hash that no password has, so that an unknown name takes as long as a wrong password.
    private static let nobody = PasswordHash(
        text: "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")

    func setUp(_ request: WebRequest, at now: Timestamp) async throws -> WebResponse {
        let members = try RequestMembers(request.body, allowed: ["code", "name", "password"])
        let (code, name, password) = (
            try members.text("code"), try members.text("name"), try members.text("password")
        )
        guard try accounts.users.isEmpty() else { throw AccountError.notFirst }
        try AccountError.check(name: name)
        try PasswordHash.check(password, name: name, member: "password")
        try limitLogins(of: request.address, loginsOfAddress)
        guard setupCode.accepts(code) else {
            throw Problem(
                .wrongMember,
                "this is not the code: type the newest one that the terminal of the page's server shows; it is valid for "
                    + "15 minutes", member: "code", value: code)
        }
        let hash = try await gate.perform { try PasswordHash(password) }
        let user = try accounts.users.add(name: name, hash, role: .owner, grants: [], isFirst: true, at: now)
        setupCode.end()
        return try begin(user.id, request, at: now)
    }

    func logIn(_ request: WebRequest, at now: Timestamp) async throws -> WebResponse {
        let members = try RequestMembers(request.body, allowed: ["name", "password", "share"])
        if let secret = try members.optionalText("share") {
            guard !members.has("name"), !members.has("password") else {
                throw members.wrong("share", "either a link, or a name and a password")
            }
            try limitLogins(of: request.address, loginsOfAddress)
            guard let session = try accounts.sessions.begin(share: secret, agent: agent(of: request), at: now) else {
                throw Problem(
                    .wrongPassword, "this link is unknown, revoked or too old: ask for another one", member: "share")
            }
            loginsOfAddress.forgive(request.address)
            return try answer(session, at: now)
        }
        let (name, password) = (try members.text("name"), try members.text("password"))
        try limitLogins(of: request.address, loginsOfAddress)
        try limitLogins(of: name.lowercased().shortened, loginsOfName)
        let user = try accounts.users.find(named: name)
        guard try await isRight(password, of: user), let user, !user.isDisabled else {
            throw Problem(.wrongPassword, "the name or the password is wrong, or the account is disabled")
        }
        loginsOfName.forgive(name.lowercased().shortened)
        loginsOfAddress.forgive(request.address)
        return try begin(user.id, request, at: now)
    }

    func logOut(_ context: RequestContext) throws -> WebResponse {
        if let session = context.account.session { try accounts.sessions.end(session) }
        return WebResponse(204).with("set-cookie", cookie("", seconds: 0))
    }

    func confirm(_ context: RequestContext) async throws -> WebResponse {
        let password = try context.members(["password"]).text("password")
        try limitLogins(of: context.account.name.lowercased(), loginsOfName)
        let user = try context.account.userID.flatMap { try accounts.users.find($0) }
        guard try await isRight(password, of: user), let session = context.account.session else {
            throw Problem(.wrongMember, "this is not the password: type it again", member: "password")
        }
        loginsOfName.forgive(context.account.name.lowercased())
        try accounts.sessions.confirm(session, at: context.now)
        var account = context.account
        account.confirmed = context.now
        return try .json(AccountView(account))
    }

    func changePassword(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["current", "new"])
        let (current, new) = (try members.text("current"), try members.text("new"))
        try PasswordHash.check(new, name: context.account.name, member: "new")
        try limitLogins(of: context.account.name.lowercased(), loginsOfName)
        guard let id = context.account.userID, try await isRight(current, of: try accounts.users.find(id)) else {
            throw Problem(.wrongMember, "this is not the present password: type it again", member: "current")
        }
        loginsOfName.forgive(context.account.name.lowercased())
        var edit = AccountEdit()
        edit.password = try await gate.perform { try PasswordHash(new) }
        _ = try accounts.users.edit(id, edit)
        return try begin(id, context.request, status: 200, at: context.now)
    }

    // MARK: - Steps

    private func limitLogins(of key: String, _ limiter: RateLimiter) throws(Problem) {
        guard let wait = limiter.count(key) else { return }
        throw Problem.tooMany("too many attempts: wait \(wait) s", wait: wait)
    }

    private func isRight(_ password: String, of user: AccountUser?) async throws -> Bool {
        // What is longer is no password, and would cost time.
        guard password.utf8.count <= PasswordHash.byteCountMax else { return false }
        let known = user.flatMap { PasswordHash(text: $0.password) }
        guard let hash = known ?? Self.nobody else { return false }
        return try await gate.perform { try hash.matches(password) } && known != nil
    }

    private func begin(
        _ user: String, _ request: WebRequest, status: Int = 201, at now: Timestamp
    ) throws -> WebResponse {
        // The earlier session ends: an attacker who planted its cookie learns nothing about the new one.
        if let old = request.cookie(settings.cookie) { try accounts.sessions.end(old) }
        return try answer(
            try accounts.sessions.begin(of: user, agent: agent(of: request), at: now), status: status, at: now)
    }

    private func answer(_ session: String, status: Int = 201, at now: Timestamp) throws -> WebResponse {
        guard let account = try accounts.sessions.account(of: session, at: now) else {
            throw Problem(.noSession, "the session ended at once: log in again")
        }
        let milliseconds = account.expires?.milliseconds(since: now) ?? AccountSessions.milliseconds
        return try WebResponse.json(AccountView(account), status: status)
            .with("set-cookie", cookie(session, seconds: Int(milliseconds / 1000)))
    }

    private func cookie(_ value: String, seconds: Int) -> String {
        "\(settings.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
            + (settings.isSecure ? "; Secure" : "")
    }

    private func agent(of request: WebRequest) -> String { request.headers["user-agent"] ?? "" }
}
