import WatchConnectivity

/// What is so of a device and its app, as far as the test decides it.
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
    /// What the app does when its process starts.
    var onLaunch: (@Sendable (WCSession, TestDevice.LaunchReason) -> Void)?
    /// Told when the app's process ends, and whether its device lost its power; for who watches a random program.
    var onEnd: (@Sendable (_ withDevice: Bool) -> Void)?

    /// What a companion is told of it at the start of its life.
    func facts(of role: PeerState.Role) -> [PeerState.Input] {
        switch role {
        case .phone: [.installed(isInstalled), .locked(isLocked), .appState(state.companion), .priority(hasPriority)]
        case .watch:
            [
                .watchOnly(isWatchOnly), .installed(isInstalled), .complication(isEnabled: isComplicationEnabled),
                .appState(state.companion), .priority(hasPriority),
            ]
        }
    }
}
