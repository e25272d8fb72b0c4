/// A value that people write as text, and that is the same text in JSON.
package protocol TextCodable: Codable {
    /// Reads a text.
    init(_ text: String) throws(ModelProblem)
    /// The text, which ``init(_:)`` reads back.
    var text: String { get }
}

extension TextCodable {
    /// Reads the text from a JSON string.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(ModelProblem) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the text as a JSON string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
