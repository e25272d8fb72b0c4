import Foundation
import Logging
import MQTT
import Platform
import PoolControl
import PoolModel
import PoolScreens
import PoolStore
import PoolWatch
import TerminalUI
import TestSupport
import Testing
import ZeroMQ

@testable import PoolHub
@testable import poolsensors

/// A hub in this process that a test starts and stops on its folder.
final class StageHub: Sendable {
    private let folder: TemporaryFolder
    private let running = Lock<Task<Void, any Error>?>(nil)
    private let hub = Lock<PoolHub?>(nil)

    var path: String { folder.path("hub") }
    var endpoint: String { "ipc://\(folder.path("hub.ipc"))" }

    init(in folder: TemporaryFolder) {
        self.folder = folder
    }

    /// Starts it; returns when watches can connect.
    func start() async throws {
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        let hub = try PoolHub(
            folder: HubFolder(path: path), options: .init(endpoint: Endpoint(endpoint), heartbeat: .milliseconds(200)),
            logger: Logger(label: "hub")
        ) { event in
            if case .listening = event { isReady.yield() }
        }
        self.hub.withLock { $0 = hub }
        let task = Task { try await hub.run() }
        running.withLock { $0 = task }
        for await _ in ready { return }
    }

    func stop() async throws {
        let task = running.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
        hub.withLock { $0 = nil }
        // It is expected to end by cancellation.
        _ = try? await task?.value
        // The folder is free when the hub object is destroyed.
        try await poll("the folder of the hub") { (try? HubFolder(path: path)) != nil }
    }

    /// Sends it a command, whether it runs or not.
    @discardableResult
    func perform(_ request: HubCommand) async throws -> HubReply {
        try await HubClient.perform(request, path: path)
    }

    /// Passes it a message, as its broker does while it runs.
    func receive(_ text: String, on topic: String) throws {
        guard let hub = hub.withLock(\.self), let server = try hub.folder.configuration().devices.first?.serverID
        else { return }
        let message = Message(
            topic: try TopicName(topic), payload: Array(text.utf8), qualityOfService: .atMostOnce, isRetained: false,
            packetIdentifier: nil, properties: MessageProperties())
        _ = hub.ingest.receive([message], from: server, in: .init(number: 1, isSessionResumed: false))
    }

    /// Records readings in the order of time, while it does not run.
    func record(_ samples: [(values: QuantityMap<Double>, at: Timestamp)], of device: DeviceID) throws {
        let history = try HubFolder(path: path).history
        var state = DeviceReadings(deviceID: device)
        for (values, moment) in samples {
            let reading = Reading(
                deviceID: device, values: values, sampledAt: moment, timeQuality: .device, receivedAt: moment)
            state.absorb(reading)
            try history.record(Arrival(reading: reading, payloadHash: 0, delivery: nil)) { _ in state }
        }
    }
}

/// A watch with the menus of its face, as a user has it, but without a terminal.
final class StageWatch: Sendable {
    private let session: WatchSession
    private let desk: WatchController
    private let menus = Lock(WatchMenus())
    /// The number of possible changes so far.
    private let looks = Awaited(0)
    private let task: Task<Void, Never>
    private static let size = Size(columns: 60, rows: 22)

    private final class Bell: Sendable {
        let ring = Lock<@Sendable () -> Void>({})
        func call() { ring.withLock(\.self)() }
    }

    init(path: String) throws {
        let bell = Bell()
        let session = try WatchSession(
            .init(path: path, name: "wrist", logger: Logger(label: "watch")), onChange: { bell.call() })
        let desk = WatchController(
            watch: { session.watchNow }, glance: { session.glance() }, wake: { bell.call() })
        self.session = session
        self.desk = desk
        task = Task {
            await withTaskGroup(of: Void.self) { group in
                // The test ends it.
                group.addTask { try? await session.run() }
                group.addTask { await desk.run() }
                await group.next()
                group.cancelAll()
            }
        }
        bell.ring.withLock { $0 = { [weak self] in self?.looks.change { $0 += 1 } } }
    }

    func stop() async {
        task.cancel()
        await task.value
    }

    var facts: WatchFacts { menus.withLock { desk.facts(for: $0) } }

    /// The text of the page or the face, line by line.
    var text: String {
        menus.withLock { $0.text(desk.facts(for: $0), size: Self.size) }
    }

    /// Presses keys one after the other.
    func press(_ keys: Key...) {
        for key in keys {
            let intents = menus.withLock { menus in
                menus.handle(.key(key), desk.facts(for: menus), size: Self.size)
            }
            for intent in intents { desk.perform(intent) }
        }
    }

    func type(_ text: String) {
        for character in text { press(.character(character)) }
    }

    /// Returns when the facts satisfy a condition.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until isWanted: @escaping @Sendable (WatchFacts) -> Bool
    ) async {
        await looks.wait(sourceLocation: sourceLocation) { [self] _ in isWanted(facts) }
    }
}
