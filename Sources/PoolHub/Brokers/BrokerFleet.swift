import Logging
import PoolModel
import SyncCore
import Synchronization

/// The connections to all servers that have devices, each with its own supervisor (X7).
final class BrokerFleet: Sendable {
    private struct Member {
        let connection: BrokerConnection
        let task: Task<Void, Never>
    }

    private let folder: HubFolder
    private let names: DeviceNames
    private let ingest: Ingest
    private let logger: Logger
    private let onState: @Sendable (Server, BrokerState, Register) -> Void
    private let members = Mutex<[ServerID: Member]>([:])
    private let reportOrder: ReportOrder

    init(
        folder: HubFolder, names: DeviceNames, ingest: Ingest, logger: Logger,
        onState: @escaping @Sendable (Server, BrokerState, Register) -> Void
    ) {
        self.folder = folder
        self.names = names
        self.ingest = ingest
        self.logger = logger
        self.onState = onState
        reportOrder = ReportOrder(after: ingest.readings.map(\.order).max() ?? 0)
    }

    /// The state of each connection.
    var states: [ServerID: BrokerState] { members.withLock { $0.mapValues(\.connection.current) } }

    /// Brings the connections in line with a configuration: called by one task at a time.
    func use(_ configuration: PoolConfiguration) async throws {
        names.use(configuration)
        let wanted = try configuration.servers.compactMap { server -> BrokerConnection.Settings? in
            guard !configuration.devices(of: server.id).isEmpty else { return nil }
            return BrokerConnection.Settings(
                server: server, password: try folder.passwords.password(of: server.id),
                clientIdentifier: folder.clientIdentifier(for: server.id), statusTopic: folder.statusTopic)
        }
        let surplus = members.withLock { members in
            members.filter { id, member in !wanted.contains { $0.server.id == id && $0 == member.connection.settings } }
        }
        await end(surplus)
        for settings in wanted {
            let topics = Set(configuration.devices(of: settings.server.id).map(\.topic))
            connection(settings).want(topics)
        }
    }

    /// Ends all connections.
    func stop() async {
        await end(members.withLock(\.self))
    }

    private func end(_ surplus: [ServerID: Member]) async {
        for member in surplus.values {
            member.task.cancel()
        }
        for (id, member) in surplus {
            await member.task.value
            members.withLock { $0[id] = nil }
        }
    }

    /// The connection with these settings; it is started if it is not there.
    private func connection(_ settings: BrokerConnection.Settings) -> BrokerConnection {
        members.withLock { members in
            if let member = members[settings.server.id] { return member.connection }
            let server = settings.server
            let connection = BrokerConnection(
                settings, logger: logger,
                onMessage: { [ingest] message, life in ingest.receive(message, from: server.id, in: life) },
                onState: { [onState, reportOrder] state in
                    onState(server, state, state.register(of: server.id, order: reportOrder.next()))
                })
            // Owned by this fleet, which cancels it and waits for its end.
            members[server.id] = Member(connection: connection, task: Task { await connection.run() })
            return connection
        }
    }
}

/// Numbers the reports on servers: each is greater than those before, also of an earlier life of the hub.
private final class ReportOrder: Sendable {
    private let last: Mutex<UInt64>

    init(after order: UInt64) {
        last = Mutex(order)
    }

    func next() -> UInt64 {
        last.withLock { last in
            last = max(last + 1, UInt64(max(0, Timestamp.now.milliseconds)))
            return last
        }
    }
}

extension BrokerState {
    /// The register that tells the watches whether the server's readings can come.
    fileprivate func register(of server: ServerID, order: UInt64) -> Register {
        let report = ServerReport(isConnected: isConnected, since: since)
        // A truth value and a number: it can always be written.
        return Register(
            key: RegisterKey.server(server).text, order: order, value: (try? CanonicalJSON.encode(report)) ?? [])
    }
}
