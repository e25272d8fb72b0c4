import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel
import PoolStore

/// Publishes the hub's devices, corrected values, status, alerts and availability to the servers with Home Assistant
/// announcements.
///
/// Everything is published again after a reconnect, and when Home Assistant reports that it has started. Announcements are
/// recorded, so that they are withdrawn when a device or the prefix is removed. If a server is removed, they are withdrawn
/// over its last connection, if it is still open.
actor HubPublisher {
    /// A message for a server.
    private struct Item {
        var message: PublishedMessage
        var withdrawal: Withdrawal?
    }

    /// What is withdrawn completely when a message has arrived.
    private enum Withdrawal {
        case device(DeviceID)
        case hub
    }

    /// How often values are checked for their age.
    private static let checkInterval = Duration.seconds(5)
    /// When the values are published again after an announcement: Home Assistant first reads that, and only then
    /// subscribes to the values, which are not retained.
    private static let repetitions = [Duration.seconds(2), .seconds(8)]

    private let inputs: PublisherQueue
    private let store: AlertStore
    private let topics: HubTopics
    private let logger: Logger
    private let publish: @Sendable (PublishedMessage, ServerID) async -> String?
    private let pause: @Sendable (Duration) async throws -> Void
    private var configuration = PoolConfiguration()
    private var announced: [ServerID: RetainedAnnouncements]
    private var readings: [DeviceID: DeviceReadings] = [:]
    /// All open alerts, also those that are too many for a watch.
    private var alerts: [AlertState.Alert] = []
    /// When each connection was established; everything is published again on a new connection.
    private var connected: [ServerID: Timestamp] = [:]
    /// The messages that wait for each server's broker, one for each topic.
    ///
    /// A failed message is dropped, because everything is published again on the next connection.
    private var queues: [ServerID: (queue: KeyedQueue<String, Item>, task: Task<Void, Never>)] = [:]
    /// The last announcement of each device at each server, on its present connection.
    private var announcements: [ServerID: [DeviceID: [UInt8]]] = [:]
    /// The tasks that publish values again; each ends by itself, and all are cancelled at the end.
    private var repeating: [DeviceID: Task<Void, Never>] = [:]
    /// The last message on each retained topic of a server; only changes are published.
    private var published: [ServerID: [String: [UInt8]]] = [:]
    private var hasEnded = false

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - inputs: The queue that it reads.
    ///   - store: The store of the announcements.
    ///   - topics: The hub's topics.
    ///   - logger: Receives failures.
    ///   - publish: Publishes to a server; returns why it failed.
    ///   - pause: Waits before values are published again; throws if the task is cancelled.
    /// - Throws: `HistoryError`.
    init(
        inputs: PublisherQueue, store: AlertStore, topics: HubTopics, logger: Logger,
        publish: @escaping @Sendable (PublishedMessage, ServerID) async -> String?,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws {
        self.inputs = inputs
        self.store = store
        self.topics = topics
        self.logger = logger
        self.publish = publish
        self.pause = pause
        announced = try RetainedAnnouncements.all(in: store)
    }

    /// Publishes until the task is cancelled; may be called once.
    ///
    /// - Parameter newest: The shown values of each device at the start.
    func run(newest: [DeviceReadings]) async {
        for readings in newest { self.readings[readings.deviceID] = readings }
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    // Cancellation ends the wait and the loop.
                    try? await Task.sleep(for: Self.checkInterval)
                    await publishAged()
                }
            }
            for await _ in inputs.signals {
                while let input = inputs.next() { handle(input) }
            }
            group.cancelAll()
        }
        hasEnded = true
        for task in repeating.values { task.cancel() }
        repeating = [:]
        for queue in queues.values { queue.task.cancel() }
        queues = [:]
    }

    /// Publishes the changes that result from the age of values.
    private func publishAged() {
        for device in configuration.devices { publishStatus(of: device) }
        publishServerAlerts()
    }

    /// Uses another configuration; call it before the connections change.
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
        publishValues(of: device)
        publishStatus(of: device)
    }

    private func show(_ new: [AlertState.Alert]) {
        let before = alerts
        alerts = new
        for device in configuration.devices {
            if before.quantities(of: device.id) != new.quantities(of: device.id) {
                for server in announcing { announce(device, to: server) }
            }
            publishStatus(of: device)
        }
        publishServerAlerts()
    }

    private func announceAnew(to server: ServerID) {
        published[server] = [:]
        announcements[server] = [:]
        announce(to: server)
    }

    /// The connected servers with announcements.
    private var announcing: [Server] {
        configuration.servers.filter { $0.announcementPrefix != nil && connected[$0.id] != nil }
    }

    // MARK: - Announcing

    /// Withdraws what was removed, and announces everything, at a server.
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
        publishServerAlerts()
        for device in configuration.devices {
            announce(device, to: server)
            publishValues(of: device)
            publishStatus(of: device)
        }
    }

    private func announce(_ device: Device, to server: Server) {
        guard let prefix = server.announcementPrefix else { return }
        let message = announcement(of: device).message(prefix: prefix)
        send(message, to: server.id)
        guard announcements[server.id]?[device.id] != message.payload else { return }
        announcements[server.id, default: [:]][device.id] = message.payload
        repeatValues(of: device.id)
    }

    /// Publishes the values of a device again some seconds later, when Home Assistant has read the announcement.
    private func repeatValues(of device: DeviceID) {
        guard !hasEnded else { return }
        repeating[device]?.cancel()
        repeating[device] = Task {
            var waited = Duration.zero
            for moment in Self.repetitions {
                do { try await pause(moment - waited) } catch { return }
                waited = moment
                if let device = configuration.device(device) { publishValues(of: device) }
            }
        }
    }

    /// Announces the hub and the connections to its servers, and withdraws those to removed servers.
    private func announceHub(to id: ServerID, under prefix: String) {
        let servers = configuration.servers.map { HubAnnouncement.Server(id: $0.id, name: $0.name) }
        let gone = (announced[id]?.servers ?? []).subtracting(servers.map(\.id)).sorted()
        send(HubAnnouncement(topics: topics, servers: servers, gone: gone).message(prefix: prefix), to: id)
        for server in gone { send(PublishedMessage(topic: topics.alert(of: server), payload: []), to: id) }
    }

    /// Withdraws the hub; `isKept` if it is announced under another prefix, so that its own topics stay.
    private func withdrawHub(_ announced: RetainedAnnouncements, from id: ServerID, isKept: Bool) {
        let messages = hubRemoval(announced)
        guard announced.servers != nil, let queue = queue(of: id) else { return }
        for message in isKept ? Array(messages.prefix(1)) : messages {
            published[id]?[message.topic] = nil
            let isLast = message == messages.last && !isKept
            queue.put(Item(message: message, withdrawal: isLast ? .hub : nil), for: message.topic)
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

    /// Withdraws a device; `isKept` if it is announced under another prefix, so that its own topics stay.
    private func withdraw(_ device: DeviceID, under prefix: String, from server: ServerID, isKept: Bool) {
        let messages = removal(of: device, under: prefix)
        guard let queue = queue(of: server) else { return }
        for message in isKept ? Array(messages.prefix(1)) : messages {
            published[server]?[message.topic] = nil
            let isLast = message == messages.last && !isKept
            queue.put(Item(message: message, withdrawal: isLast ? .device(device) : nil), for: message.topic)
        }
    }

    private func removal(of device: DeviceID, under prefix: String) -> [PublishedMessage] {
        HomeAssistantAnnouncement(topics: topics, device: device, name: "", expectedIntervalSeconds: 1)
            .deletionMessages(prefix: prefix)
    }

    /// The messages that withdraw announcements over connections that end with a configuration.
    private func withdraw(for configuration: PoolConfiguration) -> [(ServerID, [PublishedMessage])] {
        var all: [(ServerID, [PublishedMessage])] = []
        for (id, announced) in announced where connected[id] != nil {
            let server = configuration.server(id)
            let stays =
                server.map { $0.address == announced.address && $0.announcementPrefix == announced.prefix } ?? false
            guard !stays else { continue }
            let removals = announced.devices.sorted().flatMap { removal(of: $0, under: announced.prefix) }
            all.append((id, removals + hubRemoval(announced)))
            published[id] = [:]
            remember(nil, of: id)
        }
        return all
    }

    /// Records that a withdrawal has arrived completely at a server.
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

    /// Records what a broker retains.
    private func remember(_ kept: RetainedAnnouncements?, of server: ServerID) {
        guard announced[server] != kept else { return }
        announced[server] = kept?.isEmpty == true ? nil : kept
        do {
            try RetainedAnnouncements.keep(kept, of: server, in: store)
        } catch {
            logger.info("what was announced was not noted", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - Publishing

    /// Publishes the values of a device; they are not retained.
    private func publishValues(of device: Device) {
        guard let readings = readings[device.id] else { return }
        let now = Timestamp.now
        let live = readings.values.pairs.filter { quantity, _ in
            readings.freshness(of: quantity, at: now, expectedIntervalSeconds: device.expectedIntervalSeconds)
                .freshness == .live
        }
        guard !live.isEmpty else { return }
        var values: QuantityMap<Double> = [:]
        for (quantity, latest) in live { values[quantity] = latest.value }
        let message = topics.valuesMessage(
            of: device.id, values: values, sampledAt: live.compactMap(\.value.moment).max())
        for server in announcing { send(message, to: server.id) }
    }

    /// Publishes the changes of a device's status, availability and alerts.
    private func publishStatus(of device: Device) {
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
        for quantity in Quantity.listed(where: { quantities[$0] != nil }) {
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
        publishChanges(messages)
    }

    /// Publishes the changes of the alerts of connections and of the hub.
    private func publishServerAlerts() {
        let messages = configuration.servers.map { server in
            alert(on: topics.alert(of: server.id)) { $0 == .connection(server.id) }
        }
        publishChanges(messages + [alert(on: topics.storageAlert) { $0 == .hub(.storage) }])
    }

    /// The alerts of a topic.
    private func alert(on topic: String, where isMeant: (AlertKey) -> Bool) -> PublishedMessage {
        topics.alertMessage(on: topic, alerts.filter { isMeant($0.key) })
    }

    private func publishChanges(_ messages: [PublishedMessage]) {
        for server in announcing {
            for message in messages where published[server.id]?[message.topic] != message.payload {
                published[server.id]?[message.topic] = message.payload
                send(message, to: server.id)
            }
        }
    }

    // MARK: - Sending

    private func send(_ message: PublishedMessage, to server: ServerID) {
        queue(of: server)?.put(Item(message: message, withdrawal: nil), for: message.topic)
    }

    /// The messages that wait for a server; nil when the publisher has ended.
    private func queue(of server: ServerID) -> KeyedQueue<String, Item>? {
        guard !hasEnded else { return nil }
        if let known = queues[server] { return known.queue }
        let queue = KeyedQueue<String, Item>()
        // The task is cancelled at the end of ``run(newest:)``; it ends with the last acknowledgement.
        queues[server] = (queue, Task { await deliver(queue, to: server) })
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
