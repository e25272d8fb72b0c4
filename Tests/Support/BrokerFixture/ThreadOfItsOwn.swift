internal import Foundation

/// Runs what blocks on a thread of its own, and waits for it without blocking one.
///
/// Swift's tasks share as many threads as the machine has processors; a test that blocks one of them holds up others,
/// perhaps those that it waits for.
///
/// - Parameter body: May block for as long as it likes; it is not interrupted when the task is cancelled.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
public func onThreadOfItsOwn<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}
