public import PoolModel

/// The payloads that a hub publishes on its own topics.
extension HubTopics {
    /// Tells whether a device reports.
    public func availabilityMessage(of device: DeviceID, isOnline: Bool) -> PublishedMessage {
        PublishedMessage(topic: availability(of: device), text: isOnline ? Self.online : Self.offline)
    }

    /// Tells whether a device has a current value of a quantity.
    public func availabilityMessage(of device: DeviceID, _ quantity: Quantity, isOnline: Bool) -> PublishedMessage {
        PublishedMessage(
            topic: availability(of: device, quantity), text: isOnline ? Self.online : Self.offline)
    }

    /// Tells the corrected values of a device, in the units of `Quantity.unit`, and when they were sampled.
    ///
    /// A value that is absent or not finite is left out, never sent as zero.
    public func valuesMessage(
        of device: DeviceID, values: QuantityMap<Double>, sampledAt: Timestamp?
    ) -> PublishedMessage {
        let line = HubValuesPayload(values: values.compactMapValues { $0.isFinite ? $0 : nil }, sampledAt: sampledAt)
        return PublishedMessage(
            topic: self.values(of: device), payload: CanonicalJSON.bytes(ofEncodable: line), isRetained: false)
    }

    /// Tells the status of a device, as `Headline.label`, and the status of each of its quantities.
    public func statusMessage(
        of device: DeviceID, headline: Headline, quantities: QuantityMap<Status>
    ) -> PublishedMessage {
        let line = HubStatusPayload(status: headline.label, quantities: quantities)
        return PublishedMessage(topic: self.status(of: device), payload: CanonicalJSON.bytes(ofEncodable: line))
    }

    /// Tells which alerts are open, on the topic of a quantity, a device or a server.
    ///
    /// The text says what is wrong, but not the value, so that it stays the same from one sample to the next.
    public func alertMessage(on topic: String, _ alerts: [AlertState.Alert]) -> PublishedMessage {
        let line = HubAlertPayload(
            state: alerts.isEmpty ? "OFF" : "ON", text: alerts.map(\.condition).joined(separator: "; "),
            severity: alerts.map(\.severity).max())
        return PublishedMessage(topic: topic, payload: CanonicalJSON.bytes(ofEncodable: line))
    }

    /// Empties every retained topic of a removed device.
    public func removalMessages(of device: DeviceID) -> [PublishedMessage] {
        retained(of: device).map { PublishedMessage(topic: $0, payload: []) }
    }
}

private struct HubValuesPayload: Encodable {
    var values: QuantityMap<Double>
    var sampledAt: Timestamp?

    private enum Key: String, CodingKey {
        case sampledAt
    }

    func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(sampledAt?.iso8601, forKey: .sampledAt)
    }
}

private struct HubStatusPayload: Encodable {
    var status: String
    var quantities: QuantityMap<Status>
}

private struct HubAlertPayload: Encodable {
    var state: String
    var text: String
    var severity: AlertSeverity?
}

extension AlertState.Alert {
    /// What is wrong, in words that stay the same as long as it lasts, for example `pH too high`.
    fileprivate var condition: String {
        switch key {
        case .value(_, let quantity, let side): "\(quantity.name) too \(side.rawValue)"
        case .missing(_, let quantity): quantity.map { "\($0.name) missing" } ?? "nothing comes from the device"
        case .fault(_, let quantity): quantity.map { "\($0.name) faulty" } ?? "unreadable payloads"
        case .connection, .hub, .test: summary
        }
    }
}
