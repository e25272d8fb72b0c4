import Foundation
import Logging
import Platform
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing
import ZeroMQ

@testable import PoolScreens
@testable import TerminalUI
@testable import poolsensors

/// A hub in this process with the controller of its screens, as `poolsensors hub` has them, but for the terminal.
final class ConsoleHub: Sendable {
    let folder: TemporaryFolder
    let hub: PoolHub
    let controller: HubController
    private let tasks: [Task<Void, any Error>]
    private let changes: AsyncStream<Void>
    private let lastOrder = Lock(0)

    init(connection: (@Sendable (TemporaryFolder, PoolHub) -> any HubConnection)? = nil) async throws {
        folder = try TemporaryFolder()
        let (listening, listens) = AsyncStream<Void>.makeStream()
        let hub = try PoolHub(
            folder: HubFolder(path: folder.path("hub")), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { event in
            if case .listening = event { listens.yield() }
        }
        self.hub = hub
        let (changes, changing) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        let controller = HubController(connection: connection?(folder, hub) ?? InProcessHubConnection(hub: hub)) {
            changing.yield()
        }
        self.controller = controller
        let running = Task { try await hub.run() }
        for await _ in listening { break }
        tasks = [running, Task { await controller.run() }]
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// Ends the hub and the controller.
    func stop() async throws {
        for task in tasks { task.cancel() }
        for task in tasks { try await task.value }
    }

    /// Waits until the snapshot satisfies a condition.
    @discardableResult
    func wait(_ condition: (HubSnapshot) -> Bool) async -> HubSnapshot {
        if case .snapshot(let snapshot) = controller.offer, condition(snapshot) { return snapshot }
        for await _ in changes {
            if case .snapshot(let snapshot) = controller.offer, condition(snapshot) { return snapshot }
        }
        return HubSnapshot(HubState(now: .now))
    }

    /// Wants something, and waits for what the hub says.
    func perform(_ command: HubCommand) async -> HubReply {
        let number = lastOrder.withLock { last in
            last += 1
            return last
        }
        controller.carryOut(HubOrder(number: number, command: command))
        let snapshot = await wait { $0.answers.contains { $0.number == number } }
        return snapshot.answers.first { $0.number == number }?.reply ?? .refused("no answer")
    }

    /// Wants something that the hub must do.
    func must(_ command: HubCommand, sourceLocation: SourceLocation = #_sourceLocation) async {
        let reply = await perform(command)
        if let refusal = reply.refusal { Issue.record("\(command): \(refusal)", sourceLocation: sourceLocation) }
    }
}
