/// A value that the CHECK constraint of a column allows, as text.
///
/// Decoding another text is an error that names the text and what was expected.
public protocol ColumnValue: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable {
    /// What the value is, in a sentence, such as `role of a user`.
    static var noun: String { get }
    /// The value of a text; nil for another text.
    static func read(_ text: String) -> Self?
}

extension ColumnValue {
    /// The value with exactly this text.
    public static func read(_ text: String) -> Self? { Self(rawValue: text) }

    /// Reads the text of a column.
    ///
    /// - Throws: ``UnknownValue``.
    public init(colonne text: String) throws(UnknownValue) {
        guard let value = Self.read(text) else {
            throw UnknownValue(noun: Self.noun, text: text, expected: Self.allCases.map(\.rawValue))
        }
        self = value
    }

    /// Reads a text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do throws(UnknownValue) {
            try self.init(colonne: container.text())
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }

    /// Writes the text, always in the spelling of the constraint.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension SingleValueDecodingContainer {
    /// The text; one that is no text reads as empty, which no column allows.
    fileprivate func text() -> String { (try? decode(String.self)) ?? "" }
}

/// A text that the CHECK constraint of a column does not allow.
public struct UnknownValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the value is.
    public let noun: String
    /// The text.
    public let text: String
    /// What is allowed.
    public let expected: [String]

    /// The error, and what would be right.
    public var description: String { "\"\(text)\" is no \(noun): expected \(expected.joined(separator: ", "))" }
}
