import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel
import PoolStore

/// Turns messages into readings: credits each to the devices of its topic, stores it as sent, and tells what shows,
/// corrected.
///
/// It is called on the brokers' network threads and may block them while it stores; messages are acknowledged to the
/// broker only after it returned. Readings are credited by server and topic, never by what a message says (X10).
///
/// While a broker delivers what it kept for the hub (``beginCatchUp(_:)``), every reading goes into the history, but
/// only the last one of each device is shown and told as current, at ``endCatchUp(_:)``.
final class Ingest: Sendable {
    struct State {
        var devices: [IngestDevice] = []
        var routes = IngestRoutes()
        var counts = IngestCounts()
        var catchingUp: Set<ServerID> = []
        /// When the connection to a server was last seen standing, since the hub started.
        var connectedAt: [ServerID: Timestamp] = [:]
        /// What the history holds of devices that are not configured yet.
        var stored: [DeviceID: DeviceReadings]
        /// What was judged without being stored.
        var unstored = UnstoredMessages()

        /// When a device was heard last, or its connection stood; nil if neither ever happened.
        func heardLast(_ device: IngestDevice) -> Timestamp? {
            [device.raw.lastSeen, connectedAt[device.device.serverID]].compactMap(\.self).max()
        }
    }

    let history: HistoryStore
    let logger: Logger
    let now: @Sendable () -> Timestamp
    let outbox: IngestEventQueue
    let state: Lock<State>

    /// Creates the ingest of a hub, which takes nothing in before it has a configuration.
    ///
    /// - Parameters:
    ///   - history: Where readings are kept.
    ///   - logger: Gets what was not taken.
    ///   - now: What the wall clock shows.
    ///   - onItem: Gets what was learned, in its order, on any thread, one call at a time; must return at once.
    /// - Throws: `HistoryError` if the history cannot be read.
    init(
        history: HistoryStore, logger: Logger, now: @escaping @Sendable () -> Timestamp = { .now },
        onItem: @escaping @Sendable (IngestEventQueue.Item) -> Void
    ) throws {
        self.history = history
        self.logger = logger
        self.now = now
        outbox = IngestEventQueue(onItem: onItem)
        let latest = try history.latest()
        state = Lock(State(stored: Dictionary(latest.map { ($0.deviceID, $0) }) { $1 }))
    }

    // MARK: - What is known

    /// What is shown of each device, corrected, in the order of their ids; before the first configuration as stored.
    var readings: [DeviceReadings] {
        state.withLock { state in
            let known = state.devices.map(\.shown).filter { $0.order > 0 }
            return (known + state.stored.values).sorted { $0.deviceID < $1.deviceID }
        }
    }

    /// Returns when what ``readings`` has was told, also to the alerts.
    func tell() { outbox.tell() }

    /// What became of all messages.
    var counts: IngestCounts { state.withLock(\.counts) }

    /// What is known of each device.
    var facts: [DeviceID: Facts] {
        state.withLock { state in
            Dictionary(state.devices.map { ($0.device.id, Facts($0)) }) { $1 }
        }
    }

    /// What ingest knows of a device, for reports.
    struct Facts: Sendable {
        var readings: DeviceReadings?
        var rawReadings: DeviceReadings?
        var isAvailable: Bool?
        var counts: IngestCounts
        var lastMessage: RawMessage?

        init(_ device: IngestDevice) {
            let isHeard = device.raw.order > 0
            readings = isHeard ? device.shown : nil
            rawReadings = isHeard ? device.raw : nil
            isAvailable = device.isAvailable
            counts = device.counts
            lastMessage = device.last?.words
        }
    }

    /// The filters to subscribe to at a server.
    func filters(of server: ServerID) -> Set<String> { state.withLock { $0.routes.filters(of: server) } }

    // MARK: - Messages

    /// Takes messages in, and stores what they say together: all or nothing.
    ///
    /// - Parameters:
    ///   - messages: The messages in the order of arrival.
    ///   - server: The server whose broker delivered them.
    ///   - connection: The connection that they came on.
    /// - Returns: Whether the broker may forget them.
    func receive(
        _ messages: [Message], from server: ServerID, in connection: SessionConnection
    ) -> MessageDisposition {
        // One lock for all brokers: the database takes one writer at a time anyway.
        let verdict = state.withLock { state -> MessageDisposition in
            guard !connection.isStandIn else {
                for message in messages { judgeUnstored(message, from: server, in: &state) }
                return .acknowledge
            }
            let verdict = keep(in: &state) { state, transaction in
                var items: [IngestEventQueue.Item] = []
                for message in messages {
                    let delivery = Delivery(of: message, from: server, in: connection)
                    for index in state.routes.devices(of: message.topic, at: server) {
                        items += try take(message, delivery, for: index, in: &state, &transaction)
                    }
                }
                return items
            }
            guard case .sendAgain = verdict else { return verdict }
            for message in messages {
                for index in state.routes.devices(of: message.topic, at: server) {
                    state.devices[index].last = LastMessage(message, receivedAt: now())
                    Self.count(.notStored, index, in: &state)
                }
                // A backlog waits where it is, to be judged in order when it can be stored.
                if !state.catchingUp.contains(server) { judgeUnstored(message, from: server, in: &state) }
            }
            return verdict
        }
        outbox.tell()
        return verdict
    }

    private func take(
        _ message: Message, _ delivery: Delivery?, for index: Int, in state: inout State,
        _ transaction: inout HistoryTransaction
    ) throws -> [IngestEventQueue.Item] {
        let receivedAt = now()
        state.devices[index].last = LastMessage(message, receivedAt: receivedAt)
        var draft = IngestDraft(state.devices[index], receivedAt: receivedAt)
        draft.read(message, of: state.devices[index].device, delivery)
        return try take(draft, for: index, in: &state, &transaction)
    }

