import CommandSupport
import Foundation
import Platform

/// The process of a part: a child, or a process in a pane.
protocol DemoProcess: Sendable {
    /// Waits for its end.
    func ended() async -> ChildProcess.End
    /// Asks it to end, kills it after the timeout, and waits for its end.
    func stop(patience: Duration) async -> ChildProcess.End
    /// Kills it, without waiting.
    func kill()
}

extension ChildProcess: DemoProcess {
    /// Kills it, without waiting.
    func kill() { signal(SIGKILL) }
}

/// One part of a demo: a process that is started again when it ends too early.
final class DemoPart: Sendable {
    /// How often, and within which time, it may end too early.
    private static let faultLimit = 5
    private static let faultWindow = Duration.seconds(15)
    /// The pause before it is started again.
    private static let restartPause = Duration.milliseconds(300)

    /// Its name, for output.
    let name: String
    private let launch: @Sendable () async throws -> any DemoProcess
    private let onEnd: @Sendable (DemoPart, ChildProcess.End) -> Void
    private let onFailure: @Sendable (String) -> Void
    private let state = Lock(State())

    private struct State {
        var process: (any DemoProcess)?
        var isStopping = false
        var supervisor: Task<Void, Never>?
    }

    /// Creates a part that does not run yet.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - launch: Starts the process.
    ///   - onEnd: Called when it ended too early, before it is started again.
    ///   - onFailure: Called when it is not started again, with the sentence for the person.
    init(
        _ name: String, launch: @escaping @Sendable () async throws -> any DemoProcess,
        onEnd: @escaping @Sendable (DemoPart, ChildProcess.End) -> Void,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        self.name = name
        self.launch = launch
        self.onEnd = onEnd
        self.onFailure = onFailure
    }

    /// Starts it.
    func start() async throws {
        let process = try await launch()
        state.withLock { state in
            state.process = process
            // This part owns the task: it ends with the last process.
            state.supervisor = Task { await supervise(process) }
        }
    }

    /// Stops it permanently; does nothing if it was never started.
    func stop(patience: Duration = .seconds(5)) async {
        let (process, supervisor) = state.withLock { state in
            state.isStopping = true
            return (state.process, state.supervisor)
        }
        _ = await process?.stop(patience: patience)
        await supervisor?.value
    }

    /// Kills it, without waiting.
    func kill() {
        state.withLock { state in
            state.isStopping = true
            state.process?.kill()
        }
    }

    private func supervise(_ first: any DemoProcess) async {
        var process = first
        var faults: [ContinuousClock.Instant] = []
        while true {
            let end = await process.ended()
            if state.withLock(\.isStopping) { return }
            onEnd(self, end)
            let now = ContinuousClock.now
            faults = faults.filter { now - $0 < Self.faultWindow } + [now]
            guard faults.count < Self.faultLimit else {
                return onFailure("\(name) \(end), \(faults.count) times in a row")
            }
            // This task is never cancelled.
            try? await Task.sleep(for: Self.restartPause)
            do {
                let next = try await launch()
                process = next
                let isStopping = state.withLock { state in
                    state.process = next
                    return state.isStopping
                }
                if isStopping {
                    _ = await next.stop(patience: .seconds(1))
                    return
                }
            } catch {
                return onFailure("\(name) cannot be started again: \(error)")
            }
        }
    }
}
