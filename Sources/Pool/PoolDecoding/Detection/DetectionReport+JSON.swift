import PoolModel

extension DetectionReport {
    /// The report as one line of JSON for programs, without a line end.
    ///
    /// Every key is always present, an unknown value is null, and numbers are neither rounded nor localised.
    ///
    /// | key | value |
    /// |---|---|
    /// | `proposals` | one object for each device, the surest first |
    /// | `binaryTopics` | `topic`, `kind`, `messages` |
    /// | `unused` | `kind`, `topic`, `path`, `raw` of the water values outside the proposals |
    /// | `skipped` | `topic`, `path`, `raw`, `reason` of the other numbers outside the proposals whose names mean water |
    /// | `unreadTopics` | the topics that may be of water, of which nothing could be read |
    /// | `topics` | how many topics with text are remembered |
    /// | `counts` | see ``Detection/Counts`` |
    ///
    /// Each proposal has `name`, `topic`, `source` (`profile`, `homeAssistant`, `homie`, `names`), `profile`, `mapping`
    /// (see `DeviceMapping`; null for the flat message), `expectedIntervalSeconds`, `confidence`, `remarks`,
    /// `evidence`, `preview` (`quantity`, `topic`, `path`, `raw`, `value`), `openQuantities`, `leftOut` (the quantities
    /// that the mapping does not read, because their values are suspected), `unused`, `skipped` and `suggestions` (`quantity`, `place`, `scale`, `unit`, `value`, `reason`, `isChoice`).
    public func jsonLine() -> String {
        String(decoding: CanonicalJSON.bytes(ofEncodable: ReportLine(report: self)), as: UTF8.self)
    }
}

/// The structure of the line; written by hand, because the compiler's code leaves absent members out.
private struct ReportLine: Encodable {
    let report: DetectionReport

    private enum Key: String, CodingKey {
        case proposals
        case binaryTopics
        case unused
        case skipped
        case unreadTopics
        case topics
        case counts
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(report.proposals.map(ProposalLine.init), forKey: .proposals)
        try container.encode(report.binaryTopics.map(BinaryLine.init), forKey: .binaryTopics)
        try container.encode(report.unused.map(UnusedLine.init), forKey: .unused)
        try container.encode(report.skipped.map(SkippedLine.init), forKey: .skipped)
        try container.encode(report.unreadTopics, forKey: .unreadTopics)
        try container.encode(report.topicCount, forKey: .topics)
        try container.encode(report.counts, forKey: .counts)
    }
}

private struct UnusedLine: Encodable {
    var kind: String
    var topic: String
    var path: ValuePath
    var raw: String

    init(_ unused: UnusedValue) {
        kind = unused.kind
        topic = unused.topic
        path = unused.path
        raw = unused.raw
    }
}

private struct SkippedLine: Encodable {
    var topic: String
    var path: ValuePath
    var raw: String
    var reason: String

    init(_ number: SkippedNumber) {
        topic = number.topic
        path = number.path
        raw = number.raw
        reason = number.reason
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
        case openQuantities
        case leftOut
        case unused
        case skipped
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
        try container.encode(proposal.openQuantities, forKey: .openQuantities)
        try container.encode(proposal.leftOut, forKey: .leftOut)
        try container.encode(proposal.unused.map(UnusedLine.init), forKey: .unused)
        try container.encode(proposal.skipped.map(SkippedLine.init), forKey: .skipped)
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
    let suggestion: DeviceProposal.Suggestion

    init(_ suggestion: DeviceProposal.Suggestion) { self.suggestion = suggestion }

    private enum Key: String, CodingKey {
        case quantity
        case place
        case scale
        case unit
        case value
        case reason
        case isChoice
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(suggestion.quantity, forKey: .quantity)
        try container.encode(suggestion.source.notation, forKey: .place)
        try container.encode(suggestion.source.scale, forKey: .scale)
        try container.encode(suggestion.source.unit, forKey: .unit)
        try container.encode(suggestion.value, forKey: .value)
        try container.encode(suggestion.reason, forKey: .reason)
        try container.encode(suggestion.isChoice, forKey: .isChoice)
    }
}
