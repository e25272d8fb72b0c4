/// Why a text is not a topic that a device can publish to.
///
/// Source: MQTT 5.0, section 4.7 (topic names and topic filters).
public enum TopicProblem: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text is longer than 65535 bytes in UTF-8.
    case tooLong(byteCount: Int)
    /// The text contains `+` or `#`: it is a filter for many topics, not a topic name.
    case wildcard(Character)
    /// The text contains the character U+0000.
    case null
    /// The text contains a `ControlCharacter`.
    case steers(Unicode.Scalar)

    /// The first problem of a text; nil for a valid topic name.
    public static func find(in topic: String) -> TopicProblem? {
        if topic.isEmpty { return .empty }
        if topic.utf8.count > 65535 { return .tooLong(byteCount: topic.utf8.count) }
        if topic.utf8.contains(0) { return .null }
        // The search uses code points, because a combining mark after a wildcard would hide it from a comparison of
        // characters.
        return topic.unicodeScalars.first { $0 == "+" || $0 == "#" }.map { .wildcard(Character($0)) }
            ?? ControlCharacter.find(in: topic).map { .steers($0) }
    }
}

extension TopicProblem: CustomStringConvertible {
    /// The problem and what to do, as the second half of a sentence.
    public var description: String {
        switch self {
        case .empty: "is empty: give the topic that the device publishes to, such as pool/sensor/main"
        case .tooLong(let byteCount): "has \(byteCount) bytes, at most 65535 are possible: shorten it"
        case .wildcard(let character): "holds the wildcard \(character): name the one topic of this device"
        case .null: "holds the character U+0000: remove it"
        case .steers(let scalar):
            "holds \(scalar.codePoint), which steers a terminal or the direction of writing and cannot be "
                + "seen: leave it out"
        }
    }
}
