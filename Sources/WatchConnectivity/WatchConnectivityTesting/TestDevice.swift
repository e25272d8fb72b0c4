import SyncCore
import SyncSimulation
import Synchronization
public import WatchConnectivity

/// A phone or a watch of a ``TestPair``: the device, and the app on it, which are apart.
///
/// What outlives an app outlives it here: queues, contexts and results lie on the device's disk. Each change is told to
/// the device at once; what follows from it happens when the pair is turned.
public final class TestDevice: Sendable {
    /// Why an app's process was started.
    public enum LaunchReason: String, Hashable, Sendable {
        /// The person or the test started it.
        case user
        /// A live message waits for it (rule R39).
        case message
        /// A context waits for it (rule R87).
        case context
        /// User info waits for it (rule R105).
        case userInfo
        /// Complication user info waits for it (rule R109).
        case complication
        /// A file waits for it.
        case file
    }

    /// What a device's disk does with what it is given.
    public enum Disk: Hashable, Sendable {
        /// It keeps everything.
        case works
        /// There is no room for files; short records still fit (7015).
        case full
        /// Nothing can be written.
        case fails
    }

    /// What a device takes its link for, whatever it is (pain P4).
    public enum LinkSense: Hashable, Sendable {
        /// The truth.
        case faithful
        /// It says that the counterpart's device is there, always: "phantom" reachability.
        case stuckOpen
        /// It says that the counterpart's device is not there, always; what it sends is refused, what comes still comes.
        case stuckClosed
    }

    let id: DeviceID
    private let stage: PairRunner

    init(_ id: DeviceID, of stage: PairRunner) {
        self.id = id
        self.stage = stage
    }

    /// The app's session, the same one for all processes of the app; another one after the device was switched off.
    public var session: WCSession { stage.session(of: id) }

    // MARK: - The app

    /// What the app does; `.foreground` at the start.
    ///
    /// `.notRunning` ends its process: what was live is lost, and the session is as new. Any other state after it
    /// starts another process, which calls ``onLaunch``.
    public var app: SessionDevice.AppState {
        get { stage.app(of: id).state }
        set { stage.setState(of: id, newValue, .user) }
    }

    /// Whether the app has high priority while it is in the background (rule R37).
    ///
    /// A workout or the complication's first timeline gives it: a watch app counts as in front then. It is false at the
    /// start, and when the app's process ends.
    public var hasHighPriority: Bool {
        get { stage.app(of: id).hasPriority }
        set { stage.setPriority(of: id, newValue) }
    }

    /// Ends the app's process, and starts another one in front.
    public func relaunch() {
        app = .notRunning
        app = .foreground
    }

    /// What the app does when its process starts: as a rule it sets its delegate and activates its session.
    ///
    /// It is called where the app is started: in the setter of ``app``, or, for a start by the system (rules R39, R87,
    /// R105, R109 and R134), while the pair is turned.
    public var onLaunch: (@Sendable (_ session: WCSession, _ reason: LaunchReason) -> Void)? {
        get { stage.app(of: id).onLaunch }
        set { stage.changeApp(of: id) { $0.onLaunch = newValue } }
    }

    /// Whether the system starts the app when something waits for it; true at the start.
    public var isAppStartable: Bool {
        get { stage.app(of: id).isStartable }
        set { stage.changeApp(of: id) { $0.isStartable = newValue } }
    }

    /// Whether the app is installed on this device; removing it ends it.
    public var isAppInstalled: Bool {
        get { stage.app(of: id).isInstalled }
        set { stage.setInstalled(id, newValue) }
    }

    /// Whether the app's complication is on the watch's face; false at the start.
    public var isComplicationEnabled: Bool {
        get { stage.app(of: id).isComplicationEnabled }
        set {
            stage.changeApp(of: id) { $0.isComplicationEnabled = newValue }
            stage.tellAll(id, .complication(isEnabled: newValue))
        }
    }

    /// Whether the watch app has no phone app by design (7019); false at the start.
    public var isWatchOnly: Bool {
        get { stage.app(of: id).isWatchOnly }
        set {
            stage.changeApp(of: id) { $0.isWatchOnly = newValue }
            stage.tellAll(id, .watchOnly(newValue))
        }
    }

    // MARK: - The device

    /// Whether the device was started and not yet unlocked (rule R41); false at the start.
    public var isLocked: Bool {
        get { stage.app(of: id).isLocked }
        set {
            stage.changeApp(of: id) { $0.isLocked = newValue }
            stage.tellAll(id, .locked(newValue))
        }
    }

    /// Whether the device is on.
    public var hasPower: Bool { stage.world.withLock { $0.hasPower(id) } }

    /// Switches the device off at once: what is not on its disk is lost, and its app ends.
    public func powerOff() {
        stage.powerOff(id)
    }

    /// Switches the device on; its app does not run.
    ///
    /// - Parameter isLocked: Whether it waits for its first unlocking (rule R41).
    public func powerOn(isLocked: Bool = false) {
        guard !hasPower else { return }
        stage.changeApp(of: id) { $0.isLocked = isLocked }
        stage.powerOn(id)
    }

    /// Lets the device lose its power after so many more steps of its own, at least one.
    ///
    /// A step is a frame that it sends or gets, or a record that its disk takes; so a test can go through all the points
    /// at which a process may die.
    public func losePower(afterSteps count: Int) {
        stage.world.withLock { world in world.change { $0.planPowerLoss(of: id, afterSteps: max(count, 1)) } }
    }

    /// What the device's disk does; it works at the start.
    public var disk: Disk {
        get {
            switch stage.world.withLock({ $0.devices.diskState(of: id) }) {
            case .works: .works
            case .full: .full
            case .fails: .fails
            }
        }
        set {
            let state: DiskState
            switch newValue {
            case .works: state = .works
            case .full: state = .full
            case .fails: state = .fails
            }
            stage.world.withLock { world in world.change { $0.setDisk(of: id, state) } }
        }
    }

    /// What the device takes its link for; a phone, its links to all watches.
    public var linkSense: LinkSense {
        get {
            switch stage.world.withLock({ $0.sense(of: stage.sides(of: id)[0]) }) {
            case nil: .faithful
            case true: .stuckOpen
            case false: .stuckClosed
            }
        }
        set {
            for side in stage.sides(of: id) {
                stage.setSense(of: side, newValue == .faithful ? nil : newValue == .stuckOpen)
            }
        }
    }

    // MARK: - Pairing

    /// Whether the watch is paired with the phone; for a phone, whether any watch is.
    public var isPaired: Bool {
        stage.world.withLock { world in
            stage.sides(of: id).contains { world.isPaired($0.watch) }
        }
    }

    /// Unpairs a watch, which erases it: its app is not installed any more, and what was queued for it is dropped
    /// (rule R157).
    public func unpair() {
        for side in stage.sides(of: id) { stage.unpair(side.watch) }
    }

    /// Pairs a watch anew.
    ///
    /// - Parameter installsApp: Whether its app is installed, too; rule R31 is about the time before.
    public func pair(installsApp: Bool = true) {
        for side in stage.sides(of: id) {
            stage.pair(side.watch)
            if installsApp { stage.setInstalled(.watch(side.watch), true) }
        }
    }
}

extension TestDevice.LaunchReason {
    init(_ reason: PeerState.LaunchReason) {
        self =
            switch reason {
            case .message: .message
            case .context: .context
            case .userInfo: .userInfo
            case .complication: .complication
            case .file: .file
            }
    }
}
