import ArgumentParser
import CommandSupport
import Foundation
import WatchConnectivity
import WatchConnectivityTesting

/// The app of a device that has no program of its own: it sends what it is told, and its trace says what it gets.
enum ConnectivityApp {
    /// Its delegate, which activates the session again for another watch.
    static func delegate() -> RecordingDelegate {
        let delegate = RecordingDelegate()
        delegate.answer = { _ in [:] }
        delegate.onCall = { session, name in
            if name == "sessionDidDeactivate" { session.activate() }
        }
        return delegate
    }

    /// Sends something with a text.
    static func send(_ content: ConnectivityContent, _ text: String, on session: WCSession) throws {
        switch content {
        case .message: session.sendMessage(["text": text], replyHandler: nil) { _ in }
        case .context: try session.updateApplicationContext(["text": text])
        case .userInfo: session.transferUserInfo(["text": text])
        }
    }
}

/// The app as a process: it reads what to send, a line each, and answers each line when the call has returned.
struct ConnectivityAppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connectivity-app", abstract: "The app of a device in `synclab connectivity --real`.",
        shouldDisplay: false)

    func run() throws {
        let delegate = ConnectivityApp.delegate()
        let session = WCSession.default
        let activated = DispatchSemaphore(value: 0)
        let again = delegate.onCall
        delegate.onCall = { session, name in
            if name == "activationDidComplete" { activated.signal() }
            again?(session, name)
        }
        session.delegate = delegate
        session.activate()
        activated.wait()
        Output.standard.line("ready")
        while let line = readLine() {
            guard let content = ConnectivityContent.allCases.first(where: { line.hasPrefix($0.rawValue + " ") }) else {
                continue
            }
            // After a switch of watches the next activation has to be complete.
            for _ in 0..<1000 where session.activationState != .activated { usleep(10_000) }
            do {
                try ConnectivityApp.send(content, String(line.dropFirst(content.rawValue.count + 1)), on: session)
                Output.standard.line("sent")
            } catch {
                Output.standard.line("\(error)")
            }
        }
        withExtendedLifetime(delegate) {}
    }
}
