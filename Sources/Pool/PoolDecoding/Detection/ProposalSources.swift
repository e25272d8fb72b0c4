import PoolModel

/// Makes proposals from everything that was collected: self-descriptions of devices, profiles, and names.
///
/// A topic is proposed once. A profile wins over an announcement if both read the same values, because it knows more
/// about the behaviour of the product; otherwise the announcement wins, because it knows this device. Names are the
/// last resort.
struct ProposalSources {
    let announced: [HomeAssistantOffer]
    let described: [HomieOffer]
    let topics: [String: ObservedTopic]
    let payloads: [String: ReadPayload]
    /// The candidates and the other numbers of each topic.
    let numbers: NumberSearch
    private let times: SideTimes

    /// Creates the sources; times without a zone may be in `localZone`, and `others` are places that are announced as
    /// something else.
    init(
        announced: [HomeAssistantOffer], others: [AnnouncedPlace], described: [HomieOffer],
        topics: [String: ObservedTopic], payloads: [String: ReadPayload], localZone: String
    ) {
        self.announced = announced
        self.described = described
        self.topics = topics
        self.payloads = payloads
        numbers = NumberSearch(payloads, announced: others)
        times = SideTimes(payloads: payloads, localZone: localZone)
    }

    /// The proposals, those of which the most was found first, then by their confidence and their topics; and those that
    /// only repeat one of them.
    var proposals: (kept: [DeviceProposal], repeated: [DeviceProposal]) {
        DeviceProposal.separatingRepetitions(
            drafts.map { $0.finished(with: self) }.sorted(by: DeviceProposal.isBetter))
    }

    private var drafts: [ProposalDraft] {
        var claimed: Set<String> = []
        var drafts: [ProposalDraft] = []
        var matches = matchesWorthProposing
        for offer in announced {
            let announcement = draft(offer)
            // The rest of the announcement is not proposed again by its name.
            claimed.formUnion(observed(offer.entities.filter { $0.template != nil }.map(\.stateTopic)))
            let own = observed(announcement.valueTopics)
            claimed.formUnion(own)
            guard let index = matches.firstIndex(where: { !$0.topics.isDisjoint(with: own) }) else {
                drafts.append(announcement)
                continue
            }
            if announcement.hasFilters {
                // It reads the probe over each of its gateways.
                matches.removeAll { $0.topics.isSubset(of: own) }
                drafts.append(announcement)
                continue
            }
            let match = matches.remove(at: index)
            drafts.append(better(of: draft(match), and: announcement, in: offer))
            claimed.formUnion(explained(by: match))
        }
        for match in matches where match.topics.isDisjoint(with: claimed) {
            drafts.append(draft(match))
            claimed.formUnion(explained(by: match))
        }
        for offer in described {
            let description = draft(offer)
            guard description.valueTopics.isDisjoint(with: claimed) else { continue }
            drafts.append(description)
            claimed.formUnion(topics.keys.filter { $0.hasPrefix(offer.topic + "/") })
        }
        let named = named(without: claimed)
        drafts += named + textForms(without: claimed.union(named.flatMap { observed($0.valueTopics) }))
        // Anything may have a battery.
        return drafts.filter { draft in
            guard let values = draft.mapping?.values, !values.isEmpty else { return true }
            return values.contains(where: \.quantity.facts.isOfWater)
        }
    }

    /// The topics that were seen for filters; a topic that was not seen stays.
    private func observed(_ filters: some Sequence<String>) -> Set<String> {
        var found: Set<String> = []
        for filter in filters {
            if let pattern = TopicPattern(filter, deviceTopic: ""), pattern.hasWildcards {
                found.formUnion(topics.keys.filter(pattern.matches))
            } else {
                found.insert(filter)
            }
        }
        return found
    }

    /// The numbers and states of other things than the quantities, by their topics.
    var unused: [UnusedValue] {
        payloads.keys.sorted().flatMap { topic in
            payloads[topic].map { UnusedValue.all(on: topic, in: $0) } ?? []
        }
    }

    /// The matching profiles, without naming conventions where names or the device itself say more.
    private var matchesWorthProposing: [ProfileMatch] {
        let groups = NameGroups(numbers.candidates(without: [])).groups
        return ProfileMatch.all(in: payloads).filter { match in
            // A profile for a thermometer does not know what else the device measures. What names tell beside another
            // profile is added to it.
            guard ProfileMark.isConvention(match.profile.name) || match.quantities == [.temperature] else {
                return true
            }
            let isDescribedBetter = described.contains {
                $0.topic == match.base && $0.mapping.values.count > match.quantities.count
            }
            let isNamedBetter = groups.contains { group in
                group.best.keys.count(where: \.facts.isOfWater) > match.quantities.count
                    && group.values.contains { match.topics.contains($0.source.topic) }
            }
            return !isDescribedBetter && !isNamedBetter
        }
    }

