public import Foundation

/// What a session tells its app.
///
/// Every member is there on both sides, so that code for a phone and code for a watch compile (trap T4). All calls come
/// on one serial queue that is never the main one (rule R137).
/// Source: Apple's WatchConnectivity, `WCSessionDelegate`.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// The activation ended; `error` is set only if it failed (rules R8–R11).
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    /// The app's watch is being changed: nothing can be sent, but what is on its way is still received (rule R22).
    func sessionDidBecomeInactive(_ session: WCSession)

    /// Nothing more comes from the old watch: activate the session again (rule R25).
    func sessionDidDeactivate(_ session: WCSession)

    /// Whether the watch is paired, has the app or shows its complication changed, or the watch's directory (rule R29).
    func sessionWatchStateDidChange(_ session: WCSession)

    /// Whether the phone has the app changed (rule R30).
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)

    /// Whether the counterpart is reachable changed (rule R43).
    func sessionReachabilityDidChange(_ session: WCSession)

    /// A message arrived for which no reply is wanted (rule R47).
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])

    /// A message arrived; call the handler once, on whatever thread (rules R60 and R61).
    @preconcurrency
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void)

    /// Data arrived for which no reply is wanted.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)

    /// Data arrived; call the handler once, on whatever thread.
    @preconcurrency
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping @Sendable (Data) -> Void)

    /// The counterpart's context changed (rule R77).
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])

    /// User info that this app sent is on the counterpart's device, or failed (rule R93).
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)

    /// User info arrived (rule R89).
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])

    /// A file that this app sent is on the counterpart's device, or failed.
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)

    /// A file arrived: move it before this returns, or it is deleted (rules R119 and R120).
    func session(_ session: WCSession, didReceive file: WCSessionFile)
}

// Apple's members are optional, so that a session can ask whether its delegate has one. Here a member that the
// delegate lacks is this one, which says so to the session (rules R47–R49, trap T3).
extension WCSessionDelegate {
    /// Notes that the delegate lacks this method.
    public func sessionDidBecomeInactive(_ session: WCSession) {
        session.note(lacking: "sessionDidBecomeInactive(_:)")
    }

    /// Notes that the delegate lacks this method.
    public func sessionDidDeactivate(_ session: WCSession) {
        session.note(lacking: "sessionDidDeactivate(_:)")
    }

    /// Notes that the delegate lacks this method.
    public func sessionWatchStateDidChange(_ session: WCSession) {
        session.note(lacking: "sessionWatchStateDidChange(_:)")
    }

    /// Notes that the delegate lacks this method.
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        session.note(lacking: "sessionCompanionAppInstalledDidChange(_:)")
    }

    /// Notes that the delegate lacks this method.
    public func sessionReachabilityDidChange(_ session: WCSession) {
        session.note(lacking: "sessionReachabilityDidChange(_:)")
    }

    /// Notes that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        session.note(lacking: "session(_:didReceiveMessage:)")
    }

    /// Notes that the delegate lacks this method.
    @preconcurrency
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void
    ) {
        session.note(lacking: "session(_:didReceiveMessage:replyHandler:)")
    }

    /// Notes that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        session.note(lacking: "session(_:didReceiveMessageData:)")
    }

    /// Notes that the delegate lacks this method.
    @preconcurrency
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping @Sendable (Data) -> Void
    ) {
        session.note(lacking: "session(_:didReceiveMessageData:replyHandler:)")
    }

    /// Notes that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        session.note(lacking: "session(_:didReceiveApplicationContext:)")
    }

    /// Notes that the delegate lacks this method.
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        session.note(lacking: "session(_:didFinish:error:) for user info")
    }

    /// Notes that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        session.note(lacking: "session(_:didReceiveUserInfo:)")
    }

    /// Notes that the delegate lacks this method.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        session.note(lacking: "session(_:didFinish:error:) for files")
    }

    /// Notes that the delegate lacks this method.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        session.note(lacking: "session(_:didReceive:)")
    }
}
