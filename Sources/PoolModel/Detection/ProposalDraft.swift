/// A proposal before its values are looked at.
struct ProposalDraft {
    var name: String
    var topic: String
    var source: DeviceProposal.Source
    var profile: String?
    /// Nil for a device that sends the flat message.
    var mapping: DeviceMapping?
    var intervalSeconds: Int?
    var remarks: [String]
    var confidence: DeviceProposal.Confidence
    var namesWater = true

    /// The topics of the values.
    var valueTopics: Set<String> {
        guard let mapping else { return [topic] }
        return Set(mapping.values.compactMap { TopicPattern($0.topic, deviceTopic: topic)?.filter })
    }

    /// Whether all quantities that both read have the same values now.
    func agrees(with other: ProposalDraft, payloads: [String: ReadPayload]) -> Bool {
        let own = PreviewReader(payloads: payloads).previews(of: mapping, base: topic)
        let others = PreviewReader(payloads: payloads).previews(of: other.mapping, base: other.topic)
        return others.allSatisfy { preview in
            guard let value = preview.value else { return true }
            guard let same = own.first(where: { $0.quantity == preview.quantity })?.value else { return false }
            return abs(same - value) <= 0.051 * max(1, abs(value) / 100)
        }
    }

    /// The proposal: with the last values, and what they give rise to.
    func finished(with sources: ProposalSources) -> DeviceProposal {
        let reader = PreviewReader(payloads: sources.payloads)
        let previews = reader.previews(of: mapping, base: topic)
        var remarks = remarks
        var suggestions: [DeviceProposal.Suggestion] = []
        var confidence = confidence
        for preview in previews {
            guard let value = preview.value else { continue }
            if let remark = ScaleSuspicion.remark(on: value, of: preview.quantity) {
                remarks.append(remark)
                confidence = min(confidence, source == .profile ? .medium : .low)
            }
            if let suggestion = suggestion(for: preview) {
                suggestions.append(suggestion)
                remarks.append(suggestion.reason)
            }
        }
        if previews.allSatisfy({ $0.value == nil }) {
            remarks.append("no value has come yet")
            confidence = min(confidence, .medium)
        }
        if previews.allSatisfy({ $0.quantity == .temperature }), !namesWater {
            remarks.append("only a temperature, and nothing says that it is of water")
            confidence = .low
        }
        if let flaw = mappingFlaw {
            remarks.append("it cannot be taken as it is: \(flaw)")
            confidence = .low
        }
        let evidence = Set(previews.map(\.topic)).sorted()
        let observed = evidence.compactMap { sources.topics[$0] }
        if !observed.isEmpty, observed.allSatisfy({ $0.liveCount == 0 }) {
            remarks.append("only replayed messages so far: the device may be gone")
        }
        return DeviceProposal(
            name: name, topic: topic, source: source, profile: profile, mapping: mapping,
            expectedIntervalSeconds: mapping?.publishesChangesOnly == true
                ? intervalSeconds : observed.compactMap(\.intervalSeconds).max() ?? intervalSeconds,
            preview: previews, confidence: confidence, remarks: Self.unique(remarks), suggestions: suggestions,
            evidence: Array(evidence.prefix(32)))
    }

    private var mappingFlaw: MappingError? {
        do throws(MappingError) {
            try mapping?.validate()
            return nil
        } catch {
            return error
        }
    }

    private func suggestion(for preview: DeviceProposal.Preview) -> DeviceProposal.Suggestion? {
        guard let raw = preview.raw, let mapping,
            let source = mapping.values.first(where: { $0.quantity == preview.quantity }),
            case .number(let number, _) = UnitNumberText(raw)
        else { return nil }
        return ScaleSuspicion.suggestion(for: source, number: number)
    }

    private static func unique(_ remarks: [String]) -> [String] {
        var seen: Set<String> = []
        return remarks.filter { seen.insert($0).inserted }.prefix(16).map { $0 }
    }

    /// A name for people from a topic: its last level, behind the one before that says more where it says little.
    static func name(fromTopic topic: String) -> String {
        let levels = topic.split(separator: "/").map(String.init)
        guard let last = levels.last else { return topic }
        guard NameReading(last) == .neutral, let before = levels.dropLast().last(where: saysSomething) else {
            return last
        }
        return "\(before) \(last)"
    }

    private static func saysSomething(_ level: String) -> Bool {
        NameReading(level) != .neutral || NameWords(level).contains(anyOf: QuantityWords.places)
    }
}
