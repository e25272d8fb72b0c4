import PoolModel
import SyncCore
import SyncTransport
import Testing

@testable import PoolWatch

@Suite struct LinkStatusTests {
    private let endpoint = "tcp://127.0.0.1:7654"
    private let now = Instant(nanoseconds: 100_900_000_000)

    private func state(_ session: WatchEngine.Link, _ transport: WatchTransport.Transport) -> LinkState {
        LinkStatus(session: session, transport: transport).state(endpoint: endpoint, at: now)
    }

    @Test(arguments: [
        (WatchTransport.Transport.connecting, "the hub at tcp://127.0.0.1:7654"),
        (.unreachable, "the hub: nothing answers at tcp://127.0.0.1:7654; is the hub running?"),
        (.connected, "the hub at tcp://127.0.0.1:7654: it took the connection, but has not answered yet"),
        (
            .unfinished,
            "the hub at tcp://127.0.0.1:7654: it took the connection, but has no time for it; is it overloaded?"
        ),
    ])
    func `a watch that never heard its hub says what it waits for`(
        _ transport: WatchTransport.Transport, _ words: String
    ) {
        #expect(state(.waiting, transport) == .connecting(waitingFor: words))
    }

    @Test(arguments: [WatchTransport.Transport.connecting, .unreachable, .unfinished, .connected])
    func `a lost link counts the seconds since the last answer`(_ transport: WatchTransport.Transport) {
        #expect(state(.lost(lastAnswer: Instant(nanoseconds: 88_000_000_000)), transport) == .lost(seconds: 12))
        #expect(state(.lost(lastAnswer: Instant(nanoseconds: 200_000_000_000)), transport) == .lost(seconds: 0))
    }

    @Test func `an answering hub is a link, whatever was before`() {
        #expect(state(.linked, .connected) == .linked)
        #expect(state(.linked, .unreachable) == .linked)
    }

    @Test(arguments: [WatchEngine.Link.waiting, .lost(lastAnswer: Instant(nanoseconds: 0))])
    func `a shut door and another hub need a person, and only the hub's own word advises to pair`(
        _ session: WatchEngine.Link
    ) {
        let way = "run `poolsensors pair` at the hub and `poolsensors watch pair CODE` here"
        #expect(state(session, .notAdmitted) == .refused(reason: "the hub does not know this watch; \(way)"))
        guard case .refused(let reason) = state(session, .notThisHub) else {
            Issue.record("\(state(session, .notThisHub))")
            return
        }
        #expect(reason.hasPrefix("what answers at \(endpoint) breaks off each connection"))
        #expect(reason.contains("pair") == false)
    }

    @Test func `a refusal shows the hub's own words, but for the one that pairing mends`() {
        let old = Refusal(code: .upgradeWatch, text: "upgrade the watch", retryAfterMilliseconds: 1)
        #expect(state(.refused(old), .connected) == .refused(reason: "upgrade the watch"))
        let forgotten = Refusal(code: .notPaired, text: "pair it", retryAfterMilliseconds: 1)
        #expect(state(.refused(forgotten), .connected) == state(.waiting, .notAdmitted))
    }
}
