import MQTT
import PoolModel

/// The filters that a connection wants, the few of them that are asked for, and which messages belong to them.
struct Subscriptions {
    /// What is wanted.
    private(set) var wanted: Set<String> = []
    /// What is asked for: without the filters that another one covers, so that a broker sends each message once.
    private(set) var needed: Set<String> = []
    private var exact: Set<[UInt8]> = []
    private var wildcards: [TopicFilter] = []
    private var neededWildcards: [TopicFilter] = []
    private var neededExact: Set<[UInt8]> = []

    /// Creates the subscriptions to filters; what is no filter is left out.
    init(_ filters: Set<String> = []) {
        wanted = filters
        needed = filters.filter { filter in
            !filters.contains { $0 != filter && Self.covers($0, filter) }
        }
        (exact, wildcards) = Self.split(wanted)
        (neededExact, neededWildcards) = Self.split(needed)
    }

    /// Whether a message is for any of the filters.
    func contains(_ topic: TopicName) -> Bool {
        exact.contains(Array(topic.text.utf8)) || wildcards.contains { $0.matches(topic) }
    }

    /// How often a broker may send one message of this topic: once for each filter that it is for.
    func copyCount(of topic: TopicName) -> Int {
        guard !neededWildcards.isEmpty else { return 1 }
        return neededWildcards.count { $0.matches(topic) } + (neededExact.contains(Array(topic.text.utf8)) ? 1 : 0)
    }

    /// The filters that are asked for and cover any of these.
    func covering(_ filters: Set<String>) -> Set<String> {
        needed.filter { candidate in filters.contains { $0 == candidate || Self.covers(candidate, $0) } }
    }

    /// Whether every message for the second filter is for the first one too.
    ///
    /// Source: MQTT 5.0, section 4.7.
    static func covers(_ wide: String, _ narrow: String) -> Bool {
        let wideLevels = wide.split(separator: "/", omittingEmptySubsequences: false)
        let narrowLevels = narrow.split(separator: "/", omittingEmptySubsequences: false)
        // A wildcard at the start does not reach the broker's own topics.
        if narrow.hasPrefix("$"), wideLevels[0] == "#" || wideLevels[0] == "+" { return false }
        for (place, level) in wideLevels.enumerated() {
            if level == "#" { return true }
            guard place < narrowLevels.count, narrowLevels[place] != "#" else { return false }
            guard level == "+" || Array(level.utf8) == Array(narrowLevels[place].utf8) else { return false }
        }
        return narrowLevels.count == wideLevels.count
    }

    private static func split(_ filters: Set<String>) -> (Set<[UInt8]>, [TopicFilter]) {
        var exact: Set<[UInt8]> = []
        var wildcards: [TopicFilter] = []
        for filter in filters.sorted() {
            guard filter.contains("+") || filter.contains("#") else {
                exact.insert(Array(filter.utf8))
                continue
            }
            // Checked when it was entered; what a newer program accepted and this one does not is asked for in vain.
            if let parsed = try? TopicFilter(filter) { wildcards.append(parsed) }
        }
        return (exact, wildcards)
    }
}

/// Tells the copies of one message that a broker sends because several filters are for it.
///
/// The copies come one after the other; the same payload again later is a message of its own.
struct MessageCopies {
    /// How long a copy may come after the first one.
    static let patience = Duration.seconds(1)

    private struct Seen {
        var topic: TopicName
        var payload: [UInt8]
        var isRetained: Bool
        var rest: Int
        var until: ContinuousClock.Instant
    }

    private var seen: [Seen] = []

    /// Whether a message is a copy of one that has been taken.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - copyCount: How often the broker may send it.
    ///   - now: The moment.
    /// - Returns: Whether it is to be dropped.
    mutating func isCopy(_ message: Message, copyCount: Int, at now: ContinuousClock.Instant) -> Bool {
        guard copyCount > 1 else { return false }
        seen.removeAll { $0.until < now || $0.rest == 0 }
        let place = seen.firstIndex {
            $0.topic == message.topic && $0.payload == message.payload && $0.isRetained == message.isRetained
        }
        if let place {
            seen[place].rest -= 1
            return true
        }
        seen.append(
            Seen(
                topic: message.topic, payload: message.payload, isRetained: message.isRetained, rest: copyCount - 1,
                until: now.advanced(by: Self.patience)))
        if seen.count > 64 { seen.removeFirst() }
        return false
    }
}
