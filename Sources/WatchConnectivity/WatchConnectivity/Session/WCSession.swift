public import Foundation
import SyncCore
import Synchronization

/// The app's end of the link between a phone and its watch.
///
/// Every member is there on both sides, so that code for a phone and code for a watch compile (trap T4). All members may
/// be called on any thread; handlers and the delegate are called on one serial queue that is never the main one
/// (rules R52, R137 and R142).
/// Source: Apple's WatchConnectivity, `WCSession`.
open class WCSession: NSObject {
    /// What lies behind the session; clients see nothing of it.
    let seat: SessionBacking

    /// Creates a session that is unpaired and that nobody but its maker uses; for mocks, whose classes are subclasses.
    public override init() {
        seat = SessionBacking(role: .phone)
        super.init()
    }

    init(seat: SessionBacking) {
        self.seat = seat
        super.init()
        seat.settle(self)
    }

    // MARK: - The session itself

    /// Whether this device can have a session; it always can (rule R2).
    open class func isSupported() -> Bool { true }

    /// The process's session, always the same object (rule R1).
    open class var `default`: WCSession { SessionRegistry.current.defaultSession }

    /// Who is told what happens; held weakly (rule R4).
    open var delegate: (any WCSessionDelegate)? {
        get { seat.delegate }
        set { seat.set(delegate: newValue, of: self) }
    }

    /// Starts the activation; the delegate is told how it ended (rule R8).
    open func activate() {
        seat.activate(self)
    }

    /// How far the session is active.
    open var activationState: WCSessionActivationState { seat.view.activationState }

    /// Whether content arrived in the background that the delegate was not given yet (rule R132).
    open var hasContentPending: Bool { seat.view.hasContentPending }

    // MARK: - The counterpart

    /// Whether a watch is paired with this phone.
    open var isPaired: Bool { seat.view.isPaired }

    /// Whether the watch has the app; on a watch, whether the phone has it.
    open var isWatchAppInstalled: Bool { seat.view.isWatchAppInstalled }

    /// Whether the app's complication is on the watch's face.
    open var isComplicationEnabled: Bool { seat.view.isComplicationEnabled }

    /// The complication user info that may still go with priority today (rule R112).
    open var remainingComplicationUserInfoTransfers: Int { seat.view.remainingComplicationUserInfoTransfers }

    /// The directory for what belongs to this watch; it goes with the app on the watch (rule R32).
    open var watchDirectoryURL: URL? {
        seat.line?.watchDirectory.map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// Whether the phone has the app; on a phone, whether the watch has it.
    open var isCompanionAppInstalled: Bool { seat.view.isCompanionAppInstalled }

    /// Whether a live message can be sent now (rules R35 and R36).
    open var isReachable: Bool { seat.view.isReachable }

    /// Whether the phone was rebooted and not unlocked since (rule R41).
    open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        seat.view.iOSDeviceNeedsUnlockAfterRebootForReachability
    }

    // MARK: - Live messages

    /// Sends a message now; exactly one of the handlers is called, once (rule R53).
    open func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        seat.send(
            SessionPayload.payload(message), isData: false, wantsReply: replyHandler != nil,
            HandlerTable.Handlers(reply: replyHandler, failure: errorHandler), of: self)
    }

    /// Sends data now; exactly one of the handlers is called, once.
    open func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        seat.send(
            .bytes([UInt8](data)), isData: true, wantsReply: replyHandler != nil,
            HandlerTable.Handlers(dataReply: replyHandler, failure: errorHandler), of: self)
    }

    // MARK: - The application context

    /// The context that this app set last.
    open var applicationContext: [String: Any] { SessionBacking.dictionary(seat.view.applicationContext) }

    /// Replaces the context; the counterpart gets the last one (rule R72).
    ///
    /// - Throws: ``WCError``; the context stays as it was (rules R83 and R84).
    open func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        try seat.updateContext(SessionPayload.payload(applicationContext), of: self)
    }

    /// The context that the counterpart set last, as far as it arrived.
    open var receivedApplicationContext: [String: Any] {
        SessionBacking.dictionary(seat.view.receivedApplicationContext)
    }

    // MARK: - User info

    /// Queues user info; each arrives once, in order (rule R89).
    @discardableResult
    open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        seat.transfer(userInfo, isComplication: false, of: self)
    }

    /// Queues user info for the complication ahead of all other (rules R109–R114).
    @discardableResult
    open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        seat.transfer(userInfo, isComplication: true, of: self)
    }

    /// The user info that has not arrived, failed or been cancelled, oldest first (rules R91 and R96).
    open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { seat.line?.outstandingUserInfo ?? [] }

    // MARK: - Files

    /// Queues a file, which is copied: it may be removed when this has returned (rule R124).
    @discardableResult
    open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        seat.transfer(file, metadata: metadata, of: self)
    }

    /// The files that have not arrived, failed or been cancelled, oldest first.
    open var outstandingFileTransfers: [WCSessionFileTransfer] { seat.line?.outstandingFiles ?? [] }
}

extension WCSession {
    /// The spelling of Swift 2.
    @available(*, unavailable, renamed: "default")
    public class func defaultSession() -> WCSession { .default }

    /// The spelling of Swift 2.
    @available(*, unavailable, renamed: "activate()")
    public func activateSession() {}
}

extension WCSession {
    /// Creates the session of a companion, with a board of its own.
    ///
    /// Code that its delegate runs, or that its board is used by, finds it as `WCSession.default`.
    ///
    /// - Parameters:
    ///   - shell: The companion; nil for a session that is unpaired (trap T11).
    ///   - role: Which device it is on.
    package convenience init(shell: PeerDriver?, role: PeerState.Role) {
        let line = shell.map { PeerClient(shell: $0, role: role) }
        let board = SessionRegistry(role: role)
        self.init(seat: SessionBacking(role: role, line: line))
        seat.own(board)
        board.belong(to: self, line)
    }

    /// The board that code of this session's app uses.
    package var board: SessionRegistry? { seat.board }

    /// Notes that the delegate lacks a method, during a call of it.
    func note(lacking method: String) {
        seat.note(lacking: method)
    }
}

extension SessionRegistry {
    /// The session owns this board, which has one companion at most.
    fileprivate func belong(to session: WCSession, _ line: PeerClient?) {
        let given = Unlocked(session)
        state.withLock { state in
            state.ownSession = given.value
            guard let line else { return }
            let watch = SessionWatch(id: "1", name: state.role == .phone ? "watch" : "phone")
            state.entries = [Entry(watch: watch, line: line, session: nil)]
            state.active = watch.id
        }
    }
}
