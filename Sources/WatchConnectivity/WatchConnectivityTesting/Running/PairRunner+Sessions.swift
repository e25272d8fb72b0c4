import SyncCore
import SyncSimulation
import Synchronization
import WatchConnectivity

extension PairRunner {
    /// Begins the sessions of a life of a device, over its companions.
    func openSessions(of device: DeviceID) {
        let role = device == .hub ? PeerState.Role.phone : .watch
        let board = SessionRegistry(role: role)
        let host = PairRunnerHost(stage: self, device: device)
        board.host = host
        for (address, shell) in shells(of: device) {
            let folders = folders
            let watch = role == .phone ? Self.watch(address.watch) : SessionWatch(id: "phone", name: "phone")
            let line = PeerClient(shell: shell, role: role) { folders.watchDirectory(of: address.watch) }
            board.add(watch, line)
        }
        boards.withLock { $0[device] = (board, host) }
    }

    /// A watch as the phone's sessions know it.
    static func watch(_ number: Int) -> SessionWatch {
        SessionWatch(id: "watch-\(number + 1)", name: "watch \(number + 1)")
    }

    func board(of device: DeviceID) -> SessionRegistry? {
        boards.withLock { $0[device]?.board }
    }

    /// The session that code on a device finds as the default one.
    func session(of device: DeviceID) -> WCSession {
        guard let board = board(of: device) else { preconditionFailure("there is no \(device.place)") }
        return board.use { WCSession.default }
    }

    // MARK: - Several watches

    func switchWatch(to number: Int) {
        guard let board = board(of: .hub) else { return }
        let watch = Self.watch(number)
        guard board.activeWatch != watch else { return }
        world.withLock { $0.note(.hub, .device("switches to \(DeviceID.watch(number).place)")) }
        do {
            try board.switchActiveWatch(to: watch.id)
        } catch {
            preconditionFailure("the phone knows all watches, and yet: \(error)")
        }
    }

    var activeWatch: Int {
        let active = board(of: .hub)?.activeWatch
        return world.withLock { 0..<$0.watchCount }.first { Self.watch($0) == active } ?? 0
    }
}

/// What plays the system of a device for its sessions: the stage.
final class PairRunnerHost: DeviceHost, Sendable {
    private weak let stage: PairRunner?
    private let device: DeviceID

    init(stage: PairRunner, device: DeviceID) {
        self.stage = stage
        self.device = device
    }

    /// Lets what is said through a session's device be known to the test's device, too.
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
            .delivered, .reply, .backgroundTaskCompleted, .link, .paired, .engineAnswered, .engineEvent, .engineEnding,
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
