import SyncCore

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
