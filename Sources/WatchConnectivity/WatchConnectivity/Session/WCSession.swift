public import Foundation
import Platform
import SyncCore

/// The app's end of the link between a phone and its watch.
///
/// All members exist on both sides, so that code for a phone and code for a watch compile. All members may be called
/// on any thread. Handlers and the delegate are called on one serial queue that is never the main queue. Source:
/// Apple's WatchConnectivity, `WCSession`.
open class WCSession: NSObject {
    /// The implementation of the session, hidden from clients.
    let backing: SessionBacking

    /// Creates an unpaired session that only its creator uses; for subclasses that are mocks.
    public override init() {
        backing = SessionBacking(role: .phone)
        super.init()
    }

    init(backing: SessionBacking) {
        self.backing = backing
        super.init()
        backing.settle(self)
    }

    // MARK: - The session itself

    /// Whether this device can have a session; always true here.
    open class func isSupported() -> Bool { true }

    /// The process's session; always the same object.
    open class var `default`: WCSession { SessionRegistry.currentSession }

    /// The object that is notified of events; held weakly.
    open var delegate: (any WCSessionDelegate)? {
        get { backing.delegate }
        set { backing.set(delegate: newValue, of: self) }
    }

    /// Starts the activation; the delegate is notified of the result.
    open func activate() {
        backing.activate(self)
    }

    /// The state of the activation.
    open var activationState: WCSessionActivationState { backing.view.activationState }

    /// Whether content arrived in the background that the delegate has not received yet.
    open var hasContentPending: Bool { backing.view.hasContentPending }

    // MARK: - The counterpart

    /// Whether a watch is paired with this phone.
    open var isPaired: Bool { backing.view.isPaired }

    /// Whether the watch has the app; on a watch, whether the phone has it.
    open var isWatchAppInstalled: Bool { backing.view.isWatchAppInstalled }

    /// Whether the app's complication is on the watch face.
    open var isComplicationEnabled: Bool { backing.view.isComplicationEnabled }

    /// The number of complication transfers that may still go with priority today.
    open var remainingComplicationUserInfoTransfers: Int { backing.view.remainingComplicationUserInfoTransfers }

    /// The directory for files that belong to this watch; it is removed together with the app on the watch.
    open var watchDirectoryURL: URL? {
        backing.client?.watchDirectory.map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// Whether the phone has the app; on a phone, whether the watch has it.
    open var isCompanionAppInstalled: Bool { backing.view.isCompanionAppInstalled }

    /// Whether a live message can be sent now.
    open var isReachable: Bool { backing.view.isReachable }

    /// Whether the phone was rebooted and has not been unlocked since.
    open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        backing.view.iOSDeviceNeedsUnlockAfterRebootForReachability
    }

    // MARK: - Live messages

    /// Sends a message now; exactly one of the handlers is called, once.
    open func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        backing.send(
            SessionPayload.payload(message), isData: false, wantsReply: replyHandler != nil,
            HandlerTable.Handlers(reply: replyHandler, failure: errorHandler), of: self)
    }

    /// Sends data now; exactly one of the handlers is called, once.
    open func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        backing.send(
            .bytes([UInt8](data)), isData: true, wantsReply: replyHandler != nil,
            HandlerTable.Handlers(dataReply: replyHandler, failure: errorHandler), of: self)
    }

    // MARK: - The application context

    /// The context that this app set last.
    open var applicationContext: [String: Any] { SessionBacking.dictionary(backing.view.applicationContext) }

    /// Replaces the context; the counterpart gets the last one.
    ///
    /// - Throws: ``WCError``; the context stays unchanged.
    open func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        try backing.updateContext(SessionPayload.payload(applicationContext), of: self)
    }

    /// The last context that arrived from the counterpart.
    open var receivedApplicationContext: [String: Any] {
        SessionBacking.dictionary(backing.view.receivedApplicationContext)
    }

    // MARK: - User info

    /// Queues user info; each transfer arrives once, in order.
    @discardableResult
    open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        backing.transfer(userInfo, isComplication: false, of: self)
    }

    /// Queues user info for the complication, ahead of all other user info.
    @discardableResult
    open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        backing.transfer(userInfo, isComplication: true, of: self)
    }

    /// The user info that has not arrived, failed or been cancelled yet, oldest first.
    open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { backing.client?.outstandingUserInfo ?? [] }

    // MARK: - Files

    /// Queues a file; the file is copied, so it may be removed when this method has returned.
    @discardableResult
    open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        backing.transfer(file, metadata: metadata, of: self)
    }

    /// The files that have not arrived, failed or been cancelled yet, oldest first.
    open var outstandingFileTransfers: [WCSessionFileTransfer] { backing.client?.outstandingFiles ?? [] }
}

extension WCSession {
    /// The name in Swift 2.
    @available(*, unavailable, renamed: "default")
    public class func defaultSession() -> WCSession { .default }

    /// The name in Swift 2.
    @available(*, unavailable, renamed: "activate()")
    public func activateSession() {}
}

extension WCSession {
    /// Creates the session for one counterpart, with its own registry.
    ///
    /// Code that its delegate or a use of its registry runs gets this session as `WCSession.default`.
    ///
    /// - Parameters:
    ///   - peerDriver: The driver of the peer; nil for an unpaired session.
    ///   - role: The device that the session is on.
    package convenience init(peerDriver: PeerDriver?, role: PeerState.Role) {
        let client = peerDriver.map { PeerClient(peerDriver: $0, role: role) }
        let registry = SessionRegistry(role: role)
        self.init(backing: SessionBacking(role: role, client: client))
        backing.own(registry)
        registry.belong(to: self, client)
    }

    /// The registry that code of this session's app uses.
    package var registry: SessionRegistry? { backing.registry }

    /// Records that the delegate lacks a method, during a call of that method.
    func note(lacking method: String) {
        backing.note(lacking: method)
    }
}

extension SessionRegistry {
    /// Makes the session the owner of this registry, which has at most one peer.
    fileprivate func belong(to session: WCSession, _ client: PeerClient?) {
        let given = Unlocked(session)
        state.withLock { state in
            state.ownSession = given.value
            guard let client else { return }
            let watch = SessionWatch(id: "1", name: state.role == .phone ? "watch" : "phone")
            state.entries = [Entry(watch: watch, client: client, session: nil)]
            state.active = watch.id
        }
    }
}
