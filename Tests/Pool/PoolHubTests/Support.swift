import BrokerFixture
import Foundation
import Logging
import MQTT
import Platform
import PoolControl
import PoolHub
import PoolModel
import SyncStore
import TestSupport
import Testing
import ZeroMQ

/// A folder for a hub, which is removed after the test together with the files beside it.
final class TestHubFolder: Sendable {
    let path: String
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        path = home.path("hub")
    }

    /// Waits until the hub's folder is free: a task ends slightly before its objects are destroyed.
    func waitUntilFree() async throws {
        try await poll("the folder of the hub") {
            (try? (StateFolder(path: path), StateFolder(path: HubFolder.defaultKeyPath(path: path)))) != nil
        }
    }
}

/// A hub in this process that can be stopped and started again on its folder.
final class TestHub: Sendable {
    let folder: TestHubFolder
    let events = Recorder<HubEvent>()
    private let running = Lock<(hub: PoolHub, task: Task<Void, any Error>)?>(nil)

    init(_ folder: TestHubFolder) {
        self.folder = folder
    }

    func start() async throws {
        let hub = try PoolHub(
            folder: HubFolder(path: folder.path), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
            logger: Logger(label: "test"), onEvent: { [events] in events.record($0) })
        let count = events.items.count
        let task = Task { try await hub.run() }
        running.withLock { $0 = (hub, task) }
        await events.wait { $0.dropFirst(count).contains { $0.isListening } }
    }

    func stop() async throws {
        let task = running.withLock { running in
            defer { running = nil }
            return running?.task
        }
        guard let task else { return }
        task.cancel()
        try await task.value
        try await folder.waitUntilFree()
    }

    func perform(_ request: HubCommand) async throws -> HubReply {
        guard let hub = running.withLock({ $0?.hub }) else { throw NotRunning() }
        return try await hub.perform(request)
    }

    /// The hub; nil while it does not run.
    ///
    /// Whoever keeps a reference to it keeps its folder locked.
    var hub: PoolHub? { running.withLock { $0?.hub } }

    /// The stream of the hub's changes; nil while it does not run.
    var changes: AsyncStream<Void>? { running.withLock { $0?.hub.changes } }

    func report() async throws -> HubState {
        guard case .state(let report) = try await perform(.state) else { throw NotRunning() }
        return report
    }

    /// Adds a server for a broker and a device on a topic, which is not silent within an hour, however slow the machine is.
    func configure(_ broker: Broker, topic: String = "pool/sensor/main", name: String = "Lagoon") async throws {
        var server = ServerPatch()
        server.name = "Broker \(broker.port)"
        server.host = broker.host
        server.port = broker.port
        _ = try await perform(.edit(.addServer(server)))
        var device = DevicePatch()
        device.name = name
        device.topic = topic
        device.expectedIntervalSeconds = 3600
        device.serverID = try await report().serverID("Broker \(broker.port)")
        _ = try await perform(.edit(.addDevice(device)))
        await waitForServer("Broker \(broker.port)", isConnected: true)
        // A message published before the broker has received the subscription has no subscriber.
        _ = await broker.logLine(containing: "\(topic) (QoS ")
    }

    func waitForServer(_ name: String, isConnected: Bool) async {
        await events.wait { events in
            guard case .server(_, let state)? = events.last(where: { $0.isServer(name) }) else { return false }
            return state.isConnected == isConnected
        }
    }

    /// Waits until a quantity of a device has a value.
    func waitForValue(_ device: String, _ quantity: Quantity, _ value: Double) async {
        await events.wait { events in
            events.contains { event in
                guard case .reading(device, let readings) = event else { return false }
                return readings.values[quantity]?.value == value
            }
        }
    }
}

struct NotRunning: Error {}

extension TestHubFolder {
    /// The state of the folder's hub, running or not.
    func report() async throws -> HubState {
        guard case .state(let report) = try await HubClient.perform(.state, path: path) else { throw NotRunning() }
        return report
    }
}

/// The identities of things that tests know by name.
extension HubState {
    func serverID(_ name: String) throws -> ServerID { try #require(servers.first { $0.name == name }).id }

    func deviceID(_ name: String) throws -> DeviceID { try #require(devices.first { $0.name == name }).id }

    func poolID(_ name: String) throws -> PoolID { try #require(pools.first { $0.name == name }).id }
}

/// An event that the test did not expect.
struct Unexpected: Error {
    let answer: String

    init<Answer>(_ answer: Answer) { self.answer = "\(answer)" }
}

extension HubEvent {
    var isListening: Bool {
        guard case .listening = self else { return false }
        return true
    }

    func isServer(_ name: String) -> Bool {
        guard case .server(name, _) = self else { return false }
        return true
    }
}

/// A client that publishes and waits for the broker's acknowledgement.
final class Publisher: Sendable {
    private let client: Client
    private let acknowledged = Recorder<Client.Event>()

    init(_ broker: Broker) async throws {
        client = try Client()
        try client.connect(to: BrokerAddress(host: broker.host, port: broker.port)) { [acknowledged] in
            acknowledged.record($0)
        }
        await acknowledged.wait { !$0.isEmpty }
    }

    func publish(_ text: String, to topic: String = "pool/sensor/main", isRetained: Bool = false) async throws {
        try await publish(Array(text.utf8), to: topic, isRetained: isRetained)
    }

    /// Publishes many messages and waits for all acknowledgements.
    func publish(_ texts: [String], to topic: String = "pool/sensor/main") async throws {
        for chunk in stride(from: 0, to: texts.count, by: 500) {
            let part = texts[chunk..<min(chunk + 500, texts.count)]
            let before = acknowledged.items.count
            for text in part { try client.publish(Array(text.utf8), to: TopicName(topic)) }
            await acknowledged.wait { $0.count >= before + part.count }
        }
    }

    func publish(_ payload: [UInt8], to topic: String, isRetained: Bool = false) async throws {
        let identifier = try client.publish(payload, to: TopicName(topic), isRetained: isRetained)
        await acknowledged.wait { events in
            events.contains { event in
                guard case .published(identifier, _) = event else { return false }
                return true
            }
        }
    }

    func close() {
        client.disconnect()
    }
}
