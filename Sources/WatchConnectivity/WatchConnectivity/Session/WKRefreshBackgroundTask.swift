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
        var phase = Phase.open(onCompletion: nil)
        var expirationHandler: (() -> Void)?
    }

    /// The progress of the task: it is open until the app completes it.
    private enum Phase {
        case open(onCompletion: (@Sendable () -> Void)?)
        case completed
    }

    override init() {
        super.init()
    }

    init(onCompletion: @escaping @Sendable () -> Void) {
        super.init()
        state.withLock { $0.phase = .open(onCompletion: onCompletion) }
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

    /// Completes the task.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        let onCompletion = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .open(let onCompletion) = state.phase else { return nil }
            state.phase = .completed
            return onCompletion
        }
        onCompletion?()
    }

    /// Completes the task.
    @available(*, deprecated, renamed: "setTaskCompletedWithSnapshot(_:)")
    open func setTaskCompleted() {
        setTaskCompletedWithSnapshot(false)
    }

    /// Whether the app has completed the task.
    var isCompleted: Bool {
        state.withLock { state in
            switch state.phase {
            case .open: false
            case .completed: true
            }
        }
    }
}

/// The background time for content from the phone.
///
/// Keep the task until the session is activated and no content is pending, then complete it.
///
/// Source: Apple's WatchKit, `WKWatchConnectivityRefreshBackgroundTask`.
open class WKWatchConnectivityRefreshBackgroundTask: WKRefreshBackgroundTask {}
