import Foundation
import WatchConnectivity

/// A model of faces: on the main actor, its own delegate, with callbacks that hop to it; faces are told by a closure.
@MainActor
final class ScoreModel: NSObject {
    private(set) var score = 0 { willSet { willChange?(newValue) } }
    private(set) var isCounterpartReachable = false
    private(set) var activation = WCSessionActivationState.notActivated
    var willChange: ((Int) -> Void)?

    private var session: WCSession? { WCSession.isSupported() ? .default : nil }

    override init() {
        super.init()
        session?.delegate = self
        session?.activate()
    }

    func addPoint() {
        score += 1
        let change: [String: Any] = ["score": score]
        guard let session, session.activationState == .activated else { return }
        guard session.isReachable else {
            try? session.updateApplicationContext(change)
            return
        }
        session.sendMessage(change, replyHandler: nil) { @Sendable error in
            // It went out of reach meanwhile.
            Task { @MainActor in try? WCSession.default.updateApplicationContext(["score": self.score]) }
        }
    }

    private func take(_ newScore: Int) { if newScore != score { score = newScore } }
}

extension ScoreModel: WCSessionDelegate {
    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        let isReachable = session.isReachable
        let known = session.receivedApplicationContext["score"] as? Int
        Task { @MainActor in
            activation = activationState
            isCounterpartReachable = isReachable
            if let known { take(known) }
        }
    }

    #if os(iOS)
        nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}
        nonisolated func sessionDidDeactivate(_ session: WCSession) { WCSession.default.activate() }
    #endif

    nonisolated func sessionReachabilityDidChange(_ session: WCSession) {
        let isReachable = session.isReachable
        DispatchQueue.main.async { self.isCounterpartReachable = isReachable }
    }

    nonisolated func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        guard let score = message["score"] as? Int else { return }
        Task { @MainActor in take(score) }
    }

    nonisolated func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let score = applicationContext["score"] as? Int else { return }
        DispatchQueue.main.async { self.take(score) }
    }
}