    /// The profile if it reads the same as the announcement, otherwise the announcement.
    private func better(
        of known: ProposalDraft, and announcement: ProposalDraft, in offer: HomeAssistantOffer
    ) -> ProposalDraft {
        guard known.agrees(with: announcement, payloads: payloads) else {
            var announcement = announcement
            announcement.remarks.append("the profile \(known.profile ?? "") would read other values")
            return announcement
        }
        var known = known
        known.name = offer.name
        for index in known.mapping?.values.indices ?? 0..<0 where known.mapping?.values[index].unitPlace == nil {
            let quantity = known.mapping?.values[index].quantity
            known.mapping?.values[index].unitPlace = offer.entities.first { $0.quantity == quantity }?.unitPlace
        }
        known.remarks.append(
            "also announced to Home Assistant by \(offer.originName ?? "the device") as \(offer.name)")
        return known
    }

    /// The topics of a device that a profile knows: names in them are not searched.
    func explained(by match: ProfileMatch) -> Set<String> {
        guard !ProfileMark.isConvention(match.profile.name) else { return match.topics }
        let prefix = match.topics.count == 1 ? match.base : TopicPrefix.common(of: match.topics.sorted())
        return match.topics.union(topics.keys.filter { $0.hasPrefix(prefix + "/") })
    }

    private func draft(_ offer: HomeAssistantOffer) -> ProposalDraft {
        var mapping = offer.mapping ?? DeviceMapping(values: [])
        var remarks = offer.notes
        var choices = offer.choices
        for entity in offer.entities where entity.template == nil {
            guard !mapping.values.contains(where: { $0.quantity == entity.quantity }) else { continue }
            let named = numbers.candidates(on: entity.stateTopic).filter { $0.source.quantity == entity.quantity }
            let sources = named.map { candidate in
                var source = candidate.source
                source.unit = entity.unit
                source.unitPlace = entity.unitPlace
                return NamedSource(
                    source: source.relative(to: offer.topic), title: NameGroups.place(of: candidate),
                    names: candidate.names)
            }
            guard let first = sources.first else { continue }
            mapping.values.append(first.source)
            // Of several places nobody knows which one the template means.
            if sources.count > 1 { choices.append(SourceChoice(quantity: entity.quantity, sources: sources)) }
            remarks.append("\(entity.quantity.name): the place \(first.source.path) is guessed from its name")
        }
        let isUnderstood = offer.entities.allSatisfy { $0.template != nil }
        mapping.availability = availability(of: offer, &remarks).map { $0.relative(to: offer.topic) }
        let base = topic(of: offer, &mapping, &remarks)
        addTimes(to: &mapping, base: base, &remarks)
        return ProposalDraft(
            name: offer.name, topic: base, source: .homeAssistant, profile: nil, mapping: mapping,
            intervalSeconds: offer.expectedIntervalSeconds, remarks: remarks,
            confidence: mapping.values.isEmpty || !isUnderstood ? .low : .high,
            namesWater: offer.entities.contains(where: Self.namesWater), choices: choices)
    }

    /// The announced availability; of a topic whose template is not understood, the usual words, if it has one of them.
    private func availability(of offer: HomeAssistantOffer, _ remarks: inout [String]) -> [AvailabilitySource] {
        var sources = offer.availability
        for topic in Set(offer.entities.flatMap(\.unreadAvailability)).sorted()
        where !sources.contains(where: { $0.topic == topic }) && sources.count < 8 {
            guard let source = payloads[topic].flatMap({ SideTopics.source(topic: topic, payload: $0) }) else {
                continue
            }
            sources.append(source)
            remarks.append("the availability on \(topic.shortened) is read by its usual words")
        }
        return sources
    }

