package import Text

/// What an account is for.
package enum Role: String, CaseIterable, Codable, Sendable {
    /// Everything.
    case owner
    /// Edits what it was granted.
    case member
    /// Reads what it was granted.
    case guest
}

/// What may be done with what is granted.
package enum AccessLevel: String, CaseIterable, Codable, Comparable, Sendable {
    case read
    case edit

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool { left == .read && right == .edit }
}

/// What an account may do with one of the things that are granted, or with all.
package struct Grant: Hashable, Sendable {
    /// The identity of the thing; nil for all, and for what belongs to none.
    package var scope: String?
    package var level: AccessLevel

    package init(scope: String?, level: AccessLevel) {
        self.scope = scope
        self.level = level
    }
}

/// What a token is for.
package enum TokenScope: String, CaseIterable, Codable, Sendable {
    case read
    case write
    case metrics
}

/// Who asks: somebody with a session, a link or a token.
package struct Account: Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case user
        case share
        case token
    }

    package var kind: Kind
    /// The user; nil for a link.
    package var userID: String?
    package var name: String
    package var role: Role
    package var grants: [Grant]
    /// The key of the session, of which the store has the hash; nil for a token.
    package var session: String?
    /// The key under which its requests are counted.
    package var key: String
    /// The link's hash; nil for a user.
    package var share: String?
    /// When the session or the token ends.
    package var expires: Timestamp?
    /// When the password was entered last; nil for a link and a token.
    package var confirmed: Timestamp?
    /// What the token is for; nil for others.
    package var scopes: Set<TokenScope>?
    /// Whether this request lengthens the session noticeably, so that the browser's cookie is lengthened, too.
    package var isRenewed = false

    /// Describes an account.
    package init(
        kind: Kind, userID: String? = nil, name: String, role: Role, grants: [Grant], session: String? = nil,
        key: String, share: String? = nil, expires: Timestamp? = nil, confirmed: Timestamp? = nil,
        scopes: Set<TokenScope>? = nil, isRenewed: Bool = false
    ) {
        self.kind = kind
        self.userID = userID
        self.name = name
        self.role = role
        self.grants = grants
        self.session = session
        self.key = key
        self.share = share
        self.expires = expires
        self.confirmed = confirmed
        self.scopes = scopes
        self.isRenewed = isRenewed
    }

    /// How long a sensitive action needs no password after the last time, in milliseconds.
    package static let confirmationMilliseconds: Int64 = 12 * 3600 * 1000

    /// What may be done with one of the things that are granted, or with what belongs to none; nil for nothing.
    package func level(of scope: String?) -> AccessLevel? {
        let granted: AccessLevel? =
            role == .owner
            ? .edit : grants.filter { $0.scope == nil || ($0.scope == scope && scope != nil) }.map(\.level).max()
        guard let granted else { return nil }
        if let scopes {
            guard scopes.contains(.read) || scopes.contains(.write) else { return nil }
            if !scopes.contains(.write) { return .read }
        }
        return role == .guest ? .read : granted
    }

    /// What may be done with everything: for what belongs to none of the things that are granted.
    package var levelOfAll: AccessLevel? { level(of: nil) }

    /// Whether the names of people and watches are hidden from it: guests with a link need not know who lives here.
    package var seesNoNames: Bool { kind == .share }

    /// Whether both are shown the same.
    package func seesTheSame(as other: Account) -> Bool {
        (kind, role, grants, scopes) == (other.kind, other.role, other.grants, other.scopes)
    }

    /// Until when sensitive actions need no password.
    package var confirmedUntil: Timestamp? { confirmed?.advanced(byMilliseconds: Self.confirmationMilliseconds) }

    /// The author of its changes.
    package var author: String { "web:\(name)" }
}
