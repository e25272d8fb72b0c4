internal import GRDB
public import PoolModel
internal import Synchronization

/// Lets several threads record at once with one wait for the disk: whoever comes first records what all of them have
/// waiting.
///
/// A commit costs about as much for a hundred readings as for one. With a single thread it does what
/// `record(_:latest:changes:)` of ``HistoryStore`` does.
public final class RecordingGroup: Sendable {
    private struct Job {
        var arrivals: [Arrival]
        var latest: @Sendable (Reading) -> DeviceReadings?
        var changes: @Sendable (Reading) -> [AlertChange]
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [(number: UInt64, job: Job)] = []
        var results: [UInt64: Result<[Recorded], HistoryError>] = [:]
    }

    private let history: HistoryStore
    private let state = Mutex(State())

    /// Creates a group for a history.
    public init(_ history: HistoryStore) {
        self.history = history
    }

    /// Records readings, and waits until they are on the disk, together with what other threads record meanwhile.
    ///
    /// - Parameters:
    ///   - arrivals: The readings, as for `record(_:latest:changes:)` of ``HistoryStore``.
    ///   - latest: As there; called on any of the threads that record, while the database is locked.
    ///   - changes: As there; called likewise.
    /// - Returns: What became of each.
    /// - Throws: ``HistoryError``; then nothing of what was recorded together is stored, and each of the callers
    ///   gets the error.
    public func record(
        _ arrivals: [Arrival], latest: @escaping @Sendable (Reading) -> DeviceReadings? = { _ in nil },
        changes: @escaping @Sendable (Reading) -> [AlertChange] = { _ in [] }
    ) throws(HistoryError) -> [Recorded] {
        let number = state.withLock { state in
            state.next += 1
            state.waiting.append((state.next, Job(arrivals: arrivals, latest: latest, changes: changes)))
            return state.next
        }
        // The queue of the database is the only thing to wait for: whoever gets through it finds either its own result,
        // or its own job still waiting among others.
        history.queue.writeWithoutTransaction { database in
            let jobs = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !jobs.isEmpty else { return }
            let results = self.results(of: jobs, in: database)
            state.withLock { $0.results.merge(results) { $1 } }
        }
        guard let result = state.withLock({ $0.results.removeValue(forKey: number) }) else {
            preconditionFailure("the readings \(number) were taken out of the queue without a result")
        }
        return try result.get()
    }

    /// How many calls wait to be recorded.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func results(
        of jobs: [(number: UInt64, job: Job)], in database: Database
    ) -> [UInt64: Result<[Recorded], HistoryError>] {
        var results: [UInt64: Result<[Recorded], HistoryError>] = [:]
        do {
            try database.inTransaction(.immediate) {
                for (number, job) in jobs {
                    results[number] = .success(
                        try history.record(job.arrivals, latest: job.latest, changes: job.changes, in: database))
                }
                return .commit
            }
        } catch {
            history.forgetNumbers()
            let error = HistoryError(error, path: history.path)
            for (number, _) in jobs { results[number] = .failure(error) }
        }
        return results
    }
}
