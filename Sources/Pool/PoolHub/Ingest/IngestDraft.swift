import MQTT
import PoolDecoding
import PoolModel
import PoolStore

/// The effects of a message, or of the end of a wait, on a device; they apply only after they are stored.
struct IngestDraft {
    /// A stored measurement.
    struct Measurement {
        var reading: Reading
        /// The quantities whose values are shown; the others arrived late.
        var current: [Quantity]
        /// The quantities of which a later sample of the same message is shown.
        var overtaken: [Quantity] = []
        /// The hash of its payload.
        var payloadHash: UInt64 = 0
    }

    private static let flatDecoder = PayloadDecoder()
    /// How long water cannot make the step from one scale of temperature to the other; 6 h.
    private static let stepMilliseconds: Int64 = 21_600_000

    /// The decoder after the message.
    var decoder: MappingDecoder?
    /// The newest values after the message.
    var raw: DeviceReadings
    /// The expected quantities after the message.
    var expected: Set<Quantity>
    /// Whether the shown values changed.
    var hasChanged = false
    /// The payloads in the message.
    var payloads: [DecodedPayload] = []
    /// The readings in the message.
    var arrivals: [Arrival] = []
    /// The new readings.
    var measurements: [Measurement] = []
    /// The events to count.
    var notes: [CountedEvent] = []
    /// Whether the device is online, if that was reported.
    var isAvailable: Bool?
    /// Whether the message contradicts that the device is offline.
    var isAbsenceContradicted = false
    /// When an impossible value came last, by quantity.
    private let quarantinedAt: QuantityMap<Timestamp>
    /// Whether the newest values must be stored although no reading is.
    private var mustSave = false
    /// Whether the message is a retained one.
    var isReplay = false
    /// Whether the message is a heartbeat without a measurement.
    var isHeartbeat = false
    /// Whether the message has several samples.
    var hasSamples = false
    /// Why the message is not a reading.
    var unreadable: String?
    /// When it arrived.
    let receivedAt: Timestamp

    /// Creates a draft without effects.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - earlier: The draft of the message before, if that does not apply yet.
    ///   - receivedAt: When the message arrived.
    init(_ device: IngestDevice, after earlier: IngestDraft?, receivedAt: Timestamp) {
        decoder = earlier.map(\.decoder) ?? device.decoder
        raw = earlier?.raw ?? device.raw
        expected = earlier?.expected ?? device.expected
        var quarantinedAt = earlier?.quarantinedAt ?? device.quarantinedAt
        for (quantity, moment) in earlier?.quarantines ?? [] { quarantinedAt[quantity] = moment }
        self.quarantinedAt = quarantinedAt
        self.receivedAt = receivedAt
    }

    /// The impossible values of the message and when they came, except retained ones.
    var quarantines: [(Quantity, Timestamp)] {
        payloads.filter { !$0.isRetained }.flatMap { payload in
            payload.quarantined.map { ($0.quantity, payload.receivedAt) }
        }
    }
}

// MARK: - Reading

extension IngestDraft {
    /// Reads a message.
    mutating func read(_ message: Message, of device: Device, _ delivery: Delivery?) {
        guard decoder == nil else { return readMapped(message, of: device, delivery) }
        // A device with an invalid mapping has no readings.
        guard device.mapping == nil else { return }
        switch Self.flatDecoder.decode(message.payload, receivedAt: receivedAt, isRetained: message.isRetained) {
        case .rejected(let rejection):
            refuse(rejection.code, "On the topic \"\(message.topic)\": \(rejection)", isFault: rejection.isFault)
        case .decoded(let payload): take(payload, of: device, delivery)
        }
    }

    /// Ends the wait of the device's values for their times and units.
    mutating func expire(of device: Device) {
        for payload in decoder?.expire(at: receivedAt) ?? [] { take(payload, of: device, nil) }
    }

