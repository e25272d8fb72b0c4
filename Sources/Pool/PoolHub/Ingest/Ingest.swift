import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel
import PoolStore

/// Converts messages to readings: assigns each to the devices of its topic, stores the values as sent, and reports the
/// corrected values to show.
///
/// It is called on the brokers' network threads and blocks them while it stores; messages are acknowledged to the broker
/// only after it has returned. Values are shown and judged just before the commit, which waits for the disk: what is shown
/// promises nothing, and a full disk hides no value. Readings are assigned by server and topic, never by the contents of a
/// message.
///
/// While a broker delivers its backlog (``beginCatchUp(_:)``), every reading is stored, but only the last one of each
/// device is shown as current, at ``endCatchUp(_:)``.
final class Ingest: Sendable {
    private struct State {
        var devices: [IngestDevice] = []
        /// The places of the devices in ``devices``.
        var places: [DeviceID: Int] = [:]
        var routes = IngestRoutes()
        var counts = IngestCounts()
        var catchingUp: Set<ServerID> = []
        /// When a server was last known to be connected, since the hub started.
        var connectedAt: [ServerID: Timestamp] = [:]
        /// The stored readings of devices that are not configured yet.
        var stored: [DeviceID: DeviceReadings]
        /// The messages that were evaluated although they could not be stored.
        var unstored = UnstoredMessages()

        /// The last message of a device or the last connection to its server, whichever is later; nil for neither.
        func heardLast(_ device: IngestDevice) -> Timestamp? {
            [device.raw.lastSeen, connectedAt[device.device.serverID]].compactMap(\.self).max()
        }
    }

    private let history: HistoryStore
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let events: IngestEventQueue
    private let state: Lock<State>

    /// Creates the ingest of a hub, which ignores messages before it has a configuration.
    ///
    /// - Parameters:
    ///   - history: The history.
    ///   - logger: Receives rejected messages.
    ///   - now: The wall clock.
    ///   - onItem: Called with each result, in order, on any thread, one call at a time; must return at once.
    /// - Throws: `HistoryError` if the history cannot be read.
    init(
        history: HistoryStore, logger: Logger, now: @escaping @Sendable () -> Timestamp = { .now },
        onItem: @escaping @Sendable (IngestEventQueue.Item) -> Void
    ) throws {
        self.history = history
        self.logger = logger
        self.now = now
        events = IngestEventQueue(onItem: onItem)
        let latest = try history.latest()
        state = Lock(State(stored: Dictionary(latest.map { ($0.deviceID, $0) }) { $1 }))
    }

    // MARK: - State

    /// The shown values of each device, corrected, in the order of their ids; before the first configuration as stored.
    var readings: [DeviceReadings] {
        state.withLock { state in
            let known = state.devices.map(\.shown).filter { $0.order > 0 }
            return (known + state.stored.values).sorted { $0.deviceID < $1.deviceID }
        }
    }

    /// Returns after everything in ``readings`` was reported, also to the alerts.
    func reportAll() { events.deliver() }

    /// The counts of all messages.
    var counts: IngestCounts { state.withLock(\.counts) }

    /// The state of a device; nil for one that is not configured.
    ///
    /// - Complexity: It does not depend on the number of devices.
    func facts(of device: DeviceID) -> Facts? {
        state.withLock { state in state.places[device].map { Facts(state.devices[$0]) } }
    }

    /// The state of each device.
    var facts: [DeviceID: Facts] {
        state.withLock { state in
            Dictionary(state.devices.map { ($0.device.id, Facts($0)) }) { $1 }
        }
    }

    /// The state of a device, for reports.
    struct Facts: Sendable {
        var readings: DeviceReadings?
        var rawReadings: DeviceReadings?
        var isAvailable: Bool?
        var quarantinedAt: QuantityMap<Timestamp>
        var counts: IngestCounts
        var lastMessage: RawMessage?

        init(_ device: IngestDevice) {
            let isHeard = device.raw.order > 0
            readings = isHeard ? device.shown : nil
            rawReadings = isHeard ? device.raw : nil
            isAvailable = device.raw.absentSince != nil ? false : device.isAvailable
            quarantinedAt = device.quarantinedAt
            counts = device.counts
            lastMessage = device.last?.words
        }
    }

    /// The filters to subscribe to at a server.
    func filters(of server: ServerID) -> Set<String> { state.withLock { $0.routes.filters(of: server) } }

