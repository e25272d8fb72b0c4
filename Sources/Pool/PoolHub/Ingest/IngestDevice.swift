import MQTT
import PoolControl
import PoolDecoding
import PoolModel
import PoolStore

/// The state of a device in ingest.
struct IngestDevice {
    /// The configured device.
    var device: Device
    /// The decoder of its messages; nil for the flat message, and for an invalid mapping.
    var decoder: MappingDecoder?
    /// The newest values as the device sent them.
    var raw: DeviceReadings
    /// The quantities that it is expected to send: those of its own mapping, and those with impossible values.
    ///
    /// A built-in mapping does not count, because it names all quantities that such devices may have.
    var expected: Set<Quantity> = []
    /// The readings of the last hour, for the trends.
    private var hour = TrendMemory()
    /// How often it reports.
    private var interval = IntervalMemory()
    /// The last interval that was reported as learnt, until the configuration has it.
    private var learned: Int?
    /// When the last message came.
    private var lastHeard: Timestamp?
    /// The trends of the shown values.
    private var trends: QuantityMap<Trend> = [:]
    /// The counts of its messages.
    var counts = IngestCounts()
    /// Whether it is online, as it or its bridge reported; nil if nothing was reported.
    var isAvailable: Bool?
    /// When the last impossible value came, by quantity, since the hub started.
    var quarantinedAt: QuantityMap<Timestamp> = [:]
    /// The last message.
    var last: LastMessage?
    /// The newest measurements of a backlog that is not complete, each with the values that no later one has.
    private var held: [DeferredMeasurement] = []
    /// Whether the shown values are older than ``raw``, because a backlog is not complete.
    private var isShownLater = false
    /// The time after which the current backlog was sent: the last message of the device or the last connection to its
    /// server, whichever is later; nil if there was neither.
    var heardBefore: Timestamp?

    /// The newest values, corrected, with the trends.
    var shown: DeviceReadings { device.corrected(raw).with(trends) }

    /// Creates the state of a device without messages.
    init(device: Device, raw: DeviceReadings) {
        self.device = device
        self.raw = raw
    }
}

// MARK: - Trends

extension IngestDevice {
    /// The maximum number of readings that are read from the history at the start: ten a second for an hour.
    private static let hourReadingsMax = 36_000
    /// The number of readings that are read at once.
    private static let hourPage = 1000

    /// Creates the state of a device with the last hour of its history.
    ///
    /// - Throws: `HistoryError`.
    init(device: Device, raw: DeviceReadings, recalling history: HistoryStore) throws {
        self.init(device: device, raw: raw)
        try recallTrends(from: history)
    }

    /// Reads the last hour from the history, so that a restarted hub shows the same trends as before.
    ///
    /// - Throws: `HistoryError`.
    mutating func recallTrends(from history: HistoryStore) throws {
        guard let newest = raw.values.pairs.compactMap(\.value.moment).max() else { return }
        // The newest value of another quantity may be older, and its hour begins earlier.
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

    /// Computes the trends of the shown values.
    ///
    /// Call it only when these change, so that all screens show the same trends.
    mutating func findTrends() {
        trends = [:]
        for (quantity, latest) in raw.values.pairs {
            guard let moment = latest.moment else { continue }
            hour.forget(quantity, after: moment)
            trends[quantity] = hour.trend(
                of: quantity, endingAt: moment, calibrations: device.calibrations[quantity] ?? CalibrationSeries())
        }
    }

    /// Adds stored readings to the last hour.
    mutating func learnTrends(from readings: [Reading]) {
        for (quantity, latest) in raw.values.pairs {
            // After the clock was set back, the newest value and its hour are earlier.
            if let moment = latest.moment { hour.forget(quantity, after: moment) }
        }
        for reading in readings { hour.record(reading.values, at: reading.moment) }
    }

    /// Removes deleted readings from the last hour.
    mutating func forgetTrends(from first: Timestamp, through last: Timestamp) {
        hour.forget(from: first, through: last)
    }
}

// MARK: - Stored messages

extension IngestDevice {
    /// Learns the interval, if no person has set one; returns a new one.
    private mutating func learnInterval(from reading: Reading, isContinuous: Bool) -> Int? {
        guard device.learnsInterval == true else {
            learned = nil
            return nil
        }
        let present = device.expectedIntervalSeconds
        if learned == present { learned = nil }
        let new = interval.note(reading.moment, isContinuous: isContinuous, interval: learned ?? present)
        if let new { learned = new }
        return new
    }

