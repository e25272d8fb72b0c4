import Foundation
import WatchConnectivity

/// Pushes what a complication shows, as long as its budget lasts, and only the newest of it.
final class WeatherPusher: NSObject, WCSessionDelegate {
    private let session: WCSession
    private(set) var failures: [Int] = []
    private(set) var arrived: [Double] = []
    private(set) var activeComplication: Bool?

    init(_ session: WCSession = .default) {
        self.session = session
        super.init()
        session.delegate = self
        session.activate()
    }

    /// - Returns: The budget that is left, nil if the complication is not pushed to.
    @discardableResult
    func push(_ temperature: Double) -> Int? {
        let info: [String: Any] = ["temperature": temperature]
        guard session.activationState == .activated, session.isPaired, session.isWatchAppInstalled else { return nil }
        for old in session.outstandingUserInfoTransfers where old.isCurrentComplicationInfo { old.cancel() }
        guard session.isComplicationEnabled, session.remainingComplicationUserInfoTransfers > 0 else {
            session.transferUserInfo(info)
            return nil
        }
        let transfer = session.transferCurrentComplicationUserInfo(info)
        return transfer.isCurrentComplicationInfo ? session.remainingComplicationUserInfoTransfers : nil
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func sessionWatchStateDidChange(_ session: WCSession) { activeComplication = session.isComplicationEnabled }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        if let error { failures.append((error as NSError).code) }
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        if let temperature = userInfo["temperature"] as? Double { arrived.append(temperature) }
    }
}