    // MARK: - Messages

    /// Handles messages, and stores their readings in one transaction.
    ///
    /// - Parameters:
    ///   - messages: The messages in the order of arrival.
    ///   - server: The server whose broker delivered them.
    ///   - connection: The connection on which they arrived.
    /// - Returns: Whether to acknowledge them to the broker.
    func receive(
        _ messages: [Message], from server: ServerID, in connection: SessionConnection
    ) -> MessageDisposition {
        // One lock for all brokers, because the database has one writer at a time anyway.
        let disposition = state.withLock { state -> MessageDisposition in
            guard !connection.isStandIn else {
                for message in messages { judgeUnstored(message, from: server, in: &state) }
                return .acknowledge
            }
            for message in messages {
                for index in state.routes.devices(of: message.topic, at: server) {
                    state.devices[index].last = LastMessage(message, receivedAt: now())
                }
            }
            // A backlog is shown when it is complete.
            let isLive = !state.catchingUp.contains(server)
            let (disposition, isShown) = keep(in: &state, showsFirst: isLive) { state, batch, transaction in
                for message in messages {
                    let delivery = Delivery(of: message, from: server, in: connection)
                    for index in state.routes.devices(of: message.topic, at: server) {
                        try batch.store(index, of: state.devices, at: now(), in: &transaction) {
                            $0.read(message, of: $1, delivery)
                        }
                    }
                }
            }
            guard case .sendAgain = disposition else { return disposition }
            for message in messages {
                for index in state.routes.devices(of: message.topic, at: server) {
                    Self.count(.notStored, index, in: &state)
                }
                // A backlog stays at the broker, and is evaluated in order when it can be stored.
                if isLive, !isShown { judgeUnstored(message, from: server, in: &state) }
            }
            return disposition
        }
        events.deliver()
        return disposition
    }

    /// Counts a message that the broker delivered twice because two filters match it.
    func dropCopy(of message: Message, from server: ServerID) {
        state.withLock { state in
            for index in state.routes.devices(of: message.topic, at: server) {
                Self.count(.duplicate, index, in: &state)
            }
        }
    }

    /// Ends waits for times and units that did not arrive; called about once a second.
    func expire() {
        let moment = now()
        state.withLock { state in
            let due = state.devices.indices.filter { index in
                guard let deadline = state.devices[index].decoder?.deadline else { return false }
                // Also when the clock was set back far before it.
                return deadline <= moment || deadline.milliseconds(since: moment) > 60_000
            }
            guard !due.isEmpty else { return }
            let (disposition, _) = keep(in: &state, showsFirst: false) { state, batch, transaction in
                for index in due {
                    try batch.store(index, of: state.devices, at: moment, in: &transaction) { $0.expire(of: $1) }
                }
            }
            // Values that cannot be stored now continue to wait, because the broker no longer has them.
            guard case .sendAgain = disposition else { return }
            for index in due { Self.count(.notStored, index, in: &state) }
        }
        events.deliver()
    }

    // MARK: - Backlogs

    /// A server is connected: a backlog of a later connection is not older than this time.
    func noteConnected(_ server: ServerID) {
        state.withLock { $0.connectedAt[server] = now() }
    }

    /// A broker begins to deliver its backlog.
    func beginCatchUp(_ server: ServerID) {
        state.withLock { state in
            guard state.catchingUp.insert(server).inserted else { return }
            for index in state.devices.indices where state.devices[index].device.serverID == server {
                state.devices[index].heardBefore = state.heardLast(state.devices[index])
            }
        }
    }

    /// A broker has delivered its backlog: the last reading of each device is shown, with the greatest possible age.
    func endCatchUp(_ server: ServerID) {
        state.withLock { state in
            guard state.catchingUp.remove(server) != nil else { return }
            for index in state.devices.indices where state.devices[index].device.serverID == server {
                if state.devices[index].raw.dateBack(to: state.devices[index].heardBefore) {
                    keep(state.devices[index].raw)
                }
                events.add(state.devices[index].release())
            }
            if !state.unstored.isFailing { state.unstored = UnstoredMessages() }
        }
        events.deliver()
    }

    // MARK: - The configuration

