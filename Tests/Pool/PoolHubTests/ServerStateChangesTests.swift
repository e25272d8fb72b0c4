import PoolControl
import PoolModel
import Testing

@testable import PoolHub

@Suite struct ServerStateChangesTests {
    private let server = Server(id: ServerID(high: 0, low: 1), name: "Home", host: "127.0.0.1")

    private func state(_ phase: BrokerState.Phase) -> BrokerState {
        BrokerState(phase: phase, since: Timestamp(milliseconds: 0))
    }

    private func moment(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    @Test func `an attempt that fails as the one before is told once, and again after an hour`() {
        var news = ServerStateChanges()
        let gone = state(.waiting(reason: "Connection refused", needsAttention: false))
        var told: [Int64] = []
        for second in stride(from: Int64(0), to: 7200, by: 30) {
            if news.isNews(state(.connecting), of: server, at: moment(second)) { told.append(-1) }
            if news.isNews(gone, of: server, at: moment(second)) { told.append(second) }
        }
        #expect(told == [-1, 0, 3600])
    }

    @Test func `another reason, a connection and its end are told at once, each server for itself`() {
        var news = ServerStateChanges()
        func isNews(_ phase: BrokerState.Phase, of server: Server? = nil) -> Bool {
            news.isNews(state(phase), of: server ?? self.server, at: moment(1))
        }
        let refused = BrokerState.Phase.waiting(reason: "refused", needsAttention: false)
        let silent = BrokerState.Phase.waiting(reason: "silent", needsAttention: false)
        #expect(isNews(refused) && isNews(silent))
        // Two addresses that fail in turn are no news either.
        #expect(!isNews(refused) && !isNews(silent))
        #expect(isNews(refused, of: Server(id: ServerID(high: 0, low: 2), name: "Away", host: "127.0.0.1")))
        #expect(isNews(.connected) && !isNews(.connected))
        #expect(isNews(refused))
        // A person who changes the settings wants to see that the new ones work.
        #expect(isNews(.connected) && !isNews(.connected))
        var changed = server
        changed.port = 2883
        #expect(isNews(.connected, of: changed) && !isNews(.connected, of: changed))
    }
}
