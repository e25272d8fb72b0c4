/// One measurement of a device, as the history keeps it.
public struct Reading: Hashable, Codable, Sendable {
    /// The device that measured: the one whose topic the message came on (X10).
    public var deviceID: DeviceID
    /// The plausible values in the units of their quantities; at least one.
    public var values: QuantityMap<Double>
    /// When the sample was taken.
    public var sampledAt: Timestamp
    /// Where ``sampledAt`` comes from; never ``TimeQuality/unknown``.
    public var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    public var receivedAt: Timestamp
    /// The place in the order in which the hub accepted readings, nil before it is stored.
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

    /// The new measurement that a message is; nil for a replayed message (P12, X18) and for one without a plausible
    /// value (P54).
    public init?(deviceID: DeviceID, payload: DecodedPayload) {
        guard !payload.isRetained, !payload.values.isEmpty, let sampledAt = payload.sampledAt else { return nil }
        self.init(
            deviceID: deviceID, values: payload.values, sampledAt: sampledAt, timeQuality: payload.timeQuality,
            receivedAt: payload.receivedAt)
    }
}