    /// Applies a stored message.
    ///
    /// - Parameters:
    ///   - draft: The message.
    ///   - isCatchingUp: Whether it belongs to a backlog.
    ///   - connectedAt: When the server was connected last; nil if that is not known.
    /// - Returns: The results.
    mutating func take(
        _ draft: IngestDraft, isCatchingUp: Bool, connectedAt: Timestamp? = nil
    ) -> [IngestEventQueue.Item] {
        let wasConnected = lastHeard.map { heard in connectedAt.map { $0 <= heard } ?? true } ?? true
        lastHeard = draft.receivedAt
        decoder = draft.decoder
        raw = draft.raw
        expected = draft.expected
        learnTrends(from: draft.measurements.map(\.reading))
        if draft.hasChanged { findTrends() }
        var items: [IngestEventQueue.Item] = []
        func report(_ event: IngestEvent) { items.append(.event(event)) }
        if let available = draft.isAvailable {
            isAvailable = available
            report(
                .availability(
                    device.id, isAvailable: available, isReplay: draft.isReplay, receivedAt: draft.receivedAt))
        }
        if draft.isAbsenceContradicted { isAvailable = nil }
        if draft.isHeartbeat { report(.heard(device.id, receivedAt: draft.receivedAt)) }
        if let reason = draft.unreadable {
            report(.unreadable(device.id, reason: reason, receivedAt: draft.receivedAt))
        }
        for (quantity, moment) in draft.quarantines { quarantinedAt[quantity] = moment }
        for payload in draft.payloads where !payload.quarantined.isEmpty && !payload.isRetained {
            report(.quarantined(device.id, payload.quarantined, receivedAt: payload.receivedAt))
        }
        for measurement in draft.measurements {
            items += events(of: measurement, isCatchingUp: isCatchingUp)
            let isDated = measurement.reading.timeQuality == .device
            // A broker may have kept the message, or the hub have missed others.
            let isContinuous = isDated || !isCatchingUp && wasConnected
            if let seconds = learnInterval(from: measurement.reading, isContinuous: isContinuous) {
                items.append(.interval(device.id, seconds: seconds))
            }
        }
        if draft.hasChanged {
            if isCatchingUp { isShownLater = true } else { items.append(.shown(shown, isNew: true)) }
        }
        return items
    }

    /// Returns the last measurements of a backlog; without a sample time from the device they get the greatest possible
    /// age.
    mutating func release() -> [IngestEventQueue.Item] {
        var items: [IngestEventQueue.Item] = []
        for var last in held {
            let isDated = last.timeQuality == .device
            if !isDated, let heardBefore { last.sampledAt = min(last.sampledAt, heardBefore) }
            items.append(event(last, isCurrent: isDated || heardBefore != nil))
        }
        held = []
        if isShownLater {
            // The values of the backlog may have got earlier times.
            findTrends()
            items.append(.shown(shown, isNew: true))
            isShownLater = false
        }
        return items
    }

    /// One event for the values that are shown, and one for late values.
    private mutating func events(
        of measurement: IngestDraft.Measurement, isCatchingUp: Bool
    ) -> [IngestEventQueue.Item] {
        let reading = measurement.reading
        let corrected = device.corrected(reading.values, sampledAt: reading.sampledAt)
        var current = DeferredMeasurement(
            values: [:], sampledAt: reading.sampledAt, timeQuality: reading.timeQuality, receivedAt: reading.receivedAt)
        var (late, earlier) = (current, current)
        for (quantity, value) in corrected.pairs {
            if measurement.current.contains(quantity) {
                current.values[quantity] = value
            } else if measurement.overtaken.contains(quantity) {
                earlier.values[quantity] = value
            } else {
                late.values[quantity] = value
            }
        }
        var items: [IngestEventQueue.Item] = []
        if !earlier.values.isEmpty { items.append(overtaken(earlier)) }
        if !late.values.isEmpty { items.append(event(late, isCurrent: false)) }
        guard !current.values.isEmpty else { return items }
        if isCatchingUp {
            items += overtake(by: current)
        } else {
            items.append(event(current, isCurrent: true))
        }
        return items
    }

    /// Holds a measurement, and returns the held values that it replaces.
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

    /// The event for a replaced measurement; without a sample time from the device it gets the greatest possible age.
    private func overtaken(_ held: DeferredMeasurement) -> IngestEventQueue.Item {
        var sampledAt = held.sampledAt
        if held.timeQuality != .device {
            // Its age is unknown, so it is not evaluated.
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

/// The beginning of a message; it is formatted only on request.
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
        // A short array is shared without a copy; a long one is not kept in memory.
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
    /// The newest values, each corrected by the calibration that was valid at its sample time.
    func corrected(_ raw: DeviceReadings) -> DeviceReadings {
        guard !calibrations.isEmpty else { return raw }
        var values = raw.values
        for (quantity, latest) in raw.values.pairs {
            let moment = latest.sampledAt ?? latest.receivedAt
            values[quantity]?.value = corrected(latest.value, of: quantity, sampledAt: moment)
        }
        return raw.with(values)
    }

    /// The values of one sample time, corrected.
    func corrected(_ values: QuantityMap<Double>, sampledAt: Timestamp) -> QuantityMap<Double> {
        guard !calibrations.isEmpty else { return values }
        var corrected = values
        for (quantity, value) in values.pairs {
            corrected[quantity] = self.corrected(value, of: quantity, sampledAt: sampledAt)
        }
        return corrected
    }

    /// The decoder of the device's mapping; nil if it has none.
    ///
    /// - Throws: `MappingError` if the mapping is invalid.
    func decoder() throws -> MappingDecoder? {
        try mapping.map { try MappingDecoder(mapping: $0, deviceTopic: topic) }
    }
}
