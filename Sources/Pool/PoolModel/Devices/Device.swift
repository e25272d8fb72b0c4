/// The identifier of a device record.
public typealias DeviceID = Identifier<Device>

/// A probe in a pool that publishes to a topic of a server.
public struct Device: Identified, Codable, Hashable, Sendable {
    /// The identifier; no edit changes it.
    public let id: DeviceID
    /// The name for people; 1…256 bytes, not only blanks.
    public var name: String
    /// The server that the device publishes to.
    public var serverID: ServerID
    /// The topic that the device publishes to: a topic name without wildcards, 1…65535 bytes.
    public var topic: String
    /// The type of the device in words; 1…256 bytes, not only blanks.
    public var deviceType: String
    /// The interval in which the device is expected to report, in seconds; 1…86400.
    ///
    /// Freshness depends on it.
    public var expectedIntervalSeconds: Int
    /// Whether the hub learns the interval from the readings, see ``IntervalMemory``; nil, as in devices of earlier
    /// versions, if a person has set it.
    public var learnsInterval: Bool?
    /// The limits that differ from ``QuantityFacts/limits``.
    public var limits: QuantityMap<Limits>
    /// The pool that the device measures, nil for none.
    public var poolID: PoolID?
    /// The meaning of its messages; nil for the flat message of `PayloadDecoder` on ``topic``.
    public var mapping: DeviceMapping?
    /// The calibrations of its quantities.
    public var calibrations: QuantityMap<CalibrationSeries>

    /// Creates a device without checking it; ``PoolConfiguration/adding(_:)-(Device)`` checks it.
    public init(
        id: DeviceID, name: String, serverID: ServerID, topic: String, deviceType: String = Device.defaultType,
        expectedIntervalSeconds: Int = Device.defaultIntervalSeconds, limits: QuantityMap<Limits> = [:],
        poolID: PoolID? = nil, mapping: DeviceMapping? = nil, calibrations: QuantityMap<CalibrationSeries> = [:],
        learnsInterval: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.serverID = serverID
        self.topic = topic
        self.deviceType = deviceType
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.learnsInterval = learnsInterval
        self.limits = limits
        self.poolID = poolID
        self.mapping = mapping
        self.calibrations = calibrations
    }

    /// The type of a device without a given type.
    public static let defaultType = "Pool Sensor"
    /// The expected interval of a device without a given one, in seconds.
    public static let defaultIntervalSeconds = 60
    /// The range of expected intervals, in seconds.
    public static let intervalRange = 1...86_400

    /// The corrected value for a raw one sampled at this time; the raw value if no calibration is valid.
    public func corrected(_ raw: Double, of quantity: Quantity, sampledAt moment: Timestamp) -> Double {
        calibrations[quantity]?.corrected(raw, sampledAt: moment) ?? raw
    }

    /// Checks every field against its documented range; the configuration checks whether the server exists.
    ///
    /// - Throws: The first ``ConfigurationError`` in the order of the fields.
    public func validate() throws(ConfigurationError) {
        try checkFields()
    }
}
