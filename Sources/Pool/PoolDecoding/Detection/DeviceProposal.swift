public import PoolModel

/// A device that a detection has found, for a person to take or leave; nothing is applied by itself.
public struct DeviceProposal: Hashable, Sendable {
    /// How sure it is that the values are what they are taken for.
    public enum Confidence: String, CaseIterable, Comparable, Sendable {
        /// A guess: look at the preview.
        case low
        /// Names and values fit together.
        case medium
        /// The device, or a profile that knows it, says so.
        case high

        /// Whether the left one is less sure.
        public static func < (left: Confidence, right: Confidence) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Where a proposal comes from.
    public enum Source: String, Sendable {
        /// A built-in profile, whose topics and keys were seen.
        case profile
        /// An announcement to Home Assistant.
        case homeAssistant
        /// The description of a Homie device.
        case homie
        /// Names and values alone.
        case names
    }

    /// The last value of one quantity.
    public struct Preview: Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The topic on which it came.
        public var topic: String
        /// The place in the payload.
        public var path: ValuePath
        /// What stood there, as sent, at most 64 code points; nil if no value has come yet.
        public var raw: String?
        /// What it becomes, in the unit of `Quantity.unit`; nil if it is no value.
        public var value: Double?

        init(quantity: Quantity, topic: String, path: ValuePath, raw: String? = nil, value: Double? = nil) {
            self.quantity = quantity
            self.topic = topic
            self.path = path
            self.raw = raw
            self.value = value
        }
    }

    /// A change of the mapping that a person may want; it is not in the mapping.
    public struct Suggestion: Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// Where the quantity would be found, and how it would be read, in place of the mapping's.
        public var source: ValueSource
        /// What the last value would become, in the unit of `Quantity.unit`; nil if none has come.
        public var value: Double?
        /// What is chosen with it, with its value, for one of several places; nil for another scale or unit.
        public var title: String?
        /// Why.
        public var reason: String

        /// Whether it is one of several places of which a person must choose one.
        public var isChoice: Bool { title != nil }
    }

    /// The name for people.
    public var name: String
    /// The device's topic, for which `~` stands in the mapping.
    public var topic: String
    /// Where the proposal comes from.
    public var source: Source
    /// The built-in profile; nil without one.
    public var profile: String?
    /// The mapping; nil for a device that sends the flat message, which needs none.
    ///
    /// It has no values, and so cannot be taken as it is, if the device announced sensors of which no template is
    /// understood; the remarks say so.
    public var mapping: DeviceMapping?
    /// How often the device was seen to report, in seconds, or said that it will; nil if neither.
    public var expectedIntervalSeconds: Int?
    /// The last values, in the order of `Quantity`.
    public var preview: [Preview]
    /// How sure it is.
    public var confidence: Confidence
    /// What a person should know before taking it.
    public var remarks: [String]
    /// What could be changed; several for different quantities can be taken together.
    public var suggestions: [Suggestion]
    /// The quantities of which there are several, and nothing says which one is the water's: one of the suggestions must
    /// be chosen.
    public var openQuantities: [Quantity]
    /// What the device also sends, and what is not used.
    public var unused: [UnusedValue] = []
    /// The topics that it rests on, sorted; at most 32.
    public var evidence: [String]

    /// The mapping with suggestions carried out; of two for the same quantity the last one counts.
    public func mapping(taking suggestions: [Suggestion]) -> DeviceMapping? {
        suggestions.reduce(mapping) { $0?.reading($1.quantity, as: values(of: $1)) }
    }

    /// The sources of a quantity as a suggestion makes them.
    public func values(of suggestion: Suggestion) -> [ValueSource] {
        guard !suggestion.isChoice, let mapping else { return [suggestion.source] }
        return mapping.values.filter { $0.quantity == suggestion.quantity }.map { source in
            var source = source
            source.scale = suggestion.source.scale
            source.unit = suggestion.source.unit
            return source
        }
    }
}

extension DeviceMapping {
    /// The mapping with other sources of a quantity, at the place of the first one of it.
    public func reading(_ quantity: Quantity, as sources: [ValueSource]) -> DeviceMapping {
        var mapping = self
        let place = values.firstIndex { $0.quantity == quantity } ?? values.count
        mapping.values.removeAll { $0.quantity == quantity }
        mapping.values.insert(contentsOf: sources, at: min(place, mapping.values.count))
        return mapping
    }
}
