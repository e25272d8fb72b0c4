public import Foundation
import Platform

/// A period of time in the background that the system gives to a watch app.
///
/// On Apple's systems it is in WatchKit; there is no such module here. Source: Apple's WatchKit,
/// `WKRefreshBackgroundTask`.
open class WKRefreshBackgroundTask: NSObject {
    private let state = Lock(State())

    // Unchecked: the handler belongs to the client; it is only stored and called.
    private struct State: @unchecked Sendable {
        var isCompleted = false
        var onCompletion: (@Sendable (_ isRepeated: Bool) -> Void)?
        var expirationHandler: (() -> Void)?
    }

    override init() {
        super.init()
    }

    init(onCompletion: @escaping @Sendable (_ isRepeated: Bool) -> Void) {
        super.init()
        state.withLock { $0.onCompletion = onCompletion }
    }

    /// The data of the scheduled task; always nil for a task of WatchConnectivity.
    open var userInfo: (any NSSecureCoding & NSObjectProtocol)? { nil }

    /// The system calls this when the time is over; here only if ``SessionBehaviour/backgroundTaskTime`` limits it.
    open var expirationHandler: (() -> Void)? {
        get { state.withLock { Unlocked($0.expirationHandler) }.value }
        set {
            let given = Unlocked(newValue)
            state.withLock { $0.expirationHandler = given.value }
        }
    }

    /// Completes the task; after the last one, the system suspends an app that is in the background.
    ///
    /// Complete it once: a second time ends the app, as WatchKit does. In a separate process it writes a warning to the
    /// trace.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        let (onCompletion, isRepeated) = state.withLock { state in
            defer { state.isCompleted = true }
            return (state.onCompletion, state.isCompleted)
        }
        onCompletion?(isRepeated)
    }

    /// Completes the task.
    @available(*, deprecated, renamed: "setTaskCompletedWithSnapshot(_:)")
    open func setTaskCompleted() {
        setTaskCompletedWithSnapshot(false)
    }

    /// Whether the app has completed the task.
    var isCompleted: Bool { state.withLock(\.isCompleted) }
}

/// The background time for content from the phone.
///
/// Keep the task until the session is activated and no content is pending, then complete it.
///
/// Source: Apple's WatchKit, `WKWatchConnectivityRefreshBackgroundTask`.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}

// The other kinds of background time, for code that distinguishes them: no session gives any of them.

/// The background time that an app scheduled; it is never given here.
///
/// Source: Apple's WatchKit, `WKApplicationRefreshBackgroundTask`.
open class WKApplicationRefreshBackgroundTask: WKRefreshBackgroundTask {}

/// The background time for the picture of the app; it is never given here.
///
/// Source: Apple's WatchKit, `WKSnapshotRefreshBackgroundTask`.
open class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// Completes the task.
    open func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date?,
        userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) {
        setTaskCompletedWithSnapshot(false)
    }
}

/// The background time for downloads; it is never given here.
///
/// Source: Apple's WatchKit, `WKURLSessionRefreshBackgroundTask`.
open class WKURLSessionRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// The name of the session that has downloaded something.
    open var sessionIdentifier: String { "" }
}

/// The background time for shortcuts; it is never given here.
///
/// Source: Apple's WatchKit, `WKRelevantShortcutRefreshBackgroundTask`.
open class WKRelevantShortcutRefreshBackgroundTask: WKRefreshBackgroundTask {}

/// The background time after an intent; it is never given here.
///
/// Source: Apple's WatchKit, `WKIntentDidRunRefreshBackgroundTask`.
open class WKIntentDidRunRefreshBackgroundTask: WKRefreshBackgroundTask {}
