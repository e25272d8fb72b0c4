import Brokers
import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel
import SyncCore
import SyncStore

/// The connections to all servers that are used, each with its own session.
actor BrokerConnections {
    /// An event of a connection.
    enum Event: Sendable {
        /// The state of the connection to a server changed; the order increases.
        case state(Server, BrokerState, order: UInt64)
        /// A message arrived on a server's birth topic.
        case birth(Server, MQTT.Message)
    }

    private struct Member {
        let connection: BrokerConnection
        let task: Task<Void, Never>
    }

    private let folder: HubFolder
    private let ingest: Ingest
    private let logger: Logger
    private let onEvent: @Sendable (Event) -> Void
    private var members: [ServerID: Member] = [:]
    private let reportOrder: ReportNumbering
    private let memory: SubscriptionMemory
    private var lastCheck = (ContinuousClock.now, SuspendingClock.now)

    /// Brokers drop a connection after one and a half keep-alive intervals, and routers earlier.
    private static let sleepThatEndsConnections = Duration.seconds(15)

    /// Creates no connection yet.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - ingest: Handles the messages.
    ///   - logger: Receives events.
    ///   - onEvent: Called with the events, those of one connection in their order; on any thread, must return at once.
    init(folder: HubFolder, ingest: Ingest, logger: Logger, onEvent: @escaping @Sendable (Event) -> Void) {
        self.folder = folder
        self.ingest = ingest
        self.logger = logger
        self.onEvent = onEvent
        memory = SubscriptionMemory(path: folder.folder.path(of: "subscriptions.json"), logger: logger)
        reportOrder = ReportNumbering(after: ingest.readings.map(\.order).max() ?? 0)
    }

    /// The state of each connection.
    var states: [ServerID: BrokerState] { members.mapValues(\.connection.current) }

    /// Opens and closes connections as a configuration requires; calls must not overlap.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - renewed: For each server, the filters whose retained messages its broker must send again.
    func use(_ configuration: PoolConfiguration, renewing renewed: [ServerID: Set<String>] = [:]) async {
        let wanted = configuration.servers.filter(configuration.needsConnection).map(settings)
        let surplus = members.filter { id, member in
            !wanted.contains { $0.server.id == id && $0 == member.connection.settings }
        }
        for (id, member) in surplus where !wanted.contains(where: { $0.server.id == id }) {
            // The broker must keep no messages for a hub that does not come back.
            member.connection.want([])
        }
        await end(surplus)
        for settings in wanted {
            let id = settings.server.id
            connection(settings).want(
                ingest.filters(of: id).union(settings.server.birthTopics), renewing: renewed[id] ?? [])
        }
    }

    /// Reconnects to all servers if the machine has slept: the connections are dead, which would go unnoticed for a
    /// minute.
    func noticeSleep() {
        let now = (ContinuousClock.now, SuspendingClock.now)
        let slept = (now.0 - lastCheck.0) - (now.1 - lastCheck.1)
        lastCheck = now
        guard slept > Self.sleepThatEndsConnections else { return }
        logger.info("the machine has slept; reconnecting", metadata: ["slept": "\(slept)"])
        startAnew()
    }

    /// Reconnects to all servers.
    ///
    /// - Returns: The number of connections.
    @discardableResult
    func startAnew() -> Int {
        for member in members.values { member.connection.startAnew() }
        return members.count
    }

    private func settings(of server: Server) -> BrokerConnection.Settings {
        var settings = BrokerConnection.Settings(
            server: server, password: nil, clientIdentifier: folder.clientIdentifier(for: server.id),
            statusTopic: folder.statusTopic)
        do {
            settings.password = try folder.secrets.password(of: server.id)
        } catch {
            // It is not tried without a password, because a broker may lock the user after several failures.
            settings.obstacle = "\(error)"
        }
        return settings
    }

    /// Publishes a message to a server's broker and waits for the acknowledgement.
    ///
    /// It is not tried again on another connection.
    /// - Returns: Why it failed; nil if the broker acknowledged it.
    func publish(_ message: PublishedMessage, to server: ServerID) async -> String? {
        guard let connection = members[server]?.connection else { return "the server is not connected" }
        return await connection.publish(message)
    }

    /// Ends all connections.
    func stop() async {
        await end(members)
    }

    private func end(_ surplus: [ServerID: Member]) async {
        for member in surplus.values {
            member.task.cancel()
        }
        for (id, member) in surplus {
            await member.task.value
            members[id] = nil
        }
    }

    /// The connection with these settings; it is created if it does not exist.
    private func connection(_ settings: BrokerConnection.Settings) -> BrokerConnection {
        if let member = members[settings.server.id] { return member.connection }
        let server = settings.server
        let connection = BrokerConnection(
            settings, memory: memory, logger: logger,
            listener: BrokerConnection.Listener(
                onMessages: { [ingest, onEvent] messages, connection in
                    let topics = server.birthTopics
                    for message in messages where topics.contains(message.topic.text) {
                        onEvent(.birth(server, message))
                    }
                    return ingest.receive(
                        messages.filter { !topics.contains($0.topic.text) }, from: server.id, in: connection)
                },
                onCopy: { [ingest] in ingest.dropCopy(of: $0, from: server.id) },
                onBacklog: { [ingest] isComing in
                    if isComing { ingest.beginCatchUp(server.id) } else { ingest.endCatchUp(server.id) }
                },
                onState: { [ingest, onEvent, reportOrder] state in
                    // While nothing can be stored, the broker keeps the messages, also while a stand-in is connected.
                    if state.isConnected, state.storeTrouble == nil { ingest.noteConnected(server.id) }
                    onEvent(.state(server, state, order: reportOrder.next()))
                }))
        // The task is cancelled by ``end(_:)``, which waits for its end.
        members[server.id] = Member(connection: connection, task: Task { await connection.run() })
        return connection
    }
}

/// Numbers the reports about servers; the numbers increase, also over restarts of the hub.
private final class ReportNumbering: Sendable {
    private let last: Lock<UInt64>

    init(after order: UInt64) {
        last = Lock(order)
    }

    func next() -> UInt64 {
        last.withLock { last in
            last = max(last + 1, UInt64(max(0, Timestamp.now.milliseconds)))
            return last
        }
    }
}
