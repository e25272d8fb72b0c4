import Logging
import MQTT
import Platform
import PoolDecoding
import PoolModel
import PoolStore

/// Publishes what the hub knows to the servers that announce it to Home Assistant: devices, corrected values, status,
/// alerts, availability.
///
/// Everything is published again when a connection stands again and when Home Assistant says that it has started. What
/// was announced is remembered, so that it is taken back when a device or the prefix goes; at a server that is removed,
/// over the connection as it still stands, and if none does, not at all. All its functions return at once, but
/// ``run(newest:)``.
final class HubPublisher: Sendable {
    fileprivate struct State {
        var configuration = PoolConfiguration()
        var announced: [ServerID: RetainedAnnouncements]
        var readings: [DeviceID: DeviceReadings] = [:]
        /// All open alerts, also those that are too many for a watch.
        var alerts: [AlertState.Alert] = []
        /// Since when each connection stands: another time is another connection, to which everything is told again.
        var connected: [ServerID: Timestamp] = [:]
        var lanes: [ServerID: (lane: PublishingQueue, task: Task<Void, Never>)] = [:]
        /// What was published last on each retained topic of a server: only changes are published.
        var told: [ServerID: [String: [UInt8]]] = [:]
    }

    /// How often it is looked whether values have grown old.
    private static let lookInterval = Duration.seconds(5)

    private let store: AlertStore
    private let topics: HubTopics
    private let logger: Logger
    private let publish: @Sendable (PublishedMessage, ServerID) async -> String?
    private let state: Lock<State>

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - store: Where it is remembered what was announced.
    ///   - topics: The hub's topics.
    ///   - logger: Gets what went wrong.
    ///   - publish: Publishes to a server; gives why it did not arrive.
    /// - Throws: `HistoryError`.
    init(
        store: AlertStore, topics: HubTopics, logger: Logger,
        publish: @escaping @Sendable (PublishedMessage, ServerID) async -> String?
    ) throws {
        self.store = store
        self.topics = topics
        self.logger = logger
        self.publish = publish
        state = Lock(State(announced: try RetainedAnnouncements.all(in: store)))
    }

