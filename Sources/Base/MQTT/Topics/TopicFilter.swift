internal import CMosquitto

/// The filter of a subscription: a topic in which `+` matches one level, and `#` at the end matches all further
/// levels.
///
/// It has 1…65535 bytes of UTF-8. A leading wildcard does not match topics that begin with `$`. Source: MQTT 5.0,
/// section 4.7 "Topic Names and Topic Filters".
public struct TopicFilter: Hashable, Sendable {
    /// The filter as it is in the packet.
    public let text: String

    /// Creates a topic filter.
    ///
    /// - Throws: ``MQTTError/invalidTopicFilter(_:_:)`` with the text and its fault.
    public init(_ text: String) throws(MQTTError) {
        if let fault = Self.fault(of: text) { throw .invalidTopicFilter(text, fault) }
        self.text = text
    }

    /// Creates the filter that matches only this topic.
    public init(_ name: TopicName) {
        text = name.text
    }

    /// Whether the filter matches the topic of a message.
    public func matches(_ name: TopicName) -> Bool {
        var isMatch = false
        // This can only fail for an invalid filter or name, which both types rule out.
        let code = unsafe mosquitto_topic_matches_sub(text, name.text, &isMatch)
        precondition(code == 0, "libmosquitto calls \(text) or \(name) invalid (\(code))")
        return isMatch
    }

    private static func fault(of text: String) -> TextProblem? {
        if text.isEmpty { return .empty }
        if let fault = TextValidation.fault(of: text) { return fault }
        let levels = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() {
            guard let wildcard = level.first(where: { $0 == "+" || $0 == "#" }) else { continue }
            if level.count > 1 { return .wildcardNotAlone(wildcard) }
            if wildcard == "#", index < levels.count - 1 { return .levelsAfterHash }
        }
        return nil
    }
}

extension TopicFilter: CustomStringConvertible {
    /// The filter itself.
    public var description: String { text }
}
