import PoolControl
import PoolModel

/// Users, tokens and links.
struct AccountRoutes: Sendable {
    let settings: WebSettings
    let accounts: AccountStore
    let hub: HubWatcher
    let gate: HashingGate

    private struct CreatedToken: Encodable {
        var token: AccountToken
        var secret: String
    }

    private struct CreatedShare: Encodable {
        var share: AccountShare
        var path: String
        var url: String
    }

    // MARK: - Users

    func addUser(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "password", "role", "grants"])
        let (name, password) = (try members.text("name"), try members.text("password"))
        let role = try members.choice("role", Role.self)
        let grants = try grants(members) ?? []
        try AccountError.check(name: name)
        try PasswordHash.check(password, name: name, member: "password")
        let hash = try await gate.perform(for: context.account.key, isKnown: true) { try PasswordHash(password) }
        return try .json(
            try await accounts.users.add(name: name, hash, role: role, grants: grants, at: context.now), status: 201)
    }

    func editUser(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["role", "grants", "isDisabled", "password", "keepsTokens"])
        var edit = AccountEdit()
        edit.role = try members.optionalChoice("role", Role.self)
        edit.grants = try grants(members)
        edit.isDisabled = try members.optionalFlag("isDisabled")
        edit.keepsTokens = try members.optionalFlag("keepsTokens") ?? false
        guard let user = try await accounts.users.find(id) else { throw missing(user: id) }
        if let password = try members.optionalText("password") {
            try PasswordHash.check(password, name: user.name, member: "password")
            edit.password = try await gate.perform(for: context.account.key, isKnown: true) {
                try PasswordHash(password)
            }
        }
        let kept = id == context.account.userID ? context.account.session : nil
        return try .json(try await accounts.users.edit(id, edit, keeping: kept))
    }

    func removeUser(_ id: String) async throws -> WebResponse {
        guard try await accounts.users.find(id) != nil else { throw missing(user: id) }
        try await accounts.users.remove(id)
        return WebResponse(204)
    }

    private func missing(user id: String) -> Problem {
        Problem(.missing, "there is no account \(Excerpt(id)): see /api/v1/users", value: id)
    }

    private func grants(_ members: RequestMembers) throws(Problem) -> [Grant]? {
        guard let given = try members.optionalObjects("grants", 0...64, allowed: ["poolID", "level"]) else {
            return nil
        }
        var grants: [Grant] = []
        for grant in given {
            let level = try grant.choice("level", AccessLevel.self)
            guard !grant.isNull("poolID") else {
                grants.append(Grant(poolID: nil, level: level))
                continue
            }
            guard let pool: PoolID = try grant.optionalID("poolID") else { throw grant.lacks("poolID") }
            // Without a hub nobody knows; a grant of a pool that does not exist grants nothing.
            if let state = hub.view.snapshot?.state, state.pool(pool) == nil {
                throw grant.wrong("poolID", "the id of a pool, see /api/v1/pools, or null for all")
            }
            grants.append(Grant(poolID: pool, level: level))
        }
        return grants
    }

    // MARK: - Tokens

    /// An owner sees the tokens of all users.
    func tokens(_ context: RequestContext) async throws -> WebResponse {
        try .json(try await accounts.tokens.all(of: context.account.role == .owner ? nil : context.account.userID))
    }

    func addToken(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "scopes", "expiresInSeconds"])
        let (name, scopes) = (try members.text("name"), try members.choices("scopes", TokenScope.self))
        let seconds = try members.optionalInteger("expiresInSeconds", 3600...315_360_000)
        guard let user = context.account.userID else { throw Problem(.forbidden, "a link cannot have tokens") }
        let created = try await accounts.tokens.add(
            of: user, name: name, scopes: scopes,
            expires: seconds.map { context.now.advanced(byMilliseconds: Int64($0) * 1000) }, at: context.now)
        return try .json(CreatedToken(token: created.token, secret: created.secret), status: 201)
    }

    func removeToken(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let owner = context.account.role == .owner ? nil : context.account.userID
        guard try await accounts.tokens.remove(id, of: owner) else {
            throw Problem(.missing, "there is no token \(Excerpt(id)): see /api/v1/tokens", value: id)
        }
        return WebResponse(204)
    }

    // MARK: - Links

    func addShare(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["poolID", "expiresInSeconds"])
        guard let pool: PoolID = try members.optionalID("poolID") else { throw members.lacks("poolID") }
        let seconds = try members.optionalInteger("expiresInSeconds", 3600...7_776_000) ?? 604_800
        guard try hub.snapshot().state.pool(pool) != nil else {
            throw members.wrong("poolID", "the id of a pool, see /api/v1/pools")
        }
        let created = try await accounts.shares.add(
            of: pool, by: context.account.name, expires: context.now.advanced(byMilliseconds: Int64(seconds) * 1000),
            at: context.now)
        let path = "/s/\(created.secret)"
        let url = "\(settings.scheme)://\(context.request.headers["host"] ?? "")\(path)"
        return try .json(CreatedShare(share: created.share, path: path, url: url), status: 201)
    }

    func removeShare(_ id: String) async throws -> WebResponse {
        guard try await accounts.shares.remove(id) else {
            throw Problem(.missing, "there is no link \(Excerpt(id)): see /api/v1/shares", value: id)
        }
        return WebResponse(204)
    }
}
