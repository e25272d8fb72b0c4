#if Processes
    import Dispatch
    import Platform

    /// A running transport: its task, and a way to wait for the end outside of tasks.
    final class TransportRun: Sendable {
        private let task = Lock<Task<Void, Never>?>(nil)
        private let ended = DispatchGroup()

        /// Starts a transport.
        ///
        /// - Parameters:
        ///   - body: Runs the transport until the task is cancelled.
        ///   - onEnd: Called with the error if it ends by itself; not called if it is cancelled.
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

        /// Cancels the transport.
        func cancel() { task.withLock { $0?.cancel() } }

        /// Waits until it has ended, however long that takes.
        ///
        /// Its resources are free then, and it reports nothing more.
        func waitForEnd() async {
            let running = task.withLock { $0 }
            await running?.value
        }

        /// Waits until it has ended, for a limited time.
        func wait(atMost patience: DispatchTimeInterval) { _ = ended.wait(timeout: .now() + patience) }
    }
#endif
