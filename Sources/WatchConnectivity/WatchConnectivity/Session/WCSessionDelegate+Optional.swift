public import Foundation

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
