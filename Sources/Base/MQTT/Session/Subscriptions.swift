/// The topic filters that a session wants, the smaller set that it subscribes to, and the messages that match them.
struct Subscriptions: Hashable, Sendable {
    /// The filters to subscribe to: those that no other filter covers, so that a broker sends each message once.
    let needed: Set<TopicFilter>
    private let wanted: Matcher
    private let asked: Matcher

    /// Creates the subscriptions to filters.
    init(_ filters: Set<TopicFilter> = []) {
        needed = filters.filter { filter in !filters.contains { $0 != filter && $0.covers(filter) } }
        wanted = Matcher(filters)
        asked = Matcher(needed)
    }

    /// Whether a message matches any of the filters.
    func contains(_ topic: TopicName) -> Bool { wanted.contains(topic) }

    /// How often a broker may send one message of this topic: once for each subscription that matches it.
    func copyCount(of topic: TopicName) -> Int { asked.wildcards.isEmpty ? 1 : asked.count(of: topic) }

    /// The subscribed filters that cover any of these.
    func covering(_ filters: Set<TopicFilter>) -> Set<TopicFilter> {
        needed.filter { candidate in filters.contains { $0 == candidate || candidate.covers($0) } }
    }

    /// A set of filters; those without wildcards are found by a lookup of their bytes.
    private struct Matcher: Hashable, Sendable {
        private(set) var exact: Set<[UInt8]> = []
        private(set) var wildcards: [TopicFilter] = []

        init(_ filters: Set<TopicFilter>) {
            for filter in filters.inOrder {
                if filter.text.contains("+") || filter.text.contains("#") {
                    wildcards.append(filter)
                } else {
                    exact.insert(Array(filter.text.utf8))
                }
            }
        }

        func contains(_ topic: TopicName) -> Bool {
            exact.contains(Array(topic.text.utf8)) || wildcards.contains { $0.matches(topic) }
        }

        func count(of topic: TopicName) -> Int {
            wildcards.count { $0.matches(topic) } + (exact.contains(Array(topic.text.utf8)) ? 1 : 0)
        }
    }
}

extension Set<TopicFilter> {
    /// The filters in the order of their texts, which is the same in every run.
    var inOrder: [TopicFilter] { sorted { $0.text < $1.text } }
}

extension TopicFilter {
    /// Whether every message that matches another filter matches this one too.
    ///
    /// Source: MQTT 5.0, section 4.7.
    package func covers(_ narrow: TopicFilter) -> Bool {
        let wideLevels = text.split(separator: "/", omittingEmptySubsequences: false)
        let narrowLevels = narrow.text.split(separator: "/", omittingEmptySubsequences: false)
        // A leading wildcard does not match the broker's own topics.
        if narrow.text.hasPrefix("$"), wideLevels[0] == "#" || wideLevels[0] == "+" { return false }
        for (place, level) in wideLevels.enumerated() {
            if level == "#" { return true }
            guard place < narrowLevels.count, narrowLevels[place] != "#" else { return false }
            guard level == "+" || Array(level.utf8) == Array(narrowLevels[place].utf8) else { return false }
        }
        return narrowLevels.count == wideLevels.count
    }
}

/// Recognises the copies of one message that a broker sends because several filters match it.
///
/// The copies come one after the other; the same payload again later is a different message.
struct MessageCopies: Equatable, Sendable {
    /// The longest time from the first copy to another one.
    static let patience = Duration.seconds(1)

    private struct Delivered: Equatable {
        var topic: TopicName
        var payload: [UInt8]
        var isRetained: Bool
        var rest: Int
        var until: ContinuousClock.Instant
    }

    private var delivered: [Delivered] = []

    /// Whether a message is a copy of one that was accepted before.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - copyCount: The number of copies that the broker may send.
    ///   - now: The time.
    /// - Returns: Whether to drop it.
    mutating func isCopy(_ message: Message, copyCount: Int, at now: ContinuousClock.Instant) -> Bool {
        guard copyCount > 1 else { return false }
        delivered.removeAll { $0.until < now || $0.rest == 0 }
        let place = delivered.firstIndex {
            $0.topic == message.topic && $0.payload == message.payload && $0.isRetained == message.isRetained
        }
        if let place {
            delivered[place].rest -= 1
            return true
        }
        delivered.append(
            Delivered(
                topic: message.topic, payload: message.payload, isRetained: message.isRetained, rest: copyCount - 1,
                until: now.advanced(by: Self.patience)))
        if delivered.count > 64 { delivered.removeFirst() }
        return false
    }
}
