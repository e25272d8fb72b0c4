public import PoolModel

/// Why a message of a device with a mapping measures nothing, with the topic that it came on.
public struct MappingDecodingError: Error, Hashable, Sendable {
    /// A cause.
    @nonexhaustive
    public enum Cause: Hashable, Sendable {
        /// The payload is empty, too large, not text, or nested too deep.
        case payload(PayloadError)
        /// The payload is binary.
        case binary(BinaryKind)
        /// The payload is text in UTF-16.
        case utf16
        /// The mapping has paths in JSON, but the payload is not JSON; `text` is its beginning.
        case notJSON(JSONParsingError, text: String)
        /// None of the paths exists; `keys` are the first few in the payload.
        case nothingThere(paths: [ValuePath], keys: [String])
        /// According to the payload's conditions none of its numbers is a measurement of this device; see
        /// `PayloadCondition`.
        case filtered(remarks: [PayloadWarning])
        /// The paths exist, but none has a usable number.
        case noUsableValue(remarks: [PayloadWarning])
        /// The paths exist, and the device says that it has no values: `null`, `unavailable`, `nan`.
        case noReading(remarks: [PayloadWarning])
    }

    /// The topic of the message.
    public var topic: String
    /// The cause.
    public var cause: Cause

    /// Whether the message shows that something is wrong with the device.
    ///
    /// False if the message is for another device or another purpose, because devices share topics, or if it says that
    /// there is no value. If a device sends only such messages, it counts as silent.
    public var isFault: Bool {
        switch cause {
        case .nothingThere, .filtered, .noReading: false
        case .payload(let rejection): rejection.isFault
        case .binary, .utf16, .notJSON, .noUsableValue: true
        }
    }

    /// A fixed label for counters and logs; it never changes with the payload.
    public var code: String {
        switch cause {
        case .payload(let rejection): rejection.code
        case .binary: "binary"
        case .utf16: "utf16"
        case .notJSON: "not_json"
        case .nothingThere: "nothing_there"
        case .filtered: "filtered"
        case .noUsableValue: "no_usable_value"
        case .noReading: "no_reading"
        }
    }
}

extension MappingDecodingError: CustomStringConvertible {
    /// One sentence for a person: the topic, the path and the value.
    public var description: String { "On the topic \(Excerpt(topic, scalarCountMax: 120)): \(reason)" }

    private var reason: String {
        switch cause {
        case .payload(let rejection): "\(rejection)"
        case .binary(let kind):
            "The payload is binary (\(kind.rawValue)), which is not supported: let the device send text or JSON."
        case .utf16: "The payload is text in UTF-16: let the device send UTF-8."
        case .notJSON(let fault, let text): "The payload \(Excerpt(text)) is not JSON (\(fault))."
        case .nothingThere(let paths, let keys):
            "There is nothing at \(Self.list(paths.map(Self.name))); the payload has "
                + (keys.isEmpty ? "no keys." : "the keys \(Self.list(keys)).")
        case .filtered(let remarks):
            "Its numbers are not among this device's: \(remarks.map(\.description).joined(separator: "; "))."
        case .noUsableValue(let remarks):
            "There is no usable value: \(remarks.map(\.description).joined(separator: "; "))."
        case .noReading(let remarks):
            "The device has no value now: \(remarks.map(\.description).joined(separator: "; "))."
        }
    }

    private static func name(_ path: ValuePath) -> String { path == .whole ? "the whole payload" : "\(path)" }

    private static func list(_ names: [String]) -> String {
        names.map { "\(Excerpt($0, scalarCountMax: 40))" }.joined(separator: ", ")
    }
}
