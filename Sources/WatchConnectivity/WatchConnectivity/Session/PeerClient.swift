import Foundation
import Platform
import SyncCore

/// The sessions' side of one peer: its driver, and what the app has in use there (handlers, transfer objects, tasks).
///
/// The session that was activated last serves a watch: the default session, or the watch's own.
package final class PeerClient: Sendable {
    package let role: PeerState.Role
    let peerDriver: PeerDriver
    let handlers = HandlerTable()
    let transfers = TransferTable()
    private let watchDirectoryPath: @Sendable () -> String?
    private let state = Lock(State())

    private struct State {
        var owner = WeakSession()
        var lastTask: UInt64 = 0
        /// The number of ended app processes when the app last called or was called.
        var endedProcessCount: UInt64 = 0
        /// The same number at the time of an activation whose end the delegate has not been notified of; nil without
        /// one.
        var activating: UInt64?
        var listeners: [WeakSession] = []
        var openTasks: [OpenTask] = []
    }

    /// Attaches to a driver.
    ///
    /// The closure returns the path of the directory for the watch, if there is one.
    package init(
        peerDriver: PeerDriver, role: PeerState.Role, watchDirectoryPath: @escaping @Sendable () -> String? = { nil }
    ) {
        self.peerDriver = peerDriver
        self.role = role
        self.watchDirectoryPath = watchDirectoryPath
        peerDriver.attach(self)
    }

    var view: SessionView { peerDriver.view }

    var watchDirectory: String? { peerDriver.view.hasWatchDirectory ? watchDirectoryPath() : nil }

    /// The session whose delegate and handlers are called.
    var owner: WCSession? { state.withLock { $0.owner.session } }

    /// Whether the app's process has requested an activation whose end the delegate has not been notified of.
    var isActivating: Bool {
        get { state.withLock(\.activating) == view.endedProcessCount }
        set {
            let count = view.endedProcessCount
            state.withLock { $0.activating = newValue ? count : nil }
        }
    }

    /// Forgets the objects of a process that has ended; call it before storing any of a new one.
    func forgetEndedProcess() {
        let count = view.endedProcessCount
        let hasEnded = state.withLock { state in
            defer { state.endedProcessCount = max(state.endedProcessCount, count) }
            return state.endedProcessCount < count
        }
        guard hasEnded else { return }
        handlers.forgetAll()
        transfers.forgetAll()
        state.withLock { $0.openTasks = [] }
    }

    /// Creates a background task for the app; it stays open until the app completes it.
    func openTask() -> WKWatchConnectivityRefreshBackgroundTask {
        let number = state.withLock { state in
            state.lastTask += 1
            return state.lastTask
        }
        let process = view.endedProcessCount
        let task = WKWatchConnectivityRefreshBackgroundTask { [weak self] isRepeated in
            self?.completeTask(number, of: process, isRepeated: isRepeated)
        }
        let open = OpenTask(number: number, task: task)
        state.withLock { $0.openTasks.append(open) }
        return task
    }

    private func completeTask(_ number: UInt64, of process: UInt64, isRepeated: Bool) {
        state.withLock { state in state.openTasks.removeAll { $0.number == number } }
        // A task of a process that has ended is not reported.
        guard view.endedProcessCount == process else { return }
        peerDriver.handle(isRepeated ? .backgroundTaskCompletedAgain : .backgroundTaskCompleted)
    }

    /// Calls the expiration handler of the oldest open task.
    func expireTask() {
        state.withLock { Unlocked($0.openTasks.first?.task) }.value?.expirationHandler?()
    }

    /// Makes this session the one that is called.
    func give(to session: WCSession) {
        state.withLock { $0.owner = WeakSession(session) }
    }

    /// Makes this session's observers get changes.
    func add(listener session: WCSession) {
        state.withLock { state in
            state.listeners.removeAll { $0.session == nil || $0.session === session }
            state.listeners.append(WeakSession(session))
        }
    }

    func remove(listener session: WCSession) {
        state.withLock { state in state.listeners.removeAll { $0.session == nil || $0.session === session } }
    }

    var listeners: [WCSession] { state.withLock { $0.listeners.compactMap(\.session) } }

    /// The outstanding user info, as the app's objects.
    var outstandingUserInfo: [WCSessionUserInfoTransfer] { peerDriver.outstandingUserInfo.map(object) }

    /// The outstanding files, as the app's objects.
    var outstandingFiles: [WCSessionFileTransfer] { peerDriver.outstandingFiles.map(object) }

    /// The object that the app already has, or a new one after a relaunch.
    private func object(of outstanding: PeerState.OutstandingUserInfo) -> WCSessionUserInfoTransfer {
        transfers.object(outstanding.id) {
            WCSessionUserInfoTransfer(outstanding.id, AppDictionary(bytes: outstanding.payload), on: self)
        }
    }

    private func object(of outstanding: PeerState.OutstandingFile) -> WCSessionFileTransfer {
        transfers.object(outstanding.id) {
            let file = WCSessionFile(
                url: URL(sessionPath: outstanding.path), metadata: outstanding.metadata.map { AppDictionary(bytes: $0) }
            )
            let transfer = WCSessionFileTransfer(outstanding.id, file, byteCount: outstanding.byteCount, on: self)
            if outstanding.sentByteCount > 0, let whole = outstanding.byteCount {
                transfer.steps.update(outstanding.sentByteCount, of: whole)
            }
            return transfer
        }
    }

    func finish(
        _ ended: PeerState.OutstandingUserInfo, _ code: WCError.Code?, _ session: WCSession,
        _ delegate: any WCSessionDelegate
    ) {
        let transfer = object(of: ended)
        transfer.end(isCurrent: ended.isCurrentComplicationInfo)
        finish(ended.id, code, transfer, of: session) { delegate.session(session, didFinish: transfer, error: $0) }
    }

    func finish(
        _ ended: PeerState.OutstandingFile, _ code: WCError.Code?, _ session: WCSession,
        _ delegate: any WCSessionDelegate
    ) {
        let transfer = object(of: ended)
        if code == nil { transfer.steps.complete() }
        finish(ended.id, code, transfer, of: session) { delegate.session(session, didFinish: transfer, error: $0) }
    }

    private func finish(
        _ id: RandomID, _ code: WCError.Code?, _ transfer: some IdentifiedTransfer, of session: WCSession,
        tell: ((any Error)?) -> Void
    ) {
        transfer.observations.reread()
        transfer.identity.beginning?.wait(session.backing.registry?.endingHold ?? .zero)
        tell(code.map { WCError($0, unsendablePath: transfer.identity.unsendablePath) })
        transfers.forget(id)
    }
}

/// A background task that the app has not completed.
// Unchecked: the task is an open class, but what it keeps is locked.
private struct OpenTask: @unchecked Sendable {
    var number: UInt64
    var task: WKWatchConnectivityRefreshBackgroundTask
}

// Unchecked: a session is a class that clients may subclass, so it is not Sendable; its own state is locked.
struct WeakSession: @unchecked Sendable {
    weak var session: WCSession?

    init(_ session: WCSession? = nil) {
        self.session = session
    }
}
