/// The device that a session is on, for the code that plays its system: a test, a script, or an app of its own.
///
/// What happens to an app is the system's affair on a real device; here it is the code that calls this. Every member
/// may be called on any thread, and returns when the session's device has taken it in; what the delegate is called with
/// then comes on the session's queue.
public struct SessionDevice: Sendable {
    /// What the app's process does.
    public typealias AppState = SessionSetup.AppState

    let tell: @Sendable (PeerState.Input) -> Void

    /// Which device it is.
    public let side: SessionSetup.Side

    /// Gives the app another state.
    public func setAppState(_ state: AppState) {
        tell(.appState(state))
    }

    /// Gives the app high priority while it is in the background, as a workout or the complication's first timeline
    /// does, or takes it back: with it a watch app counts as in front (rule R37).
    ///
    /// It ends with the app's process.
    public func setHighPriority(_ hasPriority: Bool) {
        tell(.priority(hasPriority))
    }

    /// Installs the app, or removes it with what waits for the counterpart (rules R29–R32, R157).
    public func setAppInstalled(_ isInstalled: Bool) {
        tell(.installed(isInstalled))
    }

    /// Puts the app's complication on the watch's face, or takes it off (rule R113); without meaning on a phone.
    public func setComplicationEnabled(_ isEnabled: Bool) {
        tell(.complication(isEnabled: isEnabled))
    }

    /// Reboots the phone without unlocking it, or unlocks it (rule R41); without meaning on a watch.
    public func setLocked(_ isLocked: Bool) {
        tell(.locked(isLocked))
    }

    /// Makes the watch app one without a phone app by design (7019), or no longer; without meaning on a phone.
    public func setWatchOnly(_ isWatchOnly: Bool) {
        tell(.watchOnly(isWatchOnly))
    }
}
