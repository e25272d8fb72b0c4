import Foundation
import WatchConnectivity

/// A client that keeps its completions by the transfer, stored after the call has returned, and activates itself in its
/// initialiser: the shape of libraries that wrap the session in a singleton of their own.
final class KeyedClient: NSObject, WCSessionDelegate {
    typealias Completion = (Result<Void, any Error>) -> Void

    static let messageKey = "KeyedClient.message"

    private let session: WCSession = .default
    private let lock = NSLock()
    private var infoCompletions: [WCSessionUserInfoTransfer: Completion] = [:]
    private var fileCompletions: [WCSessionFileTransfer: Completion] = [:]

    override init() {
        super.init()
        session.delegate = self
        session.activate()
    }

    func send(_ text: String, completion: @escaping Completion) {
        guard session.activationState == .activated, session.isReachable else { return queue(text, completion) }
        session.sendMessage(
            [Self.messageKey: text], replyHandler: { _ in completion(.success(())) },
            errorHandler: { [self] error in
                guard let code = (error as? WCError)?.code else { return completion(.failure(error)) }
                switch code {
                case .notReachable, .deliveryFailed, .transferTimedOut, .messageReplyTimedOut, .messageReplyFailed:
                    queue(text, completion)
                default: completion(.failure(error))
                }
            })
    }

    func queue(_ text: String, _ completion: @escaping Completion) {
        let transfer = session.transferUserInfo([Self.messageKey: text])
        lock.withLock { infoCompletions[transfer] = completion }
    }

    func transfer(_ file: URL, completion: @escaping Completion) {
        let transfer = session.transferFile(file, metadata: nil)
        lock.withLock { fileCompletions[transfer] = completion }
    }

    // MARK: - WCSessionDelegate

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        Output.print("client", "received", Words.text(session.receivedApplicationContext))
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        Output.print("client", "message", message[Self.messageKey] as? String ?? "?")
        replyHandler([:])
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        Output.print("client", "info", userInfo[Self.messageKey] as? String ?? "?")
    }

    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        let completion = lock.withLock { infoCompletions.removeValue(forKey: userInfoTransfer) }
        completion?(error.map { .failure($0) } ?? .success(()))
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        let completion = lock.withLock { fileCompletions.removeValue(forKey: fileTransfer) }
        completion?(error.map { .failure($0) } ?? .success(()))
    }

    /// Everything that it does, once.
    static func run(file: URL) {
        let client = KeyedClient()
        waitOnMain { client.session.isReachable }
        for number in 0..<20 { client.queue("\(number)") { Output.print("client", "queued", "\(number)", "\($0)") } }
        client.send("live") { Output.print("client", "sent", "\($0)") }
        client.transfer(file) { Output.print("client", "file", "\($0)") }
        RunLoop.main.run()
    }
}

/// Runs the main loop until something is so.
func waitOnMain(until isSo: () -> Bool) {
    while !isSo() { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
}