    /// The device's topic; if the values come on filters, one of the topics that were seen.
    private func topic(
        of offer: HomeAssistantOffer, _ mapping: inout DeviceMapping, _ remarks: inout [String]
    ) -> String {
        let isFilter: (String) -> Bool = { $0.split(separator: "/").contains { $0 == "+" || $0 == "#" } }
        guard isFilter(offer.topic) else { return offer.topic }
        let filters = mapping.values.compactMap { TopicPattern($0.topic, deviceTopic: offer.topic) }
        for (index, pattern) in zip(mapping.values.indices, filters) { mapping.values[index].topic = pattern.filter }
        let seen = topics.keys.filter { topic in filters.contains { $0.matches(topic) } }.sorted()
        if seen.count > 1 {
            remarks.append("its messages come on \(seen.count) topics, perhaps over several gateways: all are read")
        }
        let named = offer.topic.split(separator: "/").filter { $0 != "+" && $0 != "#" }.joined(separator: "/")
        return seen.first ?? (named.isEmpty ? offer.name : named)
    }

    /// Adds the times of the samples, which announcements to Home Assistant do not give.
    private func addTimes(to mapping: inout DeviceMapping, base: String, _ remarks: inout [String]) {
        guard mapping.time == nil, !mapping.values.isEmpty else { return }
        let full = mapping.values.map { source in
            var source = source
            source.topic = TopicPattern(source.topic, deviceTopic: base)?.filter ?? source.topic
            return source
        }
        let (sources, time, remark) = timed(full, base: base)
        if let remark { remarks.append(remark) }
        mapping.time = time?.relative(to: base)
        for index in mapping.values.indices { mapping.values[index].time = sources[index].time?.relative(to: base) }
    }

    private static func namesWater(_ entity: HomeAssistantEntity) -> Bool {
        [entity.name, entity.deviceName ?? "", entity.stateTopic, entity.uniqueID ?? ""].contains {
            NameWords($0).namesWater
        }
    }

    private func draft(_ offer: HomieOffer) -> ProposalDraft {
        ProposalDraft(
            name: offer.name, topic: offer.topic, source: .homie, profile: nil, mapping: offer.mapping,
            intervalSeconds: nil, remarks: offer.notes, confidence: .high,
            namesWater: NameWords(
                offer.topic + " " + offer.name + offer.mapping.values.map(\.topic).joined(separator: " ")
            ).namesWater, choices: offer.choices)
    }

    /// The proposals by name for the topics that nothing else explains.
    private func named(without claimed: Set<String>) -> [ProposalDraft] {
        let availabilities = SideTopics.availabilities(among: payloads)
        return NameGroups(numbers.candidates(without: claimed)).groups.map {
            draft($0, traps: numbers.traps, availabilities: availabilities)
        }
    }

    /// The topics with messages in the text form, which is read without a mapping.
    private func textForms(without claimed: Set<String>) -> [ProposalDraft] {
        payloads.keys.sorted().compactMap { topic -> ProposalDraft? in
            guard !claimed.contains(topic), let payload = payloads[topic], payload.parts.allSatisfy({ $0.json == nil }),
                !PreviewReader(payloads: payloads).previews(of: nil, base: topic).isEmpty
            else { return nil }
            return ProposalDraft(
                name: ProposalDraft.name(fromTopic: topic), topic: topic, source: .names, profile: "flat", mapping: nil,
                intervalSeconds: nil, remarks: [], confidence: .medium)
        }
    }

    func withUnitBeside(_ candidate: ValueCandidate) -> ValueCandidate {
        guard !candidate.hasUnit, let (place, unit) = SideTopics.unit(of: candidate.source, among: payloads) else {
            return candidate
        }
        var candidate = candidate
        candidate.source.unitPlace = place
        candidate.source.unit = unit
        candidate.hasUnit = true
        return candidate
    }

    /// The sources with the time of their samples: one time for all of them or, if each has its own next to it, that
    /// one.
    private func timed(
        _ sources: [ValueSource], base: String
    ) -> (sources: [ValueSource], time: TimeSource?, remark: String?) {
        let found = sources.map { times.time(of: $0, base: base) }
        var sources = sources
        let hasOwn = Set(found.map(\.source)).count > 1
        var remark = found.lazy.compactMap(\.remark).first
        for index in sources.indices {
            if hasOwn { sources[index].time = found[index].source }
            sources[index].findByName()
            guard sources[index].path.sampleList != nil, found[index].source?.path.sampleList == nil else { continue }
            // Without times nobody knows which sample is which.
            sources[index] = sources[index].inSample(-1)
            remark = remark ?? "the samples have no time that can be used: the last one of each message is read"
        }
        return (sources, hasOwn ? nil : found.first?.source, remark)
    }

