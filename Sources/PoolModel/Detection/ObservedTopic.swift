/// What was seen of one topic.
struct ObservedTopic: Hashable {
    /// The most gaps between messages that are remembered.
    static let gapCountMax = 32

    /// The topic name.
    let topic: String
    /// The last payload that is text.
    private(set) var text = ""
    /// How many messages came, replayed ones too.
    private(set) var messageCount = 0
    /// How many came live.
    private(set) var liveCount = 0
    /// When the last one came live.
    private var lastLive: Timestamp?
    /// The last gaps between live messages, in milliseconds.
    private var gaps: [Int64] = []

    init(topic: String) { self.topic = topic }

    mutating func absorb(_ text: String, isRetained: Bool, receivedAt: Timestamp) {
        self.text = text
        messageCount += 1
        guard !isRetained else { return }
        liveCount += 1
        if let lastLive {
            let gap = receivedAt.milliseconds(since: lastLive)
            // Bursts of the same message and clocks that were set tell nothing of the interval.
            if gap >= 500 {
                if gaps.count == Self.gapCountMax { gaps.removeFirst() }
                gaps.append(gap)
            }
        }
        lastLive = receivedAt
    }

    /// The median of the gaps between live messages, in whole seconds, at least 1; nil with fewer than two messages.
    var intervalSeconds: Int? {
        guard !gaps.isEmpty else { return nil }
        let sorted = gaps.sorted()
        return Int(min(max(1, (sorted[sorted.count / 2] + 500) / 1000), Int64(Device.intervalRange.upperBound)))
    }

    /// The payload as JSON, where it is; a bare number is JSON too.
    var json: JSONValue? {
        var bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        // What is no JSON is looked at as text.
        return try? JSONScanner.scan(bytes, depthMax: 32)
    }
}

/// A payload, read once, from which numbers and words are taken.
struct ReadPayload {
    let text: String
    let json: JSONValue?

    init(_ topic: ObservedTopic) {
        text = topic.text
        json = topic.json
    }

    /// The scalar at a place, as text.
    func scalar(at path: ValuePath) -> String? {
        if let json { return json.value(at: path)?.scalarText }
        return path == .whole ? String(text.trimmedOfBlanks) : nil
    }

    /// The number at a place, which may stand there as a text with its unit; truth values are none.
    func measure(at path: ValuePath, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
        if let json { return json.value(at: path).flatMap { Self.measure($0, of: quantity) } }
        return path == .whole ? Self.measure(.string(text), of: quantity) : nil
    }

    /// The number that a scalar is, with the unit that is written behind it; nil if that is another quantity's.
    static func measure(_ value: JSONValue, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
        switch value {
        case .number(let text): return Double(text).flatMap { $0.isFinite ? ($0, nil) : nil }
        case .string(let text):
            guard case .number(let number, let written) = UnitNumberText(text) else { return nil }
            if written.isEmpty { return (number, nil) }
            guard let unit = SourceUnit(symbol: written), unit.quantity == quantity else { return nil }
            return (number, unit)
        default: return nil
        }
    }
}
