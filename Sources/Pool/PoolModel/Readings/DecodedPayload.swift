/// What a probe said in one message.
public struct DecodedPayload: Equatable, Sendable {
    /// The notation of a message; each is counted (L10).
    public enum Format: String, CaseIterable, Codable, Sendable {
        /// A flat JSON object.
        case json
        /// `temp:24.5,ph:7.2,chlorine:1.8,orp:685`.
        case text
        /// Whatever the device's mapping describes; see `MappingDecoder`.
        case mapped
    }

    /// A value that water cannot have; it is shown as such and never stored, judged or alerted (P54).
    public struct Quarantined: Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The value as sent; finite.
        public var value: Double
        /// The values that would have been accepted.
        public var range: ClosedRange<Double>

        /// Creates one.
        package init(quantity: Quantity, value: Double, range: ClosedRange<Double>) {
            self.quantity = quantity
            self.value = value
            self.range = range
        }
    }

    /// The plausible values, in the units of their quantities; a quantity that was not sent is absent, never 0 (X2).
    ///
    /// May be empty when everything was quarantined.
    public var values: QuantityMap<Double>
    /// When the sample was taken; nil exactly if ``timeQuality`` is ``TimeQuality/unknown``.
    public var sampledAt: Timestamp?
    /// Where ``sampledAt`` comes from.
    public var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    public var receivedAt: Timestamp
    /// Whether the broker replayed the message from its store: then it is no new measurement (P12, X18).
    public var isRetained: Bool
    /// The notation of the message.
    public var format: Format
    /// The values that water cannot have, in the order of the quantities.
    public var quarantined: [Quarantined]
    /// What else was noticed, in the order of the message; at most `PayloadDecoder.Configuration.remarkCountMax`.
    public var remarks: [PayloadWarning]
    /// The hash of the payload as it came; see ``ReadingKey``.
    public var payloadHash: UInt64

    /// Creates a payload.
    package init(
        values: QuantityMap<Double>, sampledAt: Timestamp? = nil, timeQuality: TimeQuality, receivedAt: Timestamp,
        isRetained: Bool, format: Format, quarantined: [Quarantined], remarks: [PayloadWarning],
        payloadHash: UInt64
    ) {
        self.values = values
        self.sampledAt = sampledAt
        self.timeQuality = timeQuality
        self.receivedAt = receivedAt
        self.isRetained = isRetained
        self.format = format
        self.quarantined = quarantined
        self.remarks = remarks
        self.payloadHash = payloadHash
    }
}
