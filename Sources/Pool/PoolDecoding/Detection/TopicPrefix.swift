import PoolModel

/// The common beginning of topics, in whole levels.
enum TopicPrefix {
    /// The longest common beginning; the topic itself if there is only one, and the first topic if there is none.
    static func common(of topics: [String]) -> String {
        guard let first = topics.first else { return "" }
        var levels = first.split(separator: "/", omittingEmptySubsequences: false)
        for topic in topics.dropFirst() {
            let others = topic.split(separator: "/", omittingEmptySubsequences: false)
            let shared = zip(levels, others).prefix { $0 == $1 }.count
            levels = Array(levels.prefix(shared))
        }
        let prefix = levels.joined(separator: "/")
        return prefix.isEmpty ? first : prefix
    }

    /// A topic with `~` for the base, if it is below the base.
    static func relative(_ topic: String, to base: String) -> String {
        if topic == base { return "~" }
        return !base.isEmpty && topic.hasPrefix(base + "/") ? "~" + topic.dropFirst(base.count) : topic
    }
}

extension ValueSource {
    func relative(to base: String) -> ValueSource {
        var source = self
        source.topic = TopicPrefix.relative(topic, to: base)
        source.unitPlace?.topic = unitPlace?.topic.map { TopicPrefix.relative($0, to: base) }
        source.time = time?.relative(to: base)
        return source
    }
}

extension TimeSource {
    func relative(to base: String) -> TimeSource {
        var source = self
        source.topic = topic.map { TopicPrefix.relative($0, to: base) }
        return source
    }
}

extension AvailabilitySource {
    func relative(to base: String) -> AvailabilitySource {
        var source = self
        source.topic = TopicPrefix.relative(topic, to: base)
        return source
    }
}
