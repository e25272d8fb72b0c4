package import Text

/// Writes members whose names depend on the app.
private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

/// A grant as it is shown; null for all.
package struct GrantView: Encodable {
    private let grant: Grant
    private let member: String

    package init(_ grant: Grant, _ product: WebProduct) {
        self.grant = grant
        member = product.scope.member
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(grant.scope, forKey: Key(member))
        try container.encode(grant.level, forKey: Key("level"))
    }
}

/// An account as itself sees it.
package struct AccountView: Encodable {
    package var kind: Account.Kind
    package var name: String
    package var role: Role
    package var grants: [GrantView]
    package var expires: Timestamp?
    package var confirmedUntil: Timestamp?

    package init(_ account: Account, _ product: WebProduct) {
        kind = account.kind
        name = account.name
        role = account.role
        let shown = account.role == .owner ? [Grant(scope: nil, level: .edit)] : account.grants
        grants = shown.map { GrantView($0, product) }
        expires = account.expires
        confirmedUntil = account.confirmedUntil
    }
}

/// A user as owners see it.
package struct UserView: Encodable {
    package var id: String
    package var name: String
    package var role: Role
    package var grants: [GrantView]
    package var created: Timestamp
    package var lastSeen: Timestamp?
    package var isDisabled: Bool

    package init(_ user: AccountUser, _ product: WebProduct) {
        id = user.id
        name = user.name
        role = user.role
        grants = user.grants.map { GrantView($0, product) }
        created = user.created
        lastSeen = user.lastSeen
        isDisabled = user.isDisabled
    }
}

/// A link as owners see it.
package struct ShareView: Encodable {
    private let share: AccountShare
    private let member: String

    package init(_ share: AccountShare, _ product: WebProduct) {
        self.share = share
        member = product.scope.member
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(share.id, forKey: Key("id"))
        try container.encode(share.scope, forKey: Key(member))
        try container.encode(share.created, forKey: Key("created"))
        try container.encode(share.createdBy, forKey: Key("createdBy"))
        try container.encode(share.expires, forKey: Key("expires"))
        try container.encode(share.uses, forKey: Key("uses"))
    }
}
