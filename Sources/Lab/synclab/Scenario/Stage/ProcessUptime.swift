/// How long a process has been running, without the time in which it was deliberately stopped.
struct ProcessUptime {
    private var isStopped = false
    private var runsSince: SuspendingClock.Instant

    /// Creates the uptime of a process that runs from now on.
    init(at now: SuspendingClock.Instant) {
        runsSince = now
    }

    /// Notes that the process is stopped.
    mutating func stop() {
        isStopped = true
    }

    /// Notes that the process continues.
    mutating func goOn(at now: SuspendingClock.Instant) {
        isStopped = false
        runsSince = now
    }

    /// The remaining time to answer a question; zero or less if it took too long.
    func timeLeft(
        of patience: Duration, since asked: SuspendingClock.Instant, at now: SuspendingClock.Instant
    ) -> Duration {
        guard !isStopped else { return patience }
        return patience - max(asked, runsSince).duration(to: now)
    }
}
