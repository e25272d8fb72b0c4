import Mosquitto
import PoolModel
import PoolStore

/// What one message, or the end of a wait, means for one device; nothing of it holds before it is stored.
struct IngestDraft {
    /// A measurement that is in the history now.
    struct Measurement {
        var reading: Reading
        /// The quantities of it that show now; the others came late.
        var current: [Quantity]
    }

    /// The place of the device in the list of devices.
    let index: Int
    /// The decoder after it.
    var decoder: MappingDecoder?
    /// The newest values after it.
    var raw: DeviceReadings
    /// Whether something changed that is shown.
    var hasChanged = false
    /// What it contains.
    var payloads: [DecodedPayload] = []
    /// The readings in it.
    var arrivals: [Arrival] = []
    /// What became of these.
    var measurements: [Measurement] = []
    /// What is to be counted.
    var notes: [IngestNote] = []
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

    init(_ index: Int, _ device: IngestDevice, receivedAt: Timestamp) {
        self.index = index
        decoder = device.decoder
        raw = device.raw
        self.receivedAt = receivedAt
    }
}

/// What one message means for all the devices that it concerns; stored in one transaction.
struct IngestBatch {
    private static let flatDecoder = PayloadDecoder()

    private(set) var drafts: [IngestDraft] = []

    /// Reads a message for one device.
    mutating func read(
        _ message: Message, for index: Int, _ device: IngestDevice, receivedAt: Timestamp, _ delivery: Delivery?
    ) {
        var draft = IngestDraft(index, device, receivedAt: receivedAt)
        if draft.decoder != nil {
            draft.readMapped(message, of: device.device, delivery)
        } else if device.device.mapping == nil {
            switch Self.flatDecoder.decode(message.payload, receivedAt: receivedAt, isRetained: message.isRetained) {
            case .rejected(let rejection):
                draft.reject(rejection.code, "On the topic \"\(message.topic)\": \(rejection)")
            case .decoded(let payload): draft.take(payload, of: device.device.id, delivery)
            }
        }
        drafts.append(draft)
    }

    /// Ends the wait of a device's values for their times and units.
    mutating func expire(_ index: Int, _ device: IngestDevice, at moment: Timestamp) {
        var draft = IngestDraft(index, device, receivedAt: moment)
        for payload in draft.decoder?.expire(at: moment) ?? [] {
            draft.take(payload, of: device.device.id, nil)
        }
        drafts.append(draft)
    }

    /// Stores the readings of all devices, and with them the newest values; all or nothing.
    ///
    /// - Throws: `HistoryError`.
    mutating func store(in history: HistoryStore) throws {
        if drafts.count == 1, drafts[0].arrivals.count == 1 {
            // Nearly every message.
            let recorded = try history.record(drafts[0].arrivals[0], latest: { drafts[0].absorb($0) })
            drafts[0].count(recorded)
        } else {
            let arrivals = drafts.flatMap(\.arrivals)
            let places = drafts.enumerated().flatMap { place, draft in draft.arrivals.map { _ in place } }
            if !arrivals.isEmpty {
                let recorded = try history.record(
                    arrivals,
                    latest: { reading in
                        // A device has one draft in a batch.
                        guard let place = drafts.firstIndex(where: { $0.raw.deviceID == reading.deviceID }) else {
                            return nil
                        }
                        return drafts[place].absorb(reading)
                    })
                for (place, outcome) in zip(places, recorded) { drafts[place].count(outcome) }
            }
        }
        for place in drafts.indices { try drafts[place].absorbRest(in: history) }
    }
}

extension IngestDraft {
    /// Refuses the message.
    mutating func reject(_ code: String, _ words: String) {
        notes.append(.rejected(code: code, words: words))
        unreadable = words
    }

    /// Takes in a payload that could be read.
    mutating func take(_ payload: DecodedPayload, of device: DeviceID, _ delivery: Delivery?) {
        notes.append(.format(payload.format))
        if payload.isRetained { notes.append(.retained) }
        for value in payload.quarantined { notes.append(.quarantined(value.quantity)) }
        for remark in payload.remarks { notes.append(.remark(code: remark.code)) }
        if let reading = Reading(deviceID: device, payload: payload) {
            arrivals.append(Arrival(reading: reading, payloadHash: payload.payloadHash, delivery: delivery))
        }
        payloads.append(payload)
    }

