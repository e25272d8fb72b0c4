import SyncCore

/// The app's time in the background.
struct BackgroundTime: Sendable {
    /// Whether the app is about to be launched for background content.
    var isOwed = false
    /// The deadlines of the open tasks, oldest first; empty if the time is not limited.
    private var deadlines = Queue<Instant>()
    /// The number of open tasks whose time is over.
    private var overdueCount = 0

    var deadline: Instant? { deadlines.first }

    /// The app gets a task.
    mutating func given(_ time: Duration?, at now: Instant) {
        guard let time else { return }
        deadlines.append(now.advanced(by: max(time, .milliseconds(1))))
    }

    /// The app has completed a task.
    ///
    /// Which one does not matter, because all have the same time.
    mutating func completed() {
        if overdueCount > 0 {
            overdueCount -= 1
        } else {
            deadlines.popFirst()
        }
    }

    /// Whether the time of the oldest open task is over; true only once for each task.
    mutating func isOver(at now: Instant) -> Bool {
        guard let due = deadlines.first, due <= now else { return false }
        deadlines.popFirst()
        overdueCount += 1
        return true
    }

    var hasOverdue: Bool { overdueCount > 0 }

    /// The process that had the tasks ends.
    mutating func closeAll() {
        deadlines = Queue()
        overdueCount = 0
    }
}

extension PeerCore {
    /// Notifies the app of tasks whose time is over; ends the app if it cannot be called.
    mutating func backgroundTimeReached() {
        while backgroundTime.isOver(at: now) {
            guard appState.isRunning else { return endApp() }
            delegateCalls.call(.backgroundTaskExpired)
        }
    }

    /// The app was notified that a task's time is over, which was its last chance to complete the task.
    mutating func backgroundTaskExpired() {
        if backgroundTime.hasOverdue { endApp() }
    }

    private mutating func endApp() {
        warn("a background task was not completed in time: the system ends the app")
        backgroundTime.closeAll()
        put(.endApp)
    }
}
