import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// Stores from before items had row numbers open, and lose nothing of what they hold.
@Suite
struct FormerItemsTests {
    private let place: TemporaryFolder
    private let path: String
    private let watchPath: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
        watchPath = place.path("watch")
    }

    /// A hub's store in the former form, with what three watches were sent.
    private func formerHub() throws -> (HubStore, [SampleItems]) {
        let store = try HubStore(at: path)
        try store.file.withoutWaitingForTheDisk()
        var samples = (1...3).map { SampleItems(seed: $0) }
        var files = SampleFiles(seed: 3)
        for number in 1...80 as ClosedRange<UInt64> {
            for index in samples.indices {
                let record = Exchange.Record(number: number, changes: samples[index].next())
                try store.commit([.exchange(record), .files(files.next())], of: samplePeer(index + 1))
            }
        }
        #expect(samples.contains { !$0.state.outboxes.urgent.items.isEmpty })
        #expect(samples.allSatisfy { !$0.state.outboxes.ordinary.items.isEmpty })
        try FormerItems.bringBack(in: store.file)
        return (store, samples)
    }

    private func formerWatch() throws -> (WatchStore, SampleItems) {
        let store = try WatchStore(at: watchPath)
        var sample = SampleItems(seed: 4)
        for number in 1...60 as ClosedRange<UInt64> {
            try store.write([.exchange(Exchange.Record(number: number, changes: sample.next()))])
        }
        #expect(!sample.state.outboxes.urgent.items.isEmpty && !sample.state.outboxes.ordinary.items.isEmpty)
        try FormerItems.bringBack(in: store.file)
        return (store, sample)
    }

    // MARK: - Taken over

    @Test
    func `what each watch was sent is taken over, and goes on`() throws {
        let (store, former) = try formerHub()
        var samples = former

        for index in samples.indices {
            #expect(try store.transfers(with: samplePeer(index + 1)).exchange == samples[index].state)
        }
        for number in 1...40 as ClosedRange<UInt64> {
            for index in samples.indices {
                let record = Exchange.Record(number: number, changes: samples[index].next())
                try store.commit(.exchange(record), of: samplePeer(index + 1))
            }
        }

        store.close()
        for index in samples.indices {
            #expect(try store.transfers(with: samplePeer(index + 1)).exchange == samples[index].state)
        }
    }

    @Test
    func `a watch that comes later has items of its own`() throws {
        let (store, samples) = try formerHub()
        let record = Exchange.Record(number: 1, changes: [.added(Self.item(ordinal: 1), .ordinary)])

        try store.commit(.exchange(record), of: samplePeer(9))

        #expect(try store.transfers(with: samplePeer(9)).exchange.outboxes.ordinary.items == [Self.item(ordinal: 1)])
        #expect(try store.transfers(with: samplePeer(3)).exchange == samples[2].state)
        try store.forgetTransfers(with: samplePeer(9))
        let other = Exchange.Record(number: 1, changes: [.added(Self.item(ordinal: 2), .ordinary)])
        try store.commit(.exchange(other), of: samplePeer(10))
        #expect(try store.transfers(with: samplePeer(10)).exchange.outboxes.ordinary.items == [Self.item(ordinal: 2)])
        #expect(try store.transfers(with: samplePeer(3)).exchange == samples[2].state)
    }

    @Test
    func `what waits on a watch is taken over`() throws {
        let (store, sample) = try formerWatch()

        #expect(try store.load().transfers.exchange == sample.state)
        #expect(store.setAside == nil)
    }

    // MARK: - Damage

    @Test(arguments: [
        "UPDATE item SET payload = CAST('x' AS BLOB)", "UPDATE exchange SET spent = spent + 1",
        "DELETE FROM exchange WHERE peer = (SELECT min(peer) FROM exchange)", "DELETE FROM track",
        "DELETE FROM item WHERE ordinal = (SELECT max(ordinal) FROM item)",
    ])
    func `damaged rows are refused, and nothing is changed`(sql: String) throws {
        let (store, _) = try formerHub()
        try change(sql, at: path + "/hub.sqlite")

        for _ in 1...2 {
            #expect(throws: StoreError.self) { try store.load() }
            #expect(try isFormer(path + "/hub.sqlite"))
        }
    }

    @Test
    func `a row that is missing does not become right by being counted anew`() throws {
        let (store, _) = try formerHub()
        try change("DELETE FROM item WHERE ordinal = (SELECT max(ordinal) FROM item)", at: path + "/hub.sqlite")

        #expect(throws: StoreError.self) { try store.transfers() }
    }

    @Test
    func `what waits in a watch's damaged store is saved`() throws {
        let former = try formerWatch().1
        try change(
            "UPDATE inbox SET payload = CAST('x' AS BLOB) WHERE ordinal = (SELECT max(ordinal) FROM inbox)",
            at: watchPath + "/watch.sqlite")
        try change(
            "UPDATE item SET checksum = 0 WHERE ordinal = (SELECT max(ordinal) FROM item)",
            at: watchPath + "/watch.sqlite")

        let store = try WatchStore(at: watchPath)

        let saved = try store.load().transfers.exchange
        let lastOrdinal = former.state.lastOrdinal
        for track in ItemTrack.allCases {
            let items = former.state.outboxes[track].items.filter { $0.ordinal != lastOrdinal }
            #expect(saved.outboxes[track] == ItemOutbox(items: items))
        }
        #expect(saved.inbox.items == former.state.inbox.items.dropLast())
        #expect(saved.budget == former.state.budget)
        #expect(store.setAside?.unreadableCount == 2)
    }

    private func change(_ sql: String, at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func isFormer(_ path: String) throws -> Bool {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { try ItemRenumbering.isToCome($0) }
    }

    // MARK: - Bounds

    @Test
    func `an item beyond the last number is refused, and nothing of its commit is kept`() throws {
        let store = try HubStore(at: path)
        let changes = [1, 1 << 42 - 1, 1 << 42].map { Exchange.Change.added(Self.item(ordinal: $0), .ordinary) }

        #expect(throws: StoreError.self) {
            try store.commit(.exchange(Exchange.Record(number: 1, changes: changes)), of: samplePeer(1))
        }
        #expect(try store.transfers(with: samplePeer(1)).exchange == Exchange.State())

        try store.commit(.exchange(Exchange.Record(number: 1, changes: changes.dropLast())), of: samplePeer(1))
        let kept = try store.transfers(with: samplePeer(1)).exchange.outboxes
        #expect(kept.ordinary.items.map(\.ordinal) == [1, 1 << 42 - 1])
        #expect(kept.urgent.items.isEmpty)
    }

    private static func item(ordinal: UInt64) -> Item {
        Item(ordinal: ordinal, id: RandomID(high: ~0, low: ordinal), payload: [1])
    }
}
