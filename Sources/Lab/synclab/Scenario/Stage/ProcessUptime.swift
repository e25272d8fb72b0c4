/// Since when a process runs: the time in which it is stopped on purpose is not its own.
struct ProcessUptime {
    private var isStopped = false
    private var runsSince: SuspendingClock.Instant

    /// A process that runs from now on.
    init(at now: SuspendingClock.Instant) {
        runsSince = now
    }

    /// It is stopped.
    mutating func stop() {
        isStopped = true
    }

    /// It goes on.
    mutating func goOn(at now: SuspendingClock.Instant) {
        isStopped = false
        runsSince = now
    }

    /// How much longer it may take to answer a question; not above zero if it took too long.
    func timeLeft(
        of patience: Duration, since asked: SuspendingClock.Instant, at now: SuspendingClock.Instant
    ) -> Duration {
        guard !isStopped else { return patience }
        return patience - max(asked, runsSince).duration(to: now)
    }
}
