import Foundation
import SyncCore

extension PeerClient: PeerApp {
    package func take(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        guard let registry = owner?.backing.registry else { return carryOut(call, path: path) }
        // Code that the app runs during the call then finds the session's own registry.
        return registry.use { carryOut(call, path: path) }
    }

    package func viewChanged(from old: SessionView, to new: SessionView) {
        forgetEndedProcess()
        for session in listeners { session.backing.observations.changed(session, from: old, to: new) }
    }

    private func carryOut(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        switch call {
        case .activationDidComplete(let state, let code):
            return callDelegate { session, delegate in
                isActivating = false
                delegate.session(
                    session, activationDidCompleteWith: state, error: code.map { WCError($0, unsendablePath: nil) })
            }
        case .didBecomeInactive: return callDelegate { $1.sessionDidBecomeInactive($0) }
        case .didDeactivate: return callDelegate { $1.sessionDidDeactivate($0) }
        case .watchStateDidChange: return callDelegate { $1.sessionWatchStateDidChange($0) }
        case .companionAppInstalledDidChange: return callDelegate { $1.sessionCompanionAppInstalledDidChange($0) }
        case .reachabilityDidChange: return callDelegate { $1.sessionReachabilityDidChange($0) }
        case .didFinishUserInfo(let ended, let code): return callDelegate { finish(ended, code, $0, $1) }
        case .didFinishFile(let ended, let code): return callDelegate { finish(ended, code, $0, $1) }
        case .message(let bytes, let isData): return deliver(message: bytes, isData: isData)
        case .messageWithReply(let id, let bytes, let isData): return deliver(message: bytes, isData: isData, id)
        case .context(let bytes): return deliver(bytes) { $1.session($0, didReceiveApplicationContext: $2) }
        case .userInfo(let bytes): return deliver(bytes) { $1.session($0, didReceiveUserInfo: $2) }
        case .file(let offer):
            return callDelegate { session, delegate in
                let metadata = offer.metadata.isEmpty ? nil : AppDictionary(bytes: offer.metadata)
                let url = URL(fileURLWithPath: path ?? offer.name)
                delegate.session(session, didReceive: WCSessionFile(url: url, metadata: metadata))
            }
        case .replyHandler(let token, let bytes, _): return reply(to: token, bytes)
        case .errorHandler(let token, let code, let comesAgain):
            let handlers = handlers.take(token, isKept: comesAgain)
            handlers?.failure?(failure(code, unsendablePath: handlers?.unsendablePath))
        case .messageSettled(let token): _ = handlers.take(token)
        case .fileProgress(let id, let byteCount, let whole):
            let transfer: WCSessionFileTransfer? = transfers.known(id)
            transfer?.steps.update(byteCount, of: whole)
        case .backgroundTask: return owner?.take(openTask) ?? .noDelegate
        case .backgroundTaskExpired: expireTask()
        }
        return .handled
    }

    /// The error of a message; it can belong to another framework's domain.
    private func failure(_ code: WCError.Code, unsendablePath: String?) -> any Error {
        guard peerDriver.behaviour.failsWithForeignErrors, code == .messageReplyTimedOut || code == .transferTimedOut
        else {
            return WCError(code, unsendablePath: unsendablePath)
        }
        return NSError(
            domain: "com.apple.identityservices.error", code: 23, userInfo: [NSLocalizedDescriptionKey: "Timed out"])
    }

    private func reply(to token: PeerState.MessageToken, _ bytes: [UInt8]) -> PeerState.Handling {
        guard let handlers = handlers.take(token) else { return .handled }
        handlers.dataReply?(Data(bytes))
        if let reply = handlers.reply {
            // A reply of another version that this version cannot read counts as a failed reply.
            guard let dictionary = SessionPayload.dictionary(bytes) else {
                handlers.failure?(WCError(.messageReplyFailed, unsendablePath: nil))
                return .handled
            }
            reply(dictionary)
        }
        return .handled
    }

    // MARK: - The delegate

    /// Calls the delegate, and finds out whether it has the method.
    private func callDelegate(_ method: (WCSession, any WCSessionDelegate) -> Void) -> PeerState.Handling {
        guard let session = owner, let delegate = session.delegate else { return .noDelegate }
        if session.backing.isFirstCall(), !Self.conformsHere(delegate) {
            peerDriver.warn(
                """
                the conformance of \(type(of: delegate)) to WCSessionDelegate is isolated to an actor, and its methods are \
                called outside of it: write them `nonisolated`, and switch to the actor in them
                """)
        }
        _ = session.backing.takeLacking()
        method(session, delegate)
        return session.backing.takeLacking().map { .lacksMethod($0) } ?? .handled
    }

    /// Whether an object is a delegate outside of any actor.
    ///
    /// A conformance that is isolated to an actor does not count in code that does not run on that actor.
    @inline(never)
    private static func conformsHere(_ object: Any) -> Bool { object is any WCSessionDelegate }

    /// Calls the delegate with a dictionary, if this version can read the dictionary.
    private func deliver(
        _ bytes: [UInt8], to method: (WCSession, any WCSessionDelegate, [String: Any]) -> Void
    ) -> PeerState.Handling {
        var isReadable = true
        let handling = callDelegate { session, delegate in
            if let dictionary = SessionPayload.dictionary(bytes) {
                method(session, delegate, dictionary)
            } else {
                isReadable = false
            }
        }
        return isReadable ? handling : .lacksMethod("a payload that this version can read")
    }

    private func deliver(message bytes: [UInt8], isData: Bool) -> PeerState.Handling {
        guard isData else { return deliver(bytes) { $1.session($0, didReceiveMessage: $2) } }
        return callDelegate { $1.session($0, didReceiveMessageData: Data(bytes)) }
    }

    private func deliver(message bytes: [UInt8], isData: Bool, _ id: MessageID) -> PeerState.Handling {
        guard isData else {
            return deliver(bytes) { session, delegate, message in
                delegate.session(session, didReceiveMessage: message) { [self] reply in
                    peerDriver.handle(.reply(id, SessionPayload.payload(reply)))
                }
            }
        }
        return callDelegate { session, delegate in
            delegate.session(session, didReceiveMessageData: Data(bytes)) { [self] reply in
                peerDriver.handle(.reply(id, .bytes([UInt8](reply))))
            }
        }
    }
}
