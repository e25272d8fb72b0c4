import Platform
import SyncCore
import SyncSimulation
public import WatchConnectivity

/// A phone or a watch of a ``TestPair``: the device, and the app on it, which are separate.
///
/// Everything that outlives a real app also outlives the app here: queues, contexts and results are on the device's
/// disk. The device gets each change at once; the consequences follow when the pair runs.
public final class TestDevice: Sendable {
    /// Why an app's process was started.
    public typealias LaunchReason = AppLaunchReason

    /// The behaviour of a device's disk.
    public enum Disk: Hashable, Sendable {
        /// The disk stores everything.
        case works
        /// There is no room for files; short records still fit (7015).
        case full
        /// Nothing can be written.
        case fails
    }

    /// A device's view of its link, whatever the truth.
    public enum LinkSense: Hashable, Sendable {
        /// The truth.
        case faithful
        /// The device always considers the counterpart's device connected: "phantom" reachability.
        case stuckOpen
        /// The device never considers the counterpart's device connected; what it sends is refused, but it still
        /// receives.
        case stuckClosed
    }

    let id: DeviceID
    private let stage: PairRunner

    init(_ id: DeviceID, of stage: PairRunner) {
        self.id = id
        self.stage = stage
    }

    /// The app's session, the same one for all processes of the app; a new one after the device was switched off.
    public var session: WCSession { stage.session(of: id) }

    // MARK: - The app

    /// The state of the app; `.foreground` at the start.
    ///
    /// `.notRunning` ends its process: live messages are lost, and the session is like a new one. Any other state
    /// after it starts another process, which calls ``onLaunch``.
    public var app: SessionDevice.AppState {
        get { stage.app(of: id).state }
        set { stage.setState(of: id, newValue, .user) }
    }

    /// Whether the app has high priority while it is in the background.
    ///
    /// An app gets it by a workout or the complication's first timeline; a watch app then counts as in front. It is
    /// false at the start, and when the app's process ends.
    public var hasHighPriority: Bool {
        get { stage.app(of: id).hasPriority }
        set { stage.setPriority(of: id, newValue) }
    }

    /// Ends the app's process, and starts another one in front.
    public func relaunch() {
        app = .notRunning
        app = .foreground
    }

    /// Called when the app's process starts: usually it sets the delegate and activates the session.
    ///
    /// It is called where the app is started: in the setter of ``app`` or, for a start by the system, while the pair
    /// runs.
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

    /// Whether the device was started and has not been unlocked yet; false at the start.
    public var isLocked: Bool {
        get { stage.app(of: id).isLocked }
        set {
            stage.changeApp(of: id) { $0.isLocked = newValue }
            stage.tellAll(id, .locked(newValue))
        }
    }

    /// Whether the device is on.
    public var hasPower: Bool { stage.world.withLock { $0.hasPower(id) } }

    /// Switches the device off at once: everything that is not on its disk is lost, and its app ends.
    public func powerOff() {
        stage.powerOff(id)
    }

    /// Switches the device on; its app does not run.
    ///
    /// - Parameter isLocked: Whether it waits for its first unlocking.
    public func powerOn(isLocked: Bool = false) {
        guard !hasPower else { return }
        stage.changeApp(of: id) { $0.isLocked = isLocked }
        stage.powerOn(id)
    }

    /// Makes the device lose power after a number of its own steps, at least one.
    ///
    /// A step is a frame that it sends or receives, or a record that is written to its disk; so a test can try all
    /// the points at which a process may end.
    public func losePower(afterSteps count: Int) {
        stage.world.withLock { world in world.change { $0.planPowerLoss(of: id, afterSteps: max(count, 1)) } }
    }

    /// The behaviour of the device's disk; it works at the start.
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

    /// The device's view of its link; for a phone, its links to all watches.
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

    /// Unpairs a watch, which erases it: its app is no longer installed, and everything queued for it is dropped.
    public func unpair() {
        for side in stage.sides(of: id) { stage.unpair(side.watch) }
    }

    /// Pairs a watch again.
    ///
    /// - Parameter installsApp: Whether its app is installed too; false tests the time before the installation.
    public func pair(installsApp: Bool = true) {
        for side in stage.sides(of: id) {
            stage.pair(side.watch)
            if installsApp { stage.setInstalled(.watch(side.watch), true) }
        }
    }
}
