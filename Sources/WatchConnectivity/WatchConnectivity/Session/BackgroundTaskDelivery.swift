import Dispatch

extension WCSession {
    /// Hands the app a task for the content that woke it (rule R134); the app's delegate is asked later, on the main
    /// actor.
    func take(_ task: WKWatchConnectivityRefreshBackgroundTask) -> PeerState.Handling {
        if let handler = seat.backgroundTaskHandler {
            handler([task])
            return .handled
        }
        let given = Unlocked(task)
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
