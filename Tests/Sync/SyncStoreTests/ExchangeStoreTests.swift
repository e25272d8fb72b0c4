import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// The transfers of two devices are stored row by row, and the rows always match the states of the exchanges.
@Suite
struct ExchangeStoreTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    // MARK: - Convergence

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `store and exchange agree on user info through a long life`(seed: UInt64) throws {
        let store = try HubStore(at: path)
        let watch = try WatchStore(at: place.path("watch"))
        try store.file.withoutWaitingForTheDisk()
        try watch.file.withoutWaitingForTheDisk()
        var sample = SampleItems(seed: seed)

        for count in 1...400 as ClosedRange<UInt64> {
            let wrapped = TransferRecord.exchange(Exchange.Record(number: count, changes: sample.next()))
            try store.commit([wrapped], of: samplePeer(1))
            try watch.write(.transfer(wrapped))
            if count % 40 == 0 {
                #expect(try store.transfers(with: samplePeer(1)).exchange == sample.state)
                #expect(try watch.load().transfers.exchange == sample.state)
            }
        }

        store.close()
        watch.close()
        #expect(try store.transfers(with: samplePeer(1)).exchange == sample.state)
        #expect(try watch.load().transfers.exchange == sample.state)
        #expect(try store.transfers(with: samplePeer(2)).exchange == Exchange.State())
        #expect(!sample.state.inbox.items.isEmpty && !sample.state.outboxes.ordinary.items.isEmpty)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `store and exchange agree on files through a long life`(seed: UInt64) throws {
        let store = try HubStore(at: path)
        let watch = try WatchStore(at: place.path("watch"))
        try store.file.withoutWaitingForTheDisk()
        try watch.file.withoutWaitingForTheDisk()
        var sample = SampleFiles(seed: seed)

        for count in 1...400 {
            let wrapped = TransferRecord.files(sample.next())
            try store.commit([wrapped], of: samplePeer(1))
            try watch.write(.transfer(wrapped))
            if count % 40 == 0 {
                #expect(try store.transfers(with: samplePeer(1)).files == sample.state)
                #expect(try watch.load().transfers.files == sample.state)
            }
        }

        store.close()
        #expect(try store.transfers(with: samplePeer(1)).files == sample.state)
        #expect(try store.transfers(with: samplePeer(1)).exchange == Exchange.State())
        #expect(!sample.state.finished.isEmpty && sample.state.lastNumber > 50)
    }

    @Test
    func `as many arrivals are remembered as the exchange remembers`() throws {
        let store = try HubStore(at: path)
        var state = Exchange.State()
        let changes = (1...UInt64(ItemInbox.recentCountMax) + 3).flatMap { number -> [Exchange.Change] in
            let id = RandomID(high: 1, low: number)
            let position = ItemPosition(stream: RandomID(high: 0, low: 1), highest: number, lastID: id)
            return [.received(ReceivedItem(id: id, payload: [1], isUrgent: false), position), .consumed(id)]
        }
        let record = Exchange.Record(number: 1, changes: changes)

        try store.commit([.exchange(record)], of: samplePeer(1))

        state.apply(record)
        #expect(try store.transfers(with: samplePeer(1)).exchange == state)
        let rowCount = try store.file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM arrival") }
        #expect(rowCount == ItemInbox.recentCountMax)
    }

    @Test
    func `each watch has its own, and a transaction that forgets it forgets it alone`() throws {
        let store = try HubStore(at: path)
        var samples = [SampleItems(seed: 1), SampleItems(seed: 2)]
        var files = SampleFiles(seed: 3)
        for number in 1...30 as ClosedRange<UInt64> {
            for index in samples.indices {
                try store.commit(
                    [.exchange(Exchange.Record(number: number, changes: samples[index].next()))],
                    of: samplePeer(index + 1))
            }
            try store.commit([.files(files.next())], of: samplePeer(1))
        }
        #expect(try Set(store.transfers().keys) == [samplePeer(1), samplePeer(2)])

        let before = try store.load().version
        try store.commit(
            Transaction(
                before: before, after: Version(epoch: before.epoch, revision: 1, chain: 1),
                stamp: Stamp(milliseconds: 0, counter: 0, node: 0), forgotten: [samplePeer(1)]))

        #expect(try Array(store.transfers().keys) == [samplePeer(2)])
        #expect(try store.transfers(with: samplePeer(1)).exchange == Exchange.State())
        #expect(try store.transfers(with: samplePeer(1)).files == FileExchange.State())
        #expect(try store.transfers(with: samplePeer(2)).exchange == samples[1].state)
    }

    // MARK: - Damage

    @Test
    func `what waits in a watch's damaged store is saved, under no numbering`() throws {
        let path = place.path("watch")
        var items = SampleItems(seed: 5)
        var files = SampleFiles(seed: 5)
        do {
            let store = try WatchStore(at: path)
            for number in 1...60 as ClosedRange<UInt64> {
                try store.write([.exchange(Exchange.Record(number: number, changes: items.next()))])
                try store.write([.files(files.next())])
            }
            while !files.isFull { try store.write([.files(files.next())]) }
            try store.write(registerRecord(Register(key: "a", order: 1, value: [1])))
            try store.file.write { database in
                try database.execute(
                    sql: """
                        UPDATE register SET record = x'00';
                        DELETE FROM inbox WHERE key = (SELECT max(key) FROM inbox);
                        """)
            }
        }

        let store = try WatchStore(at: path)

        let setAside = try #require(store.setAside)
        let saved = try store.load().transfers
        #expect(setAside.unreadableCount == 1)
        #expect(saved.exchange.outboxes.ordinary == ItemOutbox(items: items.state.outboxes.ordinary.items))
        #expect(saved.exchange.outboxes.urgent == ItemOutbox(items: items.state.outboxes.urgent.items))
        #expect(saved.exchange.inbox.items == items.state.inbox.items.dropLast())
        #expect(saved.exchange.inbox.recent == items.state.inbox.recent)
        #expect(saved.exchange.inbox.positions == items.state.inbox.positions)
        #expect(saved.exchange.budget == items.state.budget)
        var expected = files.state
        expected.incoming = nil
        #expect(saved.files == expected)
        #expect(
            setAside.savedItemCount == saved.exchange.outboxes.urgent.items.count
                + saved.exchange.outboxes.ordinary.items.count + saved.exchange.inbox.items.count)
        #expect(setAside.savedFileCount == files.state.queue.count + files.state.received.count)
    }

    private static let itemTables = [
        ExchangeTables.tracks, ExchangeTables.items, ExchangeTables.positions, ExchangeTables.inbox,
        ExchangeTables.arrivals,
    ]
    private static let fileTables = [
        ExchangeTables.outgoing, ExchangeTables.results, ExchangeTables.incoming, ExchangeTables.delivered,
        ExchangeTables.finished,
    ]

    @Test(arguments: (itemTables + [ExchangeTables.heads]).flatMap(\.tampering))
    func `rows of items that are not those that were written are refused`(sql: String) throws {
        let store = try HubStore(at: path)
        var sample = SampleItems(seed: 4)
        for number in 1...60 as ClosedRange<UInt64> {
            try store.commit([.exchange(Exchange.Record(number: number, changes: sample.next()))], of: samplePeer(1))
        }

        try store.file.write { try $0.execute(sql: sql) }

        #expect(throws: StoreError.self) { try store.transfers() }
    }

    @Test(arguments: fileTables.flatMap(\.tampering))
    func `rows of files that are not those that were written are refused`(sql: String) throws {
        let store = try HubStore(at: path)
        var sample = SampleFiles(seed: 4)
        while sample.count < 60 || !sample.isFull { try store.commit([.files(sample.next())], of: samplePeer(1)) }

        try store.file.write { try $0.execute(sql: sql) }

        #expect(throws: StoreError.self) { try store.transfers() }
    }

    @Test(arguments: (itemTables + fileTables + [ExchangeTables.heads]).map(\.name))
    func `rows of an older state are refused`(table: String) throws {
        let store = try HubStore(at: path)
        var (items, files) = (SampleItems(seed: 4), SampleFiles(seed: 4))
        func commit() throws {
            try store.commit([.exchange(Exchange.Record(number: 1, changes: items.next()))], of: samplePeer(1))
            try store.commit([.files(files.next())], of: samplePeer(1))
        }
        while files.count < 60 || !files.isFull { try commit() }
        let older = place.path("older.sqlite")
        try store.backUp(to: older)
        for _ in 0..<60 { try commit() }
        while !files.isFull { try commit() }
        let state = try store.transfers(with: samplePeer(1))
        store.close()

        let queue = try DatabaseQueue(path: store.path)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql:
                    "ATTACH '\(older)' AS older; DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM older.\(table)"
            )
        }
        try queue.close()

        #expect(throws: StoreError.self) { try store.transfers(with: samplePeer(1)) }
        #expect(state.exchange == items.state && state.files == files.state)
    }

    @Test
    func `a watch whose head is missing is noticed among others`() throws {
        let store = try HubStore(at: path)
        var sample = SampleItems(seed: 1)
        for number in 1...3 {
            try store.commit([.exchange(Exchange.Record(number: 1, changes: sample.next()))], of: samplePeer(number))
        }
        try store.file.write { database in
            try database.execute(sql: "DELETE FROM exchange WHERE key = ?", arguments: [Data(samplePeer(2).bytes)])
        }

        #expect(throws: StoreError.self) { try store.transfers() }
        #expect(throws: StoreError.self) { try store.transfers(with: samplePeer(2)) }
        store.close()
        #expect(throws: StoreError.self) {
            try store.commit([.exchange(Exchange.Record(number: 1, changes: sample.next()))], of: samplePeer(2))
        }
    }

    // MARK: - Limits

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

    @Test
    func `an item that is written twice is refused, and nothing of its commit is kept`() throws {
        let store = try HubStore(at: path)
        let change = Exchange.Change.added(Self.item(ordinal: 1), .ordinary)
        try store.commit(.exchange(Exchange.Record(number: 1, changes: [change])), of: samplePeer(1))
        let stored = try store.transfers(with: samplePeer(1))

        #expect(throws: StoreError.self) {
            try store.commit(.exchange(Exchange.Record(number: 2, changes: [change])), of: samplePeer(1))
        }

        #expect(try store.transfers(with: samplePeer(1)) == stored)
    }

    private static func item(ordinal: UInt64) -> Item {
        Item(ordinal: ordinal, id: RandomID(high: ~0, low: ordinal), payload: [1])
    }
}
