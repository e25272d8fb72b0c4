import Synchronization

/// Does what may wait for the disk on a thread of its own, one job after the other.
///
/// The core bounds the jobs: a hub has one transaction out at a time, a watch one snapshot and one batch of registers.
final class StorageThread<Job: Sendable>: Sendable {
    private struct Queue {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let queue = Mutex(Queue())
    private let wakeUp = Semaphore()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - work: Does a job; on the thread.
    ///   - report: Tells what became of it; on the thread.
    init(
        work: @escaping @Sendable (Job) throws -> Void,
        report: @escaping @Sendable (Job, (any Error)?) -> Void
    ) {
        DedicatedThread.start { [self] in
            while let job = next() {
                do {
                    try work(job)
                    report(job, nil)
                } catch {
                    report(job, error)
                }
            }
        }
    }

    /// Queues a job.
    func submit(_ job: Job) {
        queue.withLock { $0.jobs.append(job) }
        wakeUp.signal()
    }

    /// Ends the thread after the jobs that were submitted.
    func close() {
        queue.withLock { $0.isClosed = true }
        wakeUp.signal()
    }

    /// The next job, nil when the thread is to end.
    private func next() -> Job? {
        while true {
            let (job, isClosed) = queue.withLock { queue in
                (queue.jobs.isEmpty ? nil : queue.jobs.removeFirst(), queue.isClosed)
            }
            if let job { return job }
            if isClosed { return nil }
            wakeUp.wait()
        }
    }
}
