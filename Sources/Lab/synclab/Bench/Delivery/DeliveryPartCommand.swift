import ArgumentParser
import CommandSupport
import Foundation
import Logging
import PoolControl
import PoolHub
import ZeroMQ

/// Runs one end of a delivery measurement; only the benchmark itself starts it.
struct DeliveryPartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery-part", abstract: "Plays an end of a benchmark.", shouldDisplay: false)

    @OptionGroup
    var options: BenchPartOptions

    func run() async throws {
        try await options.run(DeliveryTask.self) { task in
            switch (task.role, task.side) {
            case (.hub, .engine): try await DeliveryHub(task).run()
            case (.hub, .relay): try await DeliveryRelay.run(task, path: nil)
            case (.hub, .storingRelay): try await DeliveryRelay.run(task, path: "\(task.folder)/relay.sqlite")
            case (.watch, .engine): try await DeliveryWatch(task).run()
            case (.watch, .relay), (.watch, .storingRelay):
                // A thread that polls would not notice the cancellation; the process has nothing to save.
                try await withTaskCancellationHandler {
                    try await BareDeliveryWatch.run(task)
                } onCancel: {
                    Foundation.exit(0)
                }
            }
        }
    }

    /// Returns when the task is cancelled.
    static func cancellation() async {
        let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in nothing {}
        } onCancel: {
            continuation.finish()
        }
    }
}

/// A whole hub, which invites one watch.
struct DeliveryHub {
    private let task: DeliveryTask

    init(_ task: DeliveryTask) { self.task = task }

    /// Runs until it is stopped.
    func run() async throws {
        let listening = AsyncStream<Void>.makeStream()
        let hub = try PoolHub(
            folder: HubFolder(path: "\(task.folder)/hub"), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        ) { event in
            if case .listening = event { listening.continuation.yield() }
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await hub.run() }
            _ = await listening.stream.first { _ in true }
            try await IngestHubSide.configure(hub, port: task.port, devices: [(task.topic, nil)])
            guard case .invitation(let code, _) = try await hub.perform(.invite(name: "bench", validForSeconds: 600))
            else { throw CommandFailure("the hub of the benchmark printed no invitation") }
            PartReport.send(DeliveryStart(address: code))
            try await group.next()
        }
    }
}
