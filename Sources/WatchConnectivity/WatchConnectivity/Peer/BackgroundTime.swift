import SyncCore

/// The app's time in the background.
///
///     none ──content wakes the app──▶ open ──last task completed──▶ ending ──nothing left to deliver──▶ none, suspended
///      ▲                               │                              │
///      └───in front, suspended, ended──┴──────────────────────────────┘
struct BackgroundTime: Sendable {
    /// Whether the app is about to be launched for background content.
    var isOwed = false
    /// Whether the system woke the app, and suspends it when it has nothing left to do.
    private var isLent = false
    /// When the time ends that an app has which takes no tasks; nil if it takes them.
    private var graceEnd: Instant?
    private var openCount = 0
    /// The deadlines of the open tasks, oldest first; empty if the time is not limited.
    private var deadlines = Queue<Instant>()
    /// The number of open tasks whose time is over.
    private var overdueCount = 0

    /// The time of an app that takes no tasks: watch apps were seen to be ended after 15 s of background work.
    private static let grace = Duration.seconds(15)

    var deadline: Instant? { [deadlines.first, graceEnd].compactMap(\.self).min() }

    /// The app was woken for content, and gets a task next.
    mutating func lend() {
        isOwed = false
        isLent = true
    }

    /// The app gets a task.
    mutating func given(_ time: Duration?, at now: Instant) {
        openCount += 1
        guard let time else { return }
        deadlines.append(now.advanced(by: max(time, .milliseconds(1))))
    }

    /// The app has completed a task.
    ///
    /// Which one does not matter, because all have the same time.
    mutating func completed() {
        openCount = max(0, openCount - 1)
        if overdueCount > 0 {
            overdueCount -= 1
        } else {
            deadlines.popFirst()
        }
    }

    /// Nobody in the app takes tasks, so the system completes this one.
    mutating func leftAlone(at now: Instant) {
        completed()
        graceEnd = now.advanced(by: Self.grace)
    }

    /// Whether the system may take the time back, as soon as nothing is left to deliver.
    var isSpent: Bool { isLent && openCount == 0 && graceEnd == nil }

    /// Whether the time of the oldest open task is over; true only once for each task.
    mutating func isOver(at now: Instant) -> Bool {
        if let end = graceEnd, end <= now { graceEnd = nil }
        guard let due = deadlines.first, due <= now else { return false }
        deadlines.popFirst()
        overdueCount += 1
        return true
    }

    var hasOverdue: Bool { overdueCount > 0 }

    /// The app is in front, or the system took the time back: nothing suspends it any more.
    mutating func returnTime() {
        isLent = false
        graceEnd = nil
    }

    /// The process that had the tasks ends.
    mutating func closeAll() {
        deadlines = Queue()
        overdueCount = 0
        openCount = 0
        returnTime()
    }
}

extension PeerCore {
    /// Notifies the app of tasks whose time is over; ends the app if it cannot be called.
    mutating func backgroundTimeReached() {
        while backgroundTime.isOver(at: now) {
            guard appState.isRunning else { return endApp("a background task was not completed in time") }
            delegateCalls.call(.backgroundTaskExpired)
        }
    }

    /// The app was notified that a task's time is over, which was its last chance to complete the task.
    mutating func backgroundTaskExpired() {
        if backgroundTime.hasOverdue { endApp("a background task was not completed in time") }
    }

    /// The app has completed a task a second time.
    mutating func backgroundTaskCompletedAgain() { endApp("a background task was completed twice") }

    /// Suspends an app that was woken for content, when its tasks are completed and nothing can be delivered to it.
    mutating func endBackgroundTime() {
        guard backgroundTime.isSpent, appState == .background, presence == .background, delegateCalls.isIdle
        else { return }
        backgroundTime.returnTime()
        note(.device("the background tasks are completed: the system suspends the app"))
        put(.suspendApp)
    }

    private mutating func endApp(_ reason: String) {
        warn("\(reason): the system ends the app")
        backgroundTime.closeAll()
        put(.endApp)
    }
}
