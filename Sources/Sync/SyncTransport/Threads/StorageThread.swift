import Platform

/// Does work that may wait for the disk on a separate thread, one job after the other.
///
/// The core limits the number of jobs: a hub has one transaction at a time, a watch one snapshot and one batch of
/// registers.
final class StorageThread<Job: Sendable>: Sendable {
    /// The state of the thread.
    ///
    ///     working ──no more jobs──▶ resting
    ///      │  ▲                      │  │
    ///      │  └────────a job─────────┘  │
    ///      └───close──▶ closing ◀──close┘
    ///                      │
    ///                 no more jobs
    ///                      ▼
    ///                    ended
    private enum State {
        /// It does jobs, or looks for the next ones.
        case working
        /// It waits, or is about to, so that it must be woken for the next job.
        case resting
        /// It does the jobs that are left.
        case closing
        /// It does nothing more.
        case ended
    }

    private struct Queue {
        var jobs: [Job] = []
        var state = State.working
        /// The callers that wait until there are no more jobs.
        var waiting: [Semaphore] = []

        /// Removes and returns the next jobs; if there are none, also the callers that wait for that.
        mutating func take(_ countMax: Int) -> (jobs: [Job], waiting: [Semaphore]) {
            let next = Array(jobs.prefix(countMax))
            jobs.removeFirst(next.count)
            guard next.isEmpty else { return (next, []) }
            switch state {
            case .working, .resting: state = .resting
            case .closing, .ended: state = .ended
            }
            defer { waiting = [] }
            return (next, waiting)
        }
    }

    private let queue = Lock(Queue())
    private let wakeUp = Semaphore()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - work: Does a job; called on the thread.
    ///   - report: Reports the result of a job; called on the thread.
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
    ///   - work: Does some jobs in order, and reports their results; called on the thread.
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
            switch queue.state {
            case .resting:
                queue.state = .working
                return true
            case .working, .closing, .ended: return false
            }
        }
        if mustWake { wakeUp.signal() }
    }

    /// Waits until the submitted jobs are done and reported; must not be called on the thread itself.
    func drain() {
        let isDone = Semaphore()
        let mustWait = queue.withLock { queue in
            switch queue.state {
            case .working, .closing:
                queue.waiting.append(isDone)
                return true
            case .resting, .ended: return false
            }
        }
        if mustWait { isDone.wait() }
    }

    /// Ends the thread after the submitted jobs.
    func close() {
        queue.withLock { queue in
            switch queue.state {
            case .working, .resting: queue.state = .closing
            case .closing, .ended: break
            }
        }
        wakeUp.signal()
    }

    /// Ends the thread after the submitted jobs, and waits for that; it does nothing afterwards.
    func end() {
        close()
        drain()
    }

    /// The next jobs, nil when the thread has to end.
    private func next(_ countMax: Int) -> [Job]? {
        while true {
            let (taken, state) = queue.withLock { ($0.take(countMax), $0.state) }
            if !taken.jobs.isEmpty { return taken.jobs }
            for isDone in taken.waiting { isDone.signal() }
            if state == .ended { return nil }
            wakeUp.wait()
        }
    }
}