    /// Uses another configuration.
    ///
    /// The shown values are corrected again where calibrations changed. With the first configuration, the readings from
    /// before the start are reported too.
    /// - Returns: For each server, the filters of devices that are new or decoded differently. They must be subscribed to
    ///   again, so that the broker sends their retained messages.
    @discardableResult
    func use(_ configuration: PoolConfiguration) -> [ServerID: Set<String>] {
        let moment = now()
        var renewed: [ServerID: Set<String>] = [:]
        state.withLock { state in
            let known = Dictionary(state.devices.map { ($0.device.id, $0) }) { $1 }
            state.devices = []
            state.places = [:]
            state.routes = IngestRoutes()
            for device in configuration.devices {
                let (entry, filters, items) = adopt(device, known[device.id], state.stored[device.id], at: moment)
                events.add(items)
                let isSame = known[device.id].map { $0.device.reads(as: device) } ?? false
                if !isSame { renewed[device.serverID, default: []].formUnion(filters) }
                add(filters, for: entry, to: &state)
            }
            state.stored = [:]
        }
        events.deliver()
        return renewed
    }

    private func add(_ filters: [String], for entry: IngestDevice, to state: inout State) {
        let index = state.devices.count
        state.devices.append(entry)
        state.places[entry.device.id] = index
        // The device was added, or moved to this server, during a backlog.
        if state.catchingUp.contains(entry.device.serverID), entry.heardBefore == nil {
            state.devices[index].heardBefore = state.heardLast(entry)
        }
        for filter in filters {
            do {
                try state.routes.add(filter, for: index, of: entry.device.serverID)
            } catch {
                state.devices[index].counts.count(.rejected(code: "filter", words: "\(error)"))
            }
        }
    }

    /// The state of a device after a change of its configuration, its filters, and the results.
    private func adopt(
        _ device: Device, _ known: IngestDevice?, _ stored: DeviceReadings?, at moment: Timestamp
    ) -> (IngestDevice, [String], [IngestEventQueue.Item]) {
        var entry = known ?? IngestDevice(device: device, raw: stored ?? DeviceReadings(deviceID: device.id))
        let old = entry.device
        entry.device = device
        if known == nil || !old.reads(as: device) {
            entry.isAvailable = nil
            // Another mapping may find out about it elsewhere, and one without availability never would.
            if known != nil || device.mapping?.availability.isEmpty != false { entry.raw.note(absentSince: nil) }
            entry.expected = device.expected(knowing: known == nil ? entry.raw : nil)
            do {
                entry.decoder = try device.decoder()
                entry.decoder?.recall(entry.raw)
            } catch {
                // Mappings are checked when they are entered, but a newer program may have accepted this one.
                entry.decoder = nil
                entry.counts.count(.rejected(code: "mapping", words: "\(error)"))
            }
        }
        if known == nil { recallTrends(of: &entry) }
        let filters = entry.decoder?.filters ?? (device.mapping == nil ? [device.topic] : [])
        guard entry.raw.order > 0 else { return (entry, filters, []) }
        // At the start it is unknown with which calibrations the values were sent to the watches.
        guard old.calibrations != device.calibrations || known == nil && !device.calibrations.isEmpty else {
            return (entry, filters, known == nil ? [.shown(entry.shown, isNew: false)] : [])
        }
        entry.findTrends()
        entry.raw.raiseOrder(to: max(entry.raw.order + 1, UInt64(max(0, moment.milliseconds))))
        let items = known == nil ? [] : events(ofAll: entry)
        return (entry, filters, items + save(entry, isNew: known != nil))
    }

    private func recallTrends(of entry: inout IngestDevice) {
        do {
            try entry.recallTrends(from: history)
        } catch {
            // Then there are no trends until enough readings have arrived.
            logger.info("trends not recalled", metadata: ["device": "\(entry.device.name)", "error": "\(error)"])
        }
    }

    /// Stores the newest values, and returns the values to show.
    private func save(_ entry: IngestDevice, isNew: Bool = true) -> [IngestEventQueue.Item] {
        do {
            try history.save(entry.raw)
        } catch {
            // They are stored with the next reading.
            logger.info("newest values not stored", metadata: ["device": "\(entry.device.name)", "error": "\(error)"])
        }
        return [.shown(entry.shown, isNew: isNew)]
    }

