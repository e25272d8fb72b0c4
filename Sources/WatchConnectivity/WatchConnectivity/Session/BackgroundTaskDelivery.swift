import Dispatch

extension WCSession {
    /// Gives the app a task for the content that woke it, if anything in the app takes tasks.
    ///
    /// The app's delegate is called later, on the main actor.
    func take(_ open: () -> WKWatchConnectivityRefreshBackgroundTask) -> PeerState.Handling {
        if let handler = backing.backgroundTaskHandler {
            handler([open()])
            return .handled
        }
        guard WKApplication.current.hasDelegate || WKExtension.current.hasDelegate else { return .noDelegate }
        let given = Unlocked(open())
        DispatchQueue.main.async {
            // The main queue runs the main actor.
            MainActor.assumeIsolated {
                if let delegate = WKApplication.shared().delegate {
                    delegate.handle([given.value])
                } else if let delegate = WKExtension.shared().delegate {
                    delegate.handle([given.value])
                } else {
                    given.value.setTaskCompletedWithSnapshot(false)
                }
            }
        }
        return .handled
    }
}
