import PoolModel

// Which of several proposals comes first, and which are the same device.

extension DeviceProposal {
    /// The quantities with a value that is usual for pools and that would be read.
    private var foundQuantities: [Quantity] {
        preview.filter { preview in
            guard let value = preview.value, !leftOut.contains(preview.quantity) else { return false }
            return preview.quantity.facts.usualRange.contains(value)
        }.map(\.quantity)
    }

    /// Digits after the decimal points of all values.
    private var precision: Int { preview.reduce(0) { $0 + Self.decimals(of: $1.raw) } }

    /// Whether the left one comes first: more was found, it is surer, it is more precise.
    static func isBetter(_ left: DeviceProposal, than right: DeviceProposal) -> Bool {
        let counts = (left.foundQuantities.count, right.foundQuantities.count)
        if counts.0 != counts.1 { return counts.0 > counts.1 }
        if left.confidence != right.confidence { return left.confidence > right.confidence }
        if left.isRelated(to: right), left.precision != right.precision { return left.precision > right.precision }
        return (left.topic, left.name) < (right.topic, right.name)
    }

    /// The proposals without those that read what an earlier one reads, too, and these repetitions.
    static func separatingRepetitions(
        _ proposals: [DeviceProposal]
    ) -> (kept: [DeviceProposal], repeated: [DeviceProposal]) {
        var kept: [DeviceProposal] = []
        var repeated: [DeviceProposal] = []
        for proposal in proposals {
            if let index = kept.firstIndex(where: { $0.repeats(proposal) }) {
                repeated.append(proposal)
                kept[index].take(preciseValuesOf: proposal)
                let remark = "the same values also come under \(proposal.topic)"
                if kept[index].remarks.count < 16, !kept[index].remarks.contains(remark) {
                    kept[index].remarks.append(remark)
                }
            } else {
                kept.append(proposal)
            }
        }
        return (kept, repeated)
    }

    /// Whether another proposal, with no further quantity, has the same values: all of them, as far as their digits go.
    private func repeats(_ other: DeviceProposal) -> Bool {
        let pairs = other.preview.compactMap { theirs -> (DeviceProposal.Preview, DeviceProposal.Preview)? in
            guard theirs.value != nil else { return nil }
            return preview.first { $0.quantity == theirs.quantity && $0.value != nil }.map { ($0, theirs) }
        }
        guard !pairs.isEmpty, pairs.count == other.preview.count(where: { $0.value != nil }),
            openQuantities.isEmpty, other.openQuantities.isEmpty, !hasSenders, !other.hasSenders,
            // By their names, several proposals on one topic are the pools of one message.
            topic != other.topic || source != .names || other.source != .names
        else { return false }
        let isEqual = pairs.allSatisfy { own, theirs in abs((own.value ?? 0) - (theirs.value ?? 0)) < 1e-9 }
        if isRelated(to: other) { return isEqual || pairs.count > 1 && pairs.allSatisfy(Self.isRounded) }
        if isOverAnotherGateway(than: other) { return isEqual }
        // Two devices of one kind may have equal values by chance; a device that also describes itself is one.
        return isEqual && pairs.count >= 2 && source != other.source && firstLevel == other.firstLevel
    }

    /// Takes the values of the same device that have more digits there.
    private mutating func take(preciseValuesOf other: DeviceProposal) {
        guard isRelated(to: other), mapping != nil, let others = other.mapping else { return }
        for index in preview.indices {
            let own = preview[index]
            guard let theirs = other.preview.first(where: { $0.quantity == own.quantity }),
                Self.decimals(of: theirs.raw) > Self.decimals(of: own.raw), own.value != theirs.value
            else { continue }
            let sources = others.values.filter { $0.quantity == own.quantity }.map { source in
                var source = source
                source.topic = TopicPattern(source.topic, deviceTopic: other.topic)?.filter ?? source.topic
                source.time = source.time ?? others.time
                return source.relative(to: topic)
            }
            mapping = mapping?.reading(own.quantity, as: sources)
            preview[index] = theirs
        }
    }

    private var hasSenders: Bool { mapping?.values.contains { !$0.conditions.isEmpty } ?? false }

    private var firstLevel: Substring? { topic.split(separator: "/").first }

    /// Whether one topic is above the other, or is a summary next to it.
    private func isRelated(to other: DeviceProposal) -> Bool {
        let levels = [topic, other.topic].map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        if levels[0].starts(with: levels[1]) || levels[1].starts(with: levels[0]) { return true }
        guard levels[0].dropLast().elementsEqual(levels[1].dropLast()), levels[0].count > 1 else { return false }
        return levels.contains { Self.summaries.contains($0.last?.lowercased() ?? "") }
    }

    /// Topic levels for everything at once.
    private static let summaries: Set<String> = [
        "summary", "all", "state", "status", "json", "overview", "data", "telemetry", "info", "values", "report",
        "current", "latest", "attributes", "sensors", "sensor",
    ]

    /// Whether the topics differ in one level, and their last one is an address.
    private func isOverAnotherGateway(than other: DeviceProposal) -> Bool {
        let levels = [topic, other.topic].map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        guard levels[0].count == levels[1].count, let last = levels[0].last, last == levels[1].last,
            last.count >= 6, last.contains(where: \.isNumber), profile == other.profile
        else { return false }
        return zip(levels[0], levels[1]).count { $0 != $1 } == 1
    }

    private static func isRounded(_ left: Preview, _ right: Preview) -> Bool {
        let digits = min(decimals(of: left.raw), decimals(of: right.raw))
        let step = (0..<digits).reduce(1.0) { step, _ in step / 10 }
        let (value, other) = (left.value ?? 0, right.value ?? 0)
        return abs(value - other) <= max(step / 2, abs(value) / 200) + 1e-9
    }

    /// The digits after the decimal point of a number as it was sent.
    private static func decimals(of raw: String?) -> Int {
        guard let raw, let point = raw.lastIndex(where: { $0 == "." || $0 == "," }) else { return 0 }
        return raw[point...].dropFirst().prefix(while: \.isNumber).count
    }
}
