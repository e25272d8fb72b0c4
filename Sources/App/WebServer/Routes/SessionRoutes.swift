package import Text
import Vault

/// Sessions, and the first account.
package struct SessionRoutes: Sendable {
    package let settings: WebSettings
    package let accounts: AccountStore
    let setupCode: SetupCode
    let gate: HashingGate
    let limits: LoginLimits

    /// A hash that no password has, so that an unknown name takes as long as a wrong password.
    private static let nobody = PasswordHash(
        text: "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")

    // MARK: - Beginning

    package func setUp(_ request: WebRequest, at now: Timestamp) async throws -> WebResponse {
        let members = try RequestMembers(request.body, allowed: ["code", "name", "password"])
        let (code, name, password) = (
            try members.text("code"), try members.text("name"), try members.text("password")
        )
        guard try await accounts.users.lackOwner() else { throw AccountError.notFirst }
        try AccountError.check(name: name)
        try PasswordHash.check(password, name: name, member: "password", words: settings.product.commonWords)
        try limits.setUp(from: request.address)
        guard setupCode.accepts(code) else {
            throw Problem(
                .wrongMember,
                "this is not the code: type the newest one that the terminal of the page's server shows; it is valid for "
                    + "15 minutes",
                french:
                    "ce n'est pas le code : tapez le plus récent que montre le terminal du serveur de la page ; il vaut "
                    + "15 minutes", member: "code", value: code)
        }
        let hash = try await gate.perform(for: "setup", isKnown: true) { try PasswordHash(password) }
        let user = try await accounts.users.add(name: name, hash, role: .owner, grants: [], isFirst: true, at: now)
        setupCode.end()
        return try await begin(user.id, request, at: now)
    }

    package func logIn(_ request: WebRequest, at now: Timestamp) async throws -> WebResponse {
        let members = try RequestMembers(request.body, allowed: ["name", "password", "share"])
        if let secret = try members.optionalText("share") {
            guard !members.has("name"), !members.has("password") else {
                throw members.wrong("share", "either a link, or a name and a password")
            }
            try limits.openLink(from: request.address)
            let begun = try await accounts.sessions.begin(share: secret, agent: agent(of: request), at: now)
            guard let session = begun else {
                throw Problem(
                    .wrongPassword, "this link is unknown, revoked or too old: ask for another one",
                    french: "ce lien est inconnu, révoqué ou trop vieux : demandez-en un autre", member: "share")
            }
            if let old = request.cookie(settings.cookie) { try await accounts.sessions.end(old) }
            return try await answer(session, at: now)
        }
        let (name, password) = (try members.text("name"), try members.text("password"))
        // What no account can have is refused before anything is counted: it costs nothing, and is no attempt.
        guard name.utf8.count <= AccountError.nameByteCountMax else {
            throw Problem(
                .wrongMember,
                "the name has \(name.utf8.count) bytes, at most \(AccountError.nameByteCountMax) are possible",
                french: "le nom a \(name.utf8.count) octets, \(AccountError.nameByteCountMax) au plus", member: "name")
        }
        try checkLength(of: password, member: "password")
        let user = try await accounts.users.find(named: name)
        let device = try await device(of: request, user)
        let attempt = try limits.logIn(name, from: request.address, device: device)
        let holder = device ?? "address \(request.address)"
        guard try await isRight(password, of: user, attempt, holder: holder, isKnown: device != nil), let user,
            !user.isDisabled
        else {
            throw Problem(
                .wrongPassword, "the name or the password is wrong, or the account is disabled",
                french: "nom ou mot de passe incorrect, ou compte désactivé")
        }
        attempt.forgive()
        return try await begin(user.id, request, at: now)
    }

    package func logOut(_ context: RequestContext) async throws -> WebResponse {
        if let session = context.account.session { try await accounts.sessions.end(session) }
        return WebResponse(204).with("set-cookie", settings.cookie(settings.cookie, "", seconds: 0))
    }

    package func confirm(_ context: RequestContext) async throws -> WebResponse {
        let password = try context.members(["password"]).text("password")
        try checkLength(of: password, member: "password")
        let attempt = try limits.confirm(context.account)
        let user = try await user(of: context)
        guard try await isRight(password, of: user, attempt, holder: context.account.key, isKnown: true),
            let session = context.account.session
        else {
            throw Problem(
                .wrongMember, "this is not the password: type it again",
                french: "ce n'est pas le mot de passe : retapez-le", member: "password")
        }
        attempt.forgive()
        try await accounts.sessions.confirm(session, at: context.now)
        var account = context.account
        account.confirmed = context.now
        return try .json(AccountView(account, settings.product))
    }

    package func changePassword(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["current", "new", "keepsTokens"])
        let (current, new) = (try members.text("current"), try members.text("new"))
        var edit = AccountEdit()
        edit.keepsTokens = try members.optionalFlag("keepsTokens") ?? false
        try PasswordHash.check(
            new, name: context.account.name, member: "new", words: settings.product.commonWords)
        try checkLength(of: current, member: "current")
        let attempt = try limits.confirm(context.account)
        let user = try await user(of: context)
        guard try await isRight(current, of: user, attempt, holder: context.account.key, isKnown: true), let user else {
            throw Problem(
                .wrongMember, "this is not the present password: type it again",
                french: "ce n'est pas le mot de passe actuel : retapez-le", member: "current")
        }
        attempt.forgive()
        edit.password = try await gate.perform(for: context.account.key, isKnown: true) { try PasswordHash(new) }
        _ = try await accounts.users.edit(user.id, edit)
        return try await begin(user.id, context.request, status: 200, at: context.now)
    }

    // MARK: - The sessions of a person

    package func list(_ context: RequestContext) async throws -> WebResponse {
        guard let user = context.account.userID else { throw onlyUsers }
        let own = context.account.session.map(SecretText.hash)
        return try .json(
            try await accounts.sessions.all(of: user, at: context.now).map { session in
                var shown = session
                shown.isThis = own?.hasPrefix(session.id) ?? false
                return shown
            })
    }

    package func end(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        guard let user = context.account.userID else { throw onlyUsers }
        guard try await accounts.sessions.end(id, of: user) else {
            throw Problem(.missing, "there is no session \(Excerpt(id)): see /api/v1/me/sessions", value: id)
        }
        return WebResponse(204)
    }

    /// Ends every session of the person, that of the request, too.
    package func endAll(_ context: RequestContext) async throws -> WebResponse {
        guard let user = context.account.userID else { throw onlyUsers }
        _ = try await accounts.sessions.end(of: user)
        return WebResponse(204).with("set-cookie", settings.cookie(settings.cookie, "", seconds: 0))
    }

    // MARK: - Steps

    private let onlyUsers = Problem(.forbidden, "a link has no sessions of its own")

    private func user(of context: RequestContext) async throws -> AccountUser? {
        guard let id = context.account.userID else { return nil }
        return try await accounts.users.find(id)
    }

    /// The secret of the browser, if this user has logged in on it before.
    private func device(of request: WebRequest, _ user: AccountUser?) async throws -> String? {
        guard let user, let secret = request.cookie(settings.deviceCookie), secret.utf8.count <= 64,
            try await accounts.devices.isKnown(secret, to: user.id)
        else { return nil }
        return "device \(SecretText.hash(secret))"
    }

    private func checkLength(of password: String, member: String) throws(Problem) {
        guard password.utf8.count > PasswordHash.byteCountMax else { return }
        throw Problem(
            .wrongMember,
            "the password has \(password.utf8.count) bytes, at most \(PasswordHash.byteCountMax) are possible: type it "
                + "again",
            french:
                "le mot de passe a \(password.utf8.count) octets, \(PasswordHash.byteCountMax) au plus : retapez-le",
            member: member)
    }

    private func isRight(
        _ password: String, of user: AccountUser?, _ attempt: LoginLimits.Attempt, holder: String, isKnown: Bool
    ) async throws -> Bool {
        let known = user.flatMap { PasswordHash(text: $0.password) }
        guard let hash = known ?? Self.nobody else { return false }
        do {
            return try await gate.perform(for: holder, isKnown: isKnown) { try hash.matches(password) } && known != nil
        } catch {
            // It was not looked at.
            attempt.forgive()
            throw error
        }
    }

    private func begin(
        _ user: String, _ request: WebRequest, status: Int = 201, at now: Timestamp
    ) async throws -> WebResponse {
        // The earlier session ends: an attacker who planted its cookie learns nothing about the new one.
        if let old = request.cookie(settings.cookie) { try await accounts.sessions.end(old) }
        let begun = try await accounts.sessions.begin(
            of: user, agent: agent(of: request), device: request.cookie(settings.deviceCookie), at: now)
        let response = try await answer(begun.session, status: status, at: now)
        guard let device = begun.device else { return response }
        return response.with(
            "set-cookie", settings.cookie(settings.deviceCookie, device, seconds: AccountDevices.seconds))
    }

    private func answer(_ session: String, status: Int = 201, at now: Timestamp) async throws -> WebResponse {
        guard let account = try await accounts.sessions.account(of: session, at: now) else {
            throw Problem(.noSession, "the session ended at once: log in again")
        }
        return try WebResponse.json(AccountView(account, settings.product), status: status)
            .with("set-cookie", settings.cookie(of: account, session, at: now))
    }

    private func agent(of request: WebRequest) -> String { request.headers["user-agent"] ?? "" }
}
