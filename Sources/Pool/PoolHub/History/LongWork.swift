import Dispatch
import PoolControl

/// Commands that may take long: they run beside the others, which are answered in the meantime.
///
/// The caller gets the answer if it is ready soon, otherwise a job number with which to request it later.
actor LongWork {
    private struct Job {
        var answer: HubReply?
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    /// The maximum number of answers that are kept for callers that may not come back.
    static let unclaimedMax = 16

    private let patience: Duration
    private var last: UInt64 = 0
    private var jobs: [UInt64: Job] = [:]

    /// Creates an actor without jobs.
    ///
    /// - Parameter patience: How long to wait for an answer before the job number is returned.
    init(patience: Duration = .milliseconds(100)) {
        self.patience = patience
    }

    /// Starts a job.
    ///
    /// - Returns: Its answer, or `HubReply.working(job:)`; an error is returned as a refusal.
    func perform(_ work: @escaping @Sendable () async throws -> HubReply) async -> HubReply {
        last += 1
        let number = last
        jobs[number] = Job()
        // The task ends with the job, even if the caller does not come back.
        Task {
            do {
                finish(number, try await work())
            } catch {
                finish(number, .refused("\(error)"))
            }
        }
        return await outcome(of: number)
    }

    /// The result of a job; it is returned once.
    func outcome(of number: UInt64) async -> HubReply {
        guard jobs[number] != nil else {
            return .refused("the hub no longer knows the work \(number); look whether it is done, then ask again")
        }
        await wait(for: number)
        guard let answer = jobs[number]?.answer else { return .working(job: number) }
        jobs[number] = nil
        return answer
    }

    private func finish(_ number: UInt64, _ answer: HubReply) {
        let waiters = jobs[number]?.waiters.values.map(\.self) ?? []
        jobs[number] = Job(answer: answer)
        let finished = jobs.filter { $0.value.answer != nil && $0.key != number }.keys.sorted()
        for forgotten in finished.dropLast(Self.unclaimedMax) { jobs[forgotten] = nil }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the job is done, but not longer than the patience.
    private func wait(for number: UInt64) async {
        await withCheckedContinuation { continuation in
            guard let job = jobs[number], job.answer == nil else { return continuation.resume() }
            last += 1
            let token = last
            jobs[number]?.waiters[token] = continuation
            Task {
                // Nothing cancels this task; the wait is short.
                try? await Task.sleep(for: patience)
                jobs[number]?.waiters.removeValue(forKey: token)?.resume()
            }
        }
    }
}

/// Runs blocking work on a thread outside of the cooperative pool, and waits for it.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}
