/// How the messages of a device become readings: which topics, which places in the payloads, which units.
///
/// It is what a person, a built-in profile or a detection says of a device; `MappingDecoder` carries it out. A device
/// without a mapping sends the flat message of `PayloadDecoder` on its own topic.
public struct DeviceMapping: Hashable, Sendable {
    /// The built-in profile that the mapping was made from, such as `zigbee2mqtt`; nil if a person wrote it.
    public var profile: String?
    /// Where the values are; 1…64.
    public var values: [ValueSource]
    /// Where the time of the samples is; nil for the time of receipt.
    public var time: TimeSource?
    /// Where it is said whether the device, or the bridge before it, is there; 0…8, all of them must say so.
    public var availability: [AvailabilitySource]
    /// The place, in the payloads of the values, of a counter or an id of the measurement, or nil.
    ///
    /// The same again means the same measurement again.
    public var measurementID: ValuePath?
    /// The topics or filters on which any message says that the device is alive; at most 8.
    public var heartbeats: [String]
    /// Whether the device publishes a value only when it changed, so that silence, while it is alive, means the same
    /// value.
    public var publishesChangesOnly: Bool

    /// Creates a mapping without checking it.
    public init(
        profile: String? = nil, values: [ValueSource], time: TimeSource? = nil,
        availability: [AvailabilitySource] = [], measurementID: ValuePath? = nil, heartbeats: [String] = [],
        publishesChangesOnly: Bool = false
    ) {
        self.profile = profile
        self.values = values
        self.time = time
        self.availability = availability
        self.measurementID = measurementID
        self.heartbeats = heartbeats
        self.publishesChangesOnly = publishesChangesOnly
    }
}

/// Where one quantity is found, and how the number there becomes a value in the quantity's unit.
///
/// `value = unit(number × scale + offset)`: scale and offset undo what the device did to the number, the unit says
/// what then comes out. A unit that the payload writes behind the number, as `79.5 °F`, counts before ``unit``.
public struct ValueSource: Hashable, Sendable {
    /// The quantity.
    public var quantity: Quantity
    /// The topic, or a topic filter; a `~` at the start stands for the device's own topic, each `..` right after it for
    /// one level less: `~/../LWT` is `tele/LWT` for the device `tele/pool`.
    public var topic: String
    /// The place in the payload.
    public var path: ValuePath
    /// What the number is multiplied with; finite, not 0.
    public var scale: Double
    /// What is then added; finite.
    public var offset: Double
    /// The unit of what then comes out.
    public var unit: SourceUnit
    /// Where the device itself names the unit, so that ``unit`` is only what is assumed where it does not.
    public var unitPlace: UnitPlace?
    /// Where the time of this value is; nil for that of the mapping.
    public var time: TimeSource?
    /// Numbers, as sent, that mean "no value", such as −999; at most 16.
    public var sentinels: [Double]
    /// What must hold in the same payload for the number to be a measurement; at most 8, all of them.
    public var conditions: [PayloadCondition]

    /// Creates a source without checking it.
    public init(
        _ quantity: Quantity, topic: String = "~", path: ValuePath = .whole, scale: Double = 1, offset: Double = 0,
        unit: SourceUnit? = nil, unitPlace: UnitPlace? = nil, time: TimeSource? = nil, sentinels: [Double] = [],
        conditions: [PayloadCondition] = []
    ) {
        self.quantity = quantity
        self.topic = topic
        self.path = path
        self.scale = scale
        self.offset = offset
        self.unit = unit ?? .standard(for: quantity)
        self.unitPlace = unitPlace
        self.time = time
        self.sentinels = sentinels
        self.conditions = conditions
    }
}

/// Where a device names the unit of a value: `C`, `°F`, `fahrenheit`, `mV`.
public struct UnitPlace: Codable, Hashable, Sendable {
    /// The topic, with `~` as in ``ValueSource/topic``; nil for the payload of the value itself.
    ///
    /// From a topic of its own the unit holds until it changes. Values that come before it wait for it a few seconds.
    public var topic: String?
    /// The place in the payload.
    public var path: ValuePath

    /// Creates a place.
    public init(topic: String? = nil, path: ValuePath) {
        self.topic = topic
        self.path = path
    }
}

/// What a payload must say for its numbers to count, such as `isValid` being `true`.
public struct PayloadCondition: Hashable, Sendable {
    /// The place in the payload.
    public var path: ValuePath
    /// The scalars, as text, of which one must stand there; empty for "anything but ``others``".
    public var words: [String]
    /// The scalars, as text, of which none may stand there.
    public var others: [String]

    /// Creates a condition without checking it.
    public init(_ path: ValuePath, isOneOf words: [String] = [], isNoneOf others: [String] = []) {
        self.path = path
        self.words = words
        self.others = others
    }
}
