extension JSONValue {
    /// The first member of an object with this key, exactly as written; nil elsewhere.
    package func member(named key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// A string as it is, a number as written, a truth value as its word; nil for anything else.
    package var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let truth): truth ? "true" : "false"
        case .null, .nonFinite, .array, .object: nil
        }
    }
}
