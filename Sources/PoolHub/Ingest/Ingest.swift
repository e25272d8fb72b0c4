import Logging
import Mosquitto
import PoolModel
import PoolStore
import Synchronization

/// Turns messages into readings: credits each to the device of its topic, stores it, and tells what shows.
///
/// It is called on the brokers' network threads and may block them while it stores; a message is acknowledged to the
/// broker only after it returned. Readings are credited by server and topic, never by what a message says (X10).
final class Ingest: Sendable {
    private struct State {
        var configuration = PoolConfiguration()
        var readings: [DeviceID: DeviceReadings]
        var counts = IngestCounts()
        var countsByDevice: [DeviceID: IngestCounts] = [:]
    }

    private let history: HistoryStore
    private let decoder = PayloadDecoder()
    private let logger: Logger
    private let onReadings: @Sendable (DeviceReadings) -> Void
    private let state: Mutex<State>

    /// Creates the ingest of a hub.
    ///
    /// - Parameters:
    ///   - history: Where readings are kept.
    ///   - logger: Gets what was not taken.
    ///   - onReadings: Called on the network thread when what is shown of a device changed.
    /// - Throws: `HistoryError` if the history cannot be read.
    init(
        history: HistoryStore, logger: Logger, onReadings: @escaping @Sendable (DeviceReadings) -> Void
    ) throws {
        self.history = history
        self.logger = logger
        self.onReadings = onReadings
        let latest = try history.latest()
        state = Mutex(State(readings: Dictionary(latest.map { ($0.deviceID, $0) }) { $1 }))
    }

    /// What is shown of each device, in the order of their ids.
    var readings: [DeviceReadings] {
        state.withLock { $0.readings.values.sorted { $0.deviceID < $1.deviceID } }
    }

    /// What became of all messages.
    var counts: IngestCounts { state.withLock(\.counts) }

    /// What became of each device's messages.
    var countsByDevice: [DeviceID: IngestCounts] { state.withLock(\.countsByDevice) }

    /// Uses another configuration from now on.
    func use(_ configuration: PoolConfiguration) {
        state.withLock { state in
            state.configuration = configuration
            let known = Set(configuration.devices.map(\.id))
            state.readings = state.readings.filter { known.contains($0.key) }
            state.countsByDevice = state.countsByDevice.filter { known.contains($0.key) }
        }
    }

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
        let device = state.withLock { $0.configuration.device(onTopic: message.topic.text, of: server) }
        guard let device else { return .acknowledge }
        switch decoder.decode(message.payload, receivedAt: .now, isRetained: message.isRetained) {
        case .rejected(let rejection):
            count(for: device) { $0.rejected[rejection.code, default: 0] += 1 }
            logger.debug(
                "message is no reading",
                metadata: ["device": "\(device.name)", "topic": "\(message.topic)", "reason": "\(rejection)"])
            return .acknowledge
        case .decoded(let payload):
            note(payload, of: device)
            let delivery = message.packetIdentifier.map { packet in
                Delivery(
                    serverID: server, packetIdentifier: packet.rawValue, connection: life.number,
                    isSessionResumed: life.isSessionResumed)
            }
            return keep(payload, of: device, delivery)
        }
    }

    private func note(_ payload: DecodedPayload, of device: Device) {
        count(for: device) { counts in
            counts.quarantined += UInt64(payload.quarantined.count)
            counts.formats[payload.format.rawValue, default: 0] += 1
            if payload.isRetained { counts.retained += 1 }
        }
        for value in payload.quarantined {
            logger.debug(
                "value kept apart: water cannot have it",
                metadata: [
                    "device": "\(device.name)", "quantity": "\(value.quantity.rawValue)", "value": "\(value.value)",
                    "range": "\(value.range)",
                ])
        }
    }

    private func keep(
        _ payload: DecodedPayload, of device: Device, _ delivery: Delivery?
    ) -> BrokerConnection.Verdict {
        do {
            // One lock for all brokers: the database takes one writer at a time anyway.
            let shown = try state.withLock { state in try store(payload, of: device, delivery, &state) }
            if let shown { onReadings(shown) }
            return .acknowledge
        } catch {
            count(for: device) { $0.notStored += 1 }
            logger.info("reading not stored", metadata: ["device": "\(device.name)", "error": "\(error)"])
            return .sendAgain(reason: "\(error)")
        }
    }

    /// Stores what is new and gives what is shown of the device, nil if that did not change.
    private func store(
        _ payload: DecodedPayload, of device: Device, _ delivery: Delivery?, _ state: inout State
    ) throws -> DeviceReadings? {
        var latest = state.readings[device.id] ?? DeviceReadings(deviceID: device.id)
        let hasChanged = latest.absorb(payload)
        // A history that was lost or put back must not repeat orders that watches have seen: they would take new
        // values for old ones.
        if hasChanged { latest.raiseOrder(to: UInt64(max(0, payload.receivedAt.milliseconds))) }
        if let reading = Reading(deviceID: device.id, payload: payload) {
            let arrival = Arrival(reading: reading, payloadHash: payload.payloadHash, delivery: delivery)
            guard case .stored = try history.record(arrival, latest: { _ in hasChanged ? latest : nil }) else {
                Self.count(for: device, in: &state) { $0.duplicates += 1 }
                return nil
            }
            Self.count(for: device, in: &state) { $0.stored += 1 }
        } else if hasChanged {
            try history.save(latest)
        }
        guard hasChanged else { return nil }
        state.readings[device.id] = latest
        return latest
    }

    private func count(for device: Device, _ change: (inout IngestCounts) -> Void) {
        state.withLock { Self.count(for: device, in: &$0, change) }
    }

    private static func count(
        for device: Device, in state: inout State, _ change: (inout IngestCounts) -> Void
    ) {
        change(&state.counts)
        change(&state.countsByDevice[device.id, default: IngestCounts()])
    }
}
