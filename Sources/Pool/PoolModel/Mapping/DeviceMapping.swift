/// How the messages of a device become readings: which topics, which places in the payloads, which units.
///
/// A mapping comes from a person, a built-in profile or a detection; `MappingDecoder` applies it. A device without a
/// mapping sends the flat message of `PayloadDecoder` on its own topic.
public struct DeviceMapping: Hashable, Sendable {
    /// The built-in profile that the mapping was created from, such as `zigbee2mqtt`; nil if a person wrote it.
    public var profile: String?
    /// The sources of the values; 1…64.
    public var values: [ValueSource]
    /// The source of the sample time; nil for the time of receipt.
    public var time: TimeSource?
    /// The sources of the availability of the device, or of the bridge before it; 0…8; all must report it as
    /// available.
    public var availability: [AvailabilitySource]
    /// The place of a counter or identifier of the measurement, in the payloads of the values; or nil.
    ///
    /// The same content means the same measurement.
    public var measurementID: ValuePath?
    /// The topics or filters whose messages show that the device is alive; at most 8.
    public var heartbeats: [String]
    /// Whether the device publishes a value only when it changed.
    ///
    /// If so, no message from an available device means an unchanged value.
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

/// The source of one quantity, and the conversion of its number to the quantity's unit.
///
/// `value = unit(number × scale + offset)`: scale and offset reverse the device's own conversion, and `unit` is the
/// unit of the result. A unit after the number in the payload, as in `79.5 °F`, has priority over ``unit``.
public struct ValueSource: Hashable, Sendable {
    /// The quantity.
    public var quantity: Quantity
    /// The topic, or a topic filter.
    ///
    /// A `~` at the start stands for the device's own topic, and each `..` right after it removes one level:
    /// `~/../LWT` is `tele/LWT` for the device `tele/pool`.
    public var topic: String
    /// The place in the payload.
    public var path: ValuePath
    /// The factor for the number; finite, not 0.
    public var scale: Double
    /// The number to add after that; finite.
    public var offset: Double
    /// The unit of the result.
    public var unit: SourceUnit
    /// Where the device sends the unit; ``unit`` is then only used if it does not.
    public var unitPlace: UnitPlace?
    /// The source of this value's time; nil for that of the mapping.
    public var time: TimeSource?
    /// The numbers, as sent, that mean "no value", such as −999; at most 16.
    public var sentinels: [Double]
    /// The conditions in the same payload under which the number is a measurement; at most 8, all must hold.
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
        self.unit = unit ?? quantity.facts.unit
        self.unitPlace = unitPlace
        self.time = time
        self.sentinels = sentinels
        self.conditions = conditions
    }

    /// The value of a number as it was sent, in the unit in which the quantity is stored.
    ///
    /// - Precondition: The quantity has the unit.
    public func standardValue(_ number: Double, in unit: SourceUnit) -> Double {
        quantity.standardValue(number * scale + offset, in: unit)
    }
}

/// The place where a device sends the unit of a value: `C`, `°F`, `fahrenheit`, `mV`.
public struct UnitPlace: Codable, Hashable, Sendable {
    /// The topic, with `~` as in ``ValueSource/topic``; nil for the payload of the value itself.
    ///
    /// A unit from a separate topic applies until it changes. Values that arrive before it wait for it for a few
    /// seconds.
    public var topic: String?
    /// The place in the payload.
    public var path: ValuePath

    /// Creates a place.
    public init(topic: String? = nil, path: ValuePath) {
        self.topic = topic
        self.path = path
    }
}
