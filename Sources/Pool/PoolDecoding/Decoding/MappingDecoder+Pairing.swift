import PoolModel

// How values find the time and the unit that come on separate topics.

extension MappingDecoder {
    /// The number of values in a row that wait in vain for a time topic before the next ones do not wait for it.
    private static let missedTimeCountMax = 3

    mutating func takeUnits(
        from message: MappedMessage, _ roles: MappingPlan.TopicRoles, _ outcome: inout MappingOutcome,
        _ batch: inout MappingBatch
    ) {
        for index in roles.units {
            let place = plan.units[index]
            guard let word = message.content.value(at: place.path).flatMap(MappingWord.word),
                let unit = SourceUnit(symbol: word)
            else {
                let found = message.content.value(at: place.path).flatMap(MappingWord.word)
                let key = message.name(of: place.path).shortened
                outcome.remarks.append(found.map { .foreignUnit(key: key, unit: $0.shortened) } ?? .noValue(key: key))
                continue
            }
            state.units[index] = unit
            for waiting in waiting(where: { plan.values[$0].unitIndex == index }) {
                state.waiting[waiting.index] = nil
                settle(waiting, plan.values[waiting.index], &outcome, &batch)
            }
        }
    }

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
            state.times[index] = MappingState.SeparateTime(
                field: field, receivedAt: message.receivedAt, isRetained: message.isRetained)
            state.missedTimes[index] = 0
            for waiting in waiting(where: { plan.values[$0].timeIndex == index }) {
                state.waiting[waiting.index] = nil
                settle(waiting, plan.values[waiting.index], &outcome, &batch)
            }
        }
    }

    /// Completes a value if it has its time and unit; otherwise lets it wait for them.
    mutating func settle(
        _ found: MappingState.IncompleteValue, _ value: MappingPlan.Value, _ outcome: inout MappingOutcome,
        _ batch: inout MappingBatch
    ) {
        var found = found
        // Only the newest value of a source waits; the one before it is used as it is.
        if let older = state.waiting.removeValue(forKey: found.index) { giveUp(older, into: &batch) }
        if found.unit == nil, let index = value.unitIndex { found.unit = state.units[index] }
        if found.time == nil, let index = value.timeIndex { found.time = takeTime(index, for: found) }
        if found.time == nil, let index = value.timeIndex, state.missedTimes[index] >= Self.missedTimeCountMax {
            giveUp(found, into: &batch)
        } else if let unit = found.unit, let time = found.time {
            finish(found, unit: unit, time: time, into: &batch)
        } else {
            state.waiting[found.index] = found
            outcome.isWaiting = true
        }
    }

    /// Uses a value without the time or unit that it waited for.
    mutating func giveUp(_ waiting: MappingState.IncompleteValue, into batch: inout MappingBatch) {
        var waiting = waiting
        let value = plan.values[waiting.index]
        let unit = waiting.unit ?? value.source.unit
        if waiting.unit == nil { waiting.remarks.append(.unitAssumed(key: waiting.key, unit: unit)) }
        if let time = waiting.time {
            finish(waiting, unit: unit, time: time, into: &batch)
            return
        }
        if let index = value.timeIndex { state.missedTimes[index] = min(state.missedTimes[index] + 1, 1000) }
        // A bridge that sends the value again, but not its time, has no new measurement.
        let last = state.lastMeasurements[waiting.quantity]?.last
        if !waiting.isRetained, let last, last.sampledAt != nil, last.value == unit.standardValue(waiting.number) {
            batch.noteRepeated(waiting.quantity)
            return
        }
        finish(waiting, unit: unit, time: sampleTime(nil, nil, waiting), into: &batch)
    }

    /// Makes a measurement of a number, unless it is already known.
    private mutating func finish(
        _ waiting: MappingState.IncompleteValue, unit: SourceUnit, time: SampleTime, into batch: inout MappingBatch
    ) {
        let value = unit.standardValue(waiting.number)
        let memory = MappingState.LastMeasurement(
            value: value, sampledAt: time.quality == .device ? time.moment : nil,
            measurementID: waiting.measurementID)
        // A replay is not a measurement: it is neither remembered nor suppressed, so that the dashboard gets it.
        if !waiting.isRetained {
            var lastMeasurements = state.lastMeasurements[waiting.quantity] ?? []
            if lastMeasurements.contains(where: { $0.isSame(as: memory) }) {
                batch.noteRepeated(waiting.quantity)
                return
            }
            lastMeasurements.append(memory)
            state.lastMeasurements[waiting.quantity] = lastMeasurements.suffix(max(1, configuration.memoryCountMax))
        }
        batch.add(value, of: waiting, at: time, remarkCountMax: configuration.payload.remarkCountMax)
    }

    /// The time that a separate topic gave for a value, if it came close enough and the source has not used it yet.
    private mutating func takeTime(_ index: Int, for waiting: MappingState.IncompleteValue) -> SampleTime? {
        guard let memo = state.times[index], !memo.takers.contains(waiting.index),
            waiting.isRetained || !memo.isRetained
        else { return nil }
        let distance = waiting.receivedAt.milliseconds(since: memo.receivedAt)
        guard distance >= -configuration.waitMilliseconds, distance <= configuration.waitMilliseconds else {
            return nil
        }
        state.times[index]?.takers.insert(waiting.index)
        return sampleTime(memo.field, plan.times[index], waiting)
    }

    private func waiting(where isMeant: (Int) -> Bool) -> [MappingState.IncompleteValue] {
        state.waiting.keys.filter(isMeant).sorted().compactMap { state.waiting[$0] }
    }
}

extension MappingState.LastMeasurement {
    fileprivate func isSame(as other: MappingState.LastMeasurement) -> Bool {
        if let measurementID, measurementID == other.measurementID { return true }
        guard let sampledAt, sampledAt == other.sampledAt else { return false }
        return value == other.value
    }
}
