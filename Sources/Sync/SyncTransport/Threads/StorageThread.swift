import Synchronization

/// Does what may wait for the disk on a thread of its own, one job after the other.
///
/// The core bounds the jobs: a hub has one transaction out at a time, a watch one snapshot and one batch of registers.
final class StorageThread<Job: Sendable>: Sendable {
    private struct Queue {
        var jobs: [Job] = []
        var isClosed = false
        /// Whether the thread waits, or is about to, and must be woken for the next job.
        var isResting = false
        /// Who waits for the thread to rest.
        var waiting: [Semaphore] = []

        /// Takes the next jobs, and those who waited until there are none.
        mutating func take(_ countMax: Int) -> (jobs: [Job], waiting: [Semaphore]) {
            let next = Array(jobs.prefix(countMax))
            jobs.removeFirst(next.count)
            isResting = next.isEmpty
            guard isResting else { return (next, []) }
            defer { waiting = [] }
            return (next, waiting)
        }
    }

    private let queue = Mutex(Queue())
    private let wakeUp = Semaphore()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - work: Does a job; on the thread.
    ///   - report: Tells what became of it; on the thread.
    convenience init(
        work: @escaping @Sendable (Job) throws -> Void,
        report: @escaping @Sendable (Job, (any Error)?) -> Void
    ) {
        self.init(atOnce: 1) { jobs in
            for job in jobs {
                do {
                    try work(job)
                    report(job, nil)
                } catch {
                    report(job, error)
                }
            }
        }
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - countMax: The most jobs that are done together.
    ///   - work: Does some jobs in their order and tells what became of them; on the thread.
    init(atOnce countMax: Int, work: @escaping @Sendable ([Job]) -> Void) {
        DedicatedThread.start { [self] in
            while let jobs = next(countMax) { work(jobs) }
        }
    }

    /// Queues a job.
    func submit(_ job: Job) { submit([job]) }

    /// Queues jobs, and wakes the thread once.
    func submit(_ jobs: [Job]) {
        let mustWake = queue.withLock { queue in
            queue.jobs += jobs
            defer { queue.isResting = false }
            return queue.isResting
        }
        if mustWake { wakeUp.signal() }
    }

    /// Waits until the jobs that were submitted are done and told; never on the thread itself.
    func drain() {
        let isDone = Semaphore()
        let isResting = queue.withLock { queue in
            if !queue.isResting { queue.waiting.append(isDone) }
            return queue.isResting
        }
        if !isResting { isDone.wait() }
    }

    /// Ends the thread after the jobs that were submitted.
    func close() {
        queue.withLock { $0.isClosed = true }
        wakeUp.signal()
    }

    /// Ends the thread after the jobs that were submitted, and waits for them: it does nothing afterwards.
    func end() {
        close()
        drain()
    }

    /// The next jobs, nil when the thread is to end.
    private func next(_ countMax: Int) -> [Job]? {
        while true {
            let (taken, isClosed) = queue.withLock { ($0.take(countMax), $0.isClosed) }
            if !taken.jobs.isEmpty { return taken.jobs }
            for isDone in taken.waiting { isDone.signal() }
            if isClosed { return nil }
            wakeUp.wait()
        }
    }
}
