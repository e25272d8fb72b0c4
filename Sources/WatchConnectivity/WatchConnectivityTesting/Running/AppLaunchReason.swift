import WatchConnectivity

/// Why an app's process was started.
public enum AppLaunchReason: String, Hashable, Sendable {
    /// The person or the test started it.
    case user
    /// A live message waits for it.
    case message
    /// A context waits for it.
    case context
    /// User info waits for it.
    case userInfo
    /// Complication user info waits for it.
    case complication
    /// A file waits for it.
    case file
}

extension AppLaunchReason {
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