    /// The shown values as measurements; values of the same time are one measurement.
    private func events(ofAll entry: IngestDevice) -> [IngestEventQueue.Item] {
        var moments: [(sampledAt: Timestamp, receivedAt: Timestamp, values: QuantityMap<Double>)] = []
        for (quantity, latest) in entry.shown.values.pairs {
            guard let sampledAt = latest.sampledAt else { continue }
            if let place = moments.firstIndex(where: { $0.sampledAt == sampledAt && $0.receivedAt == latest.receivedAt }
            ) {
                moments[place].values[quantity] = latest.value
            } else {
                moments.append((sampledAt, latest.receivedAt, [quantity: latest.value]))
            }
        }
        return moments.map { moment in
            .event(
                .measured(
                    entry.device.id, moment.values, sampledAt: moment.sampledAt, receivedAt: moment.receivedAt,
                    isCurrent: true))
        }
    }

    // MARK: - Deletions

    /// Begins a deletion of readings while no message is handled, and shows the remaining values.
    ///
    /// Otherwise a reading that arrives in the meantime would store the deleted values as the newest ones again.
    ///
    /// - Parameters:
    ///   - device: The device whose readings are deleted; nil for all devices.
    ///   - first: The first sample time.
    ///   - last: The last sample time.
    ///   - begin: Begins it, and returns the newest states that changed.
    /// - Throws: The errors of `begin`; then nothing has changed.
    func delete(
        of device: DeviceID?, from first: Timestamp, through last: Timestamp, _ begin: () throws -> [DeviceReadings]
    ) throws {
        try state.withLock { state in
            let changed = try begin()
            for index in state.devices.indices where device == nil || state.devices[index].device.id == device {
                state.devices[index].forgetTrends(from: first, through: last)
            }
            for raw in changed {
                if state.stored[raw.deviceID] != nil { state.stored[raw.deviceID] = raw }
                guard let index = state.places[raw.deviceID] else { continue }
                state.devices[index].raw = raw
                state.devices[index].findTrends()
                events.add([.shown(state.devices[index].shown, isNew: true)])
            }
        }
        events.deliver()
    }

    // MARK: - Storing

    /// Stores the newest values of a device.
    private func keep(_ readings: DeviceReadings) {
        do {
            try history.save(readings)
        } catch {
            // They are shown correctly, but after a restart they would look as new as their arrival.
            logger.info("the age of what a broker kept was not stored", metadata: ["error": "\(error)"])
        }
    }

    /// The messages that are stored in one transaction; nothing of them applies before the commit.
    private struct Batch {
        /// What was stored, in order.
        private(set) var drafts: [(index: Int, draft: IngestDraft)] = []
        /// The last draft of each device, after which the next one begins.
        private var latest: [Int: IngestDraft] = [:]

        /// Stores the readings of a message, or of the end of a wait, of a device.
        mutating func store(
            _ index: Int, of devices: [IngestDevice], at moment: Timestamp, in transaction: inout HistoryTransaction,
            _ read: (inout IngestDraft, Device) -> Void
        ) throws {
            var draft = IngestDraft(devices[index], after: latest[index], receivedAt: moment)
            read(&draft, devices[index].device)
            try draft.store(in: &transaction)
            latest[index] = draft
            drafts.append((index, draft))
        }
    }

    /// Runs work that stores readings in one transaction, and applies the drafts.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - showsFirst: Whether the results are reported before the commit; otherwise after it.
    ///   - work: Stores drafts.
    /// - Returns: Whether to acknowledge the messages, and whether their results were reported although they are not
    ///   stored.
    private func keep(
        in state: inout State, showsFirst: Bool,
        _ work: (State, inout Batch, inout HistoryTransaction) throws -> Void
    ) -> (MessageDisposition, isShown: Bool) {
        var (drafts, before): ([(index: Int, draft: IngestDraft)], Replaced?) = ([], nil)
        do {
            try history.together { transaction in
                var batch = Batch()
                try work(state, &batch, &transaction)
                drafts = batch.drafts
                guard showsFirst else { return }
                before = apply(drafts, to: &state)
                events.deliver()
            }
        } catch {
            logger.info("reading not stored", metadata: ["error": "\(error)"])
            if let before { takeBack(drafts, before, in: &state) }
            state.unstored.isFailing = true
            events.add([.event(.notStored(reason: HistoryError.trouble(error)))])
            return (.sendAgain(reason: "\(error)"), before != nil)
        }
        if !showsFirst { _ = apply(drafts, to: &state) }
        state.unstored.canStore(isCatchingUp: !state.catchingUp.isEmpty)
        return (.acknowledge, false)
    }

