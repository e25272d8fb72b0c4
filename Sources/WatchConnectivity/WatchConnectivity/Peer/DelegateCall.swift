package import SyncCore

extension PeerState {
    /// What the app is called with.
    package enum Call: Hashable, Sendable {
        case activationDidComplete(WCSessionActivationState, WCError.Code?)
        case didBecomeInactive
        case didDeactivate
        case watchStateDidChange
        case companionAppInstalledDidChange
        case reachabilityDidChange
        /// A message without a reply.
        case message([UInt8], isData: Bool)
        /// A message whose reply the other app awaits under this name.
        case messageWithReply(MessageID, [UInt8], isData: Bool)
        case context([UInt8])
        case userInfo([UInt8])
        /// A received file; empty metadata count as none. The shell deletes what is left at the path when the call has
        /// returned (rule R119).
        case file(FileOffer)
        /// It is no longer among the outstanding ones.
        case didFinishUserInfo(OutstandingUserInfo, WCError.Code?)
        /// It is no longer among the outstanding ones.
        case didFinishFile(OutstandingFile, WCError.Code?)
        /// The reply to a message that the app sent; nothing more comes for it.
        case replyHandler(MessageToken, [UInt8], isData: Bool)
        /// The failure of a message that the app sent. Nothing more comes for it, unless `comesAgain`: then this is the
        /// first of the two calls of ``SessionBehaviour/callsErrorHandlerTwice``.
        case errorHandler(MessageToken, WCError.Code, comesAgain: Bool)
        /// Nothing more comes for a message that the app sent, and no handler is called: it asked for no reply and was
        /// handled (rule R55), or it failed and has no error handler (rule R49).
        case messageSettled(MessageToken)
        /// Background content woke the app: it gets a task to hold until the content is delivered (rule R134).
        case backgroundTask
        /// The time for the oldest open task is over; the app is ended if it does not complete it now (rule R135).
        case backgroundTaskExpired
        /// How far a file has arrived; not a delegate's call, but in order with them.
        case fileProgress(RandomID, byteCount: UInt64, of: UInt64)
    }

    /// The name of a call that the app is to get; each that begins is answered by ``Input/delivered(_:_:)``.
    package struct DeliveryID: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// How the delegate took a call.
    package enum Handling: Hashable, Sendable {
        case handled
        /// It has no such method (rule R48); its name as Apple spells it.
        case lacksMethod(String)
        /// There was no delegate any more (rule R4).
        case noDelegate
    }
}

extension PeerState.Call {
    /// The call in words, for a trace.
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

    /// Whether it tells that something changed, and nothing else.
    var isChange: Bool {
        switch self {
        case .reachabilityDidChange, .watchStateDidChange, .companionAppInstalledDidChange: true
        case .activationDidComplete, .didBecomeInactive, .didDeactivate, .message, .messageWithReply, .context,
            .userInfo, .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler, .messageSettled,
            .backgroundTask, .backgroundTaskExpired, .fileProgress:
            false
        }
    }

    /// The failed transfer whose end it tells, in words; nil for other calls.
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
    /// The state in words, for a trace; no conformance, since Apple's has none.
    fileprivate var words: String {
        switch self {
        case .notActivated: "not activated"
        case .inactive: "inactive"
        case .activated: "activated"
        }
    }
}
