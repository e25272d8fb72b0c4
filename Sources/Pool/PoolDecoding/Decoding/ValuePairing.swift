import PoolModel

/// Completes values whose time or unit comes on a separate topic, and recognizes repeated measurements.
struct ValuePairing: Sendable {
    /// A time that came on a separate topic.
    private struct SeparateTime: Sendable {
        var field: PayloadField
        var receivedAt: Timestamp
        var isRetained: Bool
        /// The sources that have a value with this time: each uses it once.
        var takers: Set<Int> = []
    }

    /// A unit that came on a separate topic.
    private enum SeparateUnit: Sendable {
        case unit(SourceUnit)
        /// The text is no unit of a water quantity.
        case foreign(String)
    }

    /// A measurement that was returned to the caller.
    private struct LastMeasurement: Sendable {
        var value: Double
        var sampledAt: Timestamp?
        var measurementID: String?
        /// The topic that it came on, if its source reads several, and when.
        var topic: String?
        var receivedAt: Timestamp?

        func isSame(as other: LastMeasurement, within milliseconds: Int64) -> Bool {
            if let measurementID, measurementID == other.measurementID { return true }
            // Several gateways hear the same probe.
            if let topic, let otherTopic = other.topic, topic != otherTopic, value == other.value,
                let receivedAt, let otherReceipt = other.receivedAt,
                receivedAt.milliseconds(since: otherReceipt).magnitude <= milliseconds.magnitude
            {
                return true
            }
            guard let sampledAt, sampledAt == other.sampledAt else { return false }
            return value == other.value
        }
    }

    /// The number of values in a row without a time from its topic after which the next ones do not wait for it.
    private static let missedTimeCountMax = 3

    private let plan: MappingPlan
    private let configuration: MappingDecoder.Configuration
    private var times: [SeparateTime?]
    /// The number of values in a row that did not get each time.
    private var missedTimes: [Int]
    private var units: [SeparateUnit?]
    private var waiting: [Int: IncompleteValue] = [:]
    private var lastMeasurements: QuantityMap<[LastMeasurement]> = [:]

    init(_ plan: MappingPlan, _ configuration: MappingDecoder.Configuration) {
        self.plan = plan
        self.configuration = configuration
        times = Array(repeating: nil, count: plan.times.count)
        missedTimes = Array(repeating: 0, count: plan.times.count)
        units = Array(repeating: nil, count: plan.units.count)
    }

    /// The number of values that wait.
    var waitingCount: Int { waiting.count }

    /// When the first value stops waiting; nil if none waits.
    var deadline: Timestamp? {
        waiting.values.map { $0.receivedAt.advanced(byMilliseconds: configuration.waitMilliseconds) }.min()
    }

    /// Adds the previous readings of the device to the known measurements.
    mutating func recall(_ readings: DeviceReadings) {
        for (quantity, latest) in readings.values.pairs where latest.timeQuality == .device {
            let known = LastMeasurement(value: latest.value, sampledAt: latest.sampledAt)
            lastMeasurements[quantity] = [known] + (lastMeasurements[quantity] ?? [])
        }
    }

    /// Stops waiting where the deadline has passed, or the clock was set back.
    mutating func expire(at now: Timestamp, into batch: inout MappingBatch) {
        let expired = removeWaiting { [configuration] in
            let waited = now.milliseconds(since: $0.receivedAt)
            return waited >= configuration.waitMilliseconds || waited < 0
        }
        for value in expired { giveUp(value, into: &batch) }
    }

    /// Takes the units from a message on their topics.
    mutating func takeUnits(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome,
        _ batch: inout MappingBatch
    ) {
        for index in roles.units {
            let place = plan.units[index]
            let word = message.content.value(at: place.path).flatMap(MappingWord.word)
            guard let word, !MappingWord.isNoValue(word) else {
                outcome.remarks.append(.noValue(key: message.name(of: place.path).shortened))
                continue
            }
            if let unit = SourceUnit(symbol: word) {
                units[index] = .unit(unit)
            } else {
                units[index] = .foreign(word.shortened)
                let key = message.name(of: place.path).shortened
                outcome.remarks.append(.foreignUnit(key: key, unit: word.shortened))
            }
            settleWaiting(&outcome, &batch) { $0.unitIndex == index }
        }
    }

    /// Takes the times from a message on their topics.
    mutating func takeTimes(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome,
        _ batch: inout MappingBatch
    ) {
        for index in roles.times {
            guard let field = message.field(at: plan.times[index].path), field.value != .null else {
                if roles.values.isEmpty {
                    outcome.remarks.append(.noValue(key: message.name(of: plan.times[index].path).shortened))
                }
                continue
            }
            times[index] = SeparateTime(
                field: field, receivedAt: message.receivedAt, isRetained: message.isRetained)
            missedTimes[index] = 0
            settleWaiting(&outcome, &batch) { $0.timeIndex == index }
        }
    }

