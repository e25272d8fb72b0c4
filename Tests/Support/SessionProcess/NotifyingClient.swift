import Foundation
import WatchConnectivity

/// A client that tells its faces by notifications on the main queue, waits for it where a file would be gone otherwise,
/// and observes properties by key path: the shape of Apple's own sample.
final class NotifyingClient: NSObject, WCSessionDelegate {
    static let dataDidFlow = Notification.Name("DataDidFlow")

    private var observations: [NSKeyValueObservation] = []

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) { post("activated") }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        // The property has it already.
        post("context \(Words.text(session.receivedApplicationContext) == Words.text(applicationContext))")
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let (path, metadata) = (file.fileURL.path, Words.text(file.metadata ?? [:]))
        DispatchQueue.main.sync {
            let isThere = FileManager.default.fileExists(atPath: path)
            Output.print("client", "file", "\(isThere)", "\(Thread.isMainThread)", metadata)
        }
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        post("finished \(Words.text(error)) \(fileTransfer.isTransferring)")
    }

    private func post(_ text: String) {
        DispatchQueue.main.async { NotificationCenter.default.post(name: Self.dataDidFlow, object: text) }
    }

    static func run(file: URL) {
        let client = NotifyingClient()
        let token = NotificationCenter.default.addObserver(forName: dataDidFlow, object: nil, queue: nil) { note in
            Output.print("client", note.object as? String ?? "?")
        }
        client.observations = [
            WCSession.default.observe(\.activationState, options: [.new]) { session, change in
                Output.print("client", "state", "\(change.newValue?.rawValue ?? -1)")
            }
        ]
        WCSession.default.delegate = client
        WCSession.default.activate()
        waitOnMain { WCSession.default.isReachable }
        do {
            try WCSession.default.updateApplicationContext(["color": Data([1, 2, 3]), "isOn": true])
        } catch {
            Output.print("client", "failed", "\(error)")
        }
        let transfer = WCSession.default.transferFile(file, metadata: ["part": 1])
        client.observations.append(
            transfer.progress.observe(\.fractionCompleted) { progress, _ in
                if progress.fractionCompleted == 1 { Output.print("client", "complete") }
            })
        RunLoop.main.run()
        withExtendedLifetime((client, token)) {}
    }
}
