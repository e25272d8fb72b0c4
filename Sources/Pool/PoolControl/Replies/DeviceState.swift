package import PoolModel

/// A device and its current state.
package struct DeviceState: Equatable, Sendable {
    /// The configured device, with its own limits.
    package var device: Device
    /// The limits that apply to it: its own, else those of its pool, else the default ones.
    package var limits: QuantityMap<Limits>
    /// Whether it is the selected device.
    package var isSelected = false
    /// The newest values, corrected.
    package var readings: DeviceReadings?
    /// The newest values as the device sent them.
    package var rawReadings: QuantityMap<LatestValue>?
    /// Whether the device is online, as it or its bridge reported; nil if nothing was reported or the hub is not
    /// running.
    package var isAvailable: Bool?
    /// Why no messages can come from it, in words: the broker refuses its topics; nil if they can, or the hub is not
    /// running.
    package var obstacle: String?
    /// The number of its readings in the history.
    package var storedReadings = 0
    /// Counts of its messages since the hub started; nil if the hub is not running.
    package var counts: IngestCounts?
    /// Its last message since the hub started; nil if there is none or the hub is not running.
    package var lastMessage: RawMessage?

    /// Creates the state of a device without data.
    package init(_ device: Device, limits: QuantityMap<Limits>) {
        self.device = device
        self.limits = limits
    }

    /// The identity of the device.
    package var id: DeviceID { device.id }
    /// The name of the device.
    package var name: String { device.name }

    /// The quantities that lists name for it, in order.
    package var listedQuantities: [Quantity] {
        Quantity.listed {
            readings?.has($0) ?? false || device.limits[$0] != nil || limits[$0] != nil
        }
    }

    /// The device's values for display.
    ///
    /// Their link state is always `linked`, because no link lies between them and the hub.
    ///
    /// - Parameters:
    ///   - day: The history of its last day; nil if it is not available.
    ///   - alerts: The open alerts; the status of a value is at least as severe as its alert.
    ///   - now: The current time, by the hub's clock.
    ///   - revision: The revision of the configuration; nil to leave it out.
    /// - Returns: The values with their status, age and trend.
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

/// One flat JSON object, as `--json` prints it: the fields of the device and those of its state.
///
/// `limits` are those that apply; `ownLimits` are those of the device.
extension DeviceState: Codable {
    private enum CodingKeys: CodingKey {
        case ownLimits, isSelected, readings, rawReadings, isAvailable, obstacle, storedReadings, counts, lastMessage
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
        obstacle = try fields.decodeIfPresent(String.self, forKey: .obstacle)
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
        try fields.encodeIfPresent(obstacle, forKey: .obstacle)
        try fields.encode(storedReadings, forKey: .storedReadings)
        try fields.encodeIfPresent(counts, forKey: .counts)
        try fields.encodeIfPresent(lastMessage, forKey: .lastMessage)
    }
}
