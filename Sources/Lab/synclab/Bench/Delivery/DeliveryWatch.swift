import CommandSupport
import Foundation
import Logging
import Platform
import PoolModel
import PoolWatch
import SyncTransport
import ZeroMQ

/// A whole watch, which records when its model has which message.
struct DeliveryWatch {
    private let task: DeliveryTask

    init(_ task: DeliveryTask) { self.task = task }

    /// Runs until it is stopped.
    func run() async throws {
        guard let address = task.address else { throw CommandFailure("a watch of the benchmark needs an invitation") }
        var folder = try WatchFolder(path: "\(task.folder)/watch")
        _ = try await folder.pair(try InvitationCode(address), name: "bench")
        let (changes, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let observation = DeliveryObserver(task, isOver: { signal.yield() })
        let watch = try PoolWatch(
            folder,
            options: .init(logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }) {
                observation.changed()
                signal.yield()
            })
        observation.watch.withLock { $0 = watch }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.run() }
            group.addTask {
                var isReady = false
                for await _ in changes {
                    if !isReady, watch.status.isLinked, let device = watch.configuration.devices.first?.id {
                        isReady = true
                        observation.begin(with: device)
                        PartReport.send(DeliveryReady())
                    }
                    guard let findings = observation.findings else { continue }
                    return PartReport.send(findings)
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The messages that the watch's model had; called on the link's thread, for a short time only.
private final class DeliveryObserver: Sendable {
    private struct State {
        var device: DeviceID?
        var findings = DeliveryFindings()
        var isOver = false
    }

    let watch = Lock<PoolWatch?>(nil)
    private let task: DeliveryTask
    private let isOver: @Sendable () -> Void
    private let state = Lock(State())

    init(_ task: DeliveryTask, isOver: @escaping @Sendable () -> Void) {
        self.task = task
        self.isOver = isOver
    }

    /// Counts the readings of this device from now on.
    func begin(with device: DeviceID) { state.withLock { $0.device = device } }

    /// The observations; nil until the last message came.
    var findings: DeliveryFindings? { state.withLock { $0.isOver ? $0.findings : nil } }

    /// The model has changed.
    func changed() {
        // The time is taken first, so that reading the model is not measured.
        let moment = ProcessFacts.now
        guard let device = state.withLock(\.device), let watch = watch.withLock(\.self),
            let readings = watch.readings(of: device), let number = task.messages.number(of: readings)
        else { return }
        let isLast = state.withLock { state in
            guard number > state.findings.numbers.last ?? 0 else { return false }
            state.findings.numbers.append(number)
            state.findings.moments.append(moment)
            state.isOver = number == task.count
            return state.isOver
        }
        if isLast { isOver() }
    }
}
