/// One measurement of a device, as the history stores it.
public struct Reading: Hashable, Codable, Sendable {
    /// The device that measured: the one that the message's topic belongs to.
    public var deviceID: DeviceID
    /// The plausible values in the units of their quantities; at least one.
    public var values: QuantityMap<Double>
    /// When the sample was taken.
    public var sampledAt: Timestamp
    /// The source of ``sampledAt``; never ``TimeQuality/unknown``.
    public var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    public var receivedAt: Timestamp
    /// The number in the order in which the hub accepted readings; nil before it is stored.
    public var ordinal: UInt64?

    /// Creates a reading.
    public init(
        deviceID: DeviceID, values: QuantityMap<Double>, sampledAt: Timestamp, timeQuality: TimeQuality,
        receivedAt: Timestamp, ordinal: UInt64? = nil
    ) {
        self.deviceID = deviceID
        self.values = values
        self.sampledAt = sampledAt
        self.timeQuality = timeQuality
        self.receivedAt = receivedAt
        self.ordinal = ordinal
    }

    /// The measurement in a message; nil for a replayed message, and for one without a plausible value.
    public init?(deviceID: DeviceID, payload: DecodedPayload) {
        guard !payload.isRetained, !payload.values.isEmpty, let sampledAt = payload.sampledAt else { return nil }
        self.init(
            deviceID: deviceID, values: payload.values, sampledAt: sampledAt, timeQuality: payload.timeQuality,
            receivedAt: payload.receivedAt)
    }
}
