public import PoolModel

/// Reads the messages of one device as its mapping says.
///
/// A value without clock or threads: the caller gives it each message with its moment of receipt, in the order of
/// arrival, and turns the ``deadline``. It remembers little: for each time, unit and availability topic the last
/// message, for each value source at most one value that waits, and the last measurements of each quantity.
///
/// Values whose time or unit comes on a topic of its own wait for it at most
/// ``Configuration/waitMilliseconds``; whichever message comes first, they are paired. After three values that waited
/// in vain for the time the next ones do not wait, until a time comes again.
///
/// A measurement that is sent again, as bridges do when they start or when another value changed, is told by the time
/// that the device gave it, or by `DeviceMapping.measurementID`; without either, equal values are new measurements.
public struct MappingDecoder: Sendable {
    /// The limits of a decoder.
    public struct Configuration: Hashable, Sendable {
        /// The limits for one payload.
        public var payload = PayloadDecoder.Configuration()
        /// How long a value waits for its time or unit, in milliseconds; 5 s: bridges send both in one go.
        public var waitMilliseconds: Int64 = 5000
        /// How many measurements of a quantity are remembered, to know them when they are sent again.
        public var memoryCountMax = 8

        /// Creates the default limits.
        public init() {}
    }

    /// The mapping.
    public let mapping: DeviceMapping
    let configuration: Configuration
    let plan: MappingPlan
    var state: MappingState

    /// Creates a decoder that has heard nothing yet.
    ///
    /// - Parameters:
    ///   - mapping: What the device sends.
    ///   - deviceTopic: What `~` stands for.
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

    /// The topic filters to subscribe, each once, in the order of the mapping.
    public var filters: [String] { plan.filters }

    /// Whether messages of a topic are for this device.
    ///
    /// - Complexity: One look-up, and one comparison for each filter with a wildcard.
    public func concerns(_ topic: String) -> Bool { plan.concerns(topic) }

    /// Whether the device is there, as far as its availability sources have said; nil while one is missing.
    public var isAvailable: Bool? { state.isAvailable }

    /// Takes in what is known of the device from before, so that a measurement that a bridge sends again after a
    /// restart of the hub is not new.
    public mutating func recall(_ readings: DeviceReadings) {
        for (quantity, latest) in readings.values.pairs where latest.timeQuality == .device {
            let memory = MappingState.Memory(value: latest.value, sampledAt: latest.sampledAt)
            state.memories[quantity] = [memory] + (state.memories[quantity] ?? [])
        }
    }

    /// When ``expire(at:)`` is due; nil if no value waits.
    public var deadline: Timestamp? {
        state.waiting.values.map { $0.receivedAt.advanced(byMilliseconds: configuration.waitMilliseconds) }.min()
    }

    /// Gives up waiting where the deadline has passed, or the clock was set back.
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
    ///   - topic: The topic that it came on.
    ///   - payload: The bytes as they came.
    ///   - receivedAt: The moment of receipt by the hub's clock.
    ///   - isRetained: Whether the broker replayed the message from its store.
    /// - Returns: What became of it; nil if the topic is not one of the device's.
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
