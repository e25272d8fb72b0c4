import Foundation
import Platform
import WatchConnectivity

/// An app that does what it is told, and tells what it sees.
final class ScriptedApp: NSObject {
    private let session: WCSession
    private let delegate = ScriptedDelegate()

    init(_ session: WCSession) {
        self.session = session
    }

    func carryOut(_ word: String, _ rest: String) {
        switch word {
        case "activate":
            session.delegate = delegate
            session.activate()
        case "state": Output.print("state", Words.text(state))
        case "sent": Output.print("sent", Words.text(session.applicationContext))
        case "received": Output.print("received", Words.text(session.receivedApplicationContext))
        case "outstanding":
            for transfer in session.outstandingUserInfoTransfers {
                Output.print("waiting", Words.text(transfer.userInfo), "\(transfer.isCurrentComplicationInfo)")
            }
            for transfer in session.outstandingFileTransfers {
                Output.print("waitingFile", transfer.file.fileURL.lastPathComponent)
            }
            Output.print("outstanding", "\(session.outstandingUserInfoTransfers.count)")
        case "send", "ask", "sendData", "askData": send(word, rest)
        case "context", "info", "complication", "file", "cancelInfo": transfer(word, rest)
        case "fileAndDie": transferAndDie(rest)
        case "directory": directory(rest)
        case "keepFiles": delegate.traits.withLock { $0.fileFolder = rest }
        case "silent": delegate.traits.withLock { $0.isSilent = rest == "on" }
        case "crashOnInfo": delegate.traits.withLock { $0.crashesOnInfo = true }
        default: device(word, rest)
        }
    }

    private var state: [String: Any] {
        [
            "activation": session.activationState.rawValue, "paired": session.isPaired,
            "installed": session.isWatchAppInstalled, "companion": session.isCompanionAppInstalled,
            "reachable": session.isReachable, "complication": session.isComplicationEnabled,
            "remaining": session.remainingComplicationUserInfoTransfers, "pending": session.hasContentPending,
            "directory": session.watchDirectoryURL != nil,
            "locked": session.iOSDeviceNeedsUnlockAfterRebootForReachability,
        ]
    }

    private func send(_ word: String, _ rest: String) {
        let onError: (any Error) -> Void = { Output.print("error", Words.text($0)) }
        switch word {
        case "send": session.sendMessage(Words.dictionary(rest), replyHandler: nil, errorHandler: onError)
        case "ask":
            session.sendMessage(
                Words.dictionary(rest), replyHandler: { Output.print("reply", Words.text($0)) }, errorHandler: onError)
        case "sendData": session.sendMessageData(Data(rest.utf8), replyHandler: nil, errorHandler: onError)
        default:
            session.sendMessageData(
                Data(rest.utf8), replyHandler: { Output.print("replyData", String(decoding: $0, as: UTF8.self)) },
                errorHandler: onError)
        }
    }

    private func transfer(_ word: String, _ rest: String) {
        switch word {
        case "context":
            do {
                try session.updateApplicationContext(Words.dictionary(rest))
                Output.print("contextTaken")
            } catch {
                Output.print("contextRefused", Words.text(error))
            }
        case "info":
            session.transferUserInfo(Words.dictionary(rest))
            Output.print("infoTaken")
        case "complication":
            let transfer = session.transferCurrentComplicationUserInfo(Words.dictionary(rest))
            Output.print("infoTaken", "\(transfer.isCurrentComplicationInfo)")
        case "cancelInfo":
            session.outstandingUserInfoTransfers.last?.cancel()
            Output.print("cancelled")
        default:
            let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
            session.transferFile(
                URL(fileURLWithPath: parts[0]), metadata: parts.count > 1 ? Words.dictionary(parts[1]) : nil)
            Output.print("fileTaken")
        }
    }

    /// Queues a file, does something to it as soon as the call has returned, and dies.
    private func transferAndDie(_ rest: String) {
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        let (deed, path) = (parts[0], parts[1])
        session.transferFile(URL(fileURLWithPath: path), metadata: nil)
        // The strings are used during the calls only.
        if deed != "change", unsafe unlink(path) != 0 { fatalError("\(path) cannot be removed") }
        if deed == "replace" || deed == "change" {
            let file = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
            let text = Array("another file".utf8)
            guard unsafe write(file, text, text.count) == text.count else { fatalError("\(path) cannot be written") }
        }
        Output.print("fileTaken")
        kill(getpid(), SIGKILL)
    }

    /// Looks into the directory for the watch, or puts a file there.
    private func directory(_ name: String) {
        guard let directory = session.watchDirectoryURL else { return Output.print("directory none") }
        if !name.isEmpty {
            _ = FileManager.default.createFile(atPath: directory.appendingPathComponent(name).path, contents: Data())
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? ["?"]
        Output.print("directory", names.sorted().joined(separator: ","))
    }
}

extension ScriptedApp {
    /// What a system, a person or the code that tests does to the device.
    fileprivate func device(_ word: String, _ rest: String) {
        let device = WCSession.default.device
        switch word {
        case "app":
            guard let state = SessionDevice.AppState(rawValue: rest) else { fatalError("no state: \(rest)") }
            device.setAppState(state)
        case "install": device.setAppInstalled(rest == "on")
        case "face": device.setComplicationEnabled(rest == "on")
        case "lock": device.setLocked(rest == "on")
        case "watchOnly": device.setWatchOnly(rest == "on")
        case "watches": Output.print("watches", WCSession.watches.map(\.name).joined(separator: ","))
        case "switch":
            guard let watch = WCSession.watches.first(where: { $0.name == rest }) else {
                return Output.print("noWatch", rest)
            }
            do {
                try WCSession.switchActiveWatch(to: watch.id)
            } catch {
                Output.print("notSwitched", "\(error)")
            }
        case "invite", "pair", "unpair":
            Task {
                do {
                    switch word {
                    case "invite": Output.print("code", try await WCSession.invitation())
                    case "pair":
                        try await WCSession.pair(with: rest)
                        Output.print("paired")
                    default:
                        for watch in WCSession.watches where watch.name == rest { try await WCSession.unpair(watch) }
                        Output.print("unpaired")
                    }
                } catch {
                    Output.print("pairingFailed", "\(error)")
                }
            }
        default: fatalError("no command: \(word)")
        }
    }
}
