import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite
struct EarlierFormatTests {
    private static let stores = Repository.url("Fixtures/stores")
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    @Test func `the scripted run leaves in the stores what it left before`() throws {
        let stores = SampleStores(path: place.path("stores"))
        do { _ = try StateFolder(path: stores.path) }
        try stores.write()
        let text = try stores.text()
        if ProcessInfo.processInfo.environment["RECORD_STORES"] == "1" {
            let files = FileManager.default
            try? files.removeItem(at: Self.stores)
            try files.createDirectory(at: Self.stores, withIntermediateDirectories: true)
            for name in ["hub", "watch", "keyed"] {
                try files.copyItem(
                    at: URL(filePath: "\(stores.path)/\(name)/\(name).sqlite"),
                    to: Self.stores.appending(path: "\(name).sqlite"))
            }
            try Data(text.utf8).write(to: Self.stores.appending(path: "state.txt"))
        }
        #expect(try String(contentsOf: Self.stores.appending(path: "state.txt"), encoding: .utf8) == text)
    }

    // MARK: - Stores in the previous format

    /// Copies stores in the previous format into folders.
    private func earlierStores() throws -> SampleStores {
        let stores = SampleStores(path: place.path("earlier"))
        do { _ = try StateFolder(path: stores.path) }
        for name in ["hub", "watch", "keyed"] {
            do { _ = try StateFolder(path: "\(stores.path)/\(name)") }
            try write(Data(contentsOf: Self.stores.appending(path: "\(name).sqlite")), to: file(name, of: stores))
        }
        return stores
    }

    private func file(_ name: String, of stores: SampleStores) -> String { "\(stores.path)/\(name)/\(name).sqlite" }

