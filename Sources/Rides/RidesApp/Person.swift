/// Whom a phone, a watch or an account stands for: `client:12` or `chauffeur:7`.
package enum Person: Hashable, Sendable {
    /// A client, by the key in `utilisateurs`.
    case client(Int)
    /// A driver, by the key in `chauffeurs`.
    case chauffeur(Int)

    /// What a text must be.
    package static let expected = "client:12 or chauffeur:7, with the number of the person"

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

extension Person: CustomStringConvertible, Codable {
    /// The text.
    package var description: String {
        switch self {
        case .client(let id): "client:\(id)"
        case .chauffeur(let id): "chauffeur:\(id)"
        }
    }

    /// Reads the text.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let person = Person(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no person: expected \(Self.expected)")
        }
        self = person
    }

    /// Writes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
