import PoolModel

/// Reads the last values of a mapping from the payloads that were seen.
struct PreviewReader {
    let payloads: [String: ReadPayload]

    /// One preview for each quantity of the mapping, in the order of `Quantity`; without a mapping, of the flat message.
    func previews(of mapping: DeviceMapping?, base: String) -> [DeviceProposal.Preview] {
        guard let mapping else { return flatPreviews(of: base) }
        return Quantity.allCases.compactMap { quantity in
            let previews = mapping.values.filter { $0.quantity == quantity }.map { preview(of: $0, base: base) }
            return previews.first { $0.value != nil } ?? previews.first
        }
    }

    /// The last value of one source.
    func preview(of source: ValueSource, base: String) -> DeviceProposal.Preview {
        let pattern = TopicPattern(source.topic, deviceTopic: base)
        guard let topic = topic(matching: pattern), let part = payloads[topic]?.part(for: source) else {
            return DeviceProposal.Preview(
                quantity: source.quantity, topic: pattern?.filter ?? source.topic, path: source.path)
        }
        let own = part.inLastSample(source)
        let raw = part.scalar(at: own.path)?.shortened
        return DeviceProposal.Preview(
            quantity: source.quantity, topic: topic, path: source.path, raw: raw,
            value: value(own, in: part, base: base))
    }

    private func topic(matching pattern: TopicPattern?) -> String? {
        guard let pattern else { return nil }
        if !pattern.hasWildcards { return payloads[pattern.filter] == nil ? nil : pattern.filter }
        return payloads.keys.filter(pattern.matches).min()
    }

    private func value(_ source: ValueSource, in part: ReadPayload.Part, base: String) -> Double? {
        guard let (number, written) = part.measure(at: source.path, of: source.quantity),
            !source.sentinels.contains(number), part.fulfils(source.conditions)
        else { return nil }
        let unit = written ?? unit(of: source, in: part, base: base)
        return source.standardValue(number, in: unit)
    }

    private func unit(of source: ValueSource, in part: ReadPayload.Part, base: String) -> SourceUnit {
        guard let place = source.unitPlace else { return source.unit }
        var word = part.scalar(at: place.path)
        if let topic = place.topic {
            word = self.topic(matching: TopicPattern(topic, deviceTopic: base))
                .flatMap { payloads[$0]?.scalar(at: place.path) }
        }
        return word.flatMap { source.quantity.unit($0) } ?? source.unit
    }

    private func flatPreviews(of topic: String) -> [DeviceProposal.Preview] {
        guard let part = payloads[topic]?.parts.first,
            case .decoded(let decoded) = PayloadDecoder().decode(
                Array(part.text.utf8), receivedAt: Timestamp(milliseconds: 0), isRetained: false)
        else { return [] }
        return decoded.values.pairs.map { quantity, value in
            DeviceProposal.Preview(
                quantity: quantity, topic: topic, path: .whole, raw: NumberShown.text(value), value: value)
        }
    }
}
