import Platform
import SyncCore
import SyncSimulation
import WatchConnectivity

extension PairRunner {
    /// Creates the sessions of a device after it was switched on, over its peers.
    func openSessions(of device: DeviceID) {
        let role = device == .hub ? PeerState.Role.phone : .watch
        let registry = SessionRegistry(role: role)
        let host = PairRunnerHost(stage: self, device: device)
        registry.host = host
        for (address, peerDriver) in peerDrivers(of: device) {
            let folders = folders
            let watch = role == .phone ? Self.watch(address.watch) : SessionWatch(id: "phone", name: "phone")
            let client = PeerClient(peerDriver: peerDriver, role: role) { folders.watchDirectory(of: address.watch) }
            registry.add(watch, client)
        }
        let records = PairRecords(stage: self, device: device)
        registry.records.connect(records, rules: recordRules, role: role)
        registries.withLock { $0[device] = (registry, host, records) }
        standIn(of: device)
    }

    /// A watch as the type of the phone's sessions.
    static func watch(_ number: Int) -> SessionWatch {
        SessionWatch(id: "watch-\(number + 1)", name: "watch \(number + 1)")
    }

    func registry(of device: DeviceID) -> SessionRegistry? {
        registries.withLock { $0[device]?.registry }
    }

    func records(of device: DeviceID) -> PairRecords? {
        registries.withLock { $0[device]?.records }
    }

    /// The registry for code that runs as a side.
    func registry(of side: PairSide) -> SessionRegistry {
        guard let registry = registry(of: side.device) else { preconditionFailure("there is no \(side.device.place)") }
        return registry
    }

    // MARK: - Code that runs as no side

    /// Gives a device's session to code that runs as no side, if it may be code of the present test.
    func standIn(as device: DeviceID, _ turn: SingletonTurn) {
        singleton.withLock { $0 = (device, RunningTest.current, turn) }
        standIn(of: device)
    }

    /// Does that again for the new session of a device that was switched on.
    private func standIn(of device: DeviceID) {
        guard let singleton = singleton.withLock(\.self), singleton.device == device else { return }
        let owner = singleton.test
        registry(of: device)?.standIn {
            guard let owner, let test = RunningTest.current else { return true }
            return test == owner
        }
    }

    /// Records a mistake of the test in the timeline.
    func noteMistake(_ text: String) {
        world.withLock { $0.note(nil, .warning(text)) }
    }

    /// Fails the test when it runs the pair the next time.
    func failLater(_ text: String) {
        failures.withLock { $0.append(text) }
    }

    /// Fails the test for its mistakes so far; call it in the test's own code.
    func reportFailures() {
        // A callback does not run in the task of its test.
        guard !CallQueue.isInside else { return }
        let texts = failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
        for text in texts { RunningTest.fail(text) }
    }

    /// The default session for code on a device.
    func session(of device: DeviceID) -> WCSession {
        guard let registry = registry(of: device) else { preconditionFailure("there is no \(device.place)") }
        return registry.use { WCSession.default }
    }

    // MARK: - Several watches

    func switchWatch(to number: Int) {
        guard let registry = registry(of: .hub) else { return }
        let watch = Self.watch(number)
        guard registry.activeWatch != watch else { return }
        world.withLock { $0.note(.hub, .device("switches to \(DeviceID.watch(number).place)")) }
        do {
            try registry.switchActiveWatch(to: watch.id)
        } catch {
            preconditionFailure("the phone knows all watches, and yet: \(error)")
        }
    }

    var activeWatch: Int {
        let active = registry(of: .hub)?.activeWatch
        return world.withLock { 0..<$0.watchCount }.first { Self.watch($0) == active } ?? 0
    }
}

/// Provides the services of a device's system to its sessions.
final class PairRunnerHost: DeviceHost, Sendable {
    private weak let stage: PairRunner?
    private let device: DeviceID

    init(stage: PairRunner, device: DeviceID) {
        self.stage = stage
        self.device = device
    }

    /// What happens on the device.
    var events: AsyncStream<TimelineEvent> {
        stage?.world.withLock { $0.timeline.stream(of: device.place) } ?? AsyncStream { $0.finish() }
    }

    /// Code of the device's app takes an object that the whole process shares.
    func uses(_ use: SharedUse) {
        guard let stage, let warning = stage.sharedUsers.withLock({ $0.add(device, of: use) }) else { return }
        stage.noteMistake(warning)
    }

    /// Passes a change through a session's device on to the test's device.
    func tell(_ input: PeerState.Input) {
        guard let stage else { return }
        switch input {
        case .appState(let state): stage.setState(of: device, SessionDevice.AppState(state), .user)
        case .priority(let hasPriority): stage.setPriority(of: device, hasPriority)
        case .installed(let isInstalled): stage.setInstalled(device, isInstalled)
        case .complication(let isEnabled):
            stage.changeApp(of: device) { $0.isComplicationEnabled = isEnabled }
            stage.tellAll(device, input)
        case .locked(let isLocked):
            stage.changeApp(of: device) { $0.isLocked = isLocked }
            stage.tellAll(device, input)
        case .watchOnly(let isWatchOnly):
            stage.changeApp(of: device) { $0.isWatchOnly = isWatchOnly }
            stage.tellAll(device, input)
        case .activate, .delegateSet, .leave, .send, .updateContext, .transferUserInfo, .transferFile, .cancel,
            .delivered, .reply, .backgroundTaskCompleted, .backgroundTaskCompletedAgain, .chosen, .link, .paired,
            .engineAnswered, .engineEvent, .engineEnding,
            .engineStarted, .fileCopied, .fileNotCopied, .persisted, .persistFailed, .timeReached:
            stage.tellAll(device, input)
        }
    }
}

extension SessionDevice.AppState {
    fileprivate init(_ state: PeerState.AppState) {
        self =
            switch state {
            case .notRunning: .notRunning
            case .suspended: .suspended
            case .background: .background
            case .foreground: .foreground
            }
    }
}
