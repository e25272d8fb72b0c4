import PoolModel

/// The combined messages of each sender on one topic.
///
/// Messages from several senders, or about several things, are separated by their ``PayloadMark``s.
struct ObservedTopic: Hashable {
    /// The most intervals between messages that are remembered.
    static let gapCountMax = 32
    /// The most senders that are distinguished; messages from further ones are left out.
    static let variantCountMax = 32
    /// The most bytes of combined payloads; beyond them only the newest message counts.
    static let unionByteCountMax = 65_536

    /// The messages with the same marks.
    struct Variant: Hashable {
        var marks: [PayloadMark]
        /// The combined payload of all of them.
        var text: String
        /// How many messages came.
        var messageCount = 1
    }

    /// The topic name.
    let topic: String
    /// The variants in the order of their first messages.
    private(set) var variants: [Variant] = []
    /// How many messages came, including replayed ones.
    private(set) var messageCount = 0
    /// How many messages came live.
    private(set) var liveCount = 0
    /// When the last live message came.
    private(set) var lastLive: Timestamp?
    /// The marks that differ in each message, and so do not distinguish senders.
    private var counters: Set<ValuePath> = []
    /// The last intervals between live messages, in milliseconds.
    private var gaps: [Int64] = []

    init(topic: String) { self.topic = topic }

    /// The number of bytes of the topic and the remembered payloads.
    var byteCount: Int { topic.utf8.count + variants.reduce(0) { $0 + $1.text.utf8.count } }

    mutating func absorb(_ text: String, isRetained: Bool, receivedAt: Timestamp) {
        remember(text)
        messageCount += 1
        guard !isRetained else { return }
        liveCount += 1
        if let lastLive {
            let gap = receivedAt.milliseconds(since: lastLive)
            // Bursts of the same message and clock changes say nothing about the interval.
            if gap >= 500 {
                if gaps.count == Self.gapCountMax { gaps.removeFirst() }
                gaps.append(gap)
            }
        }
        lastLive = receivedAt
    }

    /// The median interval between live messages, in whole seconds, at least 1; nil with fewer than two messages.
    var intervalSeconds: Int? {
        guard !gaps.isEmpty else { return nil }
        let sorted = gaps.sorted()
        return Int(min(max(1, (sorted[sorted.count / 2] + 500) / 1000), Int64(Device.intervalRange.upperBound)))
    }

    private mutating func remember(_ text: String) {
        let marks = JSONValue(payload: text).map { PayloadMark.all(in: $0) } ?? []
        put(Variant(marks: marks.filter { !counters.contains($0.path) }, text: text))
        forgetCounters()
    }

    private mutating func put(_ variant: Variant) {
        if let index = variants.firstIndex(where: { $0.marks == variant.marks }) {
            let union = PayloadUnion.text(of: variants[index].text, and: variant.text)
            variants[index].text = union.utf8.count <= Self.unionByteCountMax ? union : variant.text
            variants[index].messageCount += variant.messageCount
        } else if variants.count < Self.variantCountMax {
            variants.append(variant)
        }
    }

    /// Merges variants that differ only in a number or an id of the message.
    private mutating func forgetCounters() {
        let paths = Set(variants.flatMap { $0.marks.map(\.path) })
        let found = paths.filter { path in
            PayloadMark.areOfMessages(
                variants.compactMap { variant in
                    variant.marks.first { $0.path == path }.map { ($0.word, variant.messageCount) }
                })
        }
        guard !found.isEmpty else { return }
        counters.formUnion(found)
        let old = variants
        variants = []
        for variant in old {
            var variant = variant
            variant.marks.removeAll { counters.contains($0.path) }
            put(variant)
        }
    }
}
