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
    private let times: SideTimes

    /// Creates the sources; times without a zone may be in `localZone`.
    init(
        announced: [HomeAssistantOffer], described: [HomieOffer], topics: [String: ObservedTopic],
        payloads: [String: ReadPayload], localZone: String
    ) {
        self.announced = announced
        self.described = described
        self.topics = topics
        self.payloads = payloads
        times = SideTimes(payloads: payloads, localZone: localZone)
    }

    /// The proposals, those with the highest confidence first, then by their topics.
    var proposals: [DeviceProposal] {
        var claimed: Set<String> = []
        var drafts: [ProposalDraft] = []
        var matches = matchesWorthProposing
        for offer in announced {
            let announcement = draft(offer)
            // The rest of the announcement is not proposed again by its name.
            claimed.formUnion(offer.entities.filter { $0.template != nil }.map(\.stateTopic))
            guard let index = matches.firstIndex(where: { !$0.topics.isDisjoint(with: announcement.valueTopics) })
            else {
                drafts.append(announcement)
                claimed.formUnion(announcement.valueTopics)
                continue
            }
            let match = matches.remove(at: index)
            drafts.append(better(of: draft(match), and: announcement, in: offer))
            claimed.formUnion(announcement.valueTopics.union(explained(by: match)))
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
        drafts += named(without: claimed) + textForms(without: claimed)
        return drafts.map { $0.finished(with: self) }.sorted {
            $0.confidence != $1.confidence
                ? $0.confidence > $1.confidence : ($0.topic, $0.name) < ($1.topic, $1.name)
        }
    }

    /// The numbers and states of other things than the quantities, by their topics.
    var unused: [UnusedValue] {
        payloads.keys.sorted().flatMap { topic in
            payloads[topic].map { UnusedValue.all(on: topic, in: $0) } ?? []
        }
    }

    /// The matching profiles, without naming conventions where names or the device itself say more.
    private var matchesWorthProposing: [ProfileMatch] {
        let groups = NameGroups(candidates(without: []).found).groups
        return ProfileMatch.all(in: payloads).filter { match in
            // A profile for a thermometer does not know what else the device measures.
            guard ProfileMark.isConvention(match.profile.name) || match.quantities == [.temperature] else {
                return true
            }
            let isDescribedBetter = described.contains {
                $0.topic == match.base && $0.mapping.values.count > match.quantities.count
            }
            let isNamedBetter = groups.contains { group in
                group.best.count > match.quantities.count
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
        known.remarks.append(
            "also announced to Home Assistant by \(offer.originName ?? "the device") as \(offer.name)")
        return known
    }

    /// The topics of a device that a profile knows: names in them are not searched.
    private func explained(by match: ProfileMatch) -> Set<String> {
        guard !ProfileMark.isConvention(match.profile.name) else { return match.topics }
        let prefix = match.topics.count == 1 ? match.base : TopicPrefix.common(of: match.topics.sorted())
        return match.topics.union(topics.keys.filter { $0.hasPrefix(prefix + "/") })
    }

    private func draft(_ match: ProfileMatch) -> ProposalDraft {
        let words = [match.base, match.name].map { NameWords($0) }
        let (mapping, remarks) = completed(match)
        return ProposalDraft(
            name: match.name, topic: match.base, source: .profile, profile: match.profile.name, mapping: mapping,
            intervalSeconds: match.profile.expectedIntervalSeconds, remarks: remarks, confidence: .high,
            namesWater: words.contains(where: \.namesWater))
    }

    /// The mapping of a profile; if nothing was seen at its path, but just one other name means the quantity, with
    /// that path.
    private func completed(_ match: ProfileMatch) -> (mapping: DeviceMapping, remarks: [String]) {
        var mapping = match.mapping
        var remarks: [String] = []
        let found = match.topics.sorted().flatMap { topic in
            payloads[topic].map { CandidateFinder(topic: topic, payload: $0).candidates } ?? []
        }
        for index in mapping.values.indices where !match.quantities.contains(mapping.values[index].quantity) {
            let quantity = mapping.values[index].quantity
            let named = found.filter { $0.source.quantity == quantity && $0.senders.isEmpty }
            guard named.count == 1, let candidate = named.first.map(withUnitBeside), candidate.isUsual else { continue }
            var source = candidate.source
            source.time = mapping.values[index].time
            mapping.values[index] = source.relative(to: match.base)
            remarks.append("\(quantity.name): the place \(source.path) is guessed from its name")
        }
        return (mapping, remarks)
    }

    private func draft(_ offer: HomeAssistantOffer) -> ProposalDraft {
        var mapping = offer.mapping ?? DeviceMapping(values: [])
        var remarks = offer.notes
        for entity in offer.entities where entity.template == nil {
            guard !mapping.values.contains(where: { $0.quantity == entity.quantity }) else { continue }
            guard let payload = payloads[entity.stateTopic],
                let candidate = CandidateFinder(topic: entity.stateTopic, payload: payload).candidates
                    .first(where: { $0.source.quantity == entity.quantity })
            else { continue }
            var source = candidate.source
            source.unit = entity.unit
            mapping.values.append(source.relative(to: offer.topic))
            remarks.append("\(entity.quantity.name): the place \(source.path) is guessed from its name")
        }
        let isUnderstood = offer.entities.allSatisfy { $0.template != nil }
        addTimes(to: &mapping, base: offer.topic, &remarks)
        return ProposalDraft(
            name: offer.name, topic: offer.topic, source: .homeAssistant, profile: nil, mapping: mapping,
            intervalSeconds: offer.expectedIntervalSeconds, remarks: remarks,
            confidence: mapping.values.isEmpty || !isUnderstood ? .low : .high,
            namesWater: offer.entities.contains(where: Self.namesWater), choices: offer.choices)
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

    private func candidates(without claimed: Set<String>) -> (found: [ValueCandidate], traps: [String: [String]]) {
        var found: [ValueCandidate] = []
        var traps: [String: [String]] = [:]
        for topic in payloads.keys.sorted() where !claimed.contains(topic) {
            guard let payload = payloads[topic] else { continue }
            let finder = CandidateFinder(topic: topic, payload: payload)
            found += finder.candidates
            if !finder.traps.isEmpty { traps[topic] = finder.traps }
        }
        return (found, traps)
    }

    /// The proposals by name for the topics that nothing else explains.
    private func named(without claimed: Set<String>) -> [ProposalDraft] {
        let (found, traps) = candidates(without: claimed)
        let availabilities = SideTopics.availabilities(among: payloads)
        return NameGroups(found).groups.map { draft($0, traps: traps, availabilities: availabilities) }
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

    private func withUnitBeside(_ candidate: ValueCandidate) -> ValueCandidate {
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
        for index in sources.indices {
            if hasOwn { sources[index].time = found[index].source }
            sources[index].findByName()
        }
        return (sources, hasOwn ? nil : found.first?.source, found.lazy.compactMap(\.remark).first)
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
            availability: SideTopics.availability(of: group.base, in: availabilities).map {
                $0.relative(to: group.base)
            })
        let isFlat =
            group.isFlat(payloads: payloads) && mapping.availability.isEmpty && Self.isFlatTime(time)
            && sources.allSatisfy { $0.time == nil }
        let isSure = values.count > 1 && values.allSatisfy(\.isUsual)
        if !group.senders.isEmpty {
            remarks.append(
                "the topic is shared: only messages with "
                    + group.senders.map(\.notation).joined(separator: " and ") + " are this device's")
        }
        return ProposalDraft(
            name: name(of: group), topic: group.base, source: .names,
            profile: isFlat ? "flat" : nil, mapping: isFlat ? nil : mapping, intervalSeconds: nil, remarks: remarks,
            confidence: isSure || values.contains { $0.namesWater && $0.isUsual } ? .medium : .low,
            namesWater: values.contains(where: \.namesWater), choices: choices(of: group))
    }

    /// The name of a device; if it shares its topic, what distinguishes it from the others.
    private func name(of group: NameGroups.Group) -> String {
        let words = group.senders.flatMap(\.words)
        return words.isEmpty
            ? ProposalDraft.name(fromTopic: group.base) : words.map(\.shortened).joined(separator: " ")
    }

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
