/// Reads one JSON value from bytes that are known to be UTF-8.
///
/// The depth is checked before entering a level, so that no text can exhaust the stack. Source: RFC 8259.
package struct JSONScanner {
    private let bytes: [UInt8]
    private let depthMax: Int
    private var position = 0

    private init(_ bytes: [UInt8], depthMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
    }

    /// The value of the whole text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - depthMax: The most nested arrays and objects.
    /// - Returns: The value.
    /// - Throws: The first error and its position.
    package static func scan(_ bytes: [UInt8], depthMax: Int) throws(JSONParsingError) -> JSONValue {
        var scanner = JSONScanner(bytes, depthMax: depthMax)
        let value = try scanner.value(depth: 0)
        scanner.skipBlanks()
        guard scanner.position == bytes.count else { throw scanner.fault(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONParsingError) -> JSONValue {
        skipBlanks()
        guard let byte = peek else { throw fault(.unexpectedEnd) }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: return try word()
        }
    }

    private mutating func object(depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= depthMax else { throw fault(.tooDeep) }
        position += 1
        var members: [JSONValue.Member] = []
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try string()
            skipBlanks()
            guard skip(UInt8(ascii: ":")) else { throw unexpected() }
            members.append(JSONValue.Member(key: key, value: try value(depth: depth)))
            skipBlanks()
            if skip(UInt8(ascii: "}")) { return .object(members) }
            guard skip(UInt8(ascii: ",")) else { throw unexpected() }
        }
    }

    private mutating func array(depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= depthMax else { throw fault(.tooDeep) }
        position += 1
        var elements: [JSONValue] = []
        skipBlanks()
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth))
            skipBlanks()
            if skip(UInt8(ascii: "]")) { return .array(elements) }
            guard skip(UInt8(ascii: ",")) else { throw unexpected() }
        }
    }

    private mutating func string() throws(JSONParsingError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text.append(contentsOf: try escape())
            case 0..<0x20:
                throw fault(.controlCharacter)
            default:
                text.append(byte)
                position += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func escape() throws(JSONParsingError) -> [UInt8] {
        position += 1
        guard let byte = peek else { throw fault(.unexpectedEnd) }
        position += 1
        if let meant = JSONEscape.character(named: byte) { return [meant] }
        guard byte == UInt8(ascii: "u"), let first = hexadecimalUnit() else { throw fault(.badEscape) }
        if let scalar = Unicode.Scalar(first) { return Array(String(Character(scalar)).utf8) }
        // Half of a surrogate pair: together with the other half it is one character, alone it is not a character.
        let start = position
        if first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")), let second = hexadecimalUnit(),
            (0xDC00..<0xE000).contains(second)
        {
            let code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            if let scalar = Unicode.Scalar(code) { return Array(String(Character(scalar)).utf8) }
        }
        position = start
        return Array("\u{FFFD}".utf8)
    }

    private mutating func hexadecimalUnit() -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Hexadecimal.value(ofDigit: byte) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }

    /// A number that starts with a digit; the sign is read by ``word()``.
    private mutating func number(sign: String = "") throws(JSONParsingError) -> JSONValue {
        let start = position
        while let byte = peek, NumberGrammar.isPartOfNumber(byte) { position += 1 }
        let text = sign + String(decoding: bytes[start..<position], as: UTF8.self)
        guard NumberGrammar.isJSONNumber(text) else {
            position = start
            throw fault(.badNumber)
        }
        return .number(text)
    }

    /// A literal of letters, or a negative number.
    private mutating func word() throws(JSONParsingError) -> JSONValue {
        let start = position
        let isNegative = skip(UInt8(ascii: "-"))
        if isNegative, let byte = peek, NumberGrammar.isDigit(byte) { return try number(sign: "-") }
        let wordStart = position
        while let byte = peek, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { position += 1 }
        let word = String(decoding: bytes[wordStart..<position], as: UTF8.self)
        if NumberGrammar.isNonFinite(word) { return .nonFinite }
        if !isNegative {
            switch word {
            case "null": return .null
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: break
            }
        }
        position = start
        throw unexpected()
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func fault(_ kind: JSONParsingError.Kind) -> JSONParsingError {
        JSONParsingError(kind: kind, offset: position)
    }

    private func unexpected() -> JSONParsingError { fault(peek.map { .unexpectedByte($0) } ?? .unexpectedEnd) }
}
