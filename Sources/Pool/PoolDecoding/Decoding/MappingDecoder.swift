public import PoolModel

/// Reads the messages of one device as its mapping says.
///
/// A value type without a clock or threads: the caller passes each message with the time of its receipt, in the order
/// of arrival, and calls ``expire(at:)`` at the ``deadline``. It remembers little: for each time, unit and
/// availability topic the last message, for each value source at most one waiting value, and the last measurements of
/// each quantity.
///
/// Values whose time or unit comes on a separate topic wait for it at most ``Configuration/waitMilliseconds``; they
/// are paired, whichever message comes first. After three values that did not get a time the next ones do not wait,
/// until a time comes again.
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
        /// The most samples of one message that are read; 1024, a day and a night with one every two minutes.
        public var sampleCountMax = 1024

        /// Creates the default limits.
        public init() {}
    }

    /// The mapping.
    public let mapping: DeviceMapping
    private let configuration: Configuration
    private let plan: MappingPlan
    private let finder: ValueFinder
    private var availability: AvailabilityState
    private var pairing: ValuePairing

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
        finder = ValueFinder(plan: plan, measurementID: mapping.measurementID, configuration: configuration)
        availability = AvailabilityState(plan.availability)
        pairing = ValuePairing(plan, configuration)
    }

    /// The topic filters to subscribe to, each once, in the order of the mapping.
    public var filters: [String] { plan.filters }

    /// Whether messages on a topic belong to this device.
    ///
    /// - Complexity: One look-up, and one comparison for each filter with a wildcard.
    public func concerns(_ topic: String) -> Bool { plan.concerns(topic) }

    /// Whether the device is available according to its availability sources; nil while one of them is missing.
    public var isAvailable: Bool? { availability.isAvailable }

    /// Live data on a topic contradict that the device is offline, unless the same messages say that it is.
    ///
    /// - Returns: Whether they do.
    public mutating func contradictAbsence(by topic: String) -> Bool {
        guard plan.roles(of: topic).availability.isEmpty else { return false }
        availability.contradict()
        return true
    }

    /// Sets the previous readings of the device, so that a measurement that a bridge sends again after a restart of
    /// the hub is not new, and neither is an "offline" that was contradicted.
    public mutating func recall(_ readings: DeviceReadings) {
        pairing.recall(readings)
        if readings.isAbsenceDoubted { availability.doubtAll() }
    }

    /// The time for ``expire(at:)``; nil if no value waits.
    public var deadline: Timestamp? { pairing.deadline }

    /// The number of values that wait for their time or unit.
    var waitingCount: Int { pairing.waitingCount }

    /// Stops waiting where the deadline has passed, or the clock was set back.
    ///
    /// - Returns: The measurements of the values that waited: with the time of their receipt, or in the assumed unit.
    public mutating func expire(at now: Timestamp) -> [DecodedPayload] {
        var batch = MappingBatch()
        pairing.expire(at: now, into: &batch)
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
        do throws(MappingDecodingError) {
            message = try MappedMessage(
                topic: topic, payload: payload, receivedAt: receivedAt, isRetained: isRetained,
                configuration: configuration.payload)
        } catch {
            outcome.rejection = error
            return outcome
        }
        availability.take(from: message, roles, &outcome)
        var batch = MappingBatch()
        pairing.takeUnits(from: message, roles, &outcome, &batch)
        pairing.takeTimes(from: message, roles, &outcome, &batch)
        takeValues(from: message, roles, &outcome, &batch)
        outcome.readings += outcome.hasSamples ? batch.readingsInOrder : batch.readings
        outcome.repeated = Quantity.allCases.filter(batch.repeated.contains)
        return outcome
    }

    private mutating func takeValues(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome,
        _ batch: inout MappingBatch
    ) {
        guard !roles.values.isEmpty else { return }
        let sampled = roles.values.filter { plan.values[$0].source.path.sampleList != nil }
        var search = Search(remarkCountMax: configuration.payload.remarkCountMax)
        take(roles.values.filter { !sampled.contains($0) }, from: message, &search, &outcome, &batch)
        let count = sampled.map { message.sampleCount(at: plan.values[$0].source.path) }.max() ?? 0
        outcome.hasSamples = count > 1
        // Devices append: the last samples are the newest ones.
        let first = max(0, count - configuration.sampleCountMax)
        if first > 0 { search.note(.samplesDropped(count: first)) }
        let paths = sampled.flatMap { plan.values[$0].samplePaths }
        for index in first..<max(first, count) {
            let isDated = sampled.contains { source in
                plan.values[source].time.map { message.content.value(at: $0.path.inSample(index)) ?? .null } != .null
            }
            let hash = message.hash(ofSample: index, at: paths, isDated: isDated)
            take(sampled, from: message, sample: (index, hash), &search, &outcome, &batch)
        }
        if !search.hasTaken { search.missing += sampled.map { plan.values[$0].source.path } }
        let (remarks, missing) = (search.remarks, search.missing)
        guard !search.hasTaken else {
            if !batch.note(remarks, hash: message.hash, countMax: configuration.payload.remarkCountMax) {
                outcome.remarks += remarks
            }
            return
        }
        let hasOtherUse = !roles.times.isEmpty || !roles.units.isEmpty || !roles.availability.isEmpty
        if remarks.isEmpty, !hasOtherUse, !outcome.isHeartbeat {
            outcome.rejection = MappingDecodingError(topic: message.topic, cause: cause(missing, in: message.content))
        } else if !remarks.isEmpty {
            let isFiltered = remarks.allSatisfy { if case .conditionUnmet = $0 { true } else { false } }
            let cause: MappingDecodingError.Cause =
                isFiltered
                ? .filtered(remarks: remarks)
                : remarks.contains(where: \.isFault) ? .noUsableValue(remarks: remarks) : .noReading(remarks: remarks)
            outcome.rejection = MappingDecodingError(topic: message.topic, cause: cause)
        }
    }

    /// What was found of the values of a message.
    private struct Search {
        let remarkCountMax: Int
        private(set) var remarks: [PayloadWarning] = []
        var missing: [ValuePath] = []
        var hasTaken = false

        init(remarkCountMax: Int) { self.remarkCountMax = remarkCountMax }

        mutating func note(_ remark: PayloadWarning) {
            if remarks.count < remarkCountMax, !remarks.contains(remark) { remarks.append(remark) }
        }
    }

    /// Takes the numbers of these sources from a message or, with `sample`, from one of its samples.
    private mutating func take(
        _ sources: [Int], from message: MappedMessage, sample: (index: Int, hash: UInt64)? = nil,
        _ search: inout Search, _ outcome: inout MappingOutcome, _ batch: inout MappingBatch
    ) {
        var taken: Set<Quantity> = []
        for index in sources {
            switch finder.find(index, in: message, sample: sample) {
            case .nothing: if sample == nil { search.missing.append(plan.values[index].source.path) }
            case .unusable(let remark): search.note(remark)
            case .number(let found):
                guard taken.insert(found.quantity).inserted else {
                    search.note(.repeatedQuantity(found.quantity, key: found.key))
                    continue
                }
                pairing.settle(found, &outcome, &batch)
            }
        }
        if !taken.isEmpty { search.hasTaken = true }
    }

    private func cause(_ missing: [ValuePath], in content: PayloadContent) -> MappingDecodingError.Cause {
        switch content {
        case .text(let text, let fault): .notJSON(fault, text: text.shortened)
        case .json: .nothingThere(paths: Array(missing.prefix(8)), keys: content.keys)
        }
    }
}