    private func draft(
        _ group: NameGroups.Group, traps: [String: [String]], availabilities: [String: AvailabilitySource]
    ) -> ProposalDraft {
        let values = group.values.map(withUnitBeside)
        var remarks = group.remarks
        let skipped = Set(values.map(\.source.topic)).sorted().flatMap { traps[$0] ?? [] }
        if !skipped.isEmpty {
            remarks.append(
                "not taken, because they are limits, set points or of something else: "
                    + skipped.prefix(8).joined(separator: ", "))
        }
        let (sources, time, remark) = timed(values.map(\.source), base: group.base)
        if let remark { remarks.append(remark) }
        remarks += values.filter { !$0.hasUnit && $0.source.quantity != .ph }.map {
            "\($0.source.quantity.name) has no unit, \($0.source.unit.rawValue) assumed"
        }
        let mapping = DeviceMapping(
            values: sources.map { $0.relative(to: group.base) }, time: time?.relative(to: group.base),
            availability: availability(of: group, values, in: availabilities).map { $0.relative(to: group.base) })
        let isFlat =
            group.isFlat(payloads: payloads) && mapping.availability.isEmpty && Self.isFlatTime(time)
            && sources.allSatisfy { $0.time == nil }
        let isSure = values.count > 1 && values.allSatisfy(\.isUsual)
        if !group.place.isEmpty {
            remarks.append("the messages report several pools: this is the one at \(ValuePath(group.place))")
        }
        if !group.senders.isEmpty {
            remarks.append(
                "the topic is shared: only messages with "
                    + group.senders.map(\.notation).joined(separator: " and ") + " are this device's")
        }
        return ProposalDraft(
            name: name(of: group), topic: group.base, source: .names,
            profile: isFlat ? "flat" : nil, mapping: isFlat ? nil : mapping, intervalSeconds: nil, remarks: remarks,
            confidence: isSure || values.contains { $0.namesWater && $0.isUsual } ? .medium : .low,
            namesWater: values.contains(where: \.namesWater), choices: choices(of: group),
            unclear: Set(values.filter { !$0.isOfClearName }.map(\.source.quantity)))
    }

    /// The topic that says whether a device is available; if it has none, and one topic, the place there.
    private func availability(
        of group: NameGroups.Group, _ values: [ValueCandidate], in availabilities: [String: AvailabilitySource]
    ) -> [AvailabilitySource] {
        let beside = SideTopics.availability(of: group.base, in: availabilities)
        let topics = Set(values.map(\.source.topic))
        guard beside.isEmpty, let topic = topics.first, topics.count == 1 else { return beside }
        return [SideTopics.availability(in: payloads[topic], on: topic)].compactMap(\.self)
    }

    /// The name of a device; if it shares its topic, what distinguishes it from the others.
    private func name(of group: NameGroups.Group) -> String {
        let words = group.senders.flatMap(\.words) + [partName(of: group)].compactMap(\.self)
        return words.isEmpty
            ? ProposalDraft.name(fromTopic: group.base) : words.map(\.shortened).joined(separator: " ")
    }

    /// The name of a pool among several in one message: its key or, in a list, the text that names it, else its number.
    private func partName(of group: NameGroups.Group) -> String? {
        switch group.place.last {
        case .key(let key): return key
        case .index(let index):
            let element = payloads[group.base]?.parts.lazy.compactMap { $0.json?.value(at: ValuePath(group.place)) }
                .first
            if case .object(let members) = element,
                let name = members.lazy.filter({ Self.titleKeys.contains($0.key.lowercased()) })
                    .compactMap(\.value.scalarText).first(where: { !$0.isEmpty })
            {
                return name
            }
            return "\(ProposalDraft.name(fromTopic: group.base)) \(index + 1)"
        default: return nil
        }
    }

    private static let titleKeys: Set<String> = ["name", "title", "label", "caption", "friendly_name", "id"]

    /// Whether a time is at the path that the flat message uses.
    private static func isFlatTime(_ time: TimeSource?) -> Bool {
        guard let time else { return true }
        guard time.topic == nil, time.zone == nil, time.form == .automatic, case .key(let key) = time.path.steps.first
        else { return false }
        return time.path.steps.count == 1 && ["timestamp", "time"].contains(key.lowercased())
    }

    private func choices(of group: NameGroups.Group) -> [SourceChoice] {
        Quantity.allCases.compactMap { quantity in
            guard let candidates = group.choices[quantity] else { return nil }
            let values = candidates.map(withUnitBeside)
            let sources = timed(values.map(\.source), base: group.base).sources
            return SourceChoice(
                quantity: quantity,
                sources: zip(candidates, sources).map { candidate, source in
                    NamedSource(
                        source: source.relative(to: group.base), title: NameGroups.place(of: candidate),
                        names: candidate.names)
                })
        }
    }
}
