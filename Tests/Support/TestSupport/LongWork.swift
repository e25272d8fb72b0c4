import Dispatch
import Synchronization
public import Testing

/// Runs tests that compute for seconds without a pause on two threads of their own.
///
/// There are as many threads for tests as the machine has processors. Where tests that never pause hold all of them,
/// those that wait for another process or for a moment do not go on in time, and fail for that.
public struct LongWork: TestTrait, SuiteTrait, TestScoping {
    /// It holds for the suites within a suite, too.
    public var isRecursive: Bool { true }

    /// Runs a test, or a case of one, on the thread whose turn it is.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OneThread.next()) { try await function() }
    }
}

extension Trait where Self == LongWork {
    /// On one of two threads of their own.
    public static var longWork: Self { LongWork() }
}

/// Runs tasks on one thread, which is not one of those that all tasks share.
private final class OneThread: TaskExecutor {
    private static let all = [OneThread(), OneThread()]
    private static let turn = Atomic(0)

    private let queue = DispatchQueue(label: "long tests")

    /// The one whose turn it is.
    static func next() -> OneThread {
        all[turn.add(1, ordering: .relaxed).oldValue % all.count]
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