    /// Counts a message that the broker delivered once more because two of the hub's filters match it.
    func dropCopy(of message: Message, from server: ServerID) {
        state.withLock { state in
            for index in state.routes.devices(of: message.topic, at: server) {
                Self.count(.duplicate, index, in: &state)
            }
        }
    }

    /// Gives up waiting for times and units that did not come; called about once in a second.
    func expire() {
        let moment = now()
        state.withLock { state in
            let due = state.devices.indices.filter { index in
                guard let deadline = state.devices[index].decoder?.deadline else { return false }
                // Also when the clock was set back far before it.
                return deadline <= moment || deadline.milliseconds(since: moment) > 60_000
            }
            guard !due.isEmpty else { return }
            let verdict = keep(in: &state) { state, transaction in
                try due.flatMap { index in
                    var draft = IngestDraft(state.devices[index], receivedAt: moment)
                    draft.expire(of: state.devices[index].device)
                    return try take(draft, for: index, in: &state, &transaction)
                }
            }
            // What cannot be stored now waits on: its broker has forgotten it.
            guard case .sendAgain = verdict else { return }
            for index in due { Self.count(.notStored, index, in: &state) }
        }
        outbox.tell()
    }

    // MARK: - Backlogs

    /// The connection to a server stands: what its broker keeps for the next one is not older.
    func noteConnected(_ server: ServerID) {
        state.withLock { $0.connectedAt[server] = now() }
    }

    /// A broker begins to deliver what it kept while the hub was away.
    func beginCatchUp(_ server: ServerID) {
        state.withLock { state in
            guard state.catchingUp.insert(server).inserted else { return }
            for index in state.devices.indices where state.devices[index].device.serverID == server {
                state.devices[index].heardBefore = state.heardLast(state.devices[index])
            }
        }
    }

    /// The backlog of a broker is in: the last reading of each device is shown, with the greatest age that it may have.
    func endCatchUp(_ server: ServerID) {
        state.withLock { state in
            guard state.catchingUp.remove(server) != nil else { return }
            for index in state.devices.indices where state.devices[index].device.serverID == server {
                if state.devices[index].raw.dateBack(to: state.devices[index].heardBefore) {
                    keep(state.devices[index].raw)
                }
                outbox.add(state.devices[index].release())
            }
            if !state.unstored.isFailing { state.unstored = UnstoredMessages() }
        }
        outbox.tell()
    }

    // MARK: - Keeping

    /// Stores the newest values of a device.
    private func keep(_ readings: DeviceReadings) {
        do {
            try history.save(readings)
        } catch {
            // They are shown rightly; after a restart they would look as young as their arrival.
            logger.info("the age of what a broker kept was not stored", metadata: ["error": "\(error)"])
        }
    }

    /// Does what stores readings in one transaction, and takes nothing of it as learned before it is on the disk.
    ///
    /// The work changes a copy of the state, and gives what is to be told.
    private func keep(
        in state: inout State, _ work: (inout State, inout HistoryTransaction) throws -> [IngestEventQueue.Item]
    ) -> MessageDisposition {
        var learned = state
        do {
            outbox.add(try history.together { try work(&learned, &$0) })
        } catch {
            logger.info("reading not stored", metadata: ["error": "\(error)"])
            state.unstored.isFailing = true
            outbox.add([.event(.notStored(reason: HistoryError.trouble(error)))])
            return .sendAgain(reason: "\(error)")
        }
        state = learned
        state.unstored.canStore(isCatchingUp: !state.catchingUp.isEmpty)
        return .acknowledge
    }

    /// Stores what a message, or the end of a wait, means for a device; gives what is to be told.
    private func take(
        _ draft: consuming IngestDraft, for index: Int, in state: inout State, _ transaction: inout HistoryTransaction
    ) throws -> [IngestEventQueue.Item] {
        try draft.store(in: &transaction)
        if !state.unstored.isEmpty {
            let device = state.devices[index].device.id
            draft.forget { state.unstored.take($0, of: device) }
        }
        for note in draft.notes { Self.count(note, index, in: &state) }
        log(draft, of: state.devices[index].device)
        let isCatchingUp = state.catchingUp.contains(state.devices[index].device.serverID)
        return state.devices[index].take(draft, isCatchingUp: isCatchingUp)
    }

    private static func count(_ note: CountedEvent, _ index: Int, in state: inout State) {
        state.counts.count(note)
        state.devices[index].counts.count(note)
    }

    private func log(_ draft: IngestDraft, of device: Device) {
        guard logger.logLevel <= .debug else { return }
        for note in draft.notes {
            guard case .rejected(let code, let words) = note else { continue }
            logger.debug(
                "message is no reading",
                metadata: ["device": "\(device.name)", "code": "\(code)", "reason": "\(words)"])
        }
        for value in draft.payloads.flatMap(\.quarantined) {
            logger.debug(
                "value kept apart: water cannot have it",
                metadata: [
                    "device": "\(device.name)", "quantity": "\(value.quantity.rawValue)", "value": "\(value.value)",
                    "range": "\(value.range)",
                ])
        }
    }
}

extension Delivery {
    /// How a broker delivered a message; nil for one that it does not deliver again.
    fileprivate init?(of message: Message, from server: ServerID, in connection: SessionConnection) {
        guard let packet = message.packetIdentifier else { return nil }
        self.init(
            serverID: server, packetIdentifier: packet.rawValue, connection: connection.number,
            isSessionResumed: connection.isSessionResumed)
    }
}
