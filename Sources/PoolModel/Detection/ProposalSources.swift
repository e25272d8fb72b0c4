/// Makes proposals of all that was gathered: what devices say of themselves, what profiles know, what names tell.
///
/// A topic is proposed once. A profile wins over an announcement if both read the same values, because it knows more of
/// the device's habits; else the announcement wins, because it knows this device. Names are the last resort.
struct ProposalSources {
    let announced: [HomeAssistantOffer]
    let described: [HomieOffer]
    let topics: [String: ObservedTopic]
    let payloads: [String: ReadPayload]

    /// The proposals, the surest first, then by their topics.
    var proposals: [DeviceProposal] {
        var claimed: Set<String> = []
        var drafts: [ProposalDraft] = []
        var matches = matchesWorthProposing
        for offer in announced {
            let announcement = draft(offer)
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
            $0.confidence != $1.confidence ? $0.confidence > $1.confidence : $0.topic < $1.topic
        }
    }

    /// The profiles that were seen, without habits of naming where names or the device itself tell more.
    private var matchesWorthProposing: [ProfileMatch] {
        let groups = NameGroups(candidates(without: []).found).groups
        return ProfileMatch.all(in: payloads).filter { match in
            guard ProfileMark.isConvention(match.profile.name) else { return true }
            let isToldBetter = described.contains {
                $0.topic == match.base && $0.mapping.values.count > match.quantities.count
            }
            let isNamedBetter = groups.contains { group in
                group.best.count > match.quantities.count
                    && group.values.contains { match.topics.contains($0.source.topic) }
            }
            return !isToldBetter && !isNamedBetter
        }
    }

    /// The profile where it reads the same as the announcement, else the announcement.
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

    /// The topics that belong to a device which a profile knows: no names are looked for in them.
    private func explained(by match: ProfileMatch) -> Set<String> {
        guard !ProfileMark.isConvention(match.profile.name) else { return match.topics }
        let prefix = match.topics.count == 1 ? match.base : TopicPrefix.common(of: match.topics.sorted())
        return match.topics.union(topics.keys.filter { $0.hasPrefix(prefix + "/") })
    }

    private func draft(_ match: ProfileMatch) -> ProposalDraft {
        let words = [match.base, match.name].map { NameWords($0) }
        return ProposalDraft(
            name: match.name, topic: match.base, source: .profile, profile: match.profile.name, mapping: match.mapping,
            intervalSeconds: match.profile.expectedIntervalSeconds, remarks: [], confidence: .high,
            namesWater: words.contains { $0.contains(anyOf: QuantityWords.places) })
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
        return ProposalDraft(
            name: offer.name, topic: offer.topic, source: .homeAssistant, profile: nil, mapping: mapping,
            intervalSeconds: offer.expectedIntervalSeconds, remarks: remarks,
            confidence: mapping.values.isEmpty || !isUnderstood ? .low : .high,
            namesWater: offer.entities.contains(where: Self.namesWater))
    }

    private static func namesWater(_ entity: HomeAssistantEntity) -> Bool {
        [entity.name, entity.deviceName ?? "", entity.stateTopic, entity.uniqueID ?? ""].contains {
            NameWords($0).contains(anyOf: QuantityWords.places)
        }
    }

    private func draft(_ offer: HomieOffer) -> ProposalDraft {
        ProposalDraft(
            name: offer.name, topic: offer.topic, source: .homie, profile: nil, mapping: offer.mapping,
            intervalSeconds: nil, remarks: offer.notes, confidence: .high,
            namesWater: NameWords(
                offer.topic + " " + offer.name + offer.mapping.values.map(\.topic).joined(separator: " ")
            )
            .contains(anyOf: QuantityWords.places))
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

    /// What names tell of the topics that nothing else explains.
    private func named(without claimed: Set<String>) -> [ProposalDraft] {
        let (found, traps) = candidates(without: claimed)
        let availabilities = SideTopics.availabilities(among: payloads)
        return NameGroups(found).groups.map { draft($0, traps: traps, availabilities: availabilities) }
    }

    /// The topics with messages in the text form, which is read without a mapping.
    private func textForms(without claimed: Set<String>) -> [ProposalDraft] {
        payloads.keys.sorted().compactMap { topic -> ProposalDraft? in
            guard !claimed.contains(topic), let payload = payloads[topic], payload.json == nil,
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

    /// The sources with the time of their samples: one for all of them, or where each has its own beside it, that.
    private func timed(_ sources: [ValueSource]) -> (sources: [ValueSource], time: TimeSource?, remark: String?) {
        let found = sources.map { source in
            payloads[source.topic].map { SideTopics.time(in: $0, near: source.path) }
        }
        var sources = sources
        let hasOwn = Set(found.compactMap { $0?.source }).count > 1
        for index in sources.indices {
            if hasOwn { sources[index].time = found[index]?.source }
            sources[index].findByName()
        }
        let first = found.first ?? nil
        return (sources, hasOwn ? nil : first?.source, first?.remark)
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
        let (sources, time, remark) = timed(values.map(\.source))
        if let remark { remarks.append(remark) }
        remarks += values.filter { !$0.hasUnit && $0.source.quantity != .ph }.map {
            "\($0.source.quantity.name) has no unit, \($0.source.unit.rawValue) assumed"
        }
        let mapping = DeviceMapping(
            values: sources.map { $0.relative(to: group.base) }, time: time,
            availability: SideTopics.availability(of: group.base, in: availabilities).map {
                $0.relative(to: group.base)
            })
        let isFlat = group.isFlat(payloads: payloads) && mapping.availability.isEmpty
        let isSure = values.count > 1 && values.allSatisfy(\.isUsual)
        return ProposalDraft(
            name: ProposalDraft.name(fromTopic: group.base), topic: group.base, source: .names,
            profile: isFlat ? "flat" : nil, mapping: isFlat ? nil : mapping, intervalSeconds: nil, remarks: remarks,
            confidence: isSure || values.contains { $0.namesWater && $0.isUsual } ? .medium : .low,
            namesWater: values.contains(where: \.namesWater))
    }
}
