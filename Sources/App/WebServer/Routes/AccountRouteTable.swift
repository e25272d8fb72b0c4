/// What answers the routes of accounts.
package struct AccountRouteHandlers: Sendable {
    /// Sessions, and the first account.
    package let sessions: SessionRoutes
    /// Users, tokens and links.
    package let people: AccountRoutes
    /// The accounts.
    package let store: AccountStore
}

/// The routes that each page with accounts has.
package enum AccountRouteTable {
    /// Sessions, and the first account.
    package static let sessions: [HandledRoute<AccountRouteHandlers>] = [
        Route(
            "setup", "GET", "/api/v1/setup", for: .nothing, in: .session, "Whether the first account is to be created.",
            answer: .one("setup", "The answer.")
        ).handledForAll { handlers, _, _ in try .json(["isNeeded": try await handlers.store.users.lackOwner()]) },
        Route(
            "setUp", "POST", "/api/v1/setup", for: .nothing, in: .session,
            "Creates the first owner, with the code from the terminal.", body: "firstOwner",
            answer: .created("me", "Created; the session is in a cookie."), isRefusable: true, problems: [.forbidden]
        ).handledForAll { handlers, request, now in try await handlers.sessions.setUp(request, at: now) },
        Route(
            "logIn", "POST", "/api/v1/session", for: .nothing, in: .session,
            "Begins a session, with a name and a password or with the secret of a link.", body: "session",
            answer: .created("me", "The session is in a cookie."), problems: [.noSession, .forbidden]
        ).handledForAll { handlers, request, now in try await handlers.sessions.logIn(request, at: now) },
        Route(
            "logOut", "DELETE", "/api/v1/session", for: .account, in: .session, "Ends the session.",
            answer: .nothing("Ended.")
        ).handled { try await $0.sessions.logOut($1) },
        Route(
            "confirm", "POST", "/api/v1/session/confirmation", for: .person, in: .session,
            "Confirms the password, which sensitive actions of an owner need once in 12 hours.", body: "password",
            answer: .one("me", "Confirmed.")
        ).handled { try await $0.sessions.confirm($1) },
        Route(
            "me", "GET", "/api/v1/me", for: .account, in: .session, "Who asks, and what is allowed.",
            answer: .one("me", "The account.")
        ).handled { try .json(AccountView($1.account, $1.product)) },
        Route(
            "changePassword", "POST", "/api/v1/me/password", for: .person, in: .session,
            "Changes the own password; all other sessions end, and the tokens unless keepsTokens is true.",
            body: "passwordChange", answer: .one("me", "Changed; the session is in a new cookie.")
        ).handled { try await $0.sessions.changePassword($1) },
        Route(
            "sessions", "GET", "/api/v1/me/sessions", for: .person, in: .session, "The own sessions.",
            answer: .list(of: "ownSession", "Used last first.")
        ).handled { try await $0.sessions.list($1) },
        Route(
            "removeSessions", "DELETE", "/api/v1/me/sessions", for: .person, in: .session,
            "Ends all own sessions, that of the request, too.", answer: .nothing("Ended.")
        ).handled { try await $0.sessions.endAll($1) },
        Route(
            "removeSession", "DELETE", "/api/v1/me/sessions/{session}", for: .person, in: .session,
            "Ends an own session.", subject: .pattern("^[0-9a-f]{16}$"), answer: .nothing("Ended.")
        ).handled { try await $0.sessions.end($1.subject, $1) },
    ]

    /// Users, tokens and links.
    package static func accounts(_ product: WebProduct) -> [HandledRoute<AccountRouteHandlers>] {
        [
            Route(
                "users", "GET", "/api/v1/users", for: .owner, in: .accounts, "The accounts.",
                answer: .list(of: "user", "By name.")
            ).handled { handlers, context in
                try .json(try await handlers.store.users.all().map { UserView($0, context.product) })
            },
            Route(
                "addUser", "POST", "/api/v1/users", for: .confirmedOwner, in: .accounts, "Adds an account. Sensitive.",
                body: "newUser", answer: .created("user", "Added."), isRefusable: true
            ).handled { try await $0.people.addUser($1) },
            Route(
                "editUser", "PATCH", "/api/v1/users/{user}", for: .confirmedOwner, in: .accounts,
                "Changes an account; its sessions end, with a new password its tokens, too, and links "
                    + "that it made if it is no owner any more. Sensitive.",
                body: "userEdit", answer: .one("user", "Changed."), isRefusable: true
            ).handled { try await $0.people.editUser($1.subject, $1) },
            Route(
                "removeUser", "DELETE", "/api/v1/users/{user}", for: .confirmedOwner, in: .accounts,
                "Removes an account. Sensitive.", answer: .nothing("Removed."), isRefusable: true
            ).handled { try await $0.people.removeUser($1.subject) },
            Route(
                "tokens", "GET", "/api/v1/tokens", for: .person, in: .accounts, "The own tokens; for owners all.",
                answer: .list(of: "token", "The list.")
            ).handled { try await $0.people.tokens($1) },
            Route(
                "addToken", "POST", "/api/v1/tokens", for: .confirmedPerson, in: .accounts,
                "Adds a token for a script, with the rights of its user at most. Sensitive.", body: "newToken",
                answer: .created("createdToken", "The token, once."), isRefusable: true
            ).handled { try await $0.people.addToken($1) },
            Route(
                "removeToken", "DELETE", "/api/v1/tokens/{token}", for: .person, in: .accounts, "Revokes a token.",
                subject: .pattern("^[0-9a-f]{16}$"),
                answer: .nothing("Revoked.")
            ).handled { try await $0.people.removeToken($1.subject, $1) },
            Route(
                "shares", "GET", "/api/v1/shares", for: .owner, in: .accounts, "The links.",
                answer: .list(of: "share", "The list.")
            ).handled { handlers, context in
                try .json(try await handlers.store.shares.all(at: context.now).map { ShareView($0, context.product) })
            },
            Route(
                "addShare", "POST", "/api/v1/shares", for: .confirmedOwner, in: .accounts,
                "Makes a link that shows one \(product.scope.noun) without an account. Sensitive.", body: "newShare",
                answer: .created("createdShare", "The link, once."), isRefusable: true
            ).handled { try await $0.people.addShare($1) },
            Route(
                "removeShare", "DELETE", "/api/v1/shares/{share}", for: .owner, in: .accounts,
                "Revokes a link; what it shows ends within a second.", subject: .pattern("^[0-9a-f]{16}$"),
                answer: .nothing("Revoked.")
            ).handled { try await $0.people.removeShare($1.subject) },
        ]
    }
}
