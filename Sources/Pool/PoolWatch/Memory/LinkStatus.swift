internal import PoolModel
internal import SyncCore
internal import SyncTransport

/// The transport's reports about the link, and their meaning for a person.
struct LinkStatus: Hashable {
    /// The engine's state: whether the hub answers.
    var session = WatchEngine.Link.waiting
    /// The state of the connection below it.
    var transport = WatchTransport.Transport.connecting

    /// The state of the link in words: what it waits for, and what to do about it.
    ///
    /// - Parameters:
    ///   - endpoint: The hub's endpoint.
    ///   - now: The present time, by the clock of the transport.
    /// - Returns: The state for a glance.
    func state(endpoint: String, at now: Instant) -> LinkState {
        switch (session, transport) {
        case (.linked, _): .linked
        case (.refused(let refusal), _) where refusal.code != .notPaired: .refused(reason: refusal.text)
        case (.refused, _), (_, .notAdmitted): .refused(reason: Self.notAdmitted)
        case (_, .notThisHub): .refused(reason: Self.notThisHub(endpoint))
        case (.lost(let lastAnswer), _): .lost(seconds: Int(max(0, lastAnswer.duration(to: now).components.seconds)))
        case (.waiting, .connecting): .connecting(waitingFor: "the hub at \(endpoint)")
        case (.waiting, .unreachable):
            .connecting(waitingFor: "the hub: nothing answers at \(endpoint); is the hub running?")
        case (.waiting, .unfinished):
            .connecting(
                waitingFor: "the hub at \(endpoint): it took the connection, but has no time for it; is it overloaded?")
        case (.waiting, .connected):
            .connecting(waitingFor: "the hub at \(endpoint): it took the connection, but has not answered yet")
        }
    }

    private static let pairAgain = "run `poolsensors pair` at the hub and `poolsensors watch pair CODE` here"
    private static let notAdmitted = "the hub does not know this watch; \(pairAgain)"

    /// Does not advise to pair again: only the hub itself can say that it has another key.
    private static func notThisHub(_ endpoint: String) -> String {
        "what answers at \(endpoint) breaks off each connection: another program or another hub, or this watch's hub in "
            + "trouble; check there that the hub runs and listens at this address"
    }
}
