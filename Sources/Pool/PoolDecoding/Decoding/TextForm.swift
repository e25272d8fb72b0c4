import PoolModel

/// Why a text is not in the text form.
public enum TextFormError: Error, Hashable, Sendable {
    /// The text starts with a brace or bracket: it was probably meant as JSON.
    case looksLikeJSON
    /// A piece between commas has no colon.
    case noColon(String)
    /// A piece has a key with characters other than letters, digits, blanks, `_`, `-` and `.`.
    case badKey(String)
}

extension TextFormError: CustomStringConvertible {
    /// The error in words.
    public var description: String {
        switch self {
        case .looksLikeJSON: "starts like JSON"
        case .noColon(let piece): "no colon in \(Excerpt(piece, scalarCountMax: 24))"
        case .badKey(let key): "\(Excerpt(key, scalarCountMax: 24)) is not a key"
        }
    }
}

/// The text form `temp:24.5,ph:7.2,chlorine:1.8`: pieces separated by commas, each a key and a value.
enum TextForm {
    /// The fields of a text in this form.
    ///
    /// The whole text must be in the form: half of it would be garbage that looks like a measurement.
    static func fields(of text: Substring) throws(TextFormError) -> [PayloadField] {
        if let first = text.first, "{[".contains(first) { throw .looksLikeJSON }
        var fields: [(key: Substring, value: String)] = []
        for piece in text.split(separator: ",") where !piece.trimmedOfBlanks.isEmpty {
            guard let colon = piece.firstIndex(of: ":") else {
                // "ph:7,2": the piece "2" can only be the decimals of the value before it. Dropped, it would leave 7.
                guard let last = fields.indices.last else { throw .noColon(piece.shortened) }
                fields[last].value += ",\(piece)"
                continue
            }
            let key = piece[..<colon].trimmedOfBlanks
            guard !key.isEmpty, key.allSatisfy(isKeyCharacter) else { throw .badKey(key.shortened) }
            fields.append((key, String(piece[piece.index(after: colon)...])))
        }
        return fields.map { field in
            let value = field.value.trimmedOfBlanks
            return PayloadField(key: String(field.key), value: value.isEmpty ? .null : .text(String(value)))
        }
    }

    private static func isKeyCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || " _-.".contains(character))
    }
}
