import Foundation
import WatchConnectivity

/// The code that runs a program: it decides what an app does in a callback, and records the callbacks.
protocol ProgramHost: AnyObject {
    /// A callback has begun; the app may send something, or exit, during it.
    func began(_ app: ProgramApp, _ name: String, _ arrival: ProgramLog.Arrival?)
    /// The callback returns.
    func ended(_ app: ProgramApp)
    /// A transfer ended at its sender.
    func finished(_ app: ProgramApp, _ number: Int?, _ kind: ProgramLog.Kind, _ error: (any Error)?)
    /// How often an app replies to the next message, and whether with too large a reply.
    func nextReplies() -> (count: Int, isTooLarge: Bool)
}

/// One process of an app in a random program, which reports its callbacks to the run.
///
/// The subclasses below are the delegates: which optional methods a delegate lacks is decided where it adopts the
/// protocol.
// Unchecked because an NSObject is not Sendable: nothing changes after the start.
class ProgramApp: NSObject, @unchecked Sendable {
    weak let run: (any ProgramHost)?
    let actor: SessionProgram.Actor
    let process: Int

    init(_ run: any ProgramHost, _ actor: SessionProgram.Actor, process: Int) {
        self.run = run
        self.actor = actor
        self.process = process
    }

    fileprivate func called(
        _ name: String, _ arrival: ProgramLog.Arrival? = nil, _ body: () -> Void = {}
    ) {
        run?.began(self, name, arrival)
        body()
        run?.ended(self)
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?
    ) {
        called("activationDidComplete")
    }

    func sessionDidBecomeInactive(_ session: WCSession) { called("didBecomeInactive") }
    func sessionDidDeactivate(_ session: WCSession) { called("didDeactivate") }
    func sessionWatchStateDidChange(_ session: WCSession) { called("watchStateDidChange") }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { called("companionAppInstalledDidChange") }
    func sessionReachabilityDidChange(_ session: WCSession) { called("reachabilityDidChange") }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        called("didReceiveMessage", ProgramPayload.arrival(message, .message))
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        called("didReceiveMessageData", ProgramPayload.arrival(messageData))
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        called("didReceiveApplicationContext", ProgramPayload.arrival(applicationContext, .context))
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        called("didReceiveUserInfo", ProgramPayload.arrival(userInfo, .userInfo))
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        called("didReceive file", ProgramPayload.arrival(file.fileURL, file.metadata))
    }

    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        called("didFinish userInfo") {
            run?.finished(self, ProgramPayload.number(of: userInfoTransfer.userInfo), .userInfo, error)
        }
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        called("didFinish file") {
            run?.finished(self, ProgramPayload.number(ofFile: fileTransfer.file.fileURL), .file, error)
        }
    }
}

/// An app that replies.
// Unchecked as its superclass is: it adds nothing that changes.
final class FullProgramApp: ProgramApp, WCSessionDelegate, @unchecked Sendable {
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping @Sendable ([String: Any]) -> Void
    ) {
        let arrival = ProgramPayload.arrival(message, .message)
        called("didReceiveMessage replyHandler", arrival) {
            let (count, isTooLarge) = run?.nextReplies() ?? (0, false)
            let reply = ProgramPayload.dictionary(arrival.number, isTooLarge ? .tooLarge : .small, .message)
            for _ in 0..<count { replyHandler(reply) }
        }
    }

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data,
        replyHandler: @escaping @Sendable (Data) -> Void
    ) {
        let arrival = ProgramPayload.arrival(messageData)
        called("didReceiveMessageData replyHandler", arrival) {
            let (count, isTooLarge) = run?.nextReplies() ?? (0, false)
            let reply = ProgramPayload.data(arrival.number, isTooLarge ? .tooLarge : .small)
            for _ in 0..<count { replyHandler(reply) }
        }
    }
}

/// An app whose delegate lacks the methods for messages with a reply.
// Unchecked as its superclass is: it adds nothing.
final class SparseProgramApp: ProgramApp, WCSessionDelegate, @unchecked Sendable {}
