import Text

/// The content of a message: text, and JSON where it is some.
package struct Payload {
    let text: String
    let json: JSONValue?

    /// Reads a payload; nil if it is not UTF-8, or longer than 128 KiB.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= 131_072, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.text = text
        do throws(JSONParsingError) {
            json = try JSONScanner.scan(bytes, depthMax: 32)
        } catch {
            // It is a text.
            json = nil
        }
    }

    var isObject: Bool { if case .object = json { true } else { false } }

    /// The word at a place; the whole payload is its text.
    func word(at path: ValuePath) -> String? {
        path == .whole ? String(text.trimmedOfBlanks) : json?.value(at: path).flatMap(MappingWord.word)
    }

    /// The whole number of percent at a place; nil if there is none from 0 to 100.
    func percent(at path: ValuePath, of full: Double = 100) -> Int? {
        // A range up to what is no number, or below 0, must not be formed: an announcement may say anything.
        guard full > 0, let number = word(at: path).flatMap({ Double($0) }), number >= 0, number <= full * 1.001 else {
            return nil
        }
        return min(100, Int((number / full * 100).rounded()))
    }
}

extension JSONValue {
    /// The elements of a list; none of anything else.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The whole number; nil for anything else.
    var wholeNumber: Int? { scalarText.flatMap { Int($0) } }
}
