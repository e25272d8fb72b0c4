import PoolModel

extension IngestDevice {
    /// Takes what was stored as known, and gives what is to be told.
    mutating func take(_ draft: IngestDraft, isCatchingUp: Bool) -> [IngestEventQueue.Item] {
        decoder = draft.decoder
        raw = draft.raw
        expected = draft.expected
        learnTrends(from: draft.measurements.map(\.reading))
        if draft.hasChanged { findTrends() }
        var items: [IngestEventQueue.Item] = []
        func tell(_ event: IngestEvent) { items.append(.event(event)) }
        if let available = draft.isAvailable {
            isAvailable = available
            tell(
                .availability(
                    device.id, isAvailable: available, isReplay: draft.isReplay, receivedAt: draft.receivedAt))
        }
        if draft.isHeartbeat { tell(.heard(device.id, receivedAt: draft.receivedAt)) }
        if let reason = draft.unreadable { tell(.unreadable(device.id, reason: reason, receivedAt: draft.receivedAt)) }
        for payload in draft.payloads where !payload.quarantined.isEmpty && !payload.isRetained {
            tell(.quarantined(device.id, payload.quarantined, receivedAt: payload.receivedAt))
        }
        for measurement in draft.measurements {
            items += events(of: measurement, isCatchingUp: isCatchingUp)
        }
        if draft.hasChanged {
            if isCatchingUp { isShownLater = true } else { items.append(.shown(shown, isNew: true)) }
        }
        return items
    }

    /// Tells what a backlog ended with; where no device dated it, it may be as old as what was heard before.
    mutating func release() -> [IngestEventQueue.Item] {
        var items: [IngestEventQueue.Item] = []
        for var last in held {
            let isDated = last.timeQuality == .device
            if !isDated, let heardBefore { last.sampledAt = min(last.sampledAt, heardBefore) }
            items.append(event(last, isCurrent: isDated || heardBefore != nil))
        }
        held = []
        if isShownLater {
            // What came of the backlog may have been dated back.
            findTrends()
            items.append(.shown(shown, isNew: true))
            isShownLater = false
        }
        return items
    }

    /// One event for what shows and one for what came late.
    private mutating func events(
        of measurement: IngestDraft.Measurement, isCatchingUp: Bool
    ) -> [IngestEventQueue.Item] {
        let reading = measurement.reading
        let corrected = device.corrected(reading.values, sampledAt: reading.sampledAt)
        var current = DeferredMeasurement(
            values: [:], sampledAt: reading.sampledAt, timeQuality: reading.timeQuality, receivedAt: reading.receivedAt)
        var late = current
        for (quantity, value) in corrected.pairs {
            if measurement.current.contains(quantity) {
                current.values[quantity] = value
            } else {
                late.values[quantity] = value
            }
        }
        var items: [IngestEventQueue.Item] = []
        if !late.values.isEmpty { items.append(event(late, isCurrent: false)) }
        guard !current.values.isEmpty else { return items }
        if isCatchingUp {
            items += overtake(by: current)
        } else {
            items.append(event(current, isCurrent: true))
        }
        return items
    }

    /// Holds a measurement, and gives what it overtakes of those that were held.
    private mutating func overtake(by newer: DeferredMeasurement) -> [IngestEventQueue.Item] {
        var items: [IngestEventQueue.Item] = []
        for index in held.indices {
            var old = held[index]
            old.values = [:]
            for (quantity, value) in held[index].values.pairs where newer.values[quantity] != nil {
                old.values[quantity] = value
                held[index].values[quantity] = nil
            }
            if !old.values.isEmpty { items.append(overtaken(old)) }
        }
        held.removeAll(where: \.values.isEmpty)
        held.append(newer)
        return items
    }

    /// What has been overtaken; it may be as old as what was heard before the backlog.
    private func overtaken(_ held: DeferredMeasurement) -> IngestEventQueue.Item {
        var sampledAt = held.sampledAt
        if held.timeQuality != .device {
            // Of unknown age: nobody judges it.
            guard let heardBefore else { return event(held, isCurrent: false) }
            sampledAt = min(sampledAt, heardBefore)
        }
        return .event(.overtaken(device.id, held.values, sampledAt: sampledAt, receivedAt: held.receivedAt))
    }

    private func event(_ measurement: DeferredMeasurement, isCurrent: Bool) -> IngestEventQueue.Item {
        .event(
            .measured(
                device.id, measurement.values, sampledAt: measurement.sampledAt, receivedAt: measurement.receivedAt,
                isCurrent: isCurrent))
    }
}