    /// Publishes until the task is cancelled.
    func run(newest: [DeviceReadings]) async {
        state.withLock { state in
            for readings in newest where state.readings[readings.deviceID] == nil {
                state.readings[readings.deviceID] = readings
            }
        }
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: Self.lookInterval)
            state.withLock { state in
                for device in state.configuration.devices { tell(of: device, &state) }
                tellServers(&state)
            }
        }
        state.withLock { state in
            for lane in state.lanes.values { lane.task.cancel() }
            state.lanes = [:]
        }
    }

    // MARK: - What happens

    /// Follows another configuration; call it before the connections do.
    func use(_ configuration: PoolConfiguration) async {
        for (server, messages) in state.withLock({ withdraw(for: configuration, &$0) }) {
            for message in messages { _ = await publish(message, server) }
        }
        state.withLock { state in
            state.configuration = configuration
            let known = Set(configuration.devices.map(\.id))
            state.readings = state.readings.filter { known.contains($0.key) }
            for server in state.connected.keys.sorted() where configuration.server(server) != nil {
                announce(to: server, &state)
            }
        }
    }

    /// Takes in what is shown of a device now.
    func note(_ readings: DeviceReadings) {
        state.withLock { state in
            let before = state.readings.updateValue(readings, forKey: readings.deviceID)
            guard let device = state.configuration.device(readings.deviceID) else { return }
            if Set(before?.values.pairs.map(\.quantity) ?? []) != Set(readings.values.pairs.map(\.quantity)) {
                for server in state.announcing { announce(device, to: server, &state) }
            }
            tellValues(of: device, &state)
            tell(of: device, &state)
        }
    }

    /// Takes in all open alerts.
    func note(_ alerts: [AlertState.Alert]) {
        state.withLock { state in
            let before = state.alerts
            state.alerts = alerts
            for device in state.configuration.devices {
                if before.quantities(of: device.id) != alerts.quantities(of: device.id) {
                    for server in state.announcing { announce(device, to: server, &state) }
                }
                tell(of: device, &state)
            }
            tellServers(&state)
        }
    }

    /// Takes in that the connection to a server changed.
    func note(_ server: Server, _ broker: BrokerState) {
        state.withLock { state in
            guard broker.isConnected else {
                state.connected[server.id] = nil
                return
            }
            guard state.connected.updateValue(broker.since, forKey: server.id) != broker.since else { return }
            state.told[server.id] = [:]
            announce(to: server.id, &state)
        }
    }

    /// Takes in a message on a server's birth topic.
    func note(birth message: Message, of server: Server) {
        guard message.payload == Array("online".utf8) else { return }
        state.withLock { state in
            state.told[server.id] = [:]
            announce(to: server.id, &state)
        }
    }

    // MARK: - Announcing

    /// Brings a server's broker in line: takes back what is gone, and announces what is there.
    private func announce(to id: ServerID, _ state: inout State) {
        guard let server = state.configuration.server(id), state.connected[id] != nil else { return }
        let wanted = Set(server.announcementPrefix == nil ? [] : state.configuration.devices.map(\.id))
        if let announced = state.announced[id] {
            let isMoved = announced.prefix != server.announcementPrefix
            let gone = isMoved ? announced.devices : announced.devices.subtracting(wanted)
            for device in gone {
                withdraw(device, under: announced.prefix, from: id, isKept: wanted.contains(device), &state)
            }
        }
        if let announced = state.announced[id], announced.prefix != server.announcementPrefix {
            withdrawHub(announced, from: id, isKept: server.announcementPrefix != nil, &state)
        }
        guard let prefix = server.announcementPrefix else { return }
        announceHub(to: id, under: prefix, &state)
        let servers = Set(state.configuration.servers.map(\.id))
        remember(
            RetainedAnnouncements(prefix: prefix, address: server.address, devices: wanted, servers: servers), of: id,
            &state)
        tellServers(&state)
        for device in state.configuration.devices {
            announce(device, to: server, &state)
            tellValues(of: device, &state)
            tell(of: device, &state)
        }
    }

    private func announce(_ device: Device, to server: Server, _ state: inout State) {
        guard let prefix = server.announcementPrefix else { return }
        let announcement = announcement(of: device, state)
        lane(of: server.id, &state)?.enqueue(announcement.message(prefix: prefix))
    }

    /// Announces the hub and the connections to its servers, and takes back those to servers that are gone.
    private func announceHub(to id: ServerID, under prefix: String, _ state: inout State) {
        let servers = state.configuration.servers.map { HubAnnouncement.Server(id: $0.id, name: $0.name) }
        let gone = (state.announced[id]?.servers ?? []).subtracting(servers.map(\.id)).sorted()
        let lane = lane(of: id, &state)
        lane?.enqueue(HubAnnouncement(topics: topics, servers: servers, gone: gone).message(prefix: prefix))
        for server in gone { lane?.enqueue(PublishedMessage(topic: topics.alert(of: server), payload: [])) }
    }

    /// Takes the hub itself back; `isKept` if it is announced under another prefix, so that its own topics stay.
    private func withdrawHub(_ announced: RetainedAnnouncements, from id: ServerID, isKept: Bool, _ state: inout State)
    {
        let messages = hubRemoval(announced)
        guard announced.servers != nil, let lane = lane(of: id, &state) else { return }
        for message in isKept ? Array(messages.prefix(1)) : messages {
            state.told[id]?[message.topic] = nil
            lane.enqueue(message) { [self] in
                guard message == messages.last, !isKept else { return }
                self.state.withLock { state in
                    guard var announced = state.announced[id],
                        state.configuration.server(id)?.announcementPrefix == nil
                    else { return }
                    announced.servers = nil
                    remember(announced, of: id, &state)
                }
            }
        }
    }

    private func hubRemoval(_ announced: RetainedAnnouncements) -> [PublishedMessage] {
        guard let servers = announced.servers else { return [] }
        return HubAnnouncement(topics: topics, servers: [], gone: servers.sorted())
            .deletionMessages(prefix: announced.prefix)
    }

    private func announcement(of device: Device, _ state: State) -> HomeAssistantAnnouncement {
        HomeAssistantAnnouncement(
            topics: topics, device: device.id, name: device.name, model: device.deviceType,
            poolName: device.poolID.flatMap(state.configuration.pool)?.name,
            quantities: state.readings[device.id]?.values.pairs.map(\.quantity) ?? [],
            alerting: state.alerts.quantities(of: device.id).sorted { $0.rawValue < $1.rawValue },
            expectedIntervalSeconds: device.expectedIntervalSeconds)
    }

    /// Takes a device back; `isKept` if it is announced under another prefix, so that its own topics stay.
    private func withdraw(
        _ device: DeviceID, under prefix: String, from server: ServerID, isKept: Bool, _ state: inout State
    ) {
        let messages = removal(of: device, under: prefix)
        guard let lane = lane(of: server, &state) else { return }
        for message in isKept ? Array(messages.prefix(1)) : messages {
            state.told[server]?[message.topic] = nil
            lane.enqueue(message) { [self] in
                guard message == messages.last, !isKept else { return }
                self.state.withLock { state in forget(device, of: server, &state) }
            }
        }
    }

    private func removal(of device: DeviceID, under prefix: String) -> [PublishedMessage] {
        HomeAssistantAnnouncement(topics: topics, device: device, name: "", expectedIntervalSeconds: 1)
            .deletionMessages(prefix: prefix)
    }

    /// What is to be taken back over connections that end with a configuration.
    private func withdraw(
        for configuration: PoolConfiguration, _ state: inout State
    ) -> [(ServerID, [PublishedMessage])] {
        var all: [(ServerID, [PublishedMessage])] = []
        for (id, announced) in state.announced where state.connected[id] != nil {
            let server = configuration.server(id)
            let stays =
                server.map { $0.address == announced.address && $0.announcementPrefix == announced.prefix } ?? false
            guard !stays else { continue }
            let removals = announced.devices.sorted().flatMap { removal(of: $0, under: announced.prefix) }
            all.append((id, removals + hubRemoval(announced)))
            state.told[id] = [:]
            remember(nil, of: id, &state)
        }
        return all
    }

    private func forget(_ device: DeviceID, of server: ServerID, _ state: inout State) {
        guard var announced = state.announced[server],
            state.configuration.device(device) == nil
                || state.configuration.server(server)?.announcementPrefix == nil
        else { return }
        announced.devices.remove(device)
        remember(announced, of: server, &state)
    }

    /// Remembers what a broker keeps; what was announced before stays in it until it is taken back.
    private func remember(_ announced: RetainedAnnouncements?, of server: ServerID, _ state: inout State) {
        guard state.announced[server] != announced else { return }
        state.announced[server] = announced?.isEmpty == true ? nil : announced
        do {
            try RetainedAnnouncements.keep(announced, of: server, in: store)
        } catch {
            logger.info("what was announced was not noted", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - Telling

    /// Publishes the values of a device; they are not retained.
    private func tellValues(of device: Device, _ state: inout State) {
        guard let readings = state.readings[device.id] else { return }
        let now = Timestamp.now
        let live = readings.values.pairs.filter { _, latest in
            latest.freshness(at: now, expectedIntervalSeconds: device.expectedIntervalSeconds).freshness == .live
        }
        guard !live.isEmpty else { return }
        var values: QuantityMap<Double> = [:]
        for (quantity, latest) in live { values[quantity] = latest.value }
        let message = topics.valuesMessage(
            of: device.id, values: values, sampledAt: live.compactMap(\.value.moment).max())
        for server in state.announcing { lane(of: server.id, &state)?.enqueue(message) }
    }

    /// Publishes what changed of a device's status, availability and alerts.
    private func tell(of device: Device, _ state: inout State) {
        guard !state.announcing.isEmpty else { return }
        let now = Timestamp.now
        let readings = state.readings[device.id]
        let glance = Glance(
            device: WatchDevice(device, pool: device.poolID.flatMap(state.configuration.pool)), readings: readings,
            history: nil, now: now, link: .linked, revision: nil, clock: "",
            alerts: AlertState(state.alerts))
        var quantities: QuantityMap<Status> = [:]
        for gauge in glance.gauges where gauge.value != nil { quantities[gauge.quantity] = gauge.status }
        let isActive = readings?.isActive(at: now, expectedIntervalSeconds: device.expectedIntervalSeconds) ?? false
        var messages = [
            topics.availabilityMessage(of: device.id, isOnline: isActive),
            topics.statusMessage(of: device.id, headline: Headline(glance), quantities: quantities),
        ]
        for quantity in Quantity.allCases {
            messages.append(
                topics.availabilityMessage(
                    of: device.id, quantity, isOnline: quantities[quantity].map { $0 != .offline } ?? false))
            messages.append(
                alert(on: topics.alert(of: device.id, quantity), state) {
                    $0.deviceID == device.id && $0.quantity == quantity
                })
        }
        messages.append(
            alert(on: topics.alert(of: device.id), state) { $0.deviceID == device.id && $0.quantity == nil })
        tell(messages, &state)
    }

    /// Publishes what changed of the alerts of connections and of the hub itself.
    private func tellServers(_ state: inout State) {
        let messages = state.configuration.servers.map { server in
            alert(on: topics.alert(of: server.id), state) { $0 == .connection(server.id) }
        }
        tell(messages + [alert(on: topics.storageAlert, state) { $0 == .hub(.storage) }], &state)
    }

    /// The alerts of a topic.
    private func alert(on topic: String, _ state: State, where isMeant: (AlertKey) -> Bool) -> PublishedMessage {
        topics.alertMessage(on: topic, state.alerts.filter { isMeant($0.key) })
    }

    private func tell(_ messages: [PublishedMessage], _ state: inout State) {
        for server in state.announcing {
            for message in messages where state.told[server.id]?[message.topic] != message.payload {
                state.told[server.id]?[message.topic] = message.payload
                lane(of: server.id, &state)?.enqueue(message)
            }
        }
    }

    private func lane(of server: ServerID, _ state: inout State) -> PublishingQueue? {
        if let lane = state.lanes[server]?.lane { return lane }
        let lane = PublishingQueue()
        // Cancelled at the end of ``run(newest:)``; it ends with the connection's last answer.
        let task = Task { [publish] in await lane.run { await publish($0, server) } }
        state.lanes[server] = (lane, task)
        return lane
    }
}

extension [AlertState.Alert] {
    /// The quantities of a device that have an open alert.
    fileprivate func quantities(of device: DeviceID) -> Set<Quantity> {
        Set(filter { $0.key.deviceID == device }.compactMap(\.key.quantity))
    }
}

extension HubPublisher.State {
    /// The servers to which something is published now.
    fileprivate var announcing: [Server] {
        configuration.servers.filter { $0.announcementPrefix != nil && connected[$0.id] != nil }
    }
}
