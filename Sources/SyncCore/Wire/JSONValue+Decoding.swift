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

extension JSONValue {
    /// The levels of nesting that a decoder follows.
    public static let depthLimit = 32

    /// Decodes bytes; any bytes give a value or a fault, blanks between tokens are allowed.
    ///
    /// - Throws: ``JSONFault``.
    public init(decoding bytes: [UInt8]) throws(JSONFault) {
        var scanner = JSONScanner(bytes: bytes)
        self = try scanner.document()
    }
}

/// Reads one JSON document from left to right.
private struct JSONScanner {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONFault) -> JSONValue {
        let value = try value(depth: 0)
        skipBlanks()
        guard offset == bytes.count else { throw .unexpected(offset: offset) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        guard depth < JSONValue.depthLimit else { throw .tooDeep }
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw .unexpected(offset: offset)
        }
    }

    private mutating func members(depth: Int) throws(JSONFault) -> SortedMap<String, JSONValue> {
        var members = SortedMap<String, JSONValue>()
        offset += 1
        if try peek() == UInt8(ascii: "}") {
            offset += 1
            return members
        }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw .unexpected(offset: offset) }
            let name = try string()
            guard try peek() == UInt8(ascii: ":") else { throw .unexpected(offset: offset) }
            offset += 1
            guard members[name] == nil else { throw .duplicateName(name) }
            members[name] = try value(depth: depth + 1)
            if try !continues(until: UInt8(ascii: "}")) { return members }
        }
    }

    private mutating func elements(depth: Int) throws(JSONFault) -> [JSONValue] {
        var elements: [JSONValue] = []
        offset += 1
        if try peek() == UInt8(ascii: "]") {
            offset += 1
            return elements
        }
        while true {
            elements.append(try value(depth: depth + 1))
            if try !continues(until: UInt8(ascii: "]")) { return elements }
        }
    }

    /// Whether a comma follows; consumes it, or the closing byte.
    private mutating func continues(until closing: UInt8) throws(JSONFault) -> Bool {
        let byte = try peek()
        guard byte == closing || byte == UInt8(ascii: ",") else { throw .unexpected(offset: offset) }
        offset += 1
        return byte != closing
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for byte in word.utf8 {
            guard offset < bytes.count else { throw .truncated }
            guard bytes[offset] == byte else { throw .unexpected(offset: offset) }
            offset += 1
        }
        return value
    }

    private mutating func number() throws(JSONFault) -> JSONValue {
        let start = offset
        while offset < bytes.count, "+-.0123456789eE".utf8.contains(bytes[offset]) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        // The text must be the canonical one, so that "+1", "01" and "-0" have no second spelling.
        guard let number = Int64(text), String(number) == text else { throw .notWhole(offset: start) }
        return .integer(number)
    }

    private mutating func string() throws(JSONFault) -> String {
        let start = offset
        offset += 1
        var content: [UInt8] = []
        while true {
            guard offset < bytes.count else { throw .truncated }
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else { throw .notText(offset: start) }
                return text
            case UInt8(ascii: "\\"): content += try escape()
            case 0..<0x20: throw .unexpected(offset: offset - 1)
            default: content.append(byte)
            }
        }
    }

    private mutating func escape() throws(JSONFault) -> [UInt8] {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "u"): return try scalar()
        default: throw .unexpected(offset: offset - 1)
        }
    }

    private mutating func scalar() throws(JSONFault) -> [UInt8] {
        var code = UInt32(try codeUnit())
        if (0xD800..<0xDC00).contains(code) {
            guard offset + 1 < bytes.count else { throw .truncated }
            guard bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
                throw .notText(offset: offset)
            }
            offset += 2
            let low = UInt32(try codeUnit())
            guard (0xDC00..<0xE000).contains(low) else { throw .notText(offset: offset) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw .notText(offset: offset) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt16 {
        guard offset + 4 <= bytes.count else { throw .truncated }
        let digits = bytes[offset..<offset + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .unexpected(offset: offset) }
        offset += 4
        return unit
    }

    /// The next byte that is no blank.
    private mutating func peek() throws(JSONFault) -> UInt8 {
        skipBlanks()
        guard offset < bytes.count else { throw .truncated }
        return bytes[offset]
    }

    private mutating func skipBlanks() {
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }
}
