/// The topic that a message is published to: 1…65535 bytes of UTF-8 without wildcards.
///
/// Levels are separated by `/`; an empty level counts as a level. Names are case-sensitive. Source: MQTT 5.0, section
/// 4.7 "Topic Names and Topic Filters".
public struct TopicName: Hashable, Sendable {
    /// The topic as it is in the packet.
    public let text: String

    /// Creates a topic name.
    ///
    /// - Throws: ``MQTTError/invalidTopicName(_:_:)`` with the text and its fault.
    public init(_ text: String) throws(MQTTError) {
        if let fault = Self.fault(of: text) { throw .invalidTopicName(text, fault) }
        self.text = text
    }

    private static func fault(of text: String) -> TextProblem? {
        if text.isEmpty { return .empty }
        if let fault = TextValidation.fault(of: text) { return fault }
        return text.unicodeScalars.first { $0 == "+" || $0 == "#" }.map { .wildcard($0) }
    }
}

extension TopicName: CustomStringConvertible {
    /// The topic itself.
    public var description: String { text }
}
