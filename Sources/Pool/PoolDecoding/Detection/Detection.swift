public import HomeAssistantMQTT
public import PoolModel

/// Receives everything that a broker sends for a while, and proposes devices, with a preview of their values.
///
/// Pass it every message, then ask for the ``report()``. It applies nothing, reads no clock, and gives the same
/// report for the same messages in the same order. Its memory is bounded by its ``Limits``: whatever exceeds them is
/// dropped and counted. `$`-topics such as `$SYS`, and what hubs themselves publish, are ignored.
public struct Detection: Sendable {
    /// The limits of what is remembered.
    public struct Limits: Hashable, Sendable {
        /// The most topics that are remembered; 4096, far more than a house has.
        public var topicCountMax = 4096
        /// The most bytes of a payload that are remembered; 64 KiB.
        public var payloadByteCountMax = 65_536
        /// The most bytes of all topics and payloads together; 16 MiB.
        public var byteCountMax = 16_777_216
        /// The most bytes of a topic; 1024.
        public var topicByteCountMax = 1024
        /// The most topics with binary payloads that are listed; 32.
        public var binaryTopicCountMax = 32
        /// The most devices that are proposed; 64.
        public var proposalCountMax = 64
        /// The most unused numbers outside the devices that are listed; 32.
        public var unusedCountMax = 32
        /// The most numbers without a use that are listed for each device, and outside the devices; 48.
        public var skippedCountMax = 48

        /// Creates the default limits.
        public init() {}
    }

    /// Counts of the messages and of what was dropped.
    public struct Counts: Hashable, Codable, Sendable {
        /// Messages of any kind.
        public var messages = 0
        /// Messages on `$`-topics.
        public var system = 0
        /// Messages that hubs published.
        public var ownHubs = 0
        /// Announcements to Home Assistant.
        public var announcements = 0
        /// Announcements that could not be read.
        public var unreadableAnnouncements = 0
        /// Attributes of Homie devices.
        public var homieAttributes = 0
        /// Empty payloads, which delete a retained message.
        public var deletions = 0
        /// Binary payloads.
        public var binary = 0
        /// Messages that were dropped because they or their topic were too long, or the memory was full.
        public var dropped = 0
        /// Devices beyond the limit of proposals.
        public var droppedProposals = 0
    }

    /// The limits.
    public let limits: Limits
    /// The counts so far.
    public private(set) var counts = Counts()
    private var homeAssistant: HomeAssistantDiscovery
    private var homie = HomieDiscovery()
    private var topics: [String: ObservedTopic] = [:]
    private var binaryTopics: [String: (kind: BinaryKind, count: Int)] = [:]
    private var byteCount = 0
    private let localZone: String

    /// Creates a detection that has received nothing.
    ///
    /// - Parameters:
    ///   - limits: The limits of what is remembered.
    ///   - discoveryPrefix: The topic prefix under which devices announce themselves to Home Assistant.
    ///   - localZone: The possible zone of times without a zone; see `TimeSource.zone`.
    public init(
        limits: Limits = Limits(), discoveryPrefix: String = HomeAssistantTopic.defaultPrefix,
        localZone: String = TimeSource.ownZone
    ) {
        self.limits = limits
        self.localZone = localZone
        homeAssistant = HomeAssistantDiscovery(prefix: discoveryPrefix)
    }

    /// Processes one message.
    ///
    /// - Parameters:
    ///   - topic: The topic name.
    ///   - payload: The bytes of the message.
    ///   - isRetained: Whether the broker replayed the message from its store.
    ///   - receivedAt: The time of receipt by the hub's clock.
    public mutating func absorb(topic: String, payload: [UInt8], isRetained: Bool, receivedAt: Timestamp) {
        counts.messages += 1
        // C programs leave zeros at the end of a text.
        let payload = payload.last == 0 ? Array(payload.prefix(1 + (payload.lastIndex { $0 != 0 } ?? -1))) : payload
        if topic.hasPrefix("$") {
            counts.system += 1
        } else if HubTopics.isOfAHub(topic) {
            counts.ownHubs += 1
        } else if homeAssistant.absorb(topic: topic, payload: payload, isRetained: isRetained) != .foreign {
            counts.announcements += 1
        } else if homie.absorb(topic: topic, payload: payload) {
            counts.homieAttributes += 1
            // Also kept like any other message, because units and states are read from them.
            if payload.isEmpty {
                forget(topic)
            } else if BinaryKind(topic: topic, payload: payload) == nil {
                remember(topic, payload, isRetained: isRetained, receivedAt: receivedAt)
            }
        } else if payload.isEmpty {
            counts.deletions += 1
            forget(topic)
        } else if let kind = BinaryKind(topic: topic, payload: payload) {
            note(kind, on: topic)
        } else {
            remember(topic, payload, isRetained: isRetained, receivedAt: receivedAt)
        }
    }

