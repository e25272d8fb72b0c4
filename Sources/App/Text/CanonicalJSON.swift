#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON in a single form: sorted keys, no blanks, UTF-8.
///
/// Equal values give equal bytes, and numbers survive exactly.
public enum CanonicalJSON {
    /// Why a value or a text could not be coded.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The error, and its position in the value.
        public var reason: String
        /// The error, and its position in the value.
        public var description: String { reason }

        /// Creates an error with its text.
        package init(reason: String) { self.reason = reason }
    }

    /// The canonical bytes of a value.
    ///
    /// - Throws: ``Failure`` when the value contains a number that is not finite, or cannot be encoded.
    public static func encode(_ value: some Encodable) throws(Failure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw Failure(reason: Self.reason(of: error))
        }
    }

    /// The text of a value for programs that read the output of a command: times are text by ISO 8601, not the
    /// milliseconds of the protocols.
    ///
    /// - Throws: ``Failure`` when the value contains a number that is not finite, or cannot be encoded.
    package static func output(_ value: some Encodable, isPretty: Bool = false) throws(Failure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        let text: @Sendable (Timestamp) -> String = { $0.iso8601 }
        encoder.userInfo[.timestampText] = text
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw Failure(reason: Self.reason(of: error))
        }
    }

    /// Decodes a value from bytes; they need not be in canonical form, and unknown members are ignored.
    ///
    /// - Throws: ``Failure`` when the bytes are not JSON, are nested more than 512 levels deep, or do not encode the
    ///   type.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Failure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw Failure(reason: Self.reason(of: error))
        }
    }

    /// Decodes a value with a function, as ``decode(_:from:)`` does with a type.
    package static func decode<Value>(
        from bytes: [UInt8], with read: @escaping (any Decoder) throws -> Value
    ) throws(Failure) -> Value {
        do {
            return try JSONDecoder().decode(ReadValue<Value>.self, from: Data(bytes), configuration: read).value
        } catch {
            throw Failure(reason: Self.reason(of: error))
        }
    }

    /// A value that a function reads.
    private struct ReadValue<Value>: DecodableWithConfiguration {
        let value: Value

        init(from decoder: any Decoder, configuration read: (any Decoder) throws -> Value) throws {
            value = try read(decoder)
        }
    }

    /// The canonical bytes of a value of this module that is known to be encodable.
    package static func bytes(ofEncodable value: some Encodable) -> [UInt8] {
        do throws(Failure) {
            return try encode(value)
        } catch {
            preconditionFailure("\(type(of: value)) holds what JSON cannot: \(error.reason)")
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue(_, let context): text(context.codingPath, context.debugDescription)
        case DecodingError.dataCorrupted(let context): text(context.codingPath, context.debugDescription)
        case DecodingError.keyNotFound(let key, let context): text(context.codingPath + [key], "is missing")
        case DecodingError.typeMismatch(_, let context): text(context.codingPath, context.debugDescription)
        case DecodingError.valueNotFound(_, let context): text(context.codingPath, context.debugDescription)
        default: "\(error)"
        }
    }

    private static func text(_ path: [any CodingKey], _ description: String) -> String {
        path.isEmpty ? description : "\(path.map(\.stringValue).joined(separator: ".")): \(description)"
    }
}
