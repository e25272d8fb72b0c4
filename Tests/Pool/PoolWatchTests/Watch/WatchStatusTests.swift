import PoolModel
import Testing

@testable import PoolWatch

@Suite struct WatchStatusTests {
    @Test func `every key is always there, and the line can be read back`() throws {
        let status = WatchStatus(
            name: nil, isLinked: false, revision: nil, snapshotCount: 0,
            devices: [.init(id: deviceID(1), name: nil, newestOrder: 3, receivedCount: 2)],
            servers: [.init(id: serverID(1), name: "Home", report: nil)], undecodableRegisterCount: 0,
            configurationProblemCount: 0, storageFailureCount: 0,
            pendingEditCount: 2, conflictCount: 1, alerts: [], noticeCount: 0)
        let line = status.jsonLine()
        #expect(
            line == #"{"alerts":[],"configurationProblemCount":0,"conflictCount":1,"#
                + #""devices":[{"id":"22220000-0000-0000-0000-000000000001","#
                + #""name":null,"newestOrder":3,"receivedCount":2}],"isLinked":false,"name":null,"noticeCount":0,"#
                + #""pendingEditCount":2,"revision":null,"servers":[{"id":"11110000-0000-0000-0000-000000000001","name":"Home","#
                + #""report":null}],"snapshotCount":0,"storageFailureCount":0,"undecodableRegisterCount":0}"#)
        #expect(try CanonicalJSON.decode(WatchStatus.self, from: Array(line.utf8)) == status)
    }
}
