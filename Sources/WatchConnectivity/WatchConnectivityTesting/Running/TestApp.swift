import WatchConnectivity

/// The state of a device and its app, as far as the test controls it.
struct TestApp: Sendable {
    var state = SessionDevice.AppState.foreground
    /// Whether the app has high priority in the background; it ends with the process.
    var hasPriority = false
    var isInstalled = true
    /// Whether the system may start the app when something waits for it.
    var isStartable = true
    var isComplicationEnabled = false
    var isWatchOnly = false
    var isLocked = false
    /// Called when the app's process starts.
    var onLaunch: (@Sendable (WCSession, AppLaunchReason) -> Void)?
    /// Called when the app's process ends, with whether its device lost power; for observers of a random program.
    var onEnd: (@Sendable (_ withDevice: Bool) -> Void)?

    /// The inputs that describe the app to a peer when the peer starts.
    func facts(of role: PeerState.Role) -> [PeerState.Input] {
        switch role {
        case .phone: [.installed(isInstalled), .locked(isLocked), .appState(state.peerState), .priority(hasPriority)]
        case .watch:
            [
                .watchOnly(isWatchOnly), .installed(isInstalled), .complication(isEnabled: isComplicationEnabled),
                .appState(state.peerState), .priority(hasPriority),
            ]
        }
    }
}
