// The properties are called as the columns are, so that code for the published models reads the same.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A payment: a row of `transactions`, at most one for each ride.
public struct Transaction: Identifiable, Hashable, Sendable {
    /// How the payment ended.
    public enum Statut: String, ColumnValue {
        case charged
        case failed
        case refunded

        /// What the value is.
        public static let noun = "status of a payment"
    }

    /// The key.
    public var id: Int
    /// The ride, unique.
    public var course_id: Int
    /// The price that was paid.
    public var montant_final: Montant
    /// The payment provider's reference; decoded if it is there, never encoded: it does not leave the server.
    public var token_paiement: String?
    /// How the payment ended.
    public var statut: Statut

    /// Creates a payment.
    public init(id: Int, course_id: Int, montant_final: Montant, token_paiement: String?, statut: Statut) {
        self.id = id
        self.course_id = course_id
        self.montant_final = montant_final
        self.token_paiement = token_paiement
        self.statut = statut
    }

    /// Whether it was paid.
    public var estPaye: Bool { statut == .charged }
    /// Whether it failed.
    public var aEchoue: Bool { statut == .failed }
    /// Whether it was paid back.
    public var estRembourse: Bool { statut == .refunded }

    /// The price for people, such as `12 500,00 CDF`.
    public func montantFormate(langue: Langue, devise: String) -> String {
        montant_final.formate(langue: langue, devise: devise)
    }
}

extension Transaction: Codable {
    private enum CodingKeys: CodingKey { case id, course_id, montant_final, token_paiement, statut }

    /// Writes all but the reference.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(course_id, forKey: .course_id)
        try container.encode(montant_final, forKey: .montant_final)
        try container.encode(statut, forKey: .statut)
    }
}
