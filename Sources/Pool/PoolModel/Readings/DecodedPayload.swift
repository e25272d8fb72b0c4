/// The contents of one message of a probe.
public struct DecodedPayload: Equatable, Sendable {
    /// The format of a message; messages are counted by format.
    public enum Format: String, CaseIterable, Codable, Sendable {
        /// A flat JSON object, such as `{"ph":7.2}`.
        case json
        /// A list such as `temp:24.5,ph:7.2,chlorine:1.8`.
        case text
        /// A format that the device's mapping describes; see `MappingDecoder`.
        case mapped
    }

    /// A value that is a fault of the probe; it is told as such, and never stored, judged or used for alerts.
    public struct Quarantined: Hashable, Sendable {
        /// The quantity.
        public var quantity: Quantity
        /// The value as sent; finite.
        public var value: Double
        /// What the value says about the probe.
        public var fault: ProbeFault

        /// The possible range, in the quantity's unit.
        public var range: ClosedRange<Double> { quantity.facts.possibleRange }

        /// Creates a quarantined value.
        package init(quantity: Quantity, value: Double, fault: ProbeFault) {
            self.quantity = quantity
            self.value = value
            self.fault = fault
        }

        /// What the probe does, as a clause.
        public var words: String { fault.words(quantity, value) }
    }

    /// The plausible values, in the units of their quantities; a quantity that was not sent is absent, never 0.
    ///
    /// May be empty if all values were quarantined.
    public var values: QuantityMap<Double>
    /// When the sample was taken; nil exactly if ``timeQuality`` is ``TimeQuality/unknown``.
    public var sampledAt: Timestamp?
    /// The source of ``sampledAt``.
    public var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    public var receivedAt: Timestamp
    /// Whether the broker replayed a retained message; if so, it is not a new measurement.
    public var isRetained: Bool
    /// The format of the message.
    public var format: Format
    /// The implausible values, in the order of the quantities.
    public var quarantined: [Quarantined]
    /// Further warnings, in the order of the message; at most `PayloadDecoder.Configuration.remarkCountMax`.
    public var remarks: [PayloadWarning]
    /// The hash of the original payload; see ``ReadingKey``.
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

extension DecodedPayload {
    /// Quarantines the values that are faults in view of the others.
    ///
    /// - Parameters:
    ///   - known: What the device measures besides, from earlier messages; the values of this message come before.
    ///   - before: The earlier values of the same quantities, if they are not hours old.
    public mutating func quarantine(beside known: QuantityMap<Double>, after before: QuantityMap<Double>) {
        var others = known
        for (quantity, value) in values.pairs { others[quantity] = value }
        for index in quarantined.indices {
            let (quantity, value) = (quarantined[index].quantity, quarantined[index].value)
            guard let fault = ProbeFault(quantity, value, beside: others, after: before[quantity]) else { continue }
            quarantined[index] = Quarantined(quantity: quantity, value: value, fault: fault)
        }
        for (quantity, value) in values.pairs {
            let fault = ProbeFault(quantity, value, beside: others, after: before[quantity])
            guard let fault else { continue }
            values[quantity] = nil
            quarantined.append(Quarantined(quantity: quantity, value: value, fault: fault))
        }
    }
}
