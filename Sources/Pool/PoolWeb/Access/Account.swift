package import PoolModel

/// What an account is for.
package enum Role: String, CaseIterable, Codable, Sendable {
    /// Everything.
    case owner
    /// Edits what it was granted.
    case member
    /// Reads what it was granted.
    case guest
}

/// What may be done with a pool.
package enum AccessLevel: String, CaseIterable, Codable, Comparable, Sendable {
    case read
    case edit

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool { left == .read && right == .edit }
}

/// What a pool is granted for.
package struct Grant: Codable, Hashable, Sendable {
    /// The pool; nil for all pools, and for devices without one.
    package var poolID: PoolID?
    package var level: AccessLevel

    package init(poolID: PoolID?, level: AccessLevel) {
        self.poolID = poolID
        self.level = level
    }

    private enum CodingKeys: CodingKey { case poolID, level }

    /// Writes both members; null for all pools.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(poolID, forKey: .poolID)
        try container.encode(level, forKey: .level)
    }
}

/// What a token is for.
package enum TokenScope: String, CaseIterable, Codable, Sendable {
    case read
    case write
    case metrics
}

/// Who asks: somebody with a session, a link or a token.
struct Account: Sendable, Equatable {
    enum Kind: String, Codable, Sendable {
        case user
        case share
        case token
    }

    var kind: Kind
    /// The user; nil for a link.
    var userID: String?
    var name: String
    var role: Role
    var grants: [Grant]
    /// The key of the session, of which the store has the hash; nil for a token.
    var session: String?
    /// The key under which its requests are counted.
    var key: String
    /// The link's hash; nil for a user.
    var share: String?
    /// When the session or the token ends.
    var expires: Timestamp?
    /// When the password was entered last; nil for a link and a token.
    var confirmed: Timestamp?
    /// What the token is for; nil for others.
    var scopes: Set<TokenScope>?
    /// Whether this request lengthens the session noticeably, so that the browser's cookie is lengthened, too.
    var isRenewed = false

    /// How long a sensitive action needs no password after the last time, in milliseconds.
    static let confirmationMilliseconds: Int64 = 12 * 3600 * 1000

    /// What may be done with a pool, or with devices without a pool; nil for nothing.
    func level(of pool: PoolID?) -> AccessLevel? {
        let granted: AccessLevel? =
            role == .owner
            ? .edit : grants.filter { $0.poolID == nil || ($0.poolID == pool && pool != nil) }.map(\.level).max()
        guard let granted else { return nil }
        if let scopes {
            guard scopes.contains(.read) || scopes.contains(.write) else { return nil }
            if !scopes.contains(.write) { return .read }
        }
        return role == .guest ? .read : granted
    }

    /// What may be done with everything: for what belongs to no pool.
    var levelOfAll: AccessLevel? { level(of: nil) }

    /// Whether the names of people and watches are hidden from it: guests with a link need not know who lives here.
    var seesNoNames: Bool { kind == .share }

    /// Whether both are shown the same of the pools.
    func seesTheSame(as other: Account) -> Bool {
        (kind, role, grants, scopes) == (other.kind, other.role, other.grants, other.scopes)
    }

    /// Until when sensitive actions need no password.
    var confirmedUntil: Timestamp? { confirmed?.advanced(byMilliseconds: Self.confirmationMilliseconds) }

    /// The author of its changes.
    var author: String { "web:\(name)" }
}
