import SyncCore

/// The work of a side's disk with files, one job after the other.
struct FileWork {
    private var jobs: [(number: Int, output: FileExchange.Output)] = []
    private var freeAt = Instant(nanoseconds: 0)
    private var lastNumber = 0

    /// The number of the next job.
    var nextNumber: Int { lastNumber + 1 }

    /// Accepts a job; returns when it is done.
    mutating func begin(_ output: FileExchange.Output, now: Instant, takes duration: Duration) -> Instant {
        lastNumber += 1
        jobs.append((lastNumber, output))
        freeAt = max(now, freeAt).advanced(by: duration)
        return freeAt
    }

    /// The oldest job is done; nil if that is another one.
    mutating func finish(_ number: Int) -> FileExchange.Output? {
        guard jobs.first?.number == number else { return nil }
        return jobs.removeFirst().output
    }

    /// The process dies, and its jobs with it.
    mutating func crash(now: Instant) {
        jobs = []
        freeAt = now
    }
}
