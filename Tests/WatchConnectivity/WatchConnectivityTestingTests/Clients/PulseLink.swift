import Foundation
import WatchConnectivity

/// An actor that owns the session and all that came; the delegate is an object of its own, which only hands on.
actor PulseLink {
    private final class Postman: NSObject, WCSessionDelegate, Sendable {
        let post: @Sendable ([Int]) async -> Void

        init(post: @escaping @Sendable ([Int]) async -> Void) { self.post = post }

        func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
            error: (any Error)?
        ) {}

        func sessionDidBecomeInactive(_ session: WCSession) {}

        func sessionDidDeactivate(_ session: WCSession) { session.activate() }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            guard let beats = userInfo["beats"] as? [Int] else { return }
            Task { await post(beats) }
        }
    }

    private var beats: [Int] = []
    private var postman: Postman?
    private let session: WCSession

    init(session: sending WCSession = .default) { self.session = session }

    func start() {
        let postman = Postman { [weak self] in await self?.take($0) }
        self.postman = postman
        session.delegate = postman
        session.activate()
    }

    /// The longest queue of this actor's that has not arrived.
    var waitingCount: Int { session.outstandingUserInfoTransfers.count }

    var total: Int { beats.reduce(0, +) }

    func send(_ beats: [Int]) {
        guard session.activationState == .activated else { return }
        session.transferUserInfo(["beats": beats, "at": Date()])
    }

    private func take(_ new: [Int]) { beats += new }
}
