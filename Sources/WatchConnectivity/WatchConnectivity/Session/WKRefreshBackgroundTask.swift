public import Foundation
import Synchronization

/// Time in the background that the system gives to a watch app.
///
/// Apple has it in WatchKit; there is no such module here.
/// Source: Apple's WatchKit, `WKRefreshBackgroundTask`.
open class WKRefreshBackgroundTask: NSObject {
    private let state = Mutex(State())

    // Unchecked: both are the client's, handed over and called as the client gave them.
    private struct State: @unchecked Sendable {
        var isCompleted = false
        var expirationHandler: (() -> Void)?
        var onCompletion: (() -> Void)?
    }

    override init() {
        super.init()
    }

    init(onCompletion: @escaping @Sendable () -> Void) {
        super.init()
        state.withLock { $0.onCompletion = onCompletion }
    }

    /// What the task was scheduled with; nothing, for a task of WatchConnectivity.
    open var userInfo: (any NSSecureCoding & NSObjectProtocol)? { nil }

    /// What the system calls when the time is over; here, if ``SessionBehaviour/backgroundTaskTime`` limits it.
    open var expirationHandler: (() -> Void)? {
        get { state.withLock { Unlocked($0.expirationHandler) }.value }
        set {
            let given = Unlocked(newValue)
            state.withLock { $0.expirationHandler = given.value }
        }
    }

    /// Says that the app has done what the task was for.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        let onCompletion = state.withLock { state in
            defer {
                state.isCompleted = true
                state.onCompletion = nil
            }
            return Unlocked(state.onCompletion)
        }
        onCompletion.value?()
    }

    /// Says that the app has done what the task was for.
    @available(*, deprecated, renamed: "setTaskCompletedWithSnapshot(_:)")
    open func setTaskCompleted() {
        setTaskCompletedWithSnapshot(false)
    }

    /// Whether the app has done it.
    var isCompleted: Bool { state.withLock(\.isCompleted) }
}

/// The time that content from the phone gets in the background: keep the task until the session is activated and no
/// content is pending, then complete it (rule R134).
///
/// Source: Apple's WatchKit, `WKWatchConnectivityRefreshBackgroundTask`.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}
