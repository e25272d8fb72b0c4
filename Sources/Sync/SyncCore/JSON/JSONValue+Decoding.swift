/// Why bytes are not a value of the wire's JSON.
public enum JSONFault: Error, Hashable, Sendable {
    /// The bytes ended inside a value.
    case truncated
    /// A byte that cannot stand at this offset.
    case unexpected(offset: Int)
    /// A number that is no whole number of 64 bits.
    case notWhole(offset: Int)
    /// A string that is not UTF-8.
    case notText(offset: Int)
    /// A name that stands twice in one object.
    case duplicateName(String)
    /// More than ``JSONValue/depthLimit`` levels.
    case tooDeep
}

extension JSONFault: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        switch self {
        case .truncated: "JSON that ends inside a value"
        case .unexpected(let offset): "JSON with a byte that cannot stand at \(offset)"
        case .notWhole(let offset): "JSON with a number at \(offset) that is no whole one of 64 bits"
        case .notText(let offset): "JSON with a string at \(offset) that is no UTF-8"
        case .duplicateName: "JSON with a name that stands twice in an object"
        case .tooDeep: "JSON of more than \(JSONValue.depthLimit) levels"
        }
    }
}

extension JSONValue {
    /// The levels of nesting that a decoder follows.
    public static let depthLimit = 32

    /// Decodes bytes; any bytes give a value or a fault, blanks between tokens are allowed.
    ///
    /// - Throws: ``JSONFault``.
    public init(decoding bytes: [UInt8]) throws(JSONFault) {
        let document = try JSONDocument(bytes)
        self = document.value(at: 0)
    }
}

extension JSONDocument {
    /// The value at a position, with all that is in it.
    fileprivate func value(at position: Int) -> JSONValue {
        let place = places[position]
        switch place.kind {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(place.integer)
        case .plainText, .escapedText: return .string(text(at: position) ?? "")
        case .array: return .array((elements(of: position) ?? []).map { value(at: $0) })
        case .object:
            var members: [(String, JSONValue)] = []
            var name = position + 1
            while name < place.end {
                members.append((text(at: name) ?? "", value(at: name + 1)))
                name = places[name + 1].end
            }
            return .object(JSONMembers(members))
        }
    }
}
