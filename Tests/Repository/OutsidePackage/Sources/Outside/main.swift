import Foundation
import SyncCore
import SyncSimulation
import Synchronization
import WatchConnectivity
import WatchConnectivityTesting

/// Counts the laps that reach one side of a pair.
final class LapCounter: NSObject, WCSessionDelegate, Sendable {
    let lapCount = Mutex(0)

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

let (phone, watch) = (LapCounter(), LapCounter())
let pair = try TestPair.activated(phone: phone, watch: watch)
pair.link.cut()
pair.phone.transferUserInfo(["laps": 4])
pair.link.heal()
pair.settle()
let laps = watch.lapCount.withLock { $0 }

let waited = Instant(nanoseconds: 500_000_000).duration(to: Instant(nanoseconds: 2_000_000_000))
let report = Simulation.run(seed: 1)

print("laps: \(laps), waited: \(waited), violation: \(report.violation.map { "\($0)" } ?? "none")")
exit(laps == 4 && waited == .milliseconds(1500) && report.violation == nil ? 0 : 1)
