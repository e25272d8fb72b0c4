import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite
struct BackupTests {
    private let place: TemporaryFolder
    private let path: String
    private let target: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
        target = place.path("backup.sqlite")
    }

    @Test
    func `a backup of a running hub's store is the state of one moment, and opens in its place`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        for _ in 0..<60 { try store.commit(history.next()) }
        let backedUp = history.ledger.state

        try store.backUp(to: target)
        for _ in 0..<10 { try store.commit(history.next()) }

        #expect(try store.load() == history.ledger.state)
        #expect(try permissions(target) == 0o600)
        #expect(try names(in: place.path) == ["backup.sqlite", "state", "state.guard"])
        let other = place.path("other")
        do { _ = try StateFolder(path: other) }
        try FileManager.default.copyItem(atPath: target, toPath: other + "/hub.sqlite")
        let restored = try HubStore(at: other)
        #expect(try restored.load() == backedUp)
        #expect(try restored.loggedTransactions(last: 99).count == 60)
        #expect(try restored.file.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test
    func `a backup put back into its folder is told by the guard`() throws {
        var history = SampleHistory()
        do {
            let store = try HubStore(at: path)
            try store.commit(history.next())
            try store.backUp(to: target)
            try store.commit(history.next())
        }
        try write(try #require(contents(target)), to: path + "/hub.sqlite")

        #expect(try HubStore(at: path).wasPutBack?.guarded == history.ledger.version)
    }

    @Test
    func `nothing is overwritten`() throws {
        let store = try HubStore(at: path)
        try write(Data([1]), to: target)

        #expect(throws: StoreError.exists(path: target)) { try store.backUp(to: target) }

        #expect(contents(target) == Data([1]))
    }

    @Test
    func `a place where nothing can be written is named, and nothing is left there`() throws {
        let store = try HubStore(at: path)

        #expect(throws: StoreError.self) { try store.backUp(to: place.path("missing/backup.sqlite")) }
        #expect(throws: StoreError.self) { try store.backUp(to: place.path("state")) }
        #expect(try names(in: place.path) == ["state", "state.guard"])
    }

    @Test
    func `a store with damaged rows is not backed up`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        for _ in 0..<20 { try store.commit(history.next()) }
        try store.file.write { try $0.execute(sql: "DELETE FROM written") }

        #expect(throws: StoreError.self) { try store.backUp(to: target) }

        #expect(try names(in: place.path) == ["state", "state.guard"])
    }
}
