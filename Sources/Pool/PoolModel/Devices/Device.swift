/// The name of a device record.
public typealias DeviceID = Identifier<Device>

/// A probe in a pool that publishes to a topic of a server.
public struct Device: Identified, Codable, Hashable, Sendable {
    /// The identity; it survives every edit.
    public let id: DeviceID
    /// The name for people; 1…256 bytes, not only blanks.
    public var name: String
    /// The server that the device publishes to.
    public var serverID: ServerID
    /// The topic that the device publishes to: a topic name without wildcards, 1…65535 bytes.
    public var topic: String
    /// What the device is, in words; 1…256 bytes, not only blanks.
    public var deviceType: String
    /// How often the device is expected to report, in seconds; 1…86400.
    ///
    /// Freshness is measured with it.
    public var expectedIntervalSeconds: Int
    /// The limits that differ from ``Limits/standard(for:)``.
    public var limits: QuantityMap<Limits>
    /// The pool that the device measures, nil for none.
    public var poolID: PoolID?
    /// What its messages mean; nil for the flat message of `PayloadDecoder` on ``topic``.
    public var mapping: DeviceMapping?
    /// How its values are corrected (P84).
    public var calibrations: QuantityMap<CalibrationSeries>

    /// Creates a device without checking it; ``PoolConfiguration/adding(_:)-(Device)`` checks it.
    public init(
        id: DeviceID, name: String, serverID: ServerID, topic: String, deviceType: String = Device.defaultType,
        expectedIntervalSeconds: Int = Device.defaultIntervalSeconds, limits: QuantityMap<Limits> = [:],
        poolID: PoolID? = nil, mapping: DeviceMapping? = nil, calibrations: QuantityMap<CalibrationSeries> = [:]
    ) {
        self.id = id
        self.name = name
        self.serverID = serverID
        self.topic = topic
        self.deviceType = deviceType
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.limits = limits
        self.poolID = poolID
        self.mapping = mapping
        self.calibrations = calibrations
    }

    /// The type of a device that nobody gave one.
    public static let defaultType = "Pool Sensor"
    /// The expected interval of a device that nobody gave one, in seconds.
    public static let defaultIntervalSeconds = 60
    /// The intervals that can be expected, in seconds.
    public static let intervalRange = 1...86_400

    /// The corrected value of a raw one that was sampled at a time (P78); the raw one where nothing was calibrated.
    public func corrected(_ raw: Double, of quantity: Quantity, sampledAt moment: Timestamp) -> Double {
        calibrations[quantity]?.corrected(raw, sampledAt: moment) ?? raw
    }

    /// Checks every field against its documented range; whether the server exists is the configuration's matter.
    ///
    /// - Throws: The first ``ConfigurationError`` in the order of the fields.
    public func validate() throws(ConfigurationError) {
        try NameRule.check(name, of: .device)
        if let flaw = TopicProblem.find(in: topic) { throw .topicInvalid(topic, flaw) }
        try NameRule.checkType(deviceType)
        guard Self.intervalRange.contains(expectedIntervalSeconds) else {
            throw .intervalOutOfRange(expectedIntervalSeconds)
        }
        for (quantity, limits) in limits.pairs where !limits.isOrdered {
            throw .limitsNotOrdered(quantity, limits)
        }
    }
}
