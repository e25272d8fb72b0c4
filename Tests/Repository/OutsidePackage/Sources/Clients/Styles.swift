@preconcurrency import WatchConnectivity

// The styles in which published Swift 6 code uses the framework. Each of them compiles with Apple's SDK, some of them only
// because of the attribute `@preconcurrency`; that this file compiles, without a warning, is the first half of the test.

/// A model of the main actor, with nonisolated methods that go on there.
@MainActor final class Model: NSObject, WCSessionDelegate {
    nonisolated let session: WCSession
    private(set) var laps = 0
    private(set) var isReachable = false
    private(set) var answer: Int?
    private(set) var last: [String: Any] = [:]

    init(session: WCSession) {
        self.session = session
        super.init()
        session.delegate = self
    }

    nonisolated func start() { session.activate() }

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        Task { await look(at: session) }
    }

    nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}

    nonisolated func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    nonisolated func sessionReachabilityDidChange(_ session: WCSession) {
        Task { @MainActor in self.look(at: session) }
    }

    nonisolated func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        let laps = userInfo["laps"] as? Int ?? 0
        Task { @MainActor in self.laps += laps }
    }

    nonisolated func session(_ session: WCSession, didReceive file: WCSessionFile) {
        DispatchQueue.main.async { print(file.fileURL, session.isReachable) }
    }

    nonisolated func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        Task { @MainActor in self.ended(userInfoTransfer) }
    }

    /// Asks the other side, from the main actor; the handlers run on the session's queue.
    func ask(_ number: Int) async throws {
        answer = try await withCheckedThrowingContinuation { continuation in
            session.sendMessage(
                ["number": number],
                replyHandler: { @Sendable reply in continuation.resume(returning: reply["number"] as? Int ?? 0) },
                errorHandler: { @Sendable error in continuation.resume(throwing: error) })
        }
    }

    private func look(at session: WCSession) { isReachable = session.isReachable }

    private func ended(_ transfer: WCSessionUserInfoTransfer) { last = transfer.userInfo }
}

/// An actor that keeps the session, with a relay for its delegate.
actor Link {
    private let session: WCSession
    private let relay = Relay()

    init(session: WCSession) { self.session = session }

    var isActivated: Bool { session.activationState == .activated }

    func start() {
        session.delegate = relay
        session.activate()
    }

    func send(laps: Int) { session.transferUserInfo(["laps": laps]) }

    func take(_ transfer: WCSessionUserInfoTransfer) { transfer.cancel() }
}

/// Replies at once, with the handler as Apple's protocol declares it.
nonisolated final class Relay: NSObject, WCSessionDelegate, Sendable {
    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    nonisolated func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        replyHandler(["number": (message["number"] as? Int ?? 0) + 1])
    }
}

/// A service that every thread uses.
final class Service: Sendable {
    static let shared = Service()
    let session: WCSession = .default

    func cancelAll(on link: Link) {
        Task.detached { [session] in
            for transfer in session.outstandingUserInfoTransfers { await link.take(transfer) }
        }
    }
}

/// A value that crosses actors.
struct Request: Sendable {
    let session: WCSession
    let reply: @Sendable ([String: Any]) -> Void
}

/// A delegate that believes to be called on the main actor; with Apple's SDK, too, the app ends at the first call.
@MainActor final class Believer: NSObject, @preconcurrency WCSessionDelegate {
    private(set) var count = 0

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        count += 1
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { count += message.count }
}

/// A mock; where classes belong to the main actor by default, `nonisolated` makes it like its superclass.
nonisolated class MockSession: WCSession {
    private(set) var sent: [[String: Any]] = []

    override var isReachable: Bool { true }

    override func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        sent.append(message)
        replyHandler?(message)
    }
}

/// A mock for tests that use it in several tasks.
// Unchecked, because nothing checks its superclass; it adds nothing that changes.
nonisolated final class SharedMockSession: WCSession, @unchecked Sendable {
    override var activationState: WCSessionActivationState { .activated }
}
