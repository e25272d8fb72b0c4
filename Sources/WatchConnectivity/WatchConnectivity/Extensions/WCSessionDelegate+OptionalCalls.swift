public import Foundation

/// The methods that `delegate?.session?(…)` calls.
///
/// Apple's members are optional, so code calls them with a question mark or an exclamation mark; with these methods
/// both compile here as well. The call happens whether the delegate has the method or not.
public struct WCSessionDelegateCalls {
    fileprivate let delegate: any WCSessionDelegate

    /// Calls the delegate's method for a message.
    public func callAsFunction(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        delegate.session(session, didReceiveMessage: message)
    }

    /// Calls the delegate's method for a message that asks for a reply.
    public func callAsFunction(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        // Code that forwards a handler has it as Apple's protocol declares it, which is not Sendable.
        let handed = Unlocked(replyHandler)
        delegate.session(session, didReceiveMessage: message) { handed.value($0) }
    }

    /// Calls the delegate's method for data.
    public func callAsFunction(_ session: WCSession, didReceiveMessageData messageData: Data) {
        delegate.session(session, didReceiveMessageData: messageData)
    }

    /// Calls the delegate's method for data that ask for a reply.
    public func callAsFunction(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        let handed = Unlocked(replyHandler)
        delegate.session(session, didReceiveMessageData: messageData) { handed.value($0) }
    }

    /// Calls the delegate's method for a context.
    public func callAsFunction(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        delegate.session(session, didReceiveApplicationContext: applicationContext)
    }

    /// Calls the delegate's method for the end of a user info transfer.
    public func callAsFunction(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        delegate.session(session, didFinish: userInfoTransfer, error: error)
    }

    /// Calls the delegate's method for user info.
    public func callAsFunction(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        delegate.session(session, didReceiveUserInfo: userInfo)
    }

    /// Calls the delegate's method for the end of a file transfer.
    public func callAsFunction(
        _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?
    ) {
        delegate.session(session, didFinish: fileTransfer, error: error)
    }

    /// Calls the delegate's method for a file.
    public func callAsFunction(_ session: WCSession, didReceive file: WCSessionFile) {
        delegate.session(session, didReceive: file)
    }
}

extension WCSessionDelegate {
    /// The methods for content, for calls with a question mark.
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
