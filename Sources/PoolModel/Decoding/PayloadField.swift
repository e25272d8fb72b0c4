/// One key with its value, from either notation.
struct PayloadField: Equatable {
    enum Value: Equatable {
        /// A number as written, correct by the grammar of JSON.
        case number(String)
        case text(String)
        case null
        case nonFinite
        /// Something that can be no number; the words say what, with their article.
        case other(String)
    }

    var key: String
    var value: Value

    /// What the key means, whatever its case and the blanks around it (X1, P50).
    var meaning: Meaning? { Self.meanings[key.trimmedOfBlanks.lowercased()] }

    enum Meaning: Equatable {
        case quantity(Quantity)
        case time
    }

    private static let meanings: [String: Meaning] = [
        "temperature": .quantity(.temperature), "temp": .quantity(.temperature),
        "ph": .quantity(.ph),
        "chlorine": .quantity(.chlorine), "cl": .quantity(.chlorine), "free_chlorine": .quantity(.chlorine),
        "orp": .quantity(.orp),
        "timestamp": .time, "time": .time,
    ]

    /// The members of a JSON object.
    static func fields(of members: [JSONValue.Member]) -> [PayloadField] {
        members.map { member in
            let value: Value =
                switch member.value {
                case .null: .null
                case .bool: .other("a truth value")
                case .number(let text): .number(text)
                case .nonFinite: .nonFinite
                case .string(let text): .text(text)
                case .array: .other("a list")
                case .object: .other("an object")
                }
            return PayloadField(key: member.key, value: value)
        }
    }
}
