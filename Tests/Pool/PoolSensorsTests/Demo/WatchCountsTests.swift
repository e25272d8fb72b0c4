import Foundation
import PoolControl
import PoolModel
import PoolWatch
import Testing

@testable import poolsensors

@Suite struct WatchCountsTests {
    private func status(newest: UInt64, received: UInt64) throws -> WatchStatus {
        let json = """
            {"isLinked": true, "snapshotCount": 1, "servers": [], "undecodableRegisterCount": 0,
             "alerts": [], "noticeCount": 0,
             "configurationProblemCount": 0, "storageFailureCount": 0, "pendingEditCount": 0, "conflictCount": 0,
             "devices": [{"id": "\(Samples.deviceID)", "newestOrder": \(newest), "receivedCount": \(received)}]}
            """
        return try JSONDecoder().decode(WatchStatus.self, from: Data(json.utf8))
    }

    @Test func `one life counts as it says`() throws {
        var counts = WatchCounts()
        counts.heard(try status(newest: 1004, received: 3))
        counts.heard(try status(newest: 1005, received: 4))

        #expect(counts.delivered(of: Samples.deviceID) == 4)
        #expect(counts.newest(of: Samples.deviceID) == 1005)
    }

    @Test func `a killed and restarted watch goes on counting`() throws {
        var counts = WatchCounts()
        counts.heard(try status(newest: 1010, received: 10))
        counts.lifeEnded()
        counts.heard(try status(newest: 1010, received: 0))
        #expect(counts.delivered(of: Samples.deviceID) == 10)

        counts.heard(try status(newest: 1015, received: 3))

        #expect(counts.delivered(of: Samples.deviceID) == 13)
        #expect(counts.newest(of: Samples.deviceID) == 1015)
    }

    @Test func `what comes again after a restart does not count again`() throws {
        var counts = WatchCounts()
        counts.heard(try status(newest: 1010, received: 10))
        counts.lifeEnded()

        // The store of the first run was behind, so its newest reading was sent again.
        counts.heard(try status(newest: 1010, received: 1))
        #expect(counts.delivered(of: Samples.deviceID) == 10)
        counts.heard(try status(newest: 1012, received: 3))

        #expect(counts.delivered(of: Samples.deviceID) == 12)
    }

    @Test func `a watch that said nothing has nothing`() {
        #expect(WatchCounts().delivered(of: Samples.deviceID) == 0)
        #expect(WatchCounts().newest(of: Samples.deviceID) == nil)
    }
}
