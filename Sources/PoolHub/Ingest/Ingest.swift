import Logging
import Mosquitto
import PoolModel
import PoolStore
import Synchronization

/// Turns messages into readings: credits each to the devices of its topic, stores it as sent, and tells what shows,
/// corrected.
///
/// It is called on the brokers' network threads and may block them while it stores; a message is acknowledged to the
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
        /// When the connection to a server was last seen standing, in this life of the hub.
        var connectedAt: [ServerID: Timestamp] = [:]
        /// What the history holds of devices that are not configured yet.
        var stored: [DeviceID: DeviceReadings]
    }

    let history: HistoryStore
    let logger: Logger
    let now: @Sendable () -> Timestamp
    let outbox: IngestOutbox
    let state: Mutex<State>

    /// Creates the ingest of a hub, which takes nothing in before it has a configuration.
    ///
    /// - Parameters:
    ///   - history: Where readings are kept.
    ///   - logger: Gets what was not taken.
    ///   - now: What the wall clock shows.
    ///   - onEvent: Called with what was learned, on any thread, one call at a time; must return at once.
    ///   - onReadings: Called likewise with what is shown of a device, corrected, and whether that is new.
    /// - Throws: `HistoryError` if the history cannot be read.
    init(
        history: HistoryStore, logger: Logger, now: @escaping @Sendable () -> Timestamp = { .now },
        onEvent: @escaping @Sendable (IngestEvent) -> Void,
        onReadings: @escaping @Sendable (DeviceReadings, Bool) -> Void
    ) throws {
        self.history = history
        self.logger = logger
        self.now = now
        outbox = IngestOutbox(onEvent: onEvent, onReadings: onReadings)
        let latest = try history.latest()
        state = Mutex(State(stored: Dictionary(latest.map { ($0.deviceID, $0) }) { $1 }))
    }

    // MARK: - What is known

    /// What is shown of each device, corrected, in the order of their ids; before the first configuration as stored.
    var readings: [DeviceReadings] {
        state.withLock { state in
            let known = state.devices.map(\.shown).filter { $0.order > 0 }
            return (known + state.stored.values).sorted { $0.deviceID < $1.deviceID }
        }
    }

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

    /// Takes a message in.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - server: The server whose broker delivered it.
    ///   - life: The connection that it came on.
    /// - Returns: Whether the broker may forget it.
    func receive(
        _ message: Message, from server: ServerID, in life: BrokerConnection.Life
    ) -> BrokerConnection.Verdict {
        let receivedAt = now()
        let delivery = message.packetIdentifier.map { packet in
            Delivery(
                serverID: server, packetIdentifier: packet.rawValue, connection: life.number,
                isSessionResumed: life.isSessionResumed)
        }
        // One lock for all brokers: the database takes one writer at a time anyway.
        let verdict = state.withLock { state -> BrokerConnection.Verdict in
            var batch = IngestBatch()
            for index in state.routes.devices(of: message.topic, at: server) {
                state.devices[index].last = LastMessage(message, receivedAt: receivedAt)
                batch.read(message, for: index, state.devices[index], receivedAt: receivedAt, delivery)
            }
            return keep(&batch, in: &state)
        }
        outbox.tell()
        return verdict
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
            var batch = IngestBatch()
            for index in state.devices.indices {
                guard let deadline = state.devices[index].decoder?.deadline else { continue }
                // Also when the clock was set back far before it.
                guard deadline <= moment || deadline.milliseconds(since: moment) > 60_000 else { continue }
                batch.expire(index, state.devices[index], at: moment)
            }
            // What cannot be stored now waits on: its broker has forgotten it.
            _ = keep(&batch, in: &state)
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
                let moments = [state.devices[index].raw.lastSeen, state.connectedAt[server]]
                state.devices[index].heardBefore = moments.compactMap(\.self).max()
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

    /// Stores what was read, all or nothing, and only then takes it as learned.
    func keep(_ batch: inout IngestBatch, in state: inout State) -> BrokerConnection.Verdict {
        guard !batch.drafts.isEmpty else { return .acknowledge }
        do {
            try batch.store(in: history)
        } catch {
            for draft in batch.drafts { Self.count(.notStored, draft.index, in: &state) }
            logger.info("reading not stored", metadata: ["error": "\(error)"])
            return .sendAgain(reason: "\(error)")
        }
        for draft in batch.drafts {
            let index = draft.index
            for note in draft.notes { Self.count(note, index, in: &state) }
            log(draft, of: state.devices[index].device)
            let isCatchingUp = state.catchingUp.contains(state.devices[index].device.serverID)
            outbox.add(state.devices[index].take(draft, isCatchingUp: isCatchingUp))
        }
        return .acknowledge
    }

    private static func count(_ note: IngestNote, _ index: Int, in state: inout State) {
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
