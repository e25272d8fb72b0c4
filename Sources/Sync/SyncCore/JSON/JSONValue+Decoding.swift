/// Why bytes are not valid JSON of the wire format.
public enum JSONError: Error, Hashable, Sendable {
    /// The bytes ended inside a value.
    case truncated
    /// A byte that is not allowed at this offset.
    case unexpected(offset: Int)
    /// A number that is not a whole number of 64 bits.
    case notWhole(offset: Int)
    /// A string that is not UTF-8.
    case notText(offset: Int)
    /// A name that occurs twice in one object.
    case duplicateName(String)
    /// More than ``JSONValue/depthLimit`` levels.
    case tooDeep
}

extension JSONError: CustomStringConvertible {
    /// The error, and where it is.
    public var description: String {
        switch self {
        case .truncated: "JSON that ends inside a value"
        case .unexpected(let offset): "JSON with an unexpected byte at \(offset)"
        case .notWhole(let offset): "JSON with a number at \(offset) that is not a 64-bit integer"
        case .notText(let offset): "JSON with a string at \(offset) that is not UTF-8"
        case .duplicateName: "JSON with a name that appears twice in an object"
        case .tooDeep: "JSON of more than \(JSONValue.depthLimit) levels"
        }
    }
}

extension JSONValue {
    /// The most levels of nesting that a decoder accepts.
    public static let depthLimit = 32

    /// Decodes bytes.
    ///
    /// Any bytes give a value or an error; white space between tokens is allowed.
    ///
    /// - Throws: ``JSONError``.
    public init(decoding bytes: [UInt8]) throws(JSONError) {
        let document = try JSONDocument(bytes)
        self = document.value(at: 0)
    }
}

extension JSONDocument {
    /// The value at a position, with everything in it.
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
