/// Reads the texts that people write for mappings, code point by code point.
///
/// It does not use Swift's characters, because a combining mark after a quotation mark would hide the mark.
package struct NotationCursor {
    private let text: String
    private let scalars: [Unicode.Scalar]
    package private(set) var position = 0

    package init(_ text: some StringProtocol) {
        self.text = String(text)
        scalars = Array(text.unicodeScalars)
    }

    package var isAtEnd: Bool { position == scalars.count }

    package var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    package var previous: Unicode.Scalar? { position > 0 ? scalars[position - 1] : nil }

    /// An error at the present position.
    package func error(_ problem: NotationError.Problem) -> NotationError {
        NotationError(text: text, offset: position, problem: problem)
    }

    package mutating func advance() { position += 1 }

    package mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    /// Whether any blank was skipped.
    @discardableResult
    package mutating func skipBlanks() -> Bool {
        let start = position
        while peek?.properties.isWhitespace == true { position += 1 }
        return position > start
    }

    package mutating func prefix(while isPart: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let scalar = peek, isPart(scalar) { position += 1 }
        return Self.string(scalars[start..<position])
    }

    /// The text from an earlier position to the present one.
    package func text(from start: Int) -> String { Self.string(scalars[start..<position]) }

    package mutating func digits() -> String { prefix { ("0"..."9").contains($0) } }

    /// A key or word without quotation marks, or nil.
    package mutating func bareWord() -> String? {
        let word = prefix(while: Self.isWordScalar)
        return word.isEmpty ? nil : word
    }

    /// A decimal number; nil without skipping anything if there is none.
    package mutating func number() -> Double? {
        let start = position
        var text = ""
        if let sign = peek, sign == "-" || sign == "+" {
            text.unicodeScalars.append(sign)
            position += 1
        }
        text += digits()
        if skip(".") { text += "." + digits() }
        let end = position
        // The "e" may belong to a following word.
        if let sign = peek, sign == "e" || sign == "E" {
            position += 1
            var exponent = "e"
            if let sign = peek, sign == "-" || sign == "+" {
                exponent.unicodeScalars.append(sign)
                position += 1
            }
            let digits = digits()
            if digits.isEmpty { position = end } else { text += exponent + digits }
        }
        guard NumberGrammar.isDecimalNumber(text), let number = Double(text), number.isFinite else {
            position = start
            return nil
        }
        return number
    }

    /// A text in quotation marks, with JSON's escapes, or nil.
    package mutating func quotedText() throws(NotationError) -> String? {
        let start = self
        guard skip("\"") else { return nil }
        var source = "\""
        while let scalar = peek {
            position += 1
            source.unicodeScalars.append(scalar)
            if scalar == "\"" {
                do throws(JSONParsingError) {
                    guard case .string(let text) = try JSONScanner.scan(Array(source.utf8), depthMax: 1) else { break }
                    return text
                } catch {
                    throw start.error(.badEscape)
                }
            }
            if scalar == "\\", let escaped = peek {
                position += 1
                source.unicodeScalars.append(escaped)
            }
        }
        throw start.error(.openQuotation)
    }

    package static func isBareWord(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy(isWordScalar)
    }

    /// A text in quotation marks, in the form that ``quotedText()`` reads.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}":
                result += "\\u00" + Hexadecimal.text([UInt8(truncatingIfNeeded: scalar.value)])
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "_-$".unicodeScalars.contains(scalar)
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