    /// The findings so far.
    public func report() -> DetectionReport {
        let payloads = topics.mapValues { ReadPayload($0) }
        let sources = ProposalSources(
            announced: homeAssistant.offers.filter { $0.originName != HomeAssistantAnnouncement.originName },
            others: homeAssistant.otherPlaces, described: homie.offers, topics: topics, payloads: payloads,
            localZone: localZone)
        let (proposals, repeated) = sources.proposals
        let unused = sources.unused
        var shown = Array(proposals.prefix(limits.proposalCountMax))
        for index in shown.indices {
            let proposal = shown[index]
            shown[index].unused = Array(unused.filter { $0.isOf(proposal) }.prefix(limits.unusedCountMax / 2))
        }
        let known = Set(unused.map(\.place))
        let skipped = sources.numbers.unused(by: proposals + repeated).filter { !known.contains($0.place) }
        for index in shown.indices {
            let proposal = shown[index]
            let own = skipped.filter { $0.reason != "a time" && $0.isOf(proposal) }
            shown[index].skipped = Array(own.prefix(limits.skippedCountMax))
            let rest = own.count - limits.skippedCountMax
            if rest > 0 { shown[index].remarks.append("\(rest) more numbers are not taken, and not listed") }
        }
        let shownPlaces = Set(shown.flatMap { $0.skipped.map(\.place) })
        let others = skipped.filter { number in
            (number.isOfWater || proposals.isEmpty) && number.reason != "a time" && !shownPlaces.contains(number.place)
                && !proposals.contains { number.isOf($0) }
        }
        let used = Set(shown.flatMap { $0.unused.map(\.place) })
        let explained =
            proposals.flatMap { [$0.topic] + $0.evidence + $0.availabilityTopics } + unused.map(\.topic)
            + others.map(\.topic)
        let unread = payloads.filter { topic, payload in
            payload.hasNumber && !HomieDiscovery.isOfADevice(topic)
                && (NameWords(topic).namesWater || payload.namesWater)
                && !explained.contains { topic == $0 || topic.hasPrefix($0 + "/") }
        }
        var counts = counts
        counts.dropped += homeAssistant.droppedCount + homie.droppedCount
        counts.unreadableAnnouncements = homeAssistant.unreadableCount
        counts.droppedProposals = max(0, proposals.count - limits.proposalCountMax)
        return DetectionReport(
            proposals: shown,
            binaryTopics: binaryTopics.sorted { $0.key < $1.key }.map {
                DetectionReport.BinaryTopic(topic: $0.key, kind: $0.value.kind, messageCount: $0.value.count)
            },
            unused: Array(
                unused.filter { $0.isOfWater && !used.contains($0.place) }
                    .prefix(limits.unusedCountMax)),
            skipped: Array(others.prefix(limits.skippedCountMax)),
            unreadTopics: Array(unread.keys.sorted().prefix(limits.unusedCountMax)),
            topicCount: topics.count, counts: counts)
    }

    private mutating func note(_ kind: BinaryKind, on topic: String) {
        counts.binary += 1
        guard topic.utf8.count <= limits.topicByteCountMax else { return }
        if binaryTopics[topic] == nil, binaryTopics.count >= limits.binaryTopicCountMax { return }
        binaryTopics[topic] = (kind, (binaryTopics[topic]?.count ?? 0) + 1)
    }

    private mutating func remember(_ topic: String, _ payload: [UInt8], isRetained: Bool, receivedAt: Timestamp) {
        var observed = topics[topic] ?? ObservedTopic(topic: topic)
        let known = topics[topic]?.byteCount ?? 0
        guard topic.utf8.count <= limits.topicByteCountMax, payload.count <= limits.payloadByteCountMax,
            known > 0 || topics.count < limits.topicCountMax
        else {
            counts.dropped += 1
            return
        }
        observed.absorb(String(decoding: payload, as: UTF8.self), isRetained: isRetained, receivedAt: receivedAt)
        guard byteCount - known + observed.byteCount <= limits.byteCountMax else {
            counts.dropped += 1
            return
        }
        topics[topic] = observed
        byteCount += observed.byteCount - known
    }

    private mutating func forget(_ topic: String) {
        guard let observed = topics.removeValue(forKey: topic) else { return }
        byteCount -= observed.byteCount
    }
}
