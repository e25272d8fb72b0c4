import Foundation
import Platform
import WatchConnectivity

/// Tells what it is called with, and replies with what it was asked.
final class ScriptedDelegate: NSObject, WCSessionDelegate, Sendable {
    /// What the app was told to do with what comes.
    struct Traits: Sendable {
        /// Where received files are kept; nil to leave them.
        var fileFolder: String?
        /// Whether messages get no reply.
        var isSilent = false
        /// Whether the process dies in the middle of its next user info.
        var crashesOnInfo = false
    }

    /// Set by the thread of the commands, read on the session's queue.
    let traits = Lock(Traits())

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        Output.print("activated", "\(activationState.rawValue)", Words.text(error))
    }

    func sessionDidBecomeInactive(_ session: WCSession) { Output.print("inactive") }

    func sessionDidDeactivate(_ session: WCSession) { Output.print("deactivated") }

    func sessionWatchStateDidChange(_ session: WCSession) {
        Output.print("watchState", "\(session.isPaired)", "\(session.isWatchAppInstalled)")
    }

    func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        Output.print("companionInstalled", "\(session.isCompanionAppInstalled)")
    }

    func sessionReachabilityDidChange(_ session: WCSession) { Output.print("reachable", "\(session.isReachable)") }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        Output.print("message", Words.text(message))
    }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        Output.print("question", Words.text(message))
        if !traits.withLock(\.isSilent) { replyHandler(["echo": message]) }
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        Output.print("data", String(decoding: messageData, as: UTF8.self))
    }

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        Output.print("questionData", String(decoding: messageData, as: UTF8.self))
        if !traits.withLock(\.isSilent) { replyHandler(Data("echo ".utf8) + messageData) }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        Output.print("context", Words.text(applicationContext))
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        Output.print("info", Words.text(userInfo))
        if traits.withLock(\.crashesOnInfo) { kill(getpid(), SIGKILL) }
    }

    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        Output.print("infoFinished", Words.text(userInfoTransfer.userInfo), Words.text(error))
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        Output.print(
            "fileFinished", fileTransfer.file.fileURL.lastPathComponent, Words.text(error),
            "\(fileTransfer.progress.fractionCompleted)")
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let count = (try? Data(contentsOf: file.fileURL).count) ?? -1
        Output.print(
            "file", file.fileURL.lastPathComponent, "\(count)", file.metadata.map { Words.text($0) } ?? "nil")
        guard let fileFolder = traits.withLock(\.fileFolder) else { return }
        let kept = URL(fileURLWithPath: fileFolder).appendingPathComponent(file.fileURL.lastPathComponent)
        do {
            try FileManager.default.moveItem(at: file.fileURL, to: kept)
            Output.print("kept", kept.lastPathComponent)
        } catch {
            Output.print("notKept", "\(error)")
        }
    }
}
