import PoolModel

extension ProposalSources {
    /// The proposal for a matching profile.
    func draft(_ match: ProfileMatch) -> ProposalDraft {
        let words = [match.base, match.name].map { NameWords($0) }
        let (mapping, remarks) = completed(match)
        return ProposalDraft(
            name: match.name, topic: match.base, source: .profile, profile: match.profile.name, mapping: mapping,
            intervalSeconds: match.profile.expectedIntervalSeconds, remarks: remarks, confidence: .high,
            namesWater: words.contains(where: \.namesWater), choices: choices(of: match, mapping))
    }

    /// The temperatures of a thermometer with several probes: its profile knows only the first one.
    private func choices(of match: ProfileMatch, _ mapping: DeviceMapping) -> [SourceChoice] {
        guard match.quantities == [.temperature],
            let own = mapping.values.first(where: { $0.quantity == .temperature }),
            let value = PreviewReader(payloads: payloads).preview(of: own, base: match.base).value
        else { return [] }
        let topic = TopicPattern(own.topic, deviceTopic: match.base)?.filter ?? own.topic
        var sources = [NamedSource(source: own, title: "\(topic) \(own.path)", names: [topic])]
        var values = [value]
        let component = topic.split(separator: "/").first(where: NameGroups.isComponent)
        for candidate in explained(by: match).union(match.topics).sorted().flatMap(numbers.candidates(on:))
        where candidate.source.quantity == .temperature && candidate.senders.isEmpty && candidate.isUsual {
            guard !values.contains(where: { abs($0 - candidate.value) <= 0.06 }),
                !candidate.names.contains(where: { $0 == component ?? "" })
            else { continue }
            values.append(candidate.value)
            sources.append(
                NamedSource(
                    source: candidate.source.relative(to: match.base), title: NameGroups.place(of: candidate),
                    names: candidate.names))
        }
        return sources.count > 1 ? [SourceChoice(quantity: .temperature, sources: sources)] : []
    }

    /// The mapping of a profile; if it does not have a quantity, or nothing was seen at its path, but just one other name
    /// means the quantity, with that path.
    private func completed(_ match: ProfileMatch) -> (mapping: DeviceMapping, remarks: [String]) {
        var mapping = match.mapping
        var remarks: [String] = []
        let found = explained(by: match).union(match.topics).sorted().flatMap(numbers.candidates(on:))
        for quantity in Quantity.allCases where !match.quantities.contains(quantity) {
            let all = found.filter { $0.source.quantity == quantity && $0.senders.isEmpty }
            let near = all.filter { match.topics.contains($0.source.topic) }
            let named = near.isEmpty ? all : near
            guard let first = named.first, named.allSatisfy({ $0.isDuplicate(of: first) }) else { continue }
            let candidate = withUnitBeside(first)
            // A profile knows its device: what it does not have is not taken by a name that may mean something else.
            guard candidate.isUsual, !candidate.isSuspect else { continue }
            var source = candidate.source
            let index = mapping.values.firstIndex { $0.quantity == quantity }
            source.time = index.flatMap { mapping.values[$0].time }
            let relative = source.relative(to: match.base)
            if let index { mapping.values[index] = relative } else { mapping.values.append(relative) }
            let place = source.path == .whole ? source.topic : "\(source.path)"
            remarks.append("\(quantity.name): the place \(place) is guessed from its name")
        }
        addUnits(to: &mapping, base: match.base, &remarks)
        return (mapping, remarks)
    }

    /// Adds the units on topics next to the values of a profile; a value in a unit of something else is left out.
    private func addUnits(to mapping: inout DeviceMapping, base: String, _ remarks: inout [String]) {
        mapping.values = mapping.values.compactMap { source in
            var full = source
            full.topic = TopicPattern(source.topic, deviceTopic: base)?.filter ?? source.topic
            if let text = SideTopics.foreignUnit(of: full, among: payloads) {
                remarks.append(
                    "\(source.quantity.name) is left out: \(full.topic) is in \(Excerpt(text)), which is no unit of it")
                return nil
            }
            guard source.unitPlace == nil, let (place, unit) = SideTopics.unit(of: full, among: payloads) else {
                return source
            }
            full.unitPlace = place
            full.unit = unit
            return full.relative(to: base)
        }
    }
}
