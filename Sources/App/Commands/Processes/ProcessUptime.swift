/// How long a process has been running, without the time in which it was deliberately stopped.
struct ProcessUptime {
    private enum State {
        case running(since: SuspendingClock.Instant)
        case stopped
    }

    private var state: State

    /// Creates the uptime of a process that runs from now on.
    init(at now: SuspendingClock.Instant) {
        state = .running(since: now)
    }

    /// Whether the process is stopped.
    var isStopped: Bool {
        switch state {
        case .running: false
        case .stopped: true
        }
    }

    /// Notes that the process is stopped.
    mutating func stop() {
        state = .stopped
    }

    /// Notes that the process continues.
    mutating func goOn(at now: SuspendingClock.Instant) {
        state = .running(since: now)
    }

    /// The remaining time to answer a question; zero or less if it took too long.
    func timeLeft(
        of patience: Duration, since asked: SuspendingClock.Instant, at now: SuspendingClock.Instant
    ) -> Duration {
        switch state {
        case .stopped: patience
        case .running(let since): patience - max(asked, since).duration(to: now)
        }
    }
}
