import SyncCore

extension PeerState {
    /// The bytes of a live message, and of user info, that the engine has room for.
    static let messageByteCountLimit = 262_144
    /// The bytes of a context that the engine has room for.
    static let contextByteCountLimit = 524_288 - 64

    /// Why nothing can be sent now, in the order in which it is found (rules R58, R83, R100, R101, R151, R152).
    func refusal(hasDelegate: Bool) -> WCError.Code? {
        guard hasDelegate else { return .sessionMissingDelegate }
        switch activation {
        case .notActivated: return .sessionNotActivated
        case .inactive: return .sessionInactive
        case .activated: break
        }
        let facts = desk.noticed
        switch role {
        case .phone:
            guard facts.isPaired else { return .deviceNotPaired }
            return facts.isCounterpartInstalled ? nil : .watchAppNotInstalled
        case .watch:
            if device.own.isWatchOnly { return .watchOnlyApp }
            return facts.isCounterpartInstalled ? nil : .companionAppNotInstalled
        }
    }

    /// Why a wish of the app cannot be carried out now; points out what the app may never learn otherwise: what it did too
    /// early, or without a process, or without a delegate.
    mutating func refusal(of what: String, hasDelegate: Bool) -> WCError.Code? {
        let code = refusal(hasDelegate: hasDelegate)
        if !isProcessMissing(for: what) {
            if code == .sessionMissingDelegate {
                warn("\(what) without a delegate (\(WCError.Code.sessionMissingDelegate.rawValue))")
            } else if code == .sessionNotActivated {
                warn("\(what) before the activation completed (\(WCError.Code.sessionNotActivated.rawValue))")
            }
        }
        return code
    }

    /// Whether nobody is there who could call, which is pointed out.
    mutating func isProcessMissing(for what: String) -> Bool {
        guard appState == .notRunning else { return false }
        warn("\(what) by an app that is not running: start it with `device.app = .foreground`")
        return true
    }

    /// What is wrong with a payload, nil if nothing is (rules R144, R147, R149).
    mutating func fault(of payload: Payload, limit: Int, _ what: String) -> WCError.Code? {
        switch payload {
        case .unsupported(let keyPath, let type):
            warn("\(what): the value at \(keyPath) is a \(type), which no property list holds (7010)")
            return .payloadUnsupportedTypes
        case .bytes(let bytes) where bytes.count > limit:
            warn("\(what): \(bytes.count) bytes are more than \(limit) (7009)")
            return .payloadTooLarge
        case .bytes: return nil
        }
    }

    /// What the other app learns if this device's app is not installed.
    var notInstalledCode: WCError.Code { role == .watch ? .watchAppNotInstalled : .companionAppNotInstalled }

    // MARK: - Answering the other companion

    /// Confirms a message of the engine.
    mutating func confirm(_ id: MessageID) {
        ask(.reply(id, [])) { _, _ in }
    }

    /// Declines a message of the engine; the code stands before the text, for the other companion to read.
    mutating func decline(
        _ id: MessageID, _ code: WCError.Code, _ text: String, as refusal: MessageRefusal = .failed
    ) {
        ask(.decline(id, refusal, text: "\(code.rawValue) \(text)")) { _, _ in }
    }

    /// The code that a refusal's text begins with, nil if it is of another origin.
    static func code(in text: String) -> WCError.Code? {
        Int(text.prefix { $0 != " " }).flatMap(WCError.Code.init)
    }

    /// A watch's app is woken by background content (rules R87, R105, R109, R134); a phone's is not (R88, R106).
    mutating func launchWatchApp(_ reason: LaunchReason) {
        guard role == .watch, !appState.isRunning else { return }
        note(.device("background content launches the app: \(reason.rawValue)"))
        desk.owesBackgroundTask = true
        put(.launchApp(reason))
    }
}
