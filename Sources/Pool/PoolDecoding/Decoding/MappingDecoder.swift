public import PoolModel

/// Reads the messages of one device as its mapping says.
///
/// A value type without a clock or threads: the caller passes each message with the time of its receipt, in the order
/// of arrival, and calls ``expire(at:)`` at the ``deadline``. It remembers little: for each time, unit and
/// availability topic the last message, for each value source at most one waiting value, and the last measurements of
/// each quantity.
///
/// Values whose time or unit comes on a separate topic wait for it at most ``Configuration/waitMilliseconds``; they
/// are paired, whichever message comes first. After three values that waited in vain for the time the next ones do
/// not wait, until a time comes again.
///
/// Bridges send a measurement again when they start or when another value changes. Such a repetition is recognized by
/// the time that the device gave it, or by `DeviceMapping.measurementID`; without either, equal values are new
/// measurements.
public struct MappingDecoder: Sendable {
    /// The limits of a decoder.
    public struct Configuration: Hashable, Sendable {
        /// The limits for one payload.
        public var payload = PayloadDecoder.Configuration()
        /// How long a value waits for its time or unit, in milliseconds; 5 s, because bridges send both at once.
        public var waitMilliseconds: Int64 = 5000
        /// How many measurements of a quantity are remembered, to recognize repetitions.
        public var memoryCountMax = 8

        /// Creates the default limits.
        public init() {}
    }

    /// The mapping.
    public let mapping: DeviceMapping
    let configuration: Configuration
    let plan: MappingPlan
    var state: MappingState

    /// Creates a decoder that has received nothing yet.
    ///
    /// - Parameters:
    ///   - mapping: What the device sends.
    ///   - deviceTopic: The topic that `~` stands for.
    ///   - configuration: The limits.
    /// - Throws: `MappingError` if the mapping is not valid, or not for this topic.
    public init(
        mapping: DeviceMapping, deviceTopic: String, configuration: Configuration = Configuration()
    ) throws(MappingError) {
        try mapping.validate()
        self.mapping = mapping
        self.configuration = configuration
        plan = try MappingPlan(mapping, deviceTopic: deviceTopic)
        state = MappingState(plan)
    }

    /// The topic filters to subscribe to, each once, in the order of the mapping.
    public var filters: [String] { plan.filters }

    /// Whether messages on a topic belong to this device.
    ///
    /// - Complexity: One look-up, and one comparison for each filter with a wildcard.
    public func concerns(_ topic: String) -> Bool { plan.concerns(topic) }

    /// Whether the device is available according to its availability sources; nil while one of them is missing.
    public var isAvailable: Bool? { state.isAvailable }

    /// Sets the previous readings of the device, so that a measurement that a bridge sends again after a restart of
    /// the hub is not new.
    public mutating func recall(_ readings: DeviceReadings) {
        for (quantity, latest) in readings.values.pairs where latest.timeQuality == .device {
            let memory = MappingState.LastMeasurement(value: latest.value, sampledAt: latest.sampledAt)
            state.lastMeasurements[quantity] = [memory] + (state.lastMeasurements[quantity] ?? [])
        }
    }

    /// The time for ``expire(at:)``; nil if no value waits.
    public var deadline: Timestamp? {
        state.waiting.values.map { $0.receivedAt.advanced(byMilliseconds: configuration.waitMilliseconds) }.min()
    }

    /// Stops waiting where the deadline has passed, or the clock was set back.
    ///
    /// - Returns: The measurements of the values that waited: with the time of their receipt, or in the assumed unit.
    public mutating func expire(at now: Timestamp) -> [DecodedPayload] {
        var batch = MappingBatch()
        for index in state.waiting.keys.sorted() {
            guard let waiting = state.waiting[index] else { continue }
            let waited = now.milliseconds(since: waiting.receivedAt)
            guard waited >= configuration.waitMilliseconds || waited < 0 else { continue }
            state.waiting[index] = nil
            giveUp(waiting, into: &batch)
        }
        return batch.readings
    }

    /// Reads one message.
    ///
    /// - Parameters:
    ///   - topic: The topic that the message came on.
    ///   - payload: The bytes of the message.
    ///   - receivedAt: The time of receipt by the hub's clock.
    ///   - isRetained: Whether the broker replayed the message from its store.
    /// - Returns: The result; nil if the topic is not one of the device's.
    public mutating func receive(
        topic: String, payload: [UInt8], receivedAt: Timestamp, isRetained: Bool
    ) -> MappingOutcome? {
        let roles = plan.roles(of: topic)
        guard !roles.isEmpty else { return nil }
        var outcome = MappingOutcome(readings: expire(at: receivedAt))
        outcome.isHeartbeat = roles.isHeartbeat && !isRetained
        if roles.isHeartbeatOnly { return outcome }
        let message: MappedMessage
        do throws(MappingRejection) {
            message = try MappedMessage(
                topic: topic, payload: payload, receivedAt: receivedAt, isRetained: isRetained,
                configuration: configuration.payload)
        } catch {
            outcome.rejection = error
            return outcome
        }
        takeAvailability(from: message, roles, &outcome)
        var batch = MappingBatch()
        takeUnits(from: message, roles, &outcome, &batch)
        takeTimes(from: message, roles, &outcome, &batch)
        takeValues(from: message, roles, &outcome, &batch)
        outcome.readings += batch.readings
        outcome.repeated = Quantity.allCases.filter(batch.repeated.contains)
        return outcome
    }
}
