import ArgumentParser
import CommandSupport
import Foundation
import Logging
import MQTT
import Platform
import PoolControl
import PoolHub
import PoolModel
import ZeroMQ

/// Receives the messages of an ingest measurement; only the benchmark itself starts it.
struct IngestPartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest-part", abstract: "Takes the messages of a benchmark.", shouldDisplay: false)

    @OptionGroup
    var options: BenchPartOptions

    func run() async throws {
        try await options.run(IngestTask.self) { task in
            switch task.side {
            case .hub: try await IngestHubSide(task).run()
            case .bare: try await IngestBareSide(task, path: "\(task.folder)/bare.sqlite").run()
            case .idle: try await IngestBareSide(task, path: nil).run()
            }
        }
    }
}

/// Counts the stored messages and measures the time.
final class IngestClock: Sendable {
    private struct State {
        var count = 0
        var meter: (count: Int, started: Double, processor: Double)?
        var waiting: CheckedContinuation<Void, Never>?
        var findings: (count: Int, seconds: Double, processorSeconds: Double)?
    }

    private let total: Int
    private let state = Lock(State())

    init(total: Int) { self.total = total }

    /// Notes that one more message was stored, or all messages up to a number; called on the thread that stored it.
    func stored(through number: Int? = nil) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count = number ?? state.count + 1
            let (now, processor) = (ProcessFacts.now, ProcessFacts.processorSeconds)
            guard let meter = state.meter else {
                state.meter = (state.count, now, processor)
                return nil
            }
            guard state.count == total, state.findings == nil else { return nil }
            state.findings = (total - meter.count, now - meter.started, processor - meter.processor)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits for the last one.
    func findings() async throws -> IngestFindings {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.findings == nil { state.waiting = continuation }
                return state.findings != nil
            }
            if isOver { continuation.resume() }
        }
        guard let found = state.withLock(\.findings) else { throw CommandFailure("the measurement has no end") }
        return IngestFindings(
            count: found.count, seconds: found.seconds, processorSeconds: found.processorSeconds,
            byteCount: try ProcessFacts.byteCount())
    }
}

/// A whole hub: configuration, history, watches' socket, commands' socket.
struct IngestHubSide {
    private let task: IngestTask

    init(_ task: IngestTask) { self.task = task }

    func run() async throws {
        let clock = IngestClock(total: task.count)
        let listening = AsyncStream<Void>.makeStream()
        let hub = try PoolHub(
            folder: HubFolder(path: "\(task.folder)/hub"), options: .init(endpoint: try Endpoint("tcp://127.0.0.1:*")),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        ) { event in
            // Messages that came together are shown once.
            if case .reading(_, let readings) = event, let number = task.messages.number(of: readings) {
                clock.stored(through: number)
            }
            if case .listening = event { listening.continuation.yield() }
        }
        let running = Task { try await hub.run() }
        _ = await listening.stream.first { _ in true }
        try await Self.configure(
            hub, port: task.port, devices: ([IngestMessages.topic] + task.silentTopics).map { ($0, nil) })
        PartReport.send(IngestStart())
        PartReport.send(try await clock.findings())
        running.cancel()
        try await running.value
    }

    /// Adds a server and devices, and waits until the hub has subscribed to them.
    static func configure(
        _ hub: PoolHub, port: Int, devices: [(topic: String, mapping: DeviceMapping?)]
    ) async throws {
        var server = ServerPatch()
        server.name = "Bench"
        server.host = "127.0.0.1"
        server.port = port
        _ = try await hub.perform(.edit(.addServer(server)))
        for (topic, mapping) in devices {
            var device = DevicePatch()
            device.name = topic
            device.topic = topic
            device.mapping = mapping.map { .set($0) }
            _ = try await hub.perform(.edit(.addDevice(device)))
        }
        // A retained text on each topic shows that the subscription exists; it is no reading.
        for _ in 0..<200 {
            guard case .state(let report) = try await hub.perform(.state) else { break }
            if report.devices.allSatisfy({ $0.lastMessage != nil }) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw CommandFailure("the hub of the benchmark hears nothing from its broker")
    }
}
