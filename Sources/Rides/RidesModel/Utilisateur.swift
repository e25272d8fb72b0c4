// The properties are called as the columns are, so that code for the published models reads the same.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A person: a row of `utilisateurs`.
public struct Utilisateur: Identifiable, Hashable, Sendable {
    /// What a person is.
    public enum Role: String, ColumnValue {
        case client
        case chauffeur

        /// What the value is.
        public static let noun = "role of a user"
    }

    /// The key.
    public var id: Int
    /// What the person is.
    public var role: Role
    /// The address for e-mail, unique.
    public var email: String
    /// Always nil: the hash is neither decoded nor encoded, though the column is not nullable.
    public var password_hash: String? { nil }

    /// Creates a person.
    public init(id: Int, role: Role, email: String) {
        self.id = id
        self.role = role
        self.email = email
    }

    /// Whether the person asks for rides.
    public var estClient: Bool { role == .client }
    /// Whether the person drives.
    public var estChauffeur: Bool { role == .chauffeur }
}

extension Utilisateur: Codable {
    private enum CodingKeys: CodingKey { case id, role, email }
}
