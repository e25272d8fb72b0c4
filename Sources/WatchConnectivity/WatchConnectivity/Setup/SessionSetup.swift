package import SyncCore

/// What a process says about its device before the first use of ``WCSession/default``.
///
/// Set it by ``WCSession/setUp(_:)``, or by the variables that ``init(environment:)`` lists. Without any, the default
/// session is usable and simply unpaired (trap T11).
public struct SessionSetup: Hashable, Sendable {
    /// Which of the two devices a process plays.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// The phone: it listens, and may have several watches.
        case phone
        /// A watch: it connects to its phone.
        case watch
    }

    /// Which device this is.
    public var side: Side
    /// The app that both devices are of, 1…64 of `a`…`z`, `0`…`9` and full stops; `watchconnectivity` by default.
    ///
    /// A phone declines the watches of another app, in words.
    public var app = SessionSetup.unnamedApp.text
    /// The folder in which the device keeps what outlives its processes; made if it is not there, in a folder that is.
    ///
    /// Each device has its own, and one process at a time uses it.
    public var stateFolder: String
    /// The device's name in the trace, and what its phone calls a watch; 1…64 bytes; the side by default.
    public var name: String
    /// The folder in which the devices of one machine find and pair each other, the same for both; nil for codes only.
    public var meetingFolder: String?
    /// Where a phone listens, such as `tcp://*:7100`; nil for this machine only, on a port that the system chooses.
    public var endpoint: String?
    /// The code by which a watch pairs with its phone, if it is not paired yet.
    public var invitation: String?
    /// The file to which a phone writes the code for the next watch, for this user only.
    public var invitationFile: String?
    /// The time between two signs of life, 10 ms…1 min; a silence of three of them ends a link.
    public var heartbeat = Duration.seconds(1)
    /// How long the first use of the session waits for the counterpart if the device was never paired, 0…1 h; zero.
    ///
    /// With some seconds, apps that look only once whether there is a counterpart find it in their first run, too.
    public var patience = Duration.zero
    /// Limits, and the way that is taken where Apple's is disputed.
    public var behaviour = SessionBehaviour()
    /// The state in which the app starts.
    public var appState = SessionDevice.AppState.foreground
    /// Whether this device's app is installed at the start.
    public var isAppInstalled = true
    /// Whether the app's complication is on the watch's face at the start; without meaning on a phone.
    public var isComplicationEnabled = false
    /// Whether the phone was rebooted and not unlocked since; without meaning on a watch.
    public var isLocked = false
    /// Whether the watch app has no phone app by design (7019); without meaning on a phone.
    public var isWatchOnly = false
    /// Whether signals change the state of the app.
    public var obeysSignals = false
    /// Where the trace goes; nil for nowhere.
    public var trace: SessionTrace.Sink?

    /// Creates the setup of a device.
    ///
    /// - Parameters:
    ///   - side: Which device this is.
    ///   - stateFolder: Where it keeps its state.
    ///   - meetingFolder: Where it finds the other one.
    public init(side: Side, stateFolder: String, meetingFolder: String? = nil) {
        self.side = side
        self.stateFolder = stateFolder
        self.meetingFolder = meetingFolder
        name = side.rawValue
    }
}

extension SessionSetup {
    package var role: PeerState.Role { side == .phone ? .phone : .watch }

    /// The app of a setup that names none, and of the devices of before there were names.
    package static let unnamedApp: AppName = "watchconnectivity"

    /// The app as the engine names it.
    var appName: AppName {
        guard let name = AppName(app) else { preconditionFailure("a setup was used that was not checked: app \(app)") }
        return name
    }
}
