package import PoolModel

/// A device with what a hub knows of it.
package struct DeviceState: Equatable, Sendable {
    /// What is configured; its limits are those of its own.
    package var device: Device
    /// The limits that hold for it: its own, else those of its pool, else the standard ones.
    package var limits: QuantityMap<Limits>
    /// Whether it is the selected one.
    package var isSelected = false
    /// The newest values, corrected.
    package var readings: DeviceReadings?
    /// The newest values as the device sent them.
    package var rawReadings: QuantityMap<LatestValue>?
    /// Whether the device is there, as it or its bridge says; nil if nothing was said, and at rest.
    package var isAvailable: Bool?
    /// The readings in the history.
    package var storedReadings = 0
    /// What became of its messages since the hub started; nil at rest.
    package var counts: IngestCounts?
    /// Its last message as it came since the hub started; nil at rest.
    package var lastMessage: RawMessage?

    /// Creates the state of a device that nothing came from.
    package init(_ device: Device, limits: QuantityMap<Limits>) {
        self.device = device
        self.limits = limits
    }

    /// The identity of the device.
    package var id: DeviceID { device.id }
    /// The name of the device.
    package var name: String { device.name }

    /// The device's values as every face shows them; its link is always `linked`, because the hub looks at its own.
    ///
    /// - Parameters:
    ///   - day: Its last day, nil without one.
    ///   - alerts: What the values are judged by, beside the limits.
    ///   - now: Now, by the hub's clock.
    ///   - revision: The revision of the configuration, nil to leave it out.
    /// - Returns: The values, with their status, age and trend.
    package func glance(
        day: ValueHistory? = nil, alerts: AlertState, at now: Timestamp, revision: UInt64? = nil
    ) -> Glance {
        let known = WatchDevice(
            id: device.id, name: device.name, serverID: device.serverID,
            expectedIntervalSeconds: device.expectedIntervalSeconds, limits: limits)
        return Glance(
            device: known, readings: readings, history: day, now: now, link: .linked, revision: revision, clock: "",
            alerts: alerts)
    }
}

/// One flat object, as `--json` prints it: the fields of the device beside those of its state.
///
/// `limits` are those that hold, `ownLimits` those of the device.
extension DeviceState: Codable {
    private enum CodingKeys: CodingKey {
        case ownLimits, isSelected, readings, rawReadings, isAvailable, storedReadings, counts, lastMessage
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        device = try Device(from: decoder)
        limits = device.limits
        device.limits = try fields.decode(QuantityMap<Limits>.self, forKey: .ownLimits)
        isSelected = try fields.decode(Bool.self, forKey: .isSelected)
        readings = try fields.decodeIfPresent(DeviceReadings.self, forKey: .readings)
        rawReadings = try fields.decodeIfPresent(QuantityMap<LatestValue>.self, forKey: .rawReadings)
        isAvailable = try fields.decodeIfPresent(Bool.self, forKey: .isAvailable)
        storedReadings = try fields.decode(Int.self, forKey: .storedReadings)
        counts = try fields.decodeIfPresent(IngestCounts.self, forKey: .counts)
        lastMessage = try fields.decodeIfPresent(RawMessage.self, forKey: .lastMessage)
    }

    package func encode(to encoder: any Encoder) throws {
        var shown = device
        shown.limits = limits
        try shown.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(device.limits, forKey: .ownLimits)
        try fields.encode(isSelected, forKey: .isSelected)
        try fields.encodeIfPresent(readings, forKey: .readings)
        try fields.encodeIfPresent(rawReadings, forKey: .rawReadings)
        try fields.encodeIfPresent(isAvailable, forKey: .isAvailable)
        try fields.encode(storedReadings, forKey: .storedReadings)
        try fields.encodeIfPresent(counts, forKey: .counts)
        try fields.encodeIfPresent(lastMessage, forKey: .lastMessage)
    }
}
