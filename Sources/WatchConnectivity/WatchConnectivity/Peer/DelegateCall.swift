package import SyncCore

extension PeerState {
    /// A call of the app.
    package enum Call: Hashable, Sendable {
        case activationDidComplete(WCSessionActivationState, WCError.Code?)
        case didBecomeInactive
        case didDeactivate
        case watchStateDidChange
        case companionAppInstalledDidChange
        case reachabilityDidChange
        /// A message that asks for no reply.
        case message([UInt8], isData: Bool)
        /// A message that asks for a reply; the other app waits for the reply under this identifier.
        case messageWithReply(MessageID, [UInt8], isData: Bool)
        case context([UInt8])
        case userInfo([UInt8])
        /// A received file; empty metadata count as none.
        ///
        /// The driver deletes what is left at the path after the call.
        case file(FileOffer)
        /// The end of user info, which is no longer outstanding.
        case didFinishUserInfo(OutstandingUserInfo, WCError.Code?)
        /// The end of a file, which is no longer outstanding.
        case didFinishFile(OutstandingFile, WCError.Code?)
        /// The reply to a message that the app sent; nothing more follows for it.
        case replyHandler(MessageToken, [UInt8], isData: Bool)
        /// The failure of a message that the app sent.
        ///
        /// Nothing more follows for it, unless `comesAgain`: then this is the first of the two calls of
        /// ``SessionBehaviour/callsErrorHandlerTwice``.
        case errorHandler(MessageToken, WCError.Code, comesAgain: Bool)
        /// Nothing more follows for a message that the app sent, and no handler is called.
        ///
        /// Either it asked for no reply and was handled, or it failed and has no error handler.
        case messageSettled(MessageToken)
        /// Background content woke the app: the app gets a task to keep until the content is delivered.
        case backgroundTask
        /// The time of the oldest open task is over; the app is ended if it does not complete the task now.
        case backgroundTaskExpired
        /// The progress of a file.
        ///
        /// It is not a delegate call, but comes in order with them.
        case fileProgress(RandomID, byteCount: UInt64, of: UInt64)
    }

    /// The identifier of a call; each call that begins is answered by ``Input/delivered(_:_:)``.
    package struct DeliveryID: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// How the delegate handled a call.
    package enum Handling: Hashable, Sendable {
        case handled
        /// The delegate has no such method; the name is Apple's.
        case lacksMethod(String)
        /// The delegate is gone.
        case noDelegate
    }
}

extension PeerState.Call {
    /// The call as text for a trace.
    var words: String {
        switch self {
        case .activationDidComplete(let state, let code):
            "activationDidComplete: \(state.words)\(code.map { ", \($0.rawValue)" } ?? "")"
        case .didBecomeInactive: "sessionDidBecomeInactive"
        case .didDeactivate: "sessionDidDeactivate"
        case .watchStateDidChange: "sessionWatchStateDidChange"
        case .companionAppInstalledDidChange: "sessionCompanionAppInstalledDidChange"
        case .reachabilityDidChange: "sessionReachabilityDidChange"
        case .message(let bytes, let isData): "didReceiveMessage\(isData ? "Data" : ""): \(bytes.count) bytes"
        case .messageWithReply(_, let bytes, let isData):
            "didReceiveMessage\(isData ? "Data" : "") with a replyHandler: \(bytes.count) bytes"
        case .context(let bytes): "didReceiveApplicationContext: \(bytes.count) bytes"
        case .userInfo(let bytes): "didReceiveUserInfo: \(bytes.count) bytes"
        case .file(let offer): "didReceive file: \(offer.name), \(offer.byteCount) bytes"
        case .didFinishUserInfo(let info, let code):
            "didFinish userInfoTransfer \(info.id.shortName)\(code.map { ": \($0.rawValue)" } ?? "")"
        case .didFinishFile(let file, let code):
            "didFinish fileTransfer \(file.id.shortName)\(code.map { ": \($0.rawValue)" } ?? "")"
        case .replyHandler(let token, let bytes, _): "replyHandler of message \(token.number): \(bytes.count) bytes"
        case .errorHandler(let token, let code, _): "errorHandler of message \(token.number): \(code.rawValue)"
        case .messageSettled(let token): "message \(token.number) was handled"
        case .backgroundTask: "a background task"
        case .backgroundTaskExpired: "the expirationHandler of a background task"
        case .fileProgress(let id, let byteCount, let total): "file \(id.shortName): \(byteCount) of \(total) bytes"
        }
    }

    /// Whether it only reports that something changed.
    var isChange: Bool {
        switch self {
        case .reachabilityDidChange, .watchStateDidChange, .companionAppInstalledDidChange: true
        case .activationDidComplete, .didBecomeInactive, .didDeactivate, .message, .messageWithReply, .context,
            .userInfo, .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler, .messageSettled,
            .backgroundTask, .backgroundTaskExpired, .fileProgress:
            false
        }
    }

    /// The failed transfer whose end it reports, as text; nil for other calls.
    var failure: String? {
        switch self {
        case .didFinishUserInfo(let info, let code?): "user info \(info.id.shortName) failed with \(code.rawValue)"
        case .didFinishFile(let file, let code?): "file \(file.path) failed with \(code.rawValue)"
        case .activationDidComplete, .didBecomeInactive, .didDeactivate, .watchStateDidChange,
            .companionAppInstalledDidChange, .reachabilityDidChange, .message, .messageWithReply, .context, .userInfo,
            .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler, .messageSettled, .backgroundTask,
            .backgroundTaskExpired, .fileProgress:
            nil
        }
    }
}

extension WCSessionActivationState {
    /// The state as text for a trace; not a conformance, because Apple's type has none.
    fileprivate var words: String {
        switch self {
        case .notActivated: "not activated"
        case .inactive: "inactive"
        case .activated: "activated"
        }
    }
}
