package import SyncCore

/// The definition of a process's device, to be given before the first use of ``WCSession/default``.
///
/// Give it to ``WCSession/setUp(_:)``, or set the variables that ``init(environment:)`` lists. Without a setup, the
/// default session is usable but unpaired.
public struct SessionSetup: Hashable, Sendable {
    /// The device that a process acts as.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// The phone: it listens, and may have several watches.
        case phone
        /// A watch: it connects to its phone.
        case watch
    }

    /// The state of the app's process; the device keeps running in all of them.
    public enum AppState: String, Hashable, Sendable, CaseIterable {
        /// There is no process: nothing is delivered, and live messages are lost.
        case notRunning
        /// The process exists but gets no processor time: nothing is delivered to it.
        case suspended
        /// The process runs while another app is in front.
        case background
        /// The app is in front.
        case foreground

        /// Whether the app can be called.
        package var isRunning: Bool { self == .background || self == .foreground }
    }

    /// Which device this is.
    public var side: Side
    /// The app that both devices belong to, 1…64 of `a`…`z`, `0`…`9` and full stops; `watchconnectivity` by default.
    ///
    /// A phone refuses the watches of another app.
    public var app = SessionSetup.unnamedApp.text
    /// The folder for everything that is kept when the device's processes end.
    ///
    /// It is created if necessary; its parent folder must exist.
    ///
    /// Each device has its own, and only one process at a time can use it.
    public var stateFolder: String
    /// The device's name in the trace, and a watch's name at its phone; 1…64 bytes; by default the side.
    public var name: String
    /// The folder in which the devices of one machine find and pair with each other, the same for both; nil to use
    /// codes only.
    public var meetingFolder: String?
    /// The endpoint of a phone, such as `tcp://*:7100`; nil for this machine only, on a port that the system chooses.
    public var endpoint: String?
    /// The code with which a watch pairs with its phone, if it is not paired yet.
    public var invitation: String?
    /// The file to which a phone writes the code for the next watch; only this user can read it.
    public var invitationFile: String?
    /// The time between two heartbeats, 10 ms…1 min; a link ends after a silence of three of them.
    public var heartbeat = Duration.seconds(1)
    /// How long the first use of the session waits for the counterpart if the device was never paired, 0…1 h; zero by
    /// default.
    ///
    /// With a few seconds, apps that check only once for a counterpart find it even in their first run.
    public var patience = Duration.zero
    /// Limits, and behaviour where Apple's is disputed.
    public var behaviour = SessionBehaviour()
    /// The state in which the app starts.
    public var appState = AppState.foreground
    /// Whether this device's app is installed at the start.
    public var isAppInstalled = true
    /// Whether the app's complication is on the watch face at the start; no effect on a phone.
    public var isComplicationEnabled = false
    /// Whether the phone was rebooted and has not been unlocked since; no effect on a watch.
    public var isLocked = false
    /// Whether the watch app has no phone app by design (7019); no effect on a phone.
    public var isWatchOnly = false
    /// Whether signals change the state of the app, and turn a phone to its next watch.
    public var obeysSignals = false
    /// The values that phone and watches share and edit, with who may write them; none by default.
    ///
    /// Give both sides the same rules.
    public var records: [SharedRecords.Name: SharedRecords.Rule] = [:]
    /// Which watch may change which of the values that ``records`` lets watches write; all by default, no effect on a watch.
    public var recordPermission = SharedRecords.Permission.all
    /// The record versions that this program can read, from 1; a watch that shares none with its phone gets no link.
    ///
    /// A watch writes in the last one.
    public var recordVersions: ClosedRange<UInt32> = 1...1
    /// The destination of the trace; nil for none.
    public var trace: SessionTrace.Sink?

    /// Creates the setup of a device.
    ///
    /// - Parameters:
    ///   - side: The kind of device.
    ///   - stateFolder: The folder for its state.
    ///   - meetingFolder: The folder in which it finds the other device.
    public init(side: Side, stateFolder: String, meetingFolder: String? = nil) {
        self.side = side
        self.stateFolder = stateFolder
        self.meetingFolder = meetingFolder
        name = side.rawValue
    }
}

extension SessionSetup {
    /// The app of a setup that names none, and of devices from before apps had names.
    package static let unnamedApp: AppName = "watchconnectivity"

    /// The app as an engine name.
    var appName: AppName {
        guard let name = AppName(app) else { preconditionFailure("a setup was used that was not checked: app \(app)") }
        return name
    }
}

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
    /// | `WATCHCONNECTIVITY_HEARTBEAT` | the time between two heartbeats, such as `250ms` or `2s` |
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

    /// The variables that begin like those of the module, but are none of them.
    static func unknownVariables(in environment: [String: String]) -> [String] {
        // These are for the random programs of the module's own tests.
        let ofTests = ["PROGRAMS", "REAL_PROGRAMS", "SHRINK"].map { "WATCHCONNECTIVITY_" + $0 }
        let known = Set(SessionSetupError.Key.allCases.map(\.rawValue) + ofTests)
        return environment.keys.filter { $0.hasPrefix("WATCHCONNECTIVITY_") && !known.contains($0) }.sorted()
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
                guard let state = AppState(rawValue: String(word)) else {
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

extension SessionSetup {
    /// Checks whether a session can be set up with these values.
    ///
    /// - Throws: ``SessionSetupError`` for the first value that cannot be used.
    public func check() throws(SessionSetupError) {
        try Self.require(!stateFolder.isEmpty, .stateFolder, stateFolder, "name a folder of this device's own")
        try Self.require((1...64).contains(name.utf8.count), .name, name, "use 1 to 64 bytes")
        try Self.require(AppName(app) != nil, .app, app, "use 1 to 64 of a to z, 0 to 9 and full stops")
        try Self.require(meetingFolder != "", .meetingFolder, "", "name a folder that both devices share")
        try Self.require(
            meetingFolder == nil || meetingFolder != stateFolder, .meetingFolder, stateFolder,
            "choose another folder than the device's own")
        if let endpoint {
            try Self.require(
                side == .phone, .endpoint, endpoint, "only a phone listens; a watch learns the place by the code")
            try Self.require(
                endpoint.contains("://") && !endpoint.hasSuffix("://"), .endpoint, endpoint,
                "write it as tcp://127.0.0.1:7100 or ipc:///path/of/a/socket")
        }
        if let invitation {
            // A code is secret, so an error does not contain it.
            try Self.require(side == .watch, .invitation, "…", "only a watch pairs by a code")
            try Self.require(!invitation.isEmpty, .invitation, "", "give the code that the phone wrote")
        }
        if let invitationFile {
            try Self.require(side == .phone, .invitationFile, invitationFile, "only a phone writes codes")
        }
        try Self.require(
            (.milliseconds(10)...(.seconds(60))).contains(heartbeat), .heartbeat, "\(heartbeat)",
            "choose 10 ms to 1 min")
        try Self.require(
            (.zero...(.seconds(3_600))).contains(patience), .patience, "\(patience)", "choose 0 ms to 1 h")
        if let bad = SharedRecords.Name.firstBad(in: records.keys) {
            throw .badRecordName(kind: bad.kind, group: bad.group)
        }
        try behaviour.check()
    }

    static func require(
        _ isFit: Bool, _ key: SessionSetupError.Key, _ value: String, _ wayOut: String
    ) throws(SessionSetupError) {
        guard !isFit else { return }
        throw .unusable(key, value: value, wayOut: wayOut)
    }
}
