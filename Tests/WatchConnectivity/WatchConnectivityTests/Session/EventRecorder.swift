import Foundation
import TestSupport
import Testing
import WatchConnectivity

/// A delegate that has every method, and writes down what it is told.
final class EventRecorder: NSObject, WCSessionDelegate, Sendable {
    private let recorded = Awaited<[String]>([])

    var events: [String] { recorded.value }

    func record(_ event: String) { recorded.change { $0.append(event) } }

    /// Returns when so many events are there.
    func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await recorded.wait(sourceLocation: sourceLocation) { $0.count >= count }
    }

    private func code(_ error: (any Error)?) -> String { error.map { " \(($0 as NSError).code)" } ?? "" }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        record("activated \(state.rawValue)\(code(error)), reads \(session.activationState.rawValue)")
    }
    func sessionDidBecomeInactive(_ session: WCSession) {
        record("inactive, reads \(session.activationState.rawValue)")
    }
    func sessionDidDeactivate(_ session: WCSession) { record("deactivated, reads \(session.activationState.rawValue)") }
    func sessionWatchStateDidChange(_ session: WCSession) { record("watch state") }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { record("companion") }
    func sessionReachabilityDidChange(_ session: WCSession) { record("reachability") }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { record("message \(message)") }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        record("message with reply \(message)")
        replyHandler(["reply": 1])
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data) { record("data \(messageData.count)") }
    func session(_ session: WCSession, didReceiveMessageData data: Data, replyHandler: @escaping (Data) -> Void) {
        record("data with reply \(data.count)")
        replyHandler(Data([1, 2, 3]))
    }
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        record("context \(applicationContext)")
    }
    func session(_ session: WCSession, didFinish transfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        record("user info finished\(code(error))")
    }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        record("user info \(userInfo)")
    }
    func session(_ session: WCSession, didFinish transfer: WCSessionFileTransfer, error: (any Error)?) {
        record("file finished\(code(error))")
    }
    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        record("file \(file.fileURL.lastPathComponent)")
    }
}
