/// Reads the last values of a mapping from the payloads that were seen.
struct PreviewReader {
    let payloads: [String: ReadPayload]

    /// One preview for each quantity of the mapping, in the order of ``Quantity``; without a mapping, of the flat message.
    func previews(of mapping: DeviceMapping?, base: String) -> [DeviceProposal.Preview] {
        guard let mapping else { return flatPreviews(of: base) }
        return Quantity.allCases.compactMap { quantity in
            let previews = mapping.values.filter { $0.quantity == quantity }.map { preview(of: $0, base: base) }
            return previews.first { $0.value != nil } ?? previews.first
        }
    }

    private func preview(of source: ValueSource, base: String) -> DeviceProposal.Preview {
        let pattern = TopicPattern(source.topic, deviceTopic: base)
        guard let topic = topic(matching: pattern), let payload = payloads[topic] else {
            return DeviceProposal.Preview(
                quantity: source.quantity, topic: pattern?.filter ?? source.topic, path: source.path)
        }
        let raw = payload.scalar(at: source.path)?.shortened
        return DeviceProposal.Preview(
            quantity: source.quantity, topic: topic, path: source.path, raw: raw,
            value: value(source, in: payload, base: base))
    }

    private func topic(matching pattern: TopicPattern?) -> String? {
        guard let pattern else { return nil }
        if !pattern.hasWildcards { return payloads[pattern.filter] == nil ? nil : pattern.filter }
        return payloads.keys.filter(pattern.matches).min()
    }

    private func value(_ source: ValueSource, in payload: ReadPayload, base: String) -> Double? {
        guard let (number, written) = payload.measure(at: source.path, of: source.quantity),
            !source.sentinels.contains(number),
            source.conditions.allSatisfy({ holds($0, in: payload) })
        else { return nil }
        let unit = written ?? unit(of: source, in: payload, base: base)
        return unit.standardValue(number * source.scale + source.offset)
    }

    private func unit(of source: ValueSource, in payload: ReadPayload, base: String) -> SourceUnit {
        guard let place = source.unitPlace else { return source.unit }
        var payload: ReadPayload? = payload
        if let topic = place.topic {
            payload = self.topic(matching: TopicPattern(topic, deviceTopic: base)).flatMap { payloads[$0] }
        }
        let unit = payload?.scalar(at: place.path).flatMap { SourceUnit(symbol: $0) }
        return unit?.quantity == source.quantity ? unit ?? source.unit : source.unit
    }

    private func holds(_ condition: PayloadCondition, in payload: ReadPayload) -> Bool {
        let word = payload.scalar(at: condition.path)
        let isWanted = condition.words.isEmpty || condition.words.contains { $0 == word }
        return isWanted && !condition.others.contains { $0 == word }
    }

    private func flatPreviews(of topic: String) -> [DeviceProposal.Preview] {
        guard let payload = payloads[topic],
            case .decoded(let decoded) = PayloadDecoder().decode(
                Array(payload.text.utf8), receivedAt: Timestamp(milliseconds: 0), isRetained: false)
        else { return [] }
        return decoded.values.pairs.map { quantity, value in
            DeviceProposal.Preview(
                quantity: quantity, topic: topic, path: .whole, raw: NumberShown.text(value), value: value)
        }
    }
}
