import Text

/// Users, tokens and links.
package struct AccountRoutes: Sendable {
    package let settings: WebSettings
    package let accounts: AccountStore
    /// Whether there is one of the things that are granted; throws while nobody knows.
    package let hasScope: @Sendable (String) throws -> Bool
    let gate: HashingGate

    private var product: WebProduct { settings.product }

    private struct CreatedToken: Encodable {
        var token: AccountToken
        var secret: String
    }

    private struct CreatedShare: Encodable {
        var share: ShareView
        var path: String
        var url: String
    }

    // MARK: - Users

    package func addUser(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "password", "role", "grants"])
        let (name, password) = (try members.text("name"), try members.text("password"))
        let role = try members.choice("role", Role.self)
        let grants = try grants(members) ?? []
        try AccountError.check(name: name)
        try PasswordHash.check(
            password, name: name, member: "password", words: product.commonWords)
        let hash = try await gate.perform(for: context.account.key, isKnown: true) { try PasswordHash(password) }
        return try .json(
            UserView(
                try await accounts.users.add(name: name, hash, role: role, grants: grants, at: context.now), product),
            status: 201)
    }

    package func editUser(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["role", "grants", "isDisabled", "password", "keepsTokens"])
        var edit = AccountEdit()
        edit.role = try members.optionalChoice("role", Role.self)
        edit.grants = try grants(members)
        edit.isDisabled = try members.optionalFlag("isDisabled")
        edit.keepsTokens = try members.optionalFlag("keepsTokens") ?? false
        guard let user = try await accounts.users.find(id) else { throw missing(user: id) }
        if let password = try members.optionalText("password") {
            try PasswordHash.check(
                password, name: user.name, member: "password", words: product.commonWords)
            edit.password = try await gate.perform(for: context.account.key, isKnown: true) {
                try PasswordHash(password)
            }
        }
        let kept = id == context.account.userID ? context.account.session : nil
        return try .json(UserView(try await accounts.users.edit(id, edit, keeping: kept), product))
    }

    package func removeUser(_ id: String) async throws -> WebResponse {
        guard try await accounts.users.find(id) != nil else { throw missing(user: id) }
        try await accounts.users.remove(id)
        return WebResponse(204)
    }

    private func missing(user id: String) -> Problem {
        Problem(.missing, "there is no account \(Excerpt(id)): see /api/v1/users", value: id)
    }

    private func grants(_ members: RequestMembers) throws(Problem) -> [Grant]? {
        let member = product.scope.member
        guard let given = try members.optionalObjects("grants", 0...64, allowed: [member, "level"]) else { return nil }
        var grants: [Grant] = []
        for grant in given {
            let level = try grant.choice("level", AccessLevel.self)
            guard !grant.isNull(member) else {
                grants.append(Grant(scope: nil, level: level))
                continue
            }
            guard let scope = try scope(grant) else { throw grant.lacks(member) }
            // Nobody may know now; a grant of what does not exist grants nothing.
            if (try? hasScope(scope)) == false {
                throw grant.wrong(
                    member, "the id of a \(product.scope.noun), see \(product.scope.path), or null for all")
            }
            grants.append(Grant(scope: scope, level: level))
        }
        return grants
    }

    /// The identity of one of the things that are granted; nil if it is missing.
    private func scope(_ members: RequestMembers) throws(Problem) -> String? {
        let member = product.scope.member
        guard let text = try members.optionalText(member) else { return nil }
        guard let scope = product.scope.identity(text) else {
            throw members.wrong(member, "an id as the lists show it")
        }
        return scope
    }

    // MARK: - Tokens

    /// An owner sees the tokens of all users.
    package func tokens(_ context: RequestContext) async throws -> WebResponse {
        try .json(try await accounts.tokens.all(of: context.account.role == .owner ? nil : context.account.userID))
    }

    package func addToken(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "scopes", "expiresInSeconds"])
        let (name, scopes) = (try members.text("name"), try members.choices("scopes", TokenScope.self))
        let seconds = try members.optionalInteger("expiresInSeconds", 3600...315_360_000)
        guard let user = context.account.userID else { throw Problem(.forbidden, "a link cannot have tokens") }
        let created = try await accounts.tokens.add(
            of: user, name: name, scopes: scopes,
            expires: seconds.map { context.now.advanced(byMilliseconds: Int64($0) * 1000) }, at: context.now)
        return try .json(CreatedToken(token: created.token, secret: created.secret), status: 201)
    }

    package func removeToken(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let owner = context.account.role == .owner ? nil : context.account.userID
        guard try await accounts.tokens.remove(id, of: owner) else {
            throw Problem(.missing, "there is no token \(Excerpt(id)): see /api/v1/tokens", value: id)
        }
        return WebResponse(204)
    }

    // MARK: - Links

    package func addShare(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members([product.scope.member, "expiresInSeconds"])
        guard let scope = try scope(members) else { throw members.lacks(product.scope.member) }
        let seconds = try members.optionalInteger("expiresInSeconds", 3600...7_776_000) ?? 604_800
        guard try hasScope(scope) else {
            throw members.wrong(
                product.scope.member, "the id of a \(product.scope.noun), see \(product.scope.path)")
        }
        let created = try await accounts.shares.add(
            of: scope, by: context.account.name, expires: context.now.advanced(byMilliseconds: Int64(seconds) * 1000),
            at: context.now)
        let path = "/s/\(created.secret)"
        let url = "\(settings.scheme)://\(context.request.headers["host"] ?? "")\(path)"
        return try .json(CreatedShare(share: ShareView(created.share, product), path: path, url: url), status: 201)
    }

    package func removeShare(_ id: String) async throws -> WebResponse {
        guard try await accounts.shares.remove(id) else {
            throw Problem(.missing, "there is no link \(Excerpt(id)): see /api/v1/shares", value: id)
        }
        return WebResponse(204)
    }
}
