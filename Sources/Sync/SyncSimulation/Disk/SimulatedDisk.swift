package import SyncCore

/// What a store holds, and the records that it keeps.
package protocol StoredState {
    associatedtype Record

    /// Keeps a record.
    mutating func apply(_ record: Record)
}

extension HubMemory: StoredState {}
extension WatchEngine.State: StoredState {}

/// A store that needs time, can fail, and forgets in a crash what is not durable yet.
struct SimulatedDisk<State: StoredState> {
    /// A record on its way to the disk.
    struct Job {
        var record: State.Record
        var number: Int
        var fails: Bool
    }

    /// What survives a crash.
    private(set) var durable: State
    private(set) var jobs: [Job] = []
    private var lastNumber = 0
    /// When the work on all its records ends.
    private(set) var freeAt = Instant(nanoseconds: 0)
    private var lastNotice = Instant(nanoseconds: 0)

    init(state: State) {
        durable = state
    }

    /// The number of the next record that is written.
    var nextNumber: Int { lastNumber + 1 }

    /// Accepts a record, on which it works until a time; returns the number of the record.
    mutating func write(_ record: State.Record, until done: Instant, fails: Bool) -> Int {
        lastNumber += 1
        freeAt = max(freeAt, done)
        jobs.append(Job(record: record, number: lastNumber, fails: fails))
        return lastNumber
    }

    /// The work on the oldest record ends: it is durable now, or it failed.
    mutating func finish(_ number: Int) -> Job? {
        guard jobs.first?.number == number else { return nil }
        let job = jobs.removeFirst()
        if !job.fails { durable.apply(job.record) }
        return job
    }

    /// When the engine is notified of the result of a record: after everything that it was notified of before.
    mutating func notice(now: Instant, delay: Duration) -> Instant {
        lastNotice = max(now.advanced(by: delay), lastNotice.advanced(by: .microseconds(1)))
        return lastNotice
    }

    /// The process dies: what is not durable is lost.
    ///
    /// Returns the number of lost records.
    mutating func crash(now: Instant) -> Int {
        let lost = jobs.count
        jobs = []
        freeAt = now
        return lost
    }

    /// An earlier copy replaces the current state.
    mutating func restore(_ state: State) {
        durable = state
    }
}
