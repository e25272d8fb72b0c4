import SyncCore

/// The time in the background that the app is given (rules R134 and R135).
struct BackgroundTime: Sendable {
    /// Whether background content is about to launch the app.
    var isOwed = false
    /// Until when the open tasks are to be completed, the oldest first; empty if time is not counted.
    private var deadlines = Line<Instant>()
    /// The tasks that are open though their time is over.
    private var overdueCount = 0

    var deadline: Instant? { deadlines.first }

    /// The app is given a task.
    mutating func given(_ time: Duration?, at now: Instant) {
        guard let time else { return }
        deadlines.append(now.advanced(by: max(time, .milliseconds(1))))
    }

    /// The app has completed a task: which one does not matter, as all have the same time.
    mutating func completed() {
        if overdueCount > 0 {
            overdueCount -= 1
        } else {
            deadlines.popFirst()
        }
    }

    /// Whether the time of the oldest open task is over, which is said once for each.
    mutating func isOver(at now: Instant) -> Bool {
        guard let due = deadlines.first, due <= now else { return false }
        deadlines.popFirst()
        overdueCount += 1
        return true
    }

    var hasOverdue: Bool { overdueCount > 0 }

    /// The process that had the tasks ends.
    mutating func closeAll() {
        deadlines = Line()
        overdueCount = 0
    }
}

extension PeerCore {
    /// Tells the app of tasks whose time is over, or ends it if it cannot be told.
    mutating func backgroundTimeReached() {
        while backgroundTime.isOver(at: now) {
            guard appState.isRunning else { return endApp() }
            desk.call(.backgroundTaskExpired)
        }
    }

    /// The app was told that a task's time is over: that was its last chance to complete it.
    mutating func backgroundTaskExpired() {
        if backgroundTime.hasOverdue { endApp() }
    }

    private mutating func endApp() {
        warn("a background task was not completed in time: the system ends the app (rule R135)")
        backgroundTime.closeAll()
        put(.endApp)
    }
}
