import GRDB

@testable import SyncStore

extension DatabaseFile {
    /// Disables waiting for the disk: for tests that write much and do not cut the power.
    func withoutWaitingForTheDisk() throws {
        try current().writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    }
}
