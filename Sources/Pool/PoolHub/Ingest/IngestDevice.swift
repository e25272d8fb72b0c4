import MQTT
import PoolControl
import PoolDecoding
import PoolModel
import PoolStore

/// What ingest knows of one device.
struct IngestDevice {
    /// The device as it is configured now.
    var device: Device
    /// Reads its messages; nil for the flat message, and for a mapping that cannot be used.
    var decoder: MappingDecoder?
    /// The newest values as the device sent them.
    var raw: DeviceReadings
    /// The quantities that it should tell: those that its mapping names, but for a built-in one, which names what such
    /// devices may have; and those of which something came that water cannot have.
    var expected: Set<Quantity> = []
    /// The last hour, for the trends.
    private var hour = TrendMemory()
    /// The trends that belong to what is shown.
    private var trends: QuantityMap<Trend> = [:]
    /// What became of its messages.
    var counts = IngestCounts()
    /// Whether it is there, as far as it was said.
    var isAvailable: Bool?
    /// When the last value came that water cannot have, by quantity, since the hub started.
    var quarantinedAt: QuantityMap<Timestamp> = [:]
    /// The last message, not yet in words.
    var last: LastMessage?
    /// The newest measurements of a backlog that is still coming in, each with the values that no later one has; whether
    /// they are the last ones is not known yet.
    private var held: [DeferredMeasurement] = []
    /// Whether what is shown is older than ``raw``, because a backlog is still coming in.
    private var isShownLater = false
    /// The moment after which the backlog that is coming in was sent: when the device was heard last, or the connection
    /// stood; nil if neither ever happened.
    var heardBefore: Timestamp?

    /// The newest values as people see them, with the trends.
    var shown: DeviceReadings { device.corrected(raw).with(trends) }

    /// Creates a device of which no message was read yet.
    init(device: Device, raw: DeviceReadings) {
        self.device = device
        self.raw = raw
    }
}

// MARK: - Trends

extension IngestDevice {
    /// The most readings that are read of the history at the start: ten in a second for an hour.
    private static let hourReadingsMax = 36_000
    /// The readings that are read at once.
    private static let hourPage = 1000

    /// Creates a device with what the history knows of its last hour.
    ///
    /// - Throws: `HistoryError`.
    init(device: Device, raw: DeviceReadings, recalling history: HistoryStore) throws {
        self.init(device: device, raw: raw)
        try recallTrends(from: history)
    }

    /// Reads the last hour from the history, so that a hub that was started again tells the trends that it told before.
    ///
    /// - Throws: `HistoryError`.
    mutating func recallTrends(from history: HistoryStore) throws {
        guard let newest = raw.values.pairs.compactMap(\.value.moment).max() else { return }
        // The newest value of another quantity may be older, and has an hour of its own.
        let first = newest.advanced(byMilliseconds: -2 * TrendMemory.spanMilliseconds)
        var recalled = TrendMemory()
        var place: HistoryPosition?
        for _ in 0..<Self.hourReadingsMax / Self.hourPage {
            let page = try history.newest(
                of: device.id, after: place, limit: Self.hourPage, corrections: Corrections()
            ).map(\.reading)
            for reading in page where reading.moment >= first { recalled.record(reading.values, at: reading.moment) }
            guard let last = page.last, page.count == Self.hourPage, last.sampledAt >= first else { break }
            place = HistoryPosition(last)
        }
        hour = recalled
        findTrends()
    }

    /// Finds the trends of what is shown; to be called whenever that changes, and at no other time: all screens show the
    /// same.
    mutating func findTrends() {
        trends = [:]
        for (quantity, latest) in raw.values.pairs {
            guard let moment = latest.moment else { continue }
            hour.forget(quantity, after: moment)
            trends[quantity] = hour.trend(
                of: quantity, endingAt: moment, calibrations: device.calibrations[quantity] ?? CalibrationSeries())
        }
    }

    /// Takes readings that are in the history now into the last hour.
    mutating func learnTrends(from readings: [Reading]) {
        for (quantity, latest) in raw.values.pairs {
            // After the clock was set back the hour is that of the newest value, which is now an earlier one.
            if let moment = latest.moment { hour.forget(quantity, after: moment) }
        }
        for reading in readings { hour.record(reading.values, at: reading.moment) }
    }

    /// Forgets readings that were deleted.
    mutating func forgetTrends(from first: Timestamp, through last: Timestamp) {
        hour.forget(from: first, through: last)
    }
}

// MARK: - Learning

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
            for value in payload.quarantined { quarantinedAt[value.quantity] = payload.receivedAt }
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

extension Reading {
    /// The sample time, but never later than the receipt.
    fileprivate var moment: Timestamp { min(sampledAt, receivedAt) }
}

extension DeviceReadings {
    fileprivate func with(_ trends: QuantityMap<Trend>) -> DeviceReadings {
        var values = values
        for quantity in Quantity.allCases { values[quantity]?.trend = trends[quantity] }
        return with(values)
    }
}

/// A measurement whose event waits for the end of a backlog.
struct DeferredMeasurement {
    var values: QuantityMap<Double>
    var sampledAt: Timestamp
    var timeQuality: TimeQuality
    var receivedAt: Timestamp
}

/// A message as it came, cut short; words are made of it only when somebody asks.
struct LastMessage {
    let topic: TopicName
    let qualityOfService: QualityOfService
    let isRetained: Bool
    let start: [UInt8]
    let byteCount: Int
    let receivedAt: Timestamp

    init(_ message: Message, receivedAt: Timestamp) {
        topic = message.topic
        qualityOfService = message.qualityOfService
        isRetained = message.isRetained
        byteCount = message.payload.count
        // A short array is shared, which costs nothing; a long one is not held.
        start = byteCount <= 4096 ? message.payload : Array(message.payload.prefix(RawMessage.excerptByteCountMax))
        self.receivedAt = receivedAt
    }

    var words: RawMessage {
        let excerpt = start.prefix(RawMessage.excerptByteCountMax).map { byte in
            if (0x20..<0x7F).contains(byte) { return String(Unicode.Scalar(byte)) }
            return "\\x" + Hexadecimal.text([byte]).uppercased()
        }
        return RawMessage(
            topic: topic.text, qualityOfService: Int(qualityOfService.rawValue), isRetained: isRetained,
            byteCount: byteCount,
            excerpt: excerpt.joined() + (byteCount > RawMessage.excerptByteCountMax ? "…" : ""),
            receivedAt: receivedAt)
    }
}

extension Device {
    /// The newest values corrected by the calibrations, each by the one of its sample time (P78, P83).
    func corrected(_ raw: DeviceReadings) -> DeviceReadings {
        guard !calibrations.isEmpty else { return raw }
        var values = raw.values
        for (quantity, latest) in raw.values.pairs {
            let moment = latest.sampledAt ?? latest.receivedAt
            values[quantity]?.value = corrected(latest.value, of: quantity, sampledAt: moment)
        }
        return raw.with(values)
    }

    /// Values of one moment corrected by the calibrations.
    func corrected(_ values: QuantityMap<Double>, sampledAt: Timestamp) -> QuantityMap<Double> {
        guard !calibrations.isEmpty else { return values }
        var corrected = values
        for (quantity, value) in values.pairs {
            corrected[quantity] = self.corrected(value, of: quantity, sampledAt: sampledAt)
        }
        return corrected
    }

    /// The filters of the messages that the device's readings come from.
    ///
    /// - Throws: `MappingError` if the mapping cannot be used.
    func decoder() throws -> MappingDecoder? {
        try mapping.map { try MappingDecoder(mapping: $0, deviceTopic: topic) }
    }
}