    private func change(_ sql: String, _ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func tables(_ path: String) throws -> Set<String> {
        let queue = try DatabaseQueue(path: path)
        return try queue.read {
            Set(try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        }
    }

    @Test func `a store of the form before is converted once, and holds what it held`() throws {
        let text = try String(contentsOf: Self.stores.appending(path: "state.txt"), encoding: .utf8)
        let stores = try earlierStores()

        #expect(try stores.text() == text)

        let converted = try ["hub", "watch", "keyed"].map { try Data(contentsOf: URL(filePath: file($0, of: stores))) }
        #expect(try stores.text() == text)
        #expect(["hub", "watch", "keyed"].map { contents(file($0, of: stores)) } == converted)
        // Nothing of the previous format is left.
        let fresh = SampleStores(path: place.path("fresh"))
        do { _ = try StateFolder(path: fresh.path) }
        try fresh.write()
        for name in ["hub", "watch", "keyed"] {
            #expect(try tables(file(name, of: stores)) == tables(file(name, of: fresh)))
        }
    }

    @Test func `a converted store goes on`() throws {
        let stores = try earlierStores()
        let hub = try HubStore(at: stores.path + "/hub")
        var history = SampleHistory(try hub.load(), seed: 5)
        for _ in 0..<40 { try hub.commit(history.next()) }
        hub.close()
        #expect(try hub.load() == history.ledger.state)
        let watch = try WatchStore(at: stores.path + "/watch")
        var expected = try watch.load()
        let change = Exchange.Change.added(
            Item(ordinal: 900, id: RandomID(high: ~0, low: 1), payload: [1]), .ordinary)
        let record = TransferRecord.exchange(Exchange.Record(number: 1, changes: [change]))
        try watch.write([record])
        watch.close()
        expected.transfers.apply(record)
        #expect(try watch.load() == expected)
    }

    @Test(arguments: [
        "UPDATE cell SET value = NULL WHERE value IS NOT NULL",
        "DELETE FROM cell WHERE dot = (SELECT min(dot) FROM cell)",
        "DELETE FROM lineage", "DELETE FROM seen WHERE ordinal = 1", "UPDATE item SET payload = CAST('x' AS BLOB)",
        "DELETE FROM exchange WHERE peer = (SELECT min(peer) FROM exchange)", "DELETE FROM track",
        "DELETE FROM chain WHERE revision = (SELECT max(revision) FROM chain)", "DROP TABLE bringer",
        "DELETE FROM finished WHERE ordinal = 1", "UPDATE head SET contents = contents + 1",
    ])
    func `a damaged hub of the form before is refused and left as it is`(sql: String) throws {
        let stores = try earlierStores()
        let path = file("hub", of: stores)
        try change(sql, path)
        let bytes = contents(path)

        for _ in 1...2 {
            #expect(throws: StoreError.self) { try HubStore(at: stores.path + "/hub") }
            #expect(contents(path) == bytes)
        }
    }

    @Test(arguments: [
        "UPDATE value SET value = x'09'", "DELETE FROM value WHERE key = CAST('a' AS BLOB)", "DELETE FROM head",
    ])
    func `a damaged map of the form before is refused and left as it is`(sql: String) throws {
        let stores = try earlierStores()
        let path = file("keyed", of: stores)
        try change(sql, path)
        let bytes = contents(path)

        #expect(throws: StoreError.self) { try KeyedStore(in: StateFolder(path: stores.path + "/keyed")) }
        #expect(contents(path) == bytes)
    }

    @Test func `what waits in a watch's damaged store of the form before is saved`() throws {
        let stores = try earlierStores()
        let whole = try WatchStore(at: stores.path + "/watch").load()
        let damaged = SampleStores(path: place.path("damaged"))
        do { _ = try StateFolder(path: damaged.path) }
        do { _ = try StateFolder(path: damaged.path + "/watch") }
        let path = file("watch", of: damaged)
        try write(Data(contentsOf: Self.stores.appending(path: "watch.sqlite")), to: path)
        try change(
            """
            UPDATE register SET place = '0000000000000001';
            UPDATE upload SET json = CAST('{}' AS BLOB) WHERE sequence = (SELECT max(sequence) FROM upload);
            DELETE FROM inbox WHERE ordinal = (SELECT max(ordinal) FROM inbox);
            """, path)

        let store = try WatchStore(at: damaged.path + "/watch")

        let saved = try store.load()
        #expect(store.setAside?.unreadableCount == 2)
        #expect(saved.replica.pending.map(\.upload) == whole.replica.pending.dropLast().map(\.upload))
        #expect(saved.replica.journal == whole.replica.journal && saved.replica.fence == whole.replica.fence)
        #expect(saved.replica.snapshot == whole.replica.snapshot && saved.replica.deletions == whole.replica.deletions)
        #expect(saved.transfers.exchange.inbox.items == whole.transfers.exchange.inbox.items.dropLast())
        for track in ItemTrack.allCases {
            let items = whole.transfers.exchange.outboxes[track].items
            #expect(saved.transfers.exchange.outboxes[track] == ItemOutbox(items: items))
        }
        var files = whole.transfers.files
        files.incoming = nil
        #expect(saved.transfers.files == files)
    }

    @Test(arguments: ["numbering", "exchange", "register", "track"])
    func `a watch's damaged store of the form before keeps its edits whatever table is lost`(table: String) throws {
        let stores = try earlierStores()
        let whole = try WatchStore(at: stores.path + "/watch").load()
        let path = file("watch", of: stores)
        try write(Data(contentsOf: Self.stores.appending(path: "watch.sqlite")), to: path)
        try change("DROP TABLE \(table)", path)

        let store = try WatchStore(at: stores.path + "/watch")

        #expect(store.setAside != nil)
        #expect(try store.load().replica.pending.map(\.upload) == whole.replica.pending.map(\.upload))
        #expect(try store.load().replica.journal == whole.replica.journal)
    }

    @Test func `a conversion for which the disk has no room leaves the store as it was`() async throws {
        let stores = try earlierStores()
        let path = file("hub", of: stores)
        let bytes = contents(path)
        await #expect(processExitsWith: .success) { [path = stores.path + "/hub" as String] in
            limitFileSize(to: 60_000)
            #expect(throws: StoreError.self) { try HubStore(at: path) }
        }
        #expect(contents(path) == bytes)
        let text = try String(contentsOf: Self.stores.appending(path: "state.txt"), encoding: .utf8)
        #expect(try stores.text() == text)
    }

    @Test func `a store of an early form is refused in words and left as it is`() throws {
        let stores = try earlierStores()
        let path = file("watch", of: stores)
        try change("DELETE FROM grdb_migrations WHERE identifier = '5 items by number'", path)
        let bytes = contents(path)

        #expect {
            try WatchStore(at: stores.path + "/watch")
        } throws: {
            guard case .failed(path, let reason)? = $0 as? StoreError else { return false }
            return reason.contains("early version")
        }
        #expect(contents(path) == bytes)
    }
}
