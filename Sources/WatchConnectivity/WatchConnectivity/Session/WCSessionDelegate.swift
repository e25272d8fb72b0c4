public import Foundation

/// The object that a session notifies.
///
/// All members exist on both sides, so that code for a phone and code for a watch compile. All calls come on one
/// serial queue that is never the main queue. Source: Apple's WatchConnectivity, `WCSessionDelegate`.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// The activation ended; `error` is set only if it failed.
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    /// The app is being switched to another watch: nothing can be sent, but transfers on their way are still
    /// received.
    func sessionDidBecomeInactive(_ session: WCSession)

    /// Nothing more arrives from the old watch: activate the session again.
    func sessionDidDeactivate(_ session: WCSession)

    /// A change of the watch: whether it is paired, has the app or shows the complication, or its directory.
    func sessionWatchStateDidChange(_ session: WCSession)

    /// A change of whether the phone has the app.
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)

    /// A change of whether the counterpart is reachable.
    func sessionReachabilityDidChange(_ session: WCSession)

    /// A message arrived that asks for no reply.
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])

    /// A message arrived that asks for a reply; call the handler once, on any thread.
    @preconcurrency
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void)

    /// Data arrived that ask for no reply.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)

    /// Data arrived that ask for a reply; call the handler once, on any thread.
    @preconcurrency
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping @Sendable (Data) -> Void)

    /// A new context arrived from the counterpart.
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])

    /// User info that this app sent has arrived on the counterpart's device, or failed.
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)

    /// User info arrived.
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])

    /// A file that this app sent has arrived on the counterpart's device, or failed.
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)

    /// A file arrived; move it before this method returns, otherwise it is deleted.
    func session(_ session: WCSession, didReceive file: WCSessionFile)
}

// Apple's members are optional, so that a session can find out which methods its delegate has. Here a missing method
// is replaced by one of these, which reports to the session that the delegate lacks it.
extension WCSessionDelegate {
    /// Records that the delegate lacks this method.
    public func sessionDidBecomeInactive(_ session: WCSession) {
        session.note(lacking: "sessionDidBecomeInactive(_:)")
    }

    /// Records that the delegate lacks this method.
    public func sessionDidDeactivate(_ session: WCSession) {
        session.note(lacking: "sessionDidDeactivate(_:)")
    }

    /// Records that the delegate lacks this method.
    public func sessionWatchStateDidChange(_ session: WCSession) {
        session.note(lacking: "sessionWatchStateDidChange(_:)")
    }

    /// Records that the delegate lacks this method.
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        session.note(lacking: "sessionCompanionAppInstalledDidChange(_:)")
    }

    /// Records that the delegate lacks this method.
    public func sessionReachabilityDidChange(_ session: WCSession) {
        session.note(lacking: "sessionReachabilityDidChange(_:)")
    }

    /// Records that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        session.note(lacking: "session(_:didReceiveMessage:)")
    }

    /// Records that the delegate lacks this method.
    @preconcurrency
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void
    ) {
        session.note(lacking: "session(_:didReceiveMessage:replyHandler:)")
    }

    /// Records that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        session.note(lacking: "session(_:didReceiveMessageData:)")
    }

    /// Records that the delegate lacks this method.
    @preconcurrency
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping @Sendable (Data) -> Void
    ) {
        session.note(lacking: "session(_:didReceiveMessageData:replyHandler:)")
    }

    /// Records that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        session.note(lacking: "session(_:didReceiveApplicationContext:)")
    }

    /// Records that the delegate lacks this method.
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        session.note(lacking: "session(_:didFinish:error:) for user info")
    }

    /// Records that the delegate lacks this method.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        session.note(lacking: "session(_:didReceiveUserInfo:)")
    }

    /// Records that the delegate lacks this method.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        session.note(lacking: "session(_:didFinish:error:) for files")
    }

    /// Records that the delegate lacks this method.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        session.note(lacking: "session(_:didReceive:)")
    }
}
