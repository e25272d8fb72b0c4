import Foundation
import Synchronization
import WatchConnectivity

// snippet: the code under test
/// The phone's side: keeps the newest goal on the watch, and counts the laps that the watch reports.
final class PhoneSide: NSObject, WCSessionDelegate, Sendable {
    let lapCount = Mutex(0)

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func setGoal(_ laps: Int) throws {
        try WCSession.default.updateApplicationContext(["goal": laps])
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        let laps = userInfo["laps"] as? Int ?? 0
        lapCount.withLock { $0 += laps }
    }
}

/// The watch's side: reports laps, and shows the goal.
final class WatchSide: NSObject, WCSessionDelegate, Sendable {
    let goal = Mutex<Int?>(nil)

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func swam(laps: Int) {
        WCSession.default.transferUserInfo(["laps": laps])
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        let laps = applicationContext["goal"] as? Int
        goal.withLock { $0 = laps }
    }
}
// end