    /// What drafts have replaced.
    private struct Replaced {
        var devices: [Int: IngestDevice] = [:]
        var counts: IngestCounts
    }

    /// Applies drafts in order, and adds their results to the events.
    private func apply(_ drafts: [(index: Int, draft: IngestDraft)], to state: inout State) -> Replaced {
        var before = Replaced(counts: state.counts)
        for (index, draft) in drafts {
            if before.devices[index] == nil { before.devices[index] = state.devices[index] }
            events.add(take(draft, for: index, in: &state))
        }
        return before
    }

    /// Restores what drafts replaced, and remembers that their results were reported: the broker sends them again.
    private func takeBack(
        _ drafts: [(index: Int, draft: IngestDraft)], _ before: Replaced, in state: inout State
    ) {
        for (index, draft) in drafts {
            state.unstored.note(state.devices[index], draft.payloads.filter { !$0.isRetained })
        }
        for (index, device) in before.devices {
            let order = state.devices[index].raw.order
            state.devices[index] = device
            // The watches have seen that order.
            state.devices[index].raw.raiseOrder(to: order)
        }
        state.counts = before.counts
    }

    /// Applies a draft to its device, and returns the results.
    private func take(
        _ draft: consuming IngestDraft, for index: Int, in state: inout State
    ) -> [IngestEventQueue.Item] {
        if !state.unstored.isEmpty {
            let device = state.devices[index].device.id
            draft.forget { state.unstored.take($0, of: device) }
        }
        for note in draft.notes { Self.count(note, index, in: &state) }
        log(draft, of: state.devices[index].device)
        let server = state.devices[index].device.serverID
        return state.devices[index].take(
            draft, isCatchingUp: state.catchingUp.contains(server), connectedAt: state.connectedAt[server])
    }

    private static func count(_ note: CountedEvent, _ index: Int, in state: inout State) {
        state.counts.count(note)
        state.devices[index].counts.count(note)
    }

    /// Reports the values of a message as if it had been stored; the state of the device does not change.
    private func judgeUnstored(_ message: Message, from server: ServerID, in state: inout State) {
        // Retained messages are not evaluated.
        guard !message.isRetained else { return }
        for index in state.routes.devices(of: message.topic, at: server) {
            let known = state.devices[index]
            var device = state.unstored.devices[known.device.id] ?? known
            device.device = known.device
            var draft = IngestDraft(device, after: nil, receivedAt: now())
            draft.read(message, of: device.device, nil)
            draft.learn()
            let payloads = draft.payloads
            let items = device.take(draft, isCatchingUp: false)
            state.unstored.note(device, payloads)
            events.add(items)
        }
    }

    private func log(_ draft: IngestDraft, of device: Device) {
        guard logger.logLevel <= .debug else { return }
        for note in draft.notes {
            guard case .rejected(let code, let words) = note else { continue }
            logger.debug(
                "message is not a reading",
                metadata: ["device": "\(device.name)", "code": "\(code)", "reason": "\(words)"])
        }
        for value in draft.payloads.flatMap(\.quarantined) {
            logger.debug(
                "value kept apart: a fault of the probe",
                metadata: ["device": "\(device.name)", "reason": "\(value.words)"])
        }
    }
}

extension Device {
    /// The quantities that the device is expected to send before its first message; the stored readings say more about a
    /// device of an earlier run.
    fileprivate func expected(knowing stored: DeviceReadings?) -> Set<Quantity> {
        let before = Set(stored?.awaited ?? [])
        guard let mapping else { return before }
        let named = Set(mapping.values.map(\.quantity))
        return mapping.profile == nil ? named : before.intersection(named)
    }

    /// Whether the messages of another version of this device are decoded in the same way.
    fileprivate func reads(as other: Device) -> Bool {
        serverID == other.serverID && topic == other.topic && mapping == other.mapping
    }
}

extension Delivery {
    /// The delivery of a message; nil for one that the broker does not deliver again.
    fileprivate init?(of message: Message, from server: ServerID, in connection: SessionConnection) {
        guard let packet = message.packetIdentifier else { return nil }
        self.init(
            serverID: server, packetIdentifier: packet.rawValue, connection: connection.number,
            isSessionResumed: connection.isSessionResumed)
    }
}
