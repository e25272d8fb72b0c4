extension DetectionReport {
    /// The report as one line of JSON, without a line end: for programs.
    ///
    /// Every key is always there, a value that is not known is null, and numbers are neither rounded nor localised.
    ///
    /// | key | value |
    /// |---|---|
    /// | `proposals` | one object for each device, the surest first |
    /// | `binaryTopics` | `topic`, `kind`, `messages` |
    /// | `topics` | how many topics with text are remembered |
    /// | `counts` | see ``Detection/Counts`` |
    ///
    /// Each proposal has `name`, `topic`, `source` (`profile`, `homeAssistant`, `homie`, `names`), `profile`, `mapping`
    /// (see ``DeviceMapping``; null for the flat message), `expectedIntervalSeconds`, `confidence`, `remarks`,
    /// `evidence`, `preview` (`quantity`, `topic`, `path`, `raw`, `value`) and `suggestions` (`quantity`, `scale`, `unit`,
    /// `value`, `reason`).
    public func jsonLine() -> String {
        String(decoding: CanonicalJSON.bytes(ofEncodable: ReportLine(report: self)), as: UTF8.self)
    }
}

/// The shape of the line; written by hand, because the compiler's code leaves absent members out.
private struct ReportLine: Encodable {
    let report: DetectionReport

    private enum Key: String, CodingKey {
        case proposals
        case binaryTopics
        case topics
        case counts
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(report.proposals.map(ProposalLine.init), forKey: .proposals)
        try container.encode(report.binaryTopics.map(BinaryLine.init), forKey: .binaryTopics)
        try container.encode(report.topicCount, forKey: .topics)
        try container.encode(report.counts, forKey: .counts)
    }
}

private struct BinaryLine: Encodable {
    var topic: String
    var kind: String
    var messages: Int

    init(_ binary: DetectionReport.BinaryTopic) {
        topic = binary.topic
        kind = binary.kind.rawValue
        messages = binary.messageCount
    }
}

private struct ProposalLine: Encodable {
    let proposal: DeviceProposal

    init(_ proposal: DeviceProposal) { self.proposal = proposal }

    private enum Key: String, CodingKey {
        case name
        case topic
        case source
        case profile
        case mapping
        case expectedIntervalSeconds
        case confidence
        case remarks
        case evidence
        case preview
        case suggestions
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(proposal.name, forKey: .name)
        try container.encode(proposal.topic, forKey: .topic)
        try container.encode(proposal.source.rawValue, forKey: .source)
        try container.encode(proposal.profile, forKey: .profile)
        try container.encode(proposal.mapping, forKey: .mapping)
        try container.encode(proposal.expectedIntervalSeconds, forKey: .expectedIntervalSeconds)
        try container.encode(proposal.confidence.rawValue, forKey: .confidence)
        try container.encode(proposal.remarks, forKey: .remarks)
        try container.encode(proposal.evidence, forKey: .evidence)
        try container.encode(proposal.preview.map(PreviewLine.init), forKey: .preview)
        try container.encode(proposal.suggestions.map(SuggestionLine.init), forKey: .suggestions)
    }
}

private struct PreviewLine: Encodable {
    let preview: DeviceProposal.Preview

    init(_ preview: DeviceProposal.Preview) { self.preview = preview }

    private enum Key: String, CodingKey {
        case quantity
        case topic
        case path
        case raw
        case value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(preview.quantity, forKey: .quantity)
        try container.encode(preview.topic, forKey: .topic)
        try container.encode(preview.path, forKey: .path)
        try container.encode(preview.raw, forKey: .raw)
        try container.encode(preview.value.flatMap { $0.isFinite ? $0 : nil }, forKey: .value)
    }
}

private struct SuggestionLine: Encodable {
    var quantity: Quantity
    var scale: Double
    var unit: SourceUnit
    var value: Double
    var reason: String

    init(_ suggestion: DeviceProposal.Suggestion) {
        quantity = suggestion.quantity
        scale = suggestion.scale
        unit = suggestion.unit
        value = suggestion.value
        reason = suggestion.reason
    }
}
