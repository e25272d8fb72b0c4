import MQTT
import PoolDecoding
import PoolModel
import PoolStore

/// What one message, or the end of a wait, means for one device; nothing of it holds before it is stored.
struct IngestDraft {
    /// A measurement that is in the history now.
    struct Measurement {
        var reading: Reading
        /// The quantities of it that show now; the others came late.
        var current: [Quantity]
        /// The hash of its payload.
        var payloadHash: UInt64 = 0
    }

    private static let flatDecoder = PayloadDecoder()

    /// The decoder after it.
    var decoder: MappingDecoder?
    /// The newest values after it.
    var raw: DeviceReadings
    /// The quantities that the device should tell, after it.
    var expected: Set<Quantity>
    /// Whether something changed that is shown.
    var hasChanged = false
    /// What it contains.
    var payloads: [DecodedPayload] = []
    /// The readings in it.
    var arrivals: [Arrival] = []
    /// What became of these.
    var measurements: [Measurement] = []
    /// What is to be counted.
    var notes: [CountedEvent] = []
    /// Whether the device is there, if that changed.
    var isAvailable: Bool?
    /// Whether the broker replays what was said some time ago.
    var isReplay = false
    /// Whether it is a sign of life without a measurement.
    var isHeartbeat = false
    /// Why it is no reading.
    var unreadable: String?
    /// When it arrived.
    let receivedAt: Timestamp

    init(_ device: IngestDevice, receivedAt: Timestamp) {
        decoder = device.decoder
        raw = device.raw
        expected = device.expected
        self.receivedAt = receivedAt
    }
}

// MARK: - Reading

extension IngestDraft {
    /// Reads a message.
    mutating func read(_ message: Message, of device: Device, _ delivery: Delivery?) {
        guard decoder == nil else { return readMapped(message, of: device, delivery) }
        // A mapping that cannot be used reads nothing.
        guard device.mapping == nil else { return }
        switch Self.flatDecoder.decode(message.payload, receivedAt: receivedAt, isRetained: message.isRetained) {
        case .rejected(let rejection):
            refuse(rejection.code, "On the topic \"\(message.topic)\": \(rejection)", isFault: rejection.isFault)
        case .decoded(let payload): take(payload, of: device.id, delivery)
        }
    }

    /// Ends the wait of the device's values for their times and units.
    mutating func expire(of device: Device) {
        for payload in decoder?.expire(at: receivedAt) ?? [] { take(payload, of: device.id, nil) }
    }

    /// Refuses the message: as a fault of the device, or as one that is not meant for it.
    private mutating func refuse(_ code: String, _ words: String, isFault: Bool) {
        guard isFault else {
            notes.append(.passedOver(code: code, words: words))
            return
        }
        notes.append(.rejected(code: code, words: words))
        unreadable = words
    }

    /// Takes in a payload that could be read.
    private mutating func take(_ payload: DecodedPayload, of device: DeviceID, _ delivery: Delivery?) {
        notes.append(.format(payload.format))
        if payload.isRetained { notes.append(.retained) }
        for value in payload.quarantined {
            notes.append(.quarantined(value.quantity))
            expected.insert(value.quantity)
        }
        for remark in payload.remarks { notes.append(.remark(code: remark.code, words: "\(remark)")) }
        if let reading = Reading(deviceID: device, payload: payload) {
            arrivals.append(Arrival(reading: reading, payloadHash: payload.payloadHash, delivery: delivery))
        }
        payloads.append(payload)
    }

    /// Reads the message as the device's mapping says.
    private mutating func readMapped(_ message: Message, of device: Device, _ delivery: Delivery?) {
        guard
            let outcome = decoder?.receive(
                topic: message.topic.text, payload: message.payload, receivedAt: receivedAt,
                isRetained: message.isRetained)
        else { return }
        for payload in outcome.readings {
            // What has waited is of an earlier message, which the broker has forgotten.
            take(payload, of: device.id, payload.receivedAt == receivedAt ? delivery : nil)
        }
        if let rejection = outcome.rejection {
            refuse(rejection.code, "\(rejection)", isFault: rejection.isFault)
        }
        for remark in outcome.remarks { notes.append(.remark(code: remark.code, words: "\(remark)")) }
        if !outcome.repeated.isEmpty { notes.append(.repeated(outcome.repeated.count)) }
        isAvailable = outcome.isAvailable
        isReplay = message.isRetained
        if outcome.isHeartbeat {
            notes.append(.heartbeat)
            isHeartbeat = true
            confirm(by: device)
        }
    }

    /// Lets a sign of life say that what is shown still holds, for a device that is silent while nothing changes.
    private mutating func confirm(by device: Device) {
        // A few times in an interval are enough; each one is written.
        let pause = Int64(device.expectedIntervalSeconds) * 1000 / 4
        if let seen = raw.lastSeen, (0..<pause).contains(receivedAt.milliseconds(since: seen)) { return }
        let holds = device.mapping?.publishesChangesOnly == true && decoder?.isAvailable != false
        let confirmation = Reading(
            deviceID: device.id, values: holds ? raw.values.compactMapValues(\.value) : [:], sampledAt: receivedAt,
            timeQuality: .estimated, receivedAt: receivedAt)
        confirmed = raw.absorb(confirmation)
        raise(to: receivedAt)
    }

    /// Whether a sign of life changed what is shown.
    private var confirmed: Bool {
        get { hasChanged }
        set { hasChanged = newValue || hasChanged }
    }
}

// MARK: - Storing

extension IngestDraft {
    /// Stores the readings, and takes them into the newest values.
    ///
    /// - Throws: What the transaction throws.
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
    }

    /// Takes the readings into the newest values without storing them.
    mutating func learn() {
        for arrival in arrivals { _ = absorb(arrival.reading) }
    }

    /// Leaves out what was judged already, while it could not be stored.
    mutating func forget(_ isJudged: (UInt64) -> Bool) {
        var judged: Set<UInt64> = []
        for index in payloads.indices where isJudged(payloads[index].payloadHash) {
            judged.insert(payloads[index].payloadHash)
            payloads[index].quarantined = []
        }
        measurements.removeAll { judged.contains($0.payloadHash) }
    }

    /// Takes a new reading into the newest values; nil if these stay as they are.
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

    /// Takes in what is no reading, as replays are, and stores the newest values if that alone changed them.
    private mutating func absorbRest(in transaction: inout HistoryTransaction) throws {
        for measurement in measurements where measurement.current.isEmpty { notes.append(.late) }
        var mustSave = isHeartbeat && hasChanged
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

    /// A history that was lost or put back must not repeat orders that watches have seen: they would take new values
    /// for old ones.
    private mutating func raise(to moment: Timestamp) {
        raw.raiseOrder(to: UInt64(max(0, moment.milliseconds)))
    }
}
