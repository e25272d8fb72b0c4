import SyncCore

/// The time in the background that the app was given and has not given back (rules R134 and R135).
struct BackgroundTime: Sendable {
    /// Until when the open tasks are to be completed, the oldest first; empty if time is not counted.
    var deadlines = Line<Instant>()
    /// The tasks that are open though their time is over.
    var overdueCount = 0
}

extension PeerState {
    /// The app is given a task.
    mutating func backgroundTaskGiven() {
        guard let time = behaviour.backgroundTaskTime else { return }
        backgroundTime.deadlines.append(moment.monotonic.advanced(by: max(time, .milliseconds(1))))
    }

    /// The app has completed a task: which one does not matter, as all have the same time.
    mutating func backgroundTaskCompleted() {
        if backgroundTime.overdueCount > 0 {
            backgroundTime.overdueCount -= 1
        } else {
            _ = backgroundTime.deadlines.popFirst()
        }
    }

    mutating func backgroundTimeReached() {
        while let due = backgroundTime.deadlines.first, due <= moment.monotonic {
            _ = backgroundTime.deadlines.popFirst()
            backgroundTime.overdueCount += 1
            guard appState.isRunning else { return endApp() }
            desk.call(.backgroundTaskExpired)
        }
    }

    /// The app was told that a task's time is over: that was its last chance to complete it.
    mutating func backgroundTaskExpired() {
        if backgroundTime.overdueCount > 0 { endApp() }
    }

    private mutating func endApp() {
        warn("a background task was not completed in time: the system ends the app (rule R135)")
        backgroundTime = BackgroundTime()
        put(.endApp)
    }
}
