import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel
import PoolStore

/// Publishes what the hub knows to the servers that announce it to Home Assistant: devices, corrected values, status,
/// alerts, availability.
///
/// Everything is published again when a connection stands again and when Home Assistant says that it has started. What
/// was announced is remembered, so that it is taken back when a device or the prefix goes; at a server that is removed,
/// over the connection as it still stands, and if none does, not at all.
actor HubPublisher {
    /// A message for one server, and what its arrival means.
    private struct Item {
        var message: PublishedMessage
        var withdrawal: Withdrawal?
    }

    /// What a server's broker no longer has when the last message of a withdrawal has arrived.
    private enum Withdrawal {
        case device(DeviceID)
        case hub
    }

    /// How often it is looked whether values have grown old.
    private static let lookInterval = Duration.seconds(5)

    private let inputs: PublisherQueue
    private let store: AlertStore
    private let topics: HubTopics
    private let logger: Logger
    private let publish: @Sendable (PublishedMessage, ServerID) async -> String?
    private var configuration = PoolConfiguration()
    private var announced: [ServerID: RetainedAnnouncements]
    private var readings: [DeviceID: DeviceReadings] = [:]
    /// All open alerts, also those that are too many for a watch.
    private var alerts: [AlertState.Alert] = []
    /// Since when each connection stands: another time is another connection, to which everything is published again.
    private var connected: [ServerID: Timestamp] = [:]
    /// The messages that wait for each server's broker, one of each topic.
    ///
    /// What does not arrive is dropped: everything that still counts is published again on the next connection.
    private var lanes: [ServerID: (queue: KeyedQueue<String, Item>, task: Task<Void, Never>)] = [:]
    /// What was published last on each retained topic of a server: only changes are published.
    private var told: [ServerID: [String: [UInt8]]] = [:]
    private var hasEnded = false

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - inputs: What it reads.
    ///   - store: Where it is remembered what was announced.
    ///   - topics: The hub's topics.
    ///   - logger: Gets what went wrong.
    ///   - publish: Publishes to a server; gives why it did not arrive.
    /// - Throws: `HistoryError`.
    init(
        inputs: PublisherQueue, store: AlertStore, topics: HubTopics, logger: Logger,
        publish: @escaping @Sendable (PublishedMessage, ServerID) async -> String?
    ) throws {
        self.inputs = inputs
        self.store = store
        self.topics = topics
        self.logger = logger
        self.publish = publish
        announced = try RetainedAnnouncements.all(in: store)
    }

    /// Publishes until the task is cancelled; may be called once.
    ///
    /// - Parameter newest: What is shown of each device at the start.
    func run(newest: [DeviceReadings]) async {
        for readings in newest { self.readings[readings.deviceID] = readings }
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    // Cancellation ends the wait and the loop.
                    try? await Task.sleep(for: Self.lookInterval)
                    await look()
                }
            }
            for await _ in inputs.signals {
                while let input = inputs.next() { handle(input) }
            }
            group.cancelAll()
        }
        hasEnded = true
        for lane in lanes.values { lane.task.cancel() }
        lanes = [:]
    }

    /// Publishes what changed because values have grown old.
    private func look() {
        for device in configuration.devices { tell(of: device) }
        tellServers()
    }

    /// Follows another configuration; call it before the connections do.
    func use(_ configuration: PoolConfiguration) async {
        for (server, messages) in withdraw(for: configuration) {
            for message in messages { _ = await publish(message, server) }
        }
        self.configuration = configuration
        let known = Set(configuration.devices.map(\.id))
        readings = readings.filter { known.contains($0.key) }
        for server in connected.keys.sorted() where configuration.server(server) != nil { announce(to: server) }
    }

    private func handle(_ input: PublisherQueue.Input) {
        switch input {
        case .readings(let readings): show(readings)
        case .alerts(let alerts): show(alerts)
        case .server(let server, let broker):
            guard broker.isConnected else {
                connected[server] = nil
                return
            }
            guard connected.updateValue(broker.since, forKey: server) != broker.since else { return }
            announceAnew(to: server)
        case .birth(let server): announceAnew(to: server)
        }
    }

    private func show(_ new: DeviceReadings) {
        let before = readings.updateValue(new, forKey: new.deviceID)
        guard let device = configuration.device(new.deviceID) else { return }
        if Set(before?.values.pairs.map(\.quantity) ?? []) != Set(new.values.pairs.map(\.quantity)) {
            for server in announcing { announce(device, to: server) }
        }
        tellValues(of: device)
        tell(of: device)
    }

    private func show(_ new: [AlertState.Alert]) {
        let before = alerts
        alerts = new
        for device in configuration.devices {
            if before.quantities(of: device.id) != new.quantities(of: device.id) {
                for server in announcing { announce(device, to: server) }
            }
            tell(of: device)
        }
        tellServers()
    }

    private func announceAnew(to server: ServerID) {
        told[server] = [:]
        announce(to: server)
    }

    /// The servers to which something is published now.
    private var announcing: [Server] {
        configuration.servers.filter { $0.announcementPrefix != nil && connected[$0.id] != nil }
    }

    // MARK: - Announcing

    /// Brings a server's broker in line: takes back what is gone, and announces what is there.
    private func announce(to id: ServerID) {
        guard let server = configuration.server(id), connected[id] != nil else { return }
        let wanted = Set(server.announcementPrefix == nil ? [] : configuration.devices.map(\.id))
        if let announced = announced[id] {
            let isMoved = announced.prefix != server.announcementPrefix
            let gone = isMoved ? announced.devices : announced.devices.subtracting(wanted)
            for device in gone {
                withdraw(device, under: announced.prefix, from: id, isKept: wanted.contains(device))
            }
        }
        if let announced = announced[id], announced.prefix != server.announcementPrefix {
            withdrawHub(announced, from: id, isKept: server.announcementPrefix != nil)
        }
        guard let prefix = server.announcementPrefix else { return }
        announceHub(to: id, under: prefix)
        let servers = Set(configuration.servers.map(\.id))
        remember(
            RetainedAnnouncements(prefix: prefix, address: server.address, devices: wanted, servers: servers), of: id)
        tellServers()
        for device in configuration.devices {
            announce(device, to: server)
            tellValues(of: device)
            tell(of: device)
        }
    }

    private func announce(_ device: Device, to server: Server) {
        guard let prefix = server.announcementPrefix else { return }
        let announcement = announcement(of: device)
        send(announcement.message(prefix: prefix), to: server.id)
    }

    /// Announces the hub and the connections to its servers, and takes back those to servers that are gone.
    private func announceHub(to id: ServerID, under prefix: String) {
        let servers = configuration.servers.map { HubAnnouncement.Server(id: $0.id, name: $0.name) }
        let gone = (announced[id]?.servers ?? []).subtracting(servers.map(\.id)).sorted()
        send(HubAnnouncement(topics: topics, servers: servers, gone: gone).message(prefix: prefix), to: id)
        for server in gone { send(PublishedMessage(topic: topics.alert(of: server), payload: []), to: id) }
    }

    /// Takes the hub itself back; `isKept` if it is announced under another prefix, so that its own topics stay.
    private func withdrawHub(_ announced: RetainedAnnouncements, from id: ServerID, isKept: Bool) {
        let messages = hubRemoval(announced)
        guard announced.servers != nil, let lane = lane(of: id) else { return }
        for message in isKept ? Array(messages.prefix(1)) : messages {
            told[id]?[message.topic] = nil
            let isLast = message == messages.last && !isKept
            lane.put(Item(message: message, withdrawal: isLast ? .hub : nil), for: message.topic)
        }
    }

    private func hubRemoval(_ announced: RetainedAnnouncements) -> [PublishedMessage] {
        guard let servers = announced.servers else { return [] }
        return HubAnnouncement(topics: topics, servers: [], gone: servers.sorted())
            .deletionMessages(prefix: announced.prefix)
    }

    private func announcement(of device: Device) -> HomeAssistantAnnouncement {
        HomeAssistantAnnouncement(
            topics: topics, device: device.id, name: device.name, model: device.deviceType,
            poolName: device.poolID.flatMap(configuration.pool)?.name,
            quantities: readings[device.id]?.values.pairs.map(\.quantity) ?? [],
            alerting: alerts.quantities(of: device.id).sorted { $0.rawValue < $1.rawValue },
            expectedIntervalSeconds: device.expectedIntervalSeconds)
    }

    /// Takes a device back; `isKept` if it is announced under another prefix, so that its own topics stay.
    private func withdraw(_ device: DeviceID, under prefix: String, from server: ServerID, isKept: Bool) {
        let messages = removal(of: device, under: prefix)
        guard let lane = lane(of: server) else { return }
        for message in isKept ? Array(messages.prefix(1)) : messages {
            told[server]?[message.topic] = nil
            let isLast = message == messages.last && !isKept
            lane.put(Item(message: message, withdrawal: isLast ? .device(device) : nil), for: message.topic)
        }
    }

    private func removal(of device: DeviceID, under prefix: String) -> [PublishedMessage] {
        HomeAssistantAnnouncement(topics: topics, device: device, name: "", expectedIntervalSeconds: 1)
            .deletionMessages(prefix: prefix)
    }

    /// What is to be taken back over connections that end with a configuration.
    private func withdraw(for configuration: PoolConfiguration) -> [(ServerID, [PublishedMessage])] {
        var all: [(ServerID, [PublishedMessage])] = []
        for (id, announced) in announced where connected[id] != nil {
            let server = configuration.server(id)
            let stays =
                server.map { $0.address == announced.address && $0.announcementPrefix == announced.prefix } ?? false
            guard !stays else { continue }
            let removals = announced.devices.sorted().flatMap { removal(of: $0, under: announced.prefix) }
            all.append((id, removals + hubRemoval(announced)))
            told[id] = [:]
            remember(nil, of: id)
        }
        return all
    }

    /// The last message of a withdrawal has arrived at a server's broker.
    private func complete(_ withdrawal: Withdrawal, at server: ServerID) {
        guard var kept = announced[server] else { return }
        let announces = configuration.server(server)?.announcementPrefix != nil
        switch withdrawal {
        case .device(let device):
            guard configuration.device(device) == nil || !announces else { return }
            kept.devices.remove(device)
        case .hub:
            guard !announces else { return }
            kept.servers = nil
        }
        remember(kept, of: server)
    }

    /// Remembers what a broker keeps; what was announced before stays in it until it is taken back.
    private func remember(_ kept: RetainedAnnouncements?, of server: ServerID) {
        guard announced[server] != kept else { return }
        announced[server] = kept?.isEmpty == true ? nil : kept
        do {
            try RetainedAnnouncements.keep(kept, of: server, in: store)
        } catch {
            logger.info("what was announced was not noted", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - Telling

    /// Publishes the values of a device; they are not retained.
    private func tellValues(of device: Device) {
        guard let readings = readings[device.id] else { return }
        let now = Timestamp.now
        let live = readings.values.pairs.filter { _, latest in
            latest.freshness(at: now, expectedIntervalSeconds: device.expectedIntervalSeconds).freshness == .live
        }
        guard !live.isEmpty else { return }
        var values: QuantityMap<Double> = [:]
        for (quantity, latest) in live { values[quantity] = latest.value }
        let message = topics.valuesMessage(
            of: device.id, values: values, sampledAt: live.compactMap(\.value.moment).max())
        for server in announcing { send(message, to: server.id) }
    }

    /// Publishes what changed of a device's status, availability and alerts.
    private func tell(of device: Device) {
        guard !announcing.isEmpty else { return }
        let now = Timestamp.now
        let readings = readings[device.id]
        let glance = Glance(
            device: WatchDevice(device, pool: device.poolID.flatMap(configuration.pool)), readings: readings,
            history: nil, now: now, link: .linked, revision: nil, clock: "",
            alerts: AlertState(alerts))
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
                alert(on: topics.alert(of: device.id, quantity)) {
                    $0.deviceID == device.id && $0.quantity == quantity
                })
        }
        messages.append(
            alert(on: topics.alert(of: device.id)) { $0.deviceID == device.id && $0.quantity == nil })
        tell(messages)
    }

    /// Publishes what changed of the alerts of connections and of the hub itself.
    private func tellServers() {
        let messages = configuration.servers.map { server in
            alert(on: topics.alert(of: server.id)) { $0 == .connection(server.id) }
        }
        tell(messages + [alert(on: topics.storageAlert) { $0 == .hub(.storage) }])
    }

    /// The alerts of a topic.
    private func alert(on topic: String, where isMeant: (AlertKey) -> Bool) -> PublishedMessage {
        topics.alertMessage(on: topic, alerts.filter { isMeant($0.key) })
    }

    private func tell(_ messages: [PublishedMessage]) {
        for server in announcing {
            for message in messages where told[server.id]?[message.topic] != message.payload {
                told[server.id]?[message.topic] = message.payload
                send(message, to: server.id)
            }
        }
    }

    // MARK: - Sending

    private func send(_ message: PublishedMessage, to server: ServerID) {
        lane(of: server)?.put(Item(message: message, withdrawal: nil), for: message.topic)
    }

    /// The messages that wait for a server; nil when the publisher has ended.
    private func lane(of server: ServerID) -> KeyedQueue<String, Item>? {
        guard !hasEnded else { return nil }
        if let lane = lanes[server] { return lane.queue }
        let queue = KeyedQueue<String, Item>()
        // Cancelled at the end of ``run(newest:)``; it ends with the connection's last answer.
        lanes[server] = (queue, Task { await deliver(queue, to: server) })
        return queue
    }

    private func deliver(_ queue: KeyedQueue<String, Item>, to server: ServerID) async {
        for await _ in queue.signals {
            while !Task.isCancelled, let item = queue.next() {
                guard await publish(item.message, server) == nil, let withdrawal = item.withdrawal else { continue }
                complete(withdrawal, at: server)
            }
        }
    }
}

extension [AlertState.Alert] {
    /// The quantities of a device that have an open alert.
    fileprivate func quantities(of device: DeviceID) -> Set<Quantity> {
        Set(filter { $0.key.deviceID == device }.compactMap(\.key.quantity))
    }
}

extension PoolConfiguration {
    /// Whether the hub uses a server: for devices, for alerts, or for announcements.
    func needsConnection(to server: Server) -> Bool {
        if !devices(of: server.id).isEmpty || server.announcementPrefix != nil { return true }
        guard let mqtt = alerts.channels.mqtt else { return false }
        return mqtt.serverID == server.id
    }
}

extension Server {
    /// The topic on which Home Assistant announces its start; none if nothing is announced to it.
    var birthTopics: Set<String> {
        announcementPrefix.map { [HomeAssistantAnnouncement.birthTopic(prefix: $0)] } ?? []
    }
}