    /// Reads the message as the device's mapping says.
    mutating func readMapped(_ message: Message, of device: Device, _ delivery: Delivery?) {
        guard
            let outcome = decoder?.receive(
                topic: message.topic.text, payload: message.payload, receivedAt: receivedAt,
                isRetained: message.isRetained)
        else { return }
        for payload in outcome.readings {
            // What has waited is of an earlier message, which the broker has forgotten.
            take(payload, of: device.id, payload.receivedAt == receivedAt ? delivery : nil)
        }
        if let rejection = outcome.rejection { reject(rejection.code, "\(rejection)") }
        for remark in outcome.remarks { notes.append(.remark(code: remark.code)) }
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

    /// Takes a new reading into the newest values; nil if these stay as they are.
    mutating func absorb(_ reading: Reading) -> DeviceReadings? {
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

    /// Counts what became of a reading.
    mutating func count(_ recorded: Recorded) {
        switch recorded {
        case .duplicate: notes.append(.duplicate)
        case .stored:
            notes.append(.stored)
        }
    }

    /// Takes in what is no reading, as replays are, and stores the newest values if that alone changed them.
    mutating func absorbRest(in history: HistoryStore) throws {
        for measurement in measurements where measurement.current.isEmpty { notes.append(.late) }
        var mustSave = isHeartbeat && hasChanged
        for payload in payloads where payload.isRetained || payload.values.isEmpty {
            guard raw.absorb(payload) else { continue }
            raise(to: payload.receivedAt)
            hasChanged = true
            mustSave = true
        }
        if mustSave { try history.save(raw) }
    }

    /// A history that was lost or put back must not repeat orders that watches have seen: they would take new values
    /// for old ones.
    private mutating func raise(to moment: Timestamp) {
        raw.raiseOrder(to: UInt64(max(0, moment.milliseconds)))
    }
}

extension IngestDevice {
    /// Takes what was stored as known, and gives what is to be told.
    mutating func take(_ draft: IngestDraft, isCatchingUp: Bool) -> [IngestOutbox.Item] {
        decoder = draft.decoder
        raw = draft.raw
        var items: [IngestOutbox.Item] = []
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
    mutating func release() -> [IngestOutbox.Item] {
        var items: [IngestOutbox.Item] = []
        if var held {
            let isDated = held.timeQuality == .device
            if !isDated, let heardBefore { held.sampledAt = min(held.sampledAt, heardBefore) }
            items.append(event(held, isCurrent: isDated || heardBefore != nil))
            self.held = nil
        }
        if isShownLater {
            items.append(.shown(shown, isNew: true))
            isShownLater = false
        }
        return items
    }

    /// One event for what shows and one for what came late.
    private mutating func events(
        of measurement: IngestDraft.Measurement, isCatchingUp: Bool
    ) -> [IngestOutbox.Item] {
        let reading = measurement.reading
        let corrected = device.corrected(reading.values, sampledAt: reading.sampledAt)
        var current = HeldMeasurement(
            values: [:], sampledAt: reading.sampledAt, timeQuality: reading.timeQuality, receivedAt: reading.receivedAt)
        var late = current
        for (quantity, value) in corrected.pairs {
            if measurement.current.contains(quantity) {
                current.values[quantity] = value
            } else {
                late.values[quantity] = value
            }
        }
        var items: [IngestOutbox.Item] = []
        if !late.values.isEmpty { items.append(event(late, isCurrent: false)) }
        guard !current.values.isEmpty else { return items }
        if isCatchingUp {
            // What was the newest until now has been overtaken.
            if let overtaken = held { items.append(event(overtaken, isCurrent: false)) }
            held = current
        } else {
            items.append(event(current, isCurrent: true))
        }
        return items
    }

    private func event(_ measurement: HeldMeasurement, isCurrent: Bool) -> IngestOutbox.Item {
        .event(
            .measured(
                device.id, measurement.values, sampledAt: measurement.sampledAt, receivedAt: measurement.receivedAt,
                isCurrent: isCurrent))
    }
}
