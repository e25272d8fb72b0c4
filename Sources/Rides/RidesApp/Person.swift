/// Whom a phone, a watch or an account stands for: `client:12` or `chauffeur:7`.
package enum Person: Hashable, Sendable {
    /// A client, by the key in `utilisateurs`.
    case client(Int)
    /// A driver, by the key in `chauffeurs`.
    case chauffeur(Int)

    /// Reads `client:12` and `chauffeur:7`; nil for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int(parts[1]), (1...Int(Int32.max)).contains(id), parts[1].first != "+" else {
            return nil
        }
        switch parts[0] {
        case "client": self = .client(id)
        case "chauffeur": self = .chauffeur(id)
        default: return nil
        }
    }
}

extension Person: RawRepresentable, Codable, CustomStringConvertible {
    /// Reads the text, also from JSON.
    package init?(rawValue: String) { self.init(rawValue) }

    /// The text.
    package var rawValue: String { description }

    /// The text.
    package var description: String {
        switch self {
        case .client(let id): "client:\(id)"
        case .chauffeur(let id): "chauffeur:\(id)"
        }
    }
}
