/// Runs blocking work on a separate thread until it returns; cancelling the task calls `stop`.
///
/// So it never blocks the threads that tasks share.
package func runOnThread<Result: Sendable>(
    stop: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            DedicatedThread.start {
                continuation.resume(with: Swift.Result { try body() })
            }
        }
    } onCancel: {
        stop()
    }
}
