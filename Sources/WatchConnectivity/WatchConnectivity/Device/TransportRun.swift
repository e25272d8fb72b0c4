import Dispatch
import Synchronization

/// A driver that runs: its task, and the wish to wait for its end without one.
final class TransportRun: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let ended = DispatchGroup()

    /// Starts a driver.
    ///
    /// - Parameters:
    ///   - body: Runs it until the task is cancelled.
    ///   - onEnd: Told why it ended, nil if nobody is to be told: it was asked to.
    init(_ body: @escaping @Sendable () async throws -> Void, onEnd: @escaping @Sendable (any Error) -> Void) {
        ended.enter()
        let running = Task { [ended] in
            defer { ended.leave() }
            do {
                try await body()
            } catch {
                if !Task.isCancelled { onEnd(error) }
            }
        }
        task.withLock { $0 = running }
    }

    /// Asks it to end.
    func cancel() { task.withLock { $0?.cancel() } }

    /// Waits until it has ended, however long that takes: what it has in use is free then, and its last word is said.
    func waitForEnd() async {
        let running = task.withLock { $0 }
        await running?.value
    }

    /// Waits until it has ended, at most for a time.
    func wait(atMost patience: DispatchTimeInterval) { _ = ended.wait(timeout: .now() + patience) }
}
