/// A topic filter of a mapping, with the device's own topic inserted.
///
/// Source: MQTT 5.0, section 4.7.
package struct TopicPattern: Hashable, Sendable {
    /// The filter in the form for a broker.
    package let filter: String
    private let levels: [Substring]

    /// Whether the filter can match several topics.
    package let hasWildcards: Bool

    /// Creates a filter from a pattern; nil if there are more `..` than levels in the device's topic.
    package init?(_ text: String, deviceTopic: String) {
        var rest = Substring(text)
        if text == "~" || text.hasPrefix("~/") {
            var levels = deviceTopic.split(separator: "/", omittingEmptySubsequences: false)
            rest = rest.dropFirst()
            while rest == "/.." || rest.hasPrefix("/../") {
                guard levels.count > 1 else { return nil }
                levels.removeLast()
                rest = rest.dropFirst(3)
            }
            filter = levels.joined(separator: "/") + rest
        } else {
            filter = text
        }
        levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        hasWildcards = levels.contains { $0 == "+" || $0 == "#" }
    }

    /// Whether a broker would deliver messages of this topic for the filter.
    package func matches(_ topic: String) -> Bool {
        guard hasWildcards else { return topic == filter }
        // Topics that start with a dollar belong to the broker; a leading wildcard does not match them.
        if topic.hasPrefix("$"), levels.first == "+" || levels.first == "#" { return false }
        var names = topic.split(separator: "/", omittingEmptySubsequences: false)[...]
        for level in levels {
            if level == "#" { return true }
            guard let name = names.popFirst(), level == "+" || level == name else { return false }
        }
        return names.isEmpty
    }

    /// Why a text of a mapping is not a filter; nil if it is one.
    package static func flaw(of text: String) -> MappingError.FilterProblem? {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        for (position, level) in levels.enumerated() where level == "#" && position != levels.count - 1 {
            return .misplacedWildcard("#")
        }
        let names = levels.filter { $0 != "+" && $0 != "#" }.joined(separator: "/")
        // A filter with only wildcards has no names to check.
        guard !names.isEmpty || text.isEmpty else { return nil }
        return TopicProblem.find(in: names).flatMap { flaw in
            switch flaw {
            case .wildcard(let character): .misplacedWildcard(character)
            case .empty, .null, .steers: .topic(flaw)
            case .tooLong: nil
            }
        } ?? (text.utf8.count > MappingLimits.topicByteCountMax ? .tooLong(byteCount: text.utf8.count) : nil)
    }
}