    /// Rejects the message: as an error of the device, or as one that is not for it.
    private mutating func refuse(_ code: String, _ words: String, isFault: Bool) {
        guard isFault else {
            notes.append(.passedOver(code: code, words: words))
            return
        }
        notes.append(.rejected(code: code, words: words))
        unreadable = words
    }

    /// Adds a decoded payload.
    private mutating func take(_ payload: DecodedPayload, of device: Device, _ delivery: Delivery?) {
        var payload = payload
        payload.quarantine(
            beside: recentValues(before: payload, milliseconds: 3000 * Int64(device.expectedIntervalSeconds)),
            after: recentValues(before: payload, milliseconds: Self.stepMilliseconds))
        notes.append(.format(payload.format))
        if payload.isRetained { notes.append(.retained) }
        for value in payload.quarantined {
            notes.append(.quarantined(value.quantity))
            expected.insert(value.quantity)
        }
        for remark in payload.remarks { notes.append(.remark(code: remark.code, words: "\(remark)")) }
        if let reading = Reading(deviceID: device.id, payload: payload) {
            arrivals.append(Arrival(reading: reading, payloadHash: payload.payloadHash, delivery: delivery))
        }
        payloads.append(payload)
    }

    /// The newest values as sent, if the last one of the quantity, possible or not, is not older than this before a
    /// payload.
    private func recentValues(before payload: DecodedPayload, milliseconds: Int64) -> QuantityMap<Double> {
        var recent: QuantityMap<Double> = [:]
        for (quantity, latest) in raw.values.pairs {
            let last = max(latest.receivedAt, quarantinedAt[quantity] ?? latest.receivedAt)
            if payload.receivedAt.milliseconds(since: last) <= milliseconds { recent[quantity] = latest.value }
        }
        return recent
    }

    /// Reads the message with the device's mapping.
    private mutating func readMapped(_ message: Message, of device: Device, _ delivery: Delivery?) {
        guard
            let outcome = decoder?.receive(
                topic: message.topic.text, payload: message.payload, receivedAt: receivedAt,
                isRetained: message.isRetained)
        else { return }
        for payload in outcome.readings {
            // A reading that has waited belongs to an earlier message, which the broker does not deliver again.
            take(payload, of: device, payload.receivedAt == receivedAt ? delivery : nil)
        }
        if let rejection = outcome.rejection {
            refuse(rejection.code, "\(rejection)", isFault: rejection.isFault)
        }
        for remark in outcome.remarks { notes.append(.remark(code: remark.code, words: "\(remark)")) }
        if !outcome.repeated.isEmpty { notes.append(.repeated(outcome.repeated.count)) }
        isAvailable = outcome.isAvailable
        hasSamples = outcome.hasSamples
        isReplay = message.isRetained
        noteAbsence(outcome, message)
        if outcome.isHeartbeat {
            notes.append(.heartbeat)
            isHeartbeat = true
            confirm(by: device)
        }
    }

    /// Notes that the device says that it is offline or online, or that the message contradicts it.
    private mutating func noteAbsence(_ outcome: MappingOutcome, _ message: Message) {
        let hasChangedAbsence: Bool
        if let available = outcome.isAvailable {
            hasChangedAbsence = raw.note(absentSince: available ? nil : receivedAt)
        } else {
            let isMeasured = outcome.readings.contains { $0.receivedAt == receivedAt && !$0.isRetained }
            guard raw.absentSince != nil, !message.isRetained, isMeasured || outcome.isWaiting || outcome.isHeartbeat,
                decoder?.contradictAbsence(by: message.topic.text) == true
            else { return }
            isAbsenceContradicted = true
            hasChangedAbsence = raw.note(absentSince: nil, isDoubted: true)
        }
        guard hasChangedAbsence else { return }
        raise(to: receivedAt)
        hasChanged = true
        mustSave = true
    }

