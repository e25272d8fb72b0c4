extension SessionSetup {
    /// Reads a setup from the variables of a process; nil if none of them is set, the trace's excepted.
    ///
    /// | Variable | Meaning |
    /// | --- | --- |
    /// | `WATCHCONNECTIVITY_SIDE` | `phone` or `watch`; needed |
    /// | `WATCHCONNECTIVITY_STATE` | the device's folder; needed |
    /// | `WATCHCONNECTIVITY_NAME` | the device's name |
    /// | `WATCHCONNECTIVITY_APP` | the app that both devices are of, such as `tars` |
    /// | `WATCHCONNECTIVITY_MEETING` | the folder in which both devices find each other |
    /// | `WATCHCONNECTIVITY_ENDPOINT` | where the phone listens |
    /// | `WATCHCONNECTIVITY_INVITATION` | the code by which the watch pairs |
    /// | `WATCHCONNECTIVITY_INVITATION_FILE` | where the phone writes the code for the next watch |
    /// | `WATCHCONNECTIVITY_HEARTBEAT` | the time between two signs of life, such as `250ms` or `2s` |
    /// | `WATCHCONNECTIVITY_PATIENCE` | how long the first use waits for a counterpart of a device that was never paired, such as `5s` |
    /// | `WATCHCONNECTIVITY_BEHAVIOUR` | members of ``SessionBehaviour``, parted by commas: `replyTimeout=2s,replaysContexts` |
    /// | `WATCHCONNECTIVITY_DEVICE` | any of `notInstalled`, `complication`, `locked`, `watchOnly`, `signals`, and one of `foreground`, `background`, `suspended`, `notRunning`, parted by commas |
    /// | `WATCHCONNECTIVITY_TRACE` | `stderr`, or the path of a file that lines are added to |
    ///
    /// - Throws: ``SessionSetupError`` naming the variable.
    public init?(environment: [String: String]) throws(SessionSetupError) {
        func value(_ key: SessionSetupError.Key) -> String? {
            environment[key.rawValue].flatMap { $0.isEmpty ? nil : $0 }
        }
        guard SessionSetupError.Key.allCases.contains(where: { $0 != .trace && value($0) != nil }) else { return nil }
        guard let sideText = value(.side) else { throw .missing(.side) }
        guard let side = Side(rawValue: sideText) else {
            throw .unusable(.side, value: sideText, wayOut: "write phone or watch")
        }
        guard let stateFolder = value(.stateFolder) else { throw .missing(.stateFolder) }
        self.init(side: side, stateFolder: stateFolder, meetingFolder: value(.meetingFolder))
        endpoint = value(.endpoint)
        invitation = value(.invitation)
        invitationFile = value(.invitationFile)
        if let name = value(.name) { self.name = name }
        if let app = value(.app) { self.app = app }
        if let text = value(.heartbeat) {
            guard let heartbeat = Duration(watchConnectivity: text) else {
                throw .unusable(.heartbeat, value: text, wayOut: "write a time such as 250ms or 2s")
            }
            self.heartbeat = heartbeat
        }
        if let text = value(.patience) {
            guard let patience = Duration(watchConnectivity: text) else {
                throw .unusable(.patience, value: text, wayOut: "write a time such as 250ms or 2s")
            }
            self.patience = patience
        }
        if let list = value(.behaviour) { try behaviour.read(list) }
        if let list = value(.device) { try readDevice(list) }
        trace = SessionTrace.Sink(environment: environment)
        try check()
    }

    private mutating func readDevice(_ list: String) throws(SessionSetupError) {
        for word in list.split(separator: ",") {
            switch word {
            case "notInstalled": isAppInstalled = false
            case "complication": isComplicationEnabled = true
            case "locked": isLocked = true
            case "watchOnly": isWatchOnly = true
            case "signals": obeysSignals = true
            default:
                guard let state = SessionDevice.AppState(rawValue: String(word)) else {
                    throw .unusable(
                        .device, value: String(word),
                        wayOut: "write notInstalled, complication, locked, watchOnly, signals, foreground, "
                            + "background, suspended or notRunning")
                }
                appState = state
            }
        }
    }
}

extension Duration {
    /// Reads `250ms` or `2s`.
    init?(watchConnectivity text: String) {
        if text.hasSuffix("ms"), let count = Int32(text.dropLast(2)) {
            self = .milliseconds(count)
        } else if text.hasSuffix("s"), let count = Int32(text.dropLast()) {
            self = .seconds(count)
        } else {
            return nil
        }
    }
}