    /// Completes a value if it has its time and unit; otherwise lets it wait for them.
    mutating func settle(
        _ found: IncompleteValue, _ outcome: inout MappingOutcome, _ batch: inout MappingBatch
    ) {
        var found = found
        let source = plan.values[found.index]
        // Only the newest value of a source waits; the one before it is used as it is.
        if let older = waiting.removeValue(forKey: found.index) { giveUp(older, into: &batch) }
        if found.unit == nil, let index = source.unitIndex, let separate = units[index] {
            // A unit of something else says that the number is not this quantity.
            switch separate {
            case .unit(let unit) where found.quantity.has(unit): found.unit = unit
            case .unit(let unit): return outcome.remarks.append(.foreignUnit(key: found.key, unit: unit.rawValue))
            case .foreign(let text): return outcome.remarks.append(.foreignUnit(key: found.key, unit: text))
            }
        }
        if found.time == nil, let index = source.timeIndex { found.time = takeTime(index, for: found) }
        if found.time == nil, let index = source.timeIndex, missedTimes[index] >= Self.missedTimeCountMax {
            giveUp(found, into: &batch)
        } else if let unit = found.unit, let time = found.time {
            finish(found, unit: unit, time: time, into: &batch)
        } else {
            waiting[found.index] = found
            outcome.isWaiting = true
        }
    }

    private mutating func settleWaiting(
        _ outcome: inout MappingOutcome, _ batch: inout MappingBatch, where isAffected: (MappingPlan.Value) -> Bool
    ) {
        for value in removeWaiting(where: { [plan] in isAffected(plan.values[$0.index]) }) {
            settle(value, &outcome, &batch)
        }
    }

    /// Removes values from those that wait, and returns them in the order of their sources.
    private mutating func removeWaiting(where isAffected: (IncompleteValue) -> Bool) -> [IncompleteValue] {
        let affected = waiting.values.filter(isAffected).sorted { $0.index < $1.index }
        for value in affected { waiting[value.index] = nil }
        return affected
    }

    /// Uses a value without the time or unit that it waited for.
    private mutating func giveUp(_ value: IncompleteValue, into batch: inout MappingBatch) {
        var value = value
        let source = plan.values[value.index]
        let unit = value.unit ?? source.source.unit
        if value.unit == nil { value.remarks.append(.unitAssumed(key: value.key, unit: unit)) }
        if let time = value.time {
            finish(value, unit: unit, time: time, into: &batch)
            return
        }
        if let index = source.timeIndex { missedTimes[index] = min(missedTimes[index] + 1, 1000) }
        // A bridge that sends the value again, but not its time, has no new measurement.
        let last = lastMeasurements[value.quantity]?.last
        if !value.isRetained, let last, last.sampledAt != nil,
            last.value == value.quantity.standardValue(value.number, in: unit)
        {
            batch.noteRepeated(value.quantity)
            return
        }
        finish(value, unit: unit, time: SampleTime(nil, nil, of: value, configuration), into: &batch)
    }

    /// Makes a measurement of a number, unless it is already known.
    private mutating func finish(
        _ found: IncompleteValue, unit: SourceUnit, time: SampleTime, into batch: inout MappingBatch
    ) {
        let value = found.quantity.standardValue(found.number, in: unit)
        let measurement = LastMeasurement(
            value: value, sampledAt: time.quality == .device ? time.moment : nil, measurementID: found.measurementID,
            topic: found.topic, receivedAt: found.receivedAt)
        // A replay is not a measurement: it is neither remembered nor suppressed, so that the dashboard gets it.
        if !found.isRetained {
            let known = lastMeasurements[found.quantity] ?? []
            if known.contains(where: { $0.isSame(as: measurement, within: configuration.waitMilliseconds) }) {
                batch.noteRepeated(found.quantity)
                return
            }
            lastMeasurements[found.quantity] = (known + [measurement]).suffix(max(1, configuration.memoryCountMax))
        }
        batch.add(value, of: found, at: time, remarkCountMax: configuration.payload.remarkCountMax)
    }

    /// The time that a separate topic gave for a value, if it came close enough and the source has not used it yet.
    private mutating func takeTime(_ index: Int, for value: IncompleteValue) -> SampleTime? {
        guard let separate = times[index], !separate.takers.contains(value.index),
            value.isRetained || !separate.isRetained
        else { return nil }
        let distance = value.receivedAt.milliseconds(since: separate.receivedAt)
        guard distance >= -configuration.waitMilliseconds, distance <= configuration.waitMilliseconds else {
            return nil
        }
        times[index]?.takers.insert(value.index)
        return SampleTime(separate.field, plan.times[index], of: value, configuration)
    }
}