    /// Confirms the shown values by a heartbeat, for a device that sends only changes.
    private mutating func confirm(by device: Device) {
        // A few times in an interval are enough, because each one is stored.
        let pause = Int64(device.expectedIntervalSeconds) * 1000 / 4
        if let seen = raw.lastSeen, (0..<pause).contains(receivedAt.milliseconds(since: seen)) { return }
        let holds = device.mapping?.publishesChangesOnly == true && decoder?.isAvailable != false
        let confirmation = Reading(
            deviceID: device.id, values: holds ? raw.values.compactMapValues(\.value) : [:], sampledAt: receivedAt,
            timeQuality: .estimated, receivedAt: receivedAt)
        confirmed = raw.absorb(confirmation)
        raise(to: receivedAt)
    }

    /// Whether a heartbeat changed the shown values.
    private var confirmed: Bool {
        get { hasChanged }
        set { hasChanged = newValue || hasChanged }
    }
}

// MARK: - Storing

extension IngestDraft {
    /// Stores the readings, and updates the newest values.
    ///
    /// - Throws: The errors of the transaction.
    mutating func store(in transaction: inout HistoryTransaction) throws {
        for arrival in arrivals {
            let count = measurements.count
            switch try transaction.record(arrival, latest: { absorb($0) }) {
            case .duplicate: notes.append(.duplicate)
            case .stored: notes.append(.stored)
            }
            if measurements.count > count { measurements[count].payloadHash = arrival.payloadHash }
        }
        try absorbRest(in: &transaction)
        separateSamples()
    }

    /// Updates the newest values without storing the readings.
    mutating func learn() {
        for arrival in arrivals { _ = absorb(arrival.reading) }
        separateSamples()
    }

    /// Separates the last sample of a message from those before it, which were never shown.
    private mutating func separateSamples() {
        guard hasSamples else { return }
        var shown: Set<Quantity> = []
        for index in measurements.indices.reversed() {
            let current = measurements[index].current
            measurements[index].overtaken = current.filter(shown.contains)
            measurements[index].current = current.filter { !shown.contains($0) }
            shown.formUnion(current)
        }
    }

    /// Leaves out the payloads that were already evaluated when they could not be stored.
    mutating func forget(_ isJudged: (UInt64) -> Bool) {
        var judged: Set<UInt64> = []
        for index in payloads.indices where isJudged(payloads[index].payloadHash) {
            judged.insert(payloads[index].payloadHash)
            payloads[index].quarantined = []
        }
        measurements.removeAll { judged.contains($0.payloadHash) }
    }

    /// Updates the newest values with a reading; nil if they do not change.
    private mutating func absorb(_ reading: Reading) -> DeviceReadings? {
        let isChange = raw.follow(reading)
        let current = Quantity.allCases.filter { quantity in
            guard reading.values[quantity] != nil, let shown = raw.values[quantity] else { return false }
            return shown.sampledAt == reading.sampledAt && shown.receivedAt == reading.receivedAt
        }
        measurements.append(Measurement(reading: reading, current: current))
        guard isChange else { return nil }
        hasChanged = true
        return raw
    }

    /// Applies payloads that are not readings, such as retained ones, and stores the newest values if only these changed
    /// them.
    private mutating func absorbRest(in transaction: inout HistoryTransaction) throws {
        for measurement in measurements where measurement.current.isEmpty { notes.append(.late) }
        var mustSave = mustSave || isHeartbeat && hasChanged
        for payload in payloads where payload.isRetained || payload.values.isEmpty {
            guard raw.absorb(payload) else { continue }
            raise(to: payload.receivedAt)
            hasChanged = true
            mustSave = true
        }
        if !payloads.isEmpty, raw.expect(expected) {
            raise(to: receivedAt)
            hasChanged = true
            mustSave = true
        }
        if mustSave { try transaction.save(raw) }
    }

    /// Raises the order to at least a time, so that a hub with a lost or restored history does not repeat orders that
    /// watches have seen; they would take new values for old ones.
    private mutating func raise(to moment: Timestamp) {
        raw.raiseOrder(to: UInt64(max(0, moment.milliseconds)))
    }
}
