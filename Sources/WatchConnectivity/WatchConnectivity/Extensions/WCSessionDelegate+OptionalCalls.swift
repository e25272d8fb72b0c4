public import Foundation

/// What `delegate?.session?(…)` calls.
///
/// Apple's members are optional, so that code calls them with a question mark or an exclamation mark; both compile with
/// this too. The call is made whether the delegate has the method or not.
public struct WCSessionDelegateCalls {
    fileprivate let delegate: any WCSessionDelegate

    /// Tells the delegate of a message.
    public func callAsFunction(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        delegate.session(session, didReceiveMessage: message)
    }

    /// Tells the delegate of a message that wants a reply.
    public func callAsFunction(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        // The code that passes a handler on has it as Apple's protocol gives it, which is not Sendable.
        let handed = Unlocked(replyHandler)
        delegate.session(session, didReceiveMessage: message) { handed.value($0) }
    }

    /// Tells the delegate of data.
    public func callAsFunction(_ session: WCSession, didReceiveMessageData messageData: Data) {
        delegate.session(session, didReceiveMessageData: messageData)
    }

    /// Tells the delegate of data that want a reply.
    public func callAsFunction(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        let handed = Unlocked(replyHandler)
        delegate.session(session, didReceiveMessageData: messageData) { handed.value($0) }
    }

    /// Tells the delegate of a context.
    public func callAsFunction(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        delegate.session(session, didReceiveApplicationContext: applicationContext)
    }

    /// Tells the delegate that user info ended.
    public func callAsFunction(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        delegate.session(session, didFinish: userInfoTransfer, error: error)
    }

    /// Tells the delegate of user info.
    public func callAsFunction(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        delegate.session(session, didReceiveUserInfo: userInfo)
    }

    /// Tells the delegate that a file ended.
    public func callAsFunction(
        _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?
    ) {
        delegate.session(session, didFinish: fileTransfer, error: error)
    }

    /// Tells the delegate of a file.
    public func callAsFunction(_ session: WCSession, didReceive file: WCSessionFile) {
        delegate.session(session, didReceive: file)
    }
}

extension WCSessionDelegate {
    /// The members that tell of content, for calls with a question mark.
    @_disfavoredOverload
    public var session: WCSessionDelegateCalls? { WCSessionDelegateCalls(delegate: self) }

    /// For calls with a question mark.
    @_disfavoredOverload
    public var sessionDidBecomeInactive: ((WCSession) -> Void)? { { self.sessionDidBecomeInactive($0) } }

    /// For calls with a question mark.
    @_disfavoredOverload
    public var sessionDidDeactivate: ((WCSession) -> Void)? { { self.sessionDidDeactivate($0) } }

    /// For calls with a question mark.
    @_disfavoredOverload
    public var sessionWatchStateDidChange: ((WCSession) -> Void)? { { self.sessionWatchStateDidChange($0) } }

    /// For calls with a question mark.
    @_disfavoredOverload
    public var sessionCompanionAppInstalledDidChange: ((WCSession) -> Void)? {
        { self.sessionCompanionAppInstalledDidChange($0) }
    }

    /// For calls with a question mark.
    @_disfavoredOverload
    public var sessionReachabilityDidChange: ((WCSession) -> Void)? { { self.sessionReachabilityDidChange($0) } }
}
