extension JSONValue {
    /// The first member of an object with exactly this key; nil for other values.
    package func member(named key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// A string unchanged, a number as written, a Boolean as its word; nil for other values.
    package var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let truth): truth ? "true" : "false"
        case .null, .nonFinite, .array, .object: nil
        }
    }
}
