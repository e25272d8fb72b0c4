public import Foundation
import Platform

/// The part of WatchKit's application delegate that WatchConnectivity needs.
///
/// Source: Apple's WatchKit, `WKApplicationDelegate`.
@MainActor
public protocol WKApplicationDelegate: NSObjectProtocol {
    /// The app was woken in the background, or has background work: complete each task when it is done.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
}

extension WKApplicationDelegate {
    /// Completes the tasks at once, as the system does for an app without this method.
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks { task.setTaskCompletedWithSnapshot(false) }
    }
}

/// The older name of ``WKApplicationDelegate``.
///
/// Source: Apple's WatchKit, `WKExtensionDelegate`.
@MainActor
public protocol WKExtensionDelegate: NSObjectProtocol {
    /// The app was woken in the background, or has background work: complete each task when it is done.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
}

extension WKExtensionDelegate {
    /// Completes the tasks at once, as the system does for an app without this method.
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks { task.setTaskCompletedWithSnapshot(false) }
    }
}

/// A watch app's process; only the part that WatchConnectivity needs.
///
/// Its delegate is called on the main actor, so the process must serve its main queue. Source: Apple's WatchKit,
/// `WKApplication`.
@MainActor
open class WKApplication: NSObject {
    nonisolated static let current = AppDelegateReference()
    private static let only = WKApplication()

    /// The process's application.
    open class func shared() -> WKApplication { only }

    /// The object that gets background tasks; held weakly.
    open var delegate: (any WKApplicationDelegate)? {
        get { Self.current.delegate as? any WKApplicationDelegate }
        set { Self.current.set(newValue) }
    }
}

/// The older name of ``WKApplication``.
///
/// Source: Apple's WatchKit, `WKExtension`.
@MainActor
open class WKExtension: NSObject {
    nonisolated static let current = AppDelegateReference()
    private static let only = WKExtension()

    /// The process's extension.
    open class func shared() -> WKExtension { only }

    /// The object that gets background tasks; held weakly.
    open var delegate: (any WKExtensionDelegate)? {
        get { Self.current.delegate as? any WKExtensionDelegate }
        set { Self.current.set(newValue) }
    }
}

/// An application's delegate, held weakly; whether there is one can be asked on any thread.
final class AppDelegateReference: Sendable {
    // Unchecked: the delegate is used on the main actor only.
    private struct State: @unchecked Sendable {
        weak var delegate: (any NSObjectProtocol)?
    }

    private let state = Lock(State())

    var hasDelegate: Bool { state.withLock { $0.delegate != nil } }

    var delegate: (any NSObjectProtocol)? { state.withLock { Unlocked($0.delegate) }.value }

    func set(_ delegate: (any NSObjectProtocol)?) {
        let given = Unlocked(delegate)
        state.withLock { $0.delegate = given.value }
    }
}
