public import PoolModel

/// A device that a detection has found, for a person to accept or reject; nothing is applied by itself.
public struct DeviceProposal: Hashable, Sendable {
    /// How sure it is that the values are the proposed quantities.
    public enum Confidence: String, CaseIterable, Comparable, Sendable {
        /// A guess: check the preview.
        case low
        /// Names and values fit together.
        case medium
        /// The device, or a profile that knows it, says so.
        case high

        /// Whether the left one is less sure.
        public static func < (left: Confidence, right: Confidence) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The origin of a proposal.
    public enum Source: String, Sendable {
        /// A built-in profile, whose topics and keys were seen.
        case profile
        /// An announcement to Home Assistant.
        case homeAssistant
        /// The description of a Homie device.
        case homie
        /// Only names and values.
        case names
    }

    /// The last value of one quantity.
    public struct Preview: Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The topic on which it came.
        public var topic: String
        /// The path in the payload.
        public var path: ValuePath
        /// The raw text there, at most 64 code points; nil if no value has come yet.
        public var raw: String?
        /// The resulting value, in the unit of `Quantity.unit`; nil if it is not a value.
        public var value: Double?

        init(quantity: Quantity, topic: String, path: ValuePath, raw: String? = nil, value: Double? = nil) {
            self.quantity = quantity
            self.topic = topic
            self.path = path
            self.raw = raw
            self.value = value
        }
    }

    /// A change of the mapping that a person may want; the mapping does not contain it.
    public struct Suggestion: Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// Where the quantity would be read from, and how, in place of the mapping's source.
        public var source: ValueSource
        /// The resulting last value, in the unit of `Quantity.unit`; nil if none has come.
        public var value: Double?
        /// The name of the place to choose, with its value, if it is one of several; nil for another scale or unit, or
        /// for the same one in spite of a suspicion.
        public var title: String?
        /// Whether it is the place of the mapping as it is, in spite of a suspicion.
        public var isAsItIs = false
        /// The reason.
        public var reason: String

        /// Whether it is one of several places of which a person must choose one.
        public var isChoice: Bool { title != nil }
    }

    /// The name for people.
    public var name: String
    /// The device's topic; `~` in the mapping means this topic.
    public var topic: String
    /// The origin of the proposal.
    public var source: Source
    /// The name of the built-in profile; nil without one.
    public var profile: String?
    /// The mapping; nil for a device that sends the flat message, which needs none.
    ///
    /// If the device announced sensors, but none of the templates is supported, the mapping has no values and cannot
    /// be used as it is; the remarks say so.
    public var mapping: DeviceMapping?
    /// The reporting interval that was seen or announced, in seconds; nil if neither is known.
    public var expectedIntervalSeconds: Int?
    /// The last values, in the order of `Quantity`.
    public var preview: [Preview]
    /// How sure it is.
    public var confidence: Confidence
    /// What a person should know before accepting it.
    public var remarks: [String]
    /// Possible changes; several for different quantities can be applied together.
    public var suggestions: [Suggestion]
    /// The quantities of which one of the suggestions must be chosen: nothing tells which of several candidates is the
    /// water's, or in which unit or scale it is.
    public var openQuantities: [Quantity]
    /// Why a choice is needed, for each of ``openQuantities``.
    public var openReasons: QuantityMap<String> = [:]
    /// The quantities that the mapping does not read, because the value that came cannot be one; a suggestion adds each
    /// of them.
    public var leftOut: [Quantity] = []
    /// The other values of the device, which are not used.
    public var unused: [UnusedValue] = []
    /// The other numbers of the device, which are not used, each with the reason.
    public var skipped: [SkippedNumber] = []
    /// The topics that it is based on, sorted; at most 32.
    public var evidence: [String]

    /// The topics that say whether it is available.
    var availabilityTopics: [String] {
        (mapping?.availability ?? []).compactMap { TopicPattern($0.topic, deviceTopic: topic)?.filter }
    }

    /// The sources of a quantity with a suggestion applied.
    public func values(of suggestion: Suggestion) -> [ValueSource] {
        let isMapped = mapping?.values.contains { $0.quantity == suggestion.quantity } ?? false
        guard !suggestion.isChoice, let mapping, isMapped else { return [suggestion.source] }
        return mapping.values.filter { $0.quantity == suggestion.quantity }.map { source in
            var source = source
            source.scale = suggestion.source.scale
            source.unit = suggestion.source.unit
            return source
        }
    }
}

extension DeviceMapping {
    /// The mapping with other sources of a quantity, at the position of its first one.
    public func reading(_ quantity: Quantity, as sources: [ValueSource]) -> DeviceMapping {
        var mapping = self
        let place = values.firstIndex { $0.quantity == quantity } ?? values.count
        mapping.values.removeAll { $0.quantity == quantity }
        mapping.values.insert(contentsOf: sources, at: min(place, mapping.values.count))
        return mapping
    }
}
