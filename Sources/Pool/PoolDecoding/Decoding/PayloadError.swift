public import PoolModel

/// Why a payload is not a message of a probe.
@nonexhaustive
public enum PayloadError: Error, Hashable, Sendable {
    /// The payload is empty or blank; MQTT clients delete a retained message in this way.
    case empty
    /// The payload is longer than the limit and was not read.
    case tooLarge(byteCount: Int, limit: Int)
    /// The payload is not text in UTF-8, or contains the character U+0000.
    case notText
    /// The payload is binary of a known kind.
    case binary(BinaryKind)
    /// The JSON is nested deeper than the limit.
    case tooDeep(limit: Int)
    /// The payload is neither JSON nor the text form.
    case notReadable(json: JSONParsingError, text: TextFormError)
    /// The payload is JSON, but not an object.
    case notAnObject
    /// The payload names no quantity; `keys` are the first few in it.
    case noKnownQuantity(keys: [String])
    /// The payload names quantities, but has no number for any of them.
    case noUsableValue(remarks: [PayloadWarning])
    /// The payload names quantities, and says that they have no values: `null`, `unavailable`, `nan`.
    case noReading(remarks: [PayloadWarning])

    /// Whether the message shows that something is wrong with the device; false if it is about something else, or says
    /// that there is no value, as an empty one does.
    public var isFault: Bool {
        switch self {
        case .empty, .noKnownQuantity, .noReading: false
        case .tooLarge, .notText, .binary, .tooDeep, .notReadable, .notAnObject, .noUsableValue: true
        }
    }

    /// A fixed label for counters and logs; it never changes with the payload.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .tooLarge: "too_large"
        case .notText: "not_text"
        case .binary: "binary"
        case .tooDeep: "too_deep"
        case .notReadable: "not_readable"
        case .notAnObject: "not_an_object"
        case .noKnownQuantity: "no_known_quantity"
        case .noUsableValue: "no_usable_value"
        case .noReading: "no_reading"
        }
    }
}

extension PayloadError: CustomStringConvertible {
    /// One sentence for a person: what was wrong, and what a probe should send.
    public var description: String {
        switch self {
        case .empty: "The message is empty."
        case .tooLarge(let byteCount, let limit): "The message has \(byteCount) bytes, at most \(limit) are read."
        case .notText: "The message is not text in UTF-8."
        case .binary(let kind):
            "The message is binary (\(kind.rawValue)), which is not supported: let the device send text or JSON."
        case .tooDeep(let limit): "The message is JSON nested deeper than \(limit) levels."
        case .notReadable(let json, let text):
            "The message is neither JSON (\(json)) nor text such as temp:24.5,ph:7.2 (\(text))."
        case .notAnObject: "The message is JSON, but not an object such as {\"ph\":7.2}."
        case .noKnownQuantity(let keys):
            "The message has none of the keys \(Self.flatKeys)"
                + (keys.isEmpty ? "." : ", only \(Self.list(keys)).")
        case .noUsableValue(let remarks):
            "The message has no usable value: \(remarks.map(\.description).joined(separator: "; "))."
        case .noReading(let remarks):
            "The device has no value now: \(remarks.map(\.description).joined(separator: "; "))."
        }
    }

    /// The usual key of each quantity.
    private static var flatKeys: String {
        let keys = Quantity.allCases.compactMap(\.facts.words.flatKeys.first)
        return "\(keys.dropLast().joined(separator: ", ")) and \(keys.last ?? "")"
    }

    private static func list(_ keys: [String]) -> String {
        keys.map { "\(Excerpt($0, scalarCountMax: 24))" }.joined(separator: ", ")
    }
}
