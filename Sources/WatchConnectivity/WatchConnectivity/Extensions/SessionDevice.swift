/// The device that a session is on, for code that acts as its operating system: a test, a script, or an app of its
/// own.
///
/// On a real device, the operating system decides what happens to an app; here it is the code that calls this type.
/// Every member may be called on any thread, and returns when the session's device has handled the change. The
/// resulting calls of the delegate come on the session's queue.
public struct SessionDevice: Sendable {
    /// The state of the app's process.
    public typealias AppState = SessionSetup.AppState

    let tell: @Sendable (PeerState.Input) -> Void

    /// The kind of device.
    public let side: SessionSetup.Side

    /// Changes the state of the app.
    public func setAppState(_ state: AppState) {
        tell(.appState(state))
    }

    /// Gives the app high priority while it is in the background, as a workout or the complication's first timeline
    /// does, or takes it away.
    ///
    /// With high priority, a watch app counts as being in the foreground.
    ///
    /// The priority ends with the app's process.
    public func setHighPriority(_ hasPriority: Bool) {
        tell(.priority(hasPriority))
    }

    /// Installs the app, or removes it together with everything that waits for the counterpart.
    public func setAppInstalled(_ isInstalled: Bool) {
        tell(.installed(isInstalled))
    }

    /// Puts the app's complication on the watch face, or removes it; no effect on a phone.
    public func setComplicationEnabled(_ isEnabled: Bool) {
        tell(.complication(isEnabled: isEnabled))
    }

    /// Reboots the phone without unlocking it, or unlocks it; no effect on a watch.
    public func setLocked(_ isLocked: Bool) {
        tell(.locked(isLocked))
    }

    /// Makes the watch app one without a phone app by design (7019), or no longer; no effect on a phone.
    public func setWatchOnly(_ isWatchOnly: Bool) {
        tell(.watchOnly(isWatchOnly))
    }
}
