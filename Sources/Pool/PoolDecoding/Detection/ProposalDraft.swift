import PoolModel

/// A proposal before its values are checked.
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
    /// The candidates that names do not distinguish.
    var choices: [SourceChoice] = []
    /// The quantities whose names say something else, too.
    var unclear: Set<Quantity> = []

    /// Whether values come on filters.
    var hasFilters: Bool {
        mapping?.values.contains { TopicPattern($0.topic, deviceTopic: topic)?.hasWildcards == true } ?? false
    }

    /// The topics of the values.
    var valueTopics: Set<String> {
        guard let mapping else { return [topic] }
        return Set(mapping.values.compactMap { TopicPattern($0.topic, deviceTopic: topic)?.filter })
    }

    /// Whether both read the same values now, for all quantities that both read.
    func agrees(with other: ProposalDraft, payloads: [String: ReadPayload]) -> Bool {
        let own = PreviewReader(payloads: payloads).previews(of: mapping, base: topic)
        let others = PreviewReader(payloads: payloads).previews(of: other.mapping, base: other.topic)
        return others.allSatisfy { preview in
            guard let value = preview.value else { return true }
            guard let same = own.first(where: { $0.quantity == preview.quantity })?.value else { return false }
            return abs(same - value) <= 0.051 * max(1, abs(value) / 100)
        }
    }

    /// The complete proposal: with the last values and the remarks on them.
    func finished(with sources: ProposalSources) -> DeviceProposal {
        let reader = PreviewReader(payloads: sources.payloads)
        let previews = reader.previews(of: mapping, base: topic)
        var remarks = remarks
        var suggestions: [DeviceProposal.Suggestion] = []
        var confidence = confidence
        var open: QuantityMap<String> = [:]
        /// Why a quantity is not read, unless a person wants it.
        var doubts: QuantityMap<String> = [:]
        for choice in choices {
            let offered = self.suggestions(for: choice, reader)
            guard offered.count > 1 else { continue }
            let titles = offered.map { $0.title ?? "" }.joined(separator: " or ")
            open[choice.quantity] = "nothing says which \(choice.quantity.name) is that of the water"
            suggestions += offered
            confidence = .low
            remarks.append("\(choice.quantity.name) stays open: \(titles); choose one of the suggestions")
        }
        for preview in previews where open[preview.quantity] == nil {
            guard let value = preview.value else { continue }
            let remark = ScaleSuspicion.remark(on: value, of: preview.quantity)
            let rescaled = suggestion(for: preview)
            if let remark {
                remarks.append(remark)
                confidence = min(confidence, source == .profile ? .medium : .low)
            }
            if let rescaled {
                suggestions.append(rescaled)
                remarks.append(rescaled.reason)
            }
            // A profile knows what the place is, whatever is there now.
            let isSuspect =
                rescaled != nil
                || source == .names
                    && ScaleSuspicion.isSuspect(
                        value, of: preview.quantity, raw: preview.raw,
                        isOfClearName: !unclear.contains(preview.quantity))
            guard isSuspect else { continue }
            let words = value == 0 ? "0: no probe, no value yet, or none in the water" : nil
            let reason =
                remark ?? "\(preview.quantity.name) is \(words ?? "\(NumberShown.text(value)), which may be a code")"
            if remark == nil {
                remarks.append(reason)
                confidence = .low
            }
            if rescaled == nil || preview.quantity.plausibleRange.contains(value) {
                suggestions += asItIs(preview, value, reason)
            }
            if rescaled == nil { doubts[preview.quantity] = reason } else { open[preview.quantity] = rescaled?.reason }
        }
        var taken = mapping
        taken?.values.removeAll { doubts[$0.quantity] != nil }
        if taken?.values.isEmpty == true {
            // Of a device with nothing else, a person must say that it shall be read all the same.
            for (quantity, reason) in doubts.pairs { open[quantity] = reason }
            (doubts, taken) = ([:], mapping)
        }
        let leftOut = doubts.pairs.map(\.quantity)
        for quantity in leftOut { remarks.append("\(quantity.name) is left out, unless you take its suggestion") }
        if previews.allSatisfy({ $0.value == nil }) {
            remarks.append("no value has come yet")
            confidence = min(confidence, .medium)
        }
        if previews.allSatisfy({ !$0.quantity.facts.tellsPool }), !namesWater {
            let names = previews.map(\.quantity).filter(\.facts.isOfWater).map(\.facts.nameInSentence.english)
            let all = names == ["temperature"] ? "a temperature" : names.joined(separator: " and ")
            remarks.append("only \(all), and nothing says that it is of water")
            confidence = .low
        }
        if mapping?.values.isEmpty == true {
            remarks.append("it cannot be taken as it is: give --value for each quantity, as no place is known")
            confidence = .low
        } else if let flaw = mappingFlaw {
            remarks.append("it cannot be taken as it is: \(flaw)")
            confidence = .low
        }
        let evidence = Set(previews.map(\.topic)).sorted()
        let observed = evidence.compactMap { sources.topics[$0] }
        if !observed.isEmpty, observed.allSatisfy({ $0.liveCount == 0 }) {
            remarks.append("only replayed messages so far: the device may be gone")
        }
        return DeviceProposal(
            name: name, topic: topic, source: source, profile: profile, mapping: taken,
            expectedIntervalSeconds: mapping?.publishesChangesOnly == true
                ? intervalSeconds : (observed.map(\.intervalSeconds) + [intervalSeconds]).compactMap(\.self).max(),
            preview: previews, confidence: confidence, remarks: Self.unique(remarks), suggestions: suggestions,
            openQuantities: open.pairs.map(\.quantity), openReasons: open, leftOut: leftOut,
            evidence: Array(evidence.prefix(32)))
    }

    /// The same place and scale, in spite of a suspicion.
    private func asItIs(
        _ preview: DeviceProposal.Preview, _ value: Double, _ reason: String
    ) -> [DeviceProposal.Suggestion] {
        guard let source = mapping?.values.first(where: { $0.quantity == preview.quantity }) else { return [] }
        return [
            DeviceProposal.Suggestion(
                quantity: preview.quantity, source: source, value: value, title: nil, isAsItIs: true, reason: reason)
        ]
    }

    /// The places of which one must be chosen; those with the same value count as one.
    private func suggestions(for choice: SourceChoice, _ reader: PreviewReader) -> [DeviceProposal.Suggestion] {
        var seen: [Double] = []
        return choice.sources.flatMap { named -> [DeviceProposal.Suggestion] in
            let preview = reader.preview(of: named.source, base: topic)
            let value = preview.value
            if let value {
                guard !seen.contains(where: { abs($0 - value) <= 0.06 }) else { return [] }
                seen.append(value)
            }
            let shown = value.map { NumberShown.text($0, of: choice.quantity) } ?? "no value yet"
            let plain = DeviceProposal.Suggestion(
                quantity: choice.quantity, source: named.source, value: value,
                title: "\(named.title) (\(shown))",
                reason: "the \(choice.quantity.name) may be that of \(named.title), \(shown)")
            return [plain] + rescaled(plain, named.title, raw: preview.raw)
        }
    }

    /// The same place with the scale or unit that turns an unusual value into a usual one.
    private func rescaled(
        _ plain: DeviceProposal.Suggestion, _ title: String, raw: String?
    ) -> [DeviceProposal.Suggestion] {
        guard let raw, case .number(let number, _) = UnitNumberText(raw),
            var other = ScaleSuspicion.suggestion(for: plain.source, number: number), let value = other.value
        else { return [] }
        let way =
            other.source.unit == plain.source.unit ? "× \(other.source.scale)" : "in \(other.source.unit.rawValue)"
        other.title = "\(title) \(way) (\(NumberShown.text(value, of: plain.quantity)))"
        return [other]
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
            case .number(let number, let written) = UnitNumberText(raw), written.isEmpty
        else { return nil }
        return ScaleSuspicion.suggestion(for: source, number: number)
    }

    private static func unique(_ remarks: [String]) -> [String] {
        var seen: Set<String> = []
        return remarks.filter { seen.insert($0).inserted }.prefix(16).map { $0 }
    }

    /// A name for people from a topic: its last level, after the one before it if the last level alone says little.
    static func name(fromTopic topic: String) -> String {
        var levels = topic.split(separator: "/").map(String.init)
        while levels.count > 1, let last = levels.last, eventLevels.contains(last.lowercased()) { levels.removeLast() }
        guard let last = levels.last else { return topic }
        guard NameReading(last) == .neutral, let before = levels.dropLast().last(where: saysSomething) else {
            return last
        }
        return "\(before) \(last)"
    }

    /// Levels that say what a message is, not from which device.
    private static let eventLevels: Set<String> = [
        "up", "uplink", "update", "shadow", "event", "events", "rpc", "messages", "measures", "telemetry",
    ]

    private static func saysSomething(_ level: String) -> Bool {
        if NameWords(level).contains(anyOf: QuantityWords.places) { return true }
        return NameReading(level) != .neutral && !["device", "devices", "thing", "things"].contains(level)
    }
}
