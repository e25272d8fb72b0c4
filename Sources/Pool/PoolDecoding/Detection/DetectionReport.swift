import PoolModel

/// The findings of a detection, for a person.
public struct DetectionReport: Hashable, Sendable {
    /// A topic whose payloads are not text.
    public struct BinaryTopic: Hashable, Sendable {
        /// The topic.
        public var topic: String
        /// The kind of the last payload.
        public var kind: BinaryKind
        /// How many messages came.
        public var messageCount: Int
    }

    /// The devices, those of which the most was found first, then by their confidence and their topics.
    public var proposals: [DeviceProposal]
    /// The topics with binary payloads, by their names.
    public var binaryTopics: [BinaryTopic]
    /// The water values outside the proposals, which are not used.
    public var unused: [UnusedValue]
    /// The numbers outside the proposals whose names mean water, and that are not used.
    public var skipped: [SkippedNumber] = []
    /// The topics with names of water quantities and with numbers that could not be read; sorted by name.
    public var unreadTopics: [String]
    /// How many topics with text are remembered.
    public var topicCount: Int
    /// The counts of the messages and of what was dropped.
    public var counts: Detection.Counts

    /// The report as lines of text for a person, without line ends.
    ///
    /// External texts with invisible characters are quoted, and these characters spelled out, so that they have no
    /// effect on a terminal.
    public func textLines() -> [String] {
        var lines: [String] = []
        for (index, proposal) in proposals.enumerated() {
            if index > 0 { lines.append("") }
            lines += Self.lines(of: proposal, number: index + 1)
        }
        if proposals.isEmpty {
            lines.append("No device found among \(topicCount) topics.")
            lines += advice
        }
        if !unused.isEmpty {
            lines.append("")
            lines.append("Seen, and not used:")
            lines += unused.map { "  \(Self.safe($0.words))" }
        }
        if !skipped.isEmpty {
            lines.append("")
            lines.append("Numbers that were not taken:")
            lines += skipped.map { "  \(Self.safe("\($0.raw) at \($0.place)")): \(Self.safe($0.reason))" }
        }
        if !unreadTopics.isEmpty {
            lines.append("")
            lines.append("Nothing could be read on these topics; add one by hand, with --value for each quantity:")
            lines += unreadTopics.map { "  \(Self.safe($0))" }
        }
        if !binaryTopics.isEmpty {
            lines.append("")
            lines.append("Binary payloads are not supported:")
            lines += binaryTopics.map { "  \(Self.safe($0.topic))  \($0.kind.rawValue), \($0.messageCount) messages" }
        }
        lines.append("")
        lines.append(countsLine)
        return lines
    }

    /// What a person can do who expected a device.
    private var advice: [String] {
        guard counts.messages - counts.system - counts.ownHubs > 0 else {
            return [
                "No message was received. Is the device on, and does it publish to this broker?",
                "Many report only every 15 to 60 minutes: listen for longer, as with --for 1h.",
                "A broker that restricts users shows them nothing without an error: this user must be allowed to read #.",
            ]
        }
        return [
            "Many devices report only every 15 to 60 minutes: listen for longer, as with --for 1h.",
            "One with names that are not known here is added by hand, with --value for each quantity: see "
                + "`poolsensors device add --help`.",
        ]
    }

    private static func lines(of proposal: DeviceProposal, number: Int) -> [String] {
        var facts = ["\(proposal.confidence.rawValue) confidence", origin(of: proposal)]
        if let seconds = proposal.expectedIntervalSeconds { facts.append("every \(seconds) s") }
        var lines = [
            "\(number). \(safe(proposal.name))  (\(facts.joined(separator: ", ")))", "   topic \(safe(proposal.topic))",
        ]
        for preview in proposal.preview {
            let raw = preview.raw.map { safe($0) } ?? "nothing yet"
            let value = preview.value.map { NumberShown.text($0, of: preview.quantity) } ?? "no value"
            let place = preview.path == .whole ? "" : " \(safe("\(preview.path)"))"
            lines.append("   \(preview.quantity.name): \(value)  from \(raw) in \(safe(preview.topic))\(place)")
        }
        if let time = proposal.mapping?.time { lines.append("   measured at: \(safe(time.notation))") }
        if !proposal.unused.isEmpty {
            lines.append("   not used: \(proposal.unused.map { safe("\($0.kind) \($0.raw)") }.joined(separator: ", "))")
        }
        var reasons: [String] = []
        for number in proposal.skipped where !reasons.contains(number.reason) { reasons.append(number.reason) }
        lines += reasons.map { reason in
            let numbers = proposal.skipped.filter { $0.reason == reason }.map { number in
                let topic = TopicPrefix.relative(number.topic, to: proposal.topic)
                let place = number.path == .whole ? topic : topic == "~" ? "\(number.path)" : "\(topic) \(number.path)"
                return safe("\(place) \(number.raw)")
            }
            return "   not taken, \(safe(reason)): \(numbers.joined(separator: ", "))"
        }
        return lines + proposal.remarks.map { "   ! \(safe($0))" }
    }

    private static func origin(of proposal: DeviceProposal) -> String {
        switch proposal.source {
        case .profile: "profile \(proposal.profile ?? "")"
        case .homeAssistant: "announced to Home Assistant"
        case .homie: "Homie device"
        case .names: "guessed from names"
        }
    }

    private var countsLine: String {
        var parts = ["\(counts.messages) messages", "\(topicCount) topics"]
        let others = [
            ("announcements", counts.announcements), ("unreadable announcements", counts.unreadableAnnouncements),
            ("Homie attributes", counts.homieAttributes), ("binary", counts.binary),
            ("system messages ignored", counts.system), ("of hubs ignored", counts.ownHubs),
            ("dropped because the buffer was full", counts.dropped), ("devices not shown", counts.droppedProposals),
        ]
        parts += others.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        return parts.joined(separator: ", ") + "."
    }

    /// An external text as it is if every character is visible, otherwise as an excerpt that has no effect on a
    /// terminal.
    private static func safe(_ text: String) -> String {
        let shown = Excerpt(text, scalarCountMax: 512).description
        return shown == "\"\(text)\"" ? text : shown
    }
}
