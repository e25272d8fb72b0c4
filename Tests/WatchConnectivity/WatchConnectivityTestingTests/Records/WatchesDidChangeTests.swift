import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

@Suite(.pairReports) struct WatchesDidChangeTests {
    @Test func `the stream begins with the watches, and has each change of the active one`() async throws {
        let pair = try TestPair(watches: 2)
        let lists = Recorder<[String]>()
        let stream = pair.asDefault(.phone) { WCSession.watchesDidChange }
        let reading = Task { for await watches in stream { lists.record(watches.map(\.name)) } }
        await lists.wait { $0 == [["watch 1", "watch 2"]] }
        pair.switchWatch(to: 1)
        await lists.wait { $0.last == ["watch 2", "watch 1"] }
        reading.cancel()
    }
}
