import Foundation
import SyncCore

extension PeerClient: PeerApp {
    package func take(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        guard let board = owner?.seat.board else { return carryOut(call, path: path) }
        // Code that the app runs in the call finds the session that it belongs to.
        return board.use { carryOut(call, path: path) }
    }

    package func viewChanged(from old: SessionView, to new: SessionView) {
        forgetEndedProcess()
        for session in listeners { session.seat.observations.changed(session, from: old, to: new) }
    }

    private func carryOut(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        switch call {
        case .replyHandler(let token, let bytes, _):
            return reply(to: token, bytes)
        case .errorHandler(let token, let code, let comesAgain):
            let handlers = handlers.take(token, isKept: comesAgain)
            handlers?.failure?(failure(code, culprit: handlers?.culprit))
            return .handled
        case .messageSettled(let token):
            _ = handlers.take(token)
            return .handled
        case .fileProgress(let id, let byteCount, let whole):
            transfers.knownFile(id)?.steps.update(byteCount, of: whole)
            return .handled
        case .backgroundTask:
            return owner?.take(openTask()) ?? .noDelegate
        case .backgroundTaskExpired:
            expireTask()
            return .handled
        default:
            return callDelegate(call, path: path)
        }
    }

    /// The error of a message, which may be another framework's (rule R153).
    private func failure(_ code: WCError.Code, culprit: String?) -> any Error {
        guard shell.behaviour.failsWithForeignErrors, code == .messageReplyTimedOut || code == .transferTimedOut else {
            return WCError(code, culprit: culprit)
        }
        return NSError(
            domain: "com.apple.identityservices.error", code: 23, userInfo: [NSLocalizedDescriptionKey: "Timed out"])
    }

    private func reply(to token: PeerState.MessageToken, _ bytes: [UInt8]) -> PeerState.Handling {
        guard let handlers = handlers.take(token) else { return .handled }
        handlers.dataReply?(Data(bytes))
        if let reply = handlers.reply {
            // What another version replies and this one cannot read is a failed reply.
            guard let dictionary = SessionPayload.dictionary(bytes) else {
                handlers.failure?(WCError(.messageReplyFailed, culprit: nil))
                return .handled
            }
            reply(dictionary)
        }
        return .handled
    }

    /// Calls the delegate and finds out whether it has the method (trap T3).
    private func callDelegate(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        guard let session = owner, let delegate = session.delegate else { return .noDelegate }
        _ = session.seat.takeLacking()
        switch call {
        case .activationDidComplete(let state, let code):
            isActivating = false
            delegate.session(
                session, activationDidCompleteWith: state, error: code.map { WCError($0, culprit: nil) })
        case .didBecomeInactive: delegate.sessionDidBecomeInactive(session)
        case .didDeactivate: delegate.sessionDidDeactivate(session)
        case .watchStateDidChange: delegate.sessionWatchStateDidChange(session)
        case .companionAppInstalledDidChange: delegate.sessionCompanionAppInstalledDidChange(session)
        case .reachabilityDidChange: delegate.sessionReachabilityDidChange(session)
        case .didFinishUserInfo(let ended, let code): finish(ended, code, session, delegate)
        case .didFinishFile(let ended, let code): finish(ended, code, session, delegate)
        default:
            guard deliver(call, path: path, session, delegate) else {
                return .lacksMethod("a payload that this version can read")
            }
        }
        return session.seat.takeLacking().map { .lacksMethod($0) } ?? .handled
    }

    /// - Returns: Whether the content could be read.
    private func deliver(
        _ call: PeerState.Call, path: String?, _ session: WCSession, _ delegate: any WCSessionDelegate
    ) -> Bool {
        switch call {
        case .message(let bytes, isData: true): delegate.session(session, didReceiveMessageData: Data(bytes))
        case .messageWithReply(let id, let bytes, isData: true):
            delegate.session(session, didReceiveMessageData: Data(bytes)) { [self] reply in
                shell.handle(.reply(id, .bytes([UInt8](reply))))
            }
        case .message(let bytes, _):
            guard let message = SessionPayload.dictionary(bytes) else { return false }
            delegate.session(session, didReceiveMessage: message)
        case .messageWithReply(let id, let bytes, _):
            guard let message = SessionPayload.dictionary(bytes) else { return false }
            delegate.session(session, didReceiveMessage: message) { [self] reply in
                shell.handle(.reply(id, SessionPayload.payload(reply)))
            }
        case .context(let bytes):
            guard let context = SessionPayload.dictionary(bytes) else { return false }
            delegate.session(session, didReceiveApplicationContext: context)
        case .userInfo(let bytes):
            guard let userInfo = SessionPayload.dictionary(bytes) else { return false }
            delegate.session(session, didReceiveUserInfo: userInfo)
        case .file(let offer):
            let metadata = offer.metadata.isEmpty ? nil : AppDictionary(bytes: offer.metadata)
            delegate.session(
                session, didReceive: WCSessionFile(url: URL(fileURLWithPath: path ?? offer.name), metadata: metadata))
        default: preconditionFailure("\(call) is no content")
        }
        return true
    }
}
