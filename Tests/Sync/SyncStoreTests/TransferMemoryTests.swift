import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// A commit continues from the memory of the last one, without reading.
///
/// After any other change, the rows are read again.
@Suite(.longWork)
struct TransferMemoryTests {
    private let place: TemporaryFolder
    private let store: HubStore
    private let peer = samplePeer(1)

    init() throws {
        place = try TemporaryFolder()
        store = try HubStore(at: place.path("state"))
    }

    private func record(_ changes: [Exchange.Change]) -> TransferRecord {
        .exchange(Exchange.Record(number: 1, changes: changes))
    }

    private func added(_ ordinal: UInt64) -> Exchange.Change {
        .added(Item(ordinal: ordinal, id: RandomID(high: 1, low: ordinal), payload: [1, 2]), .ordinary)
    }

    private func received(_ number: UInt64) -> Exchange.Change {
        let id = RandomID(high: 2, low: number)
        return .received(
            ReceivedItem(id: id, payload: [3], isUrgent: false),
            ItemPosition(stream: RandomID(high: 0, low: 1), highest: number, lastID: id))
    }

    @Test
    func `many changes of a track are one row of it, with the last word`() throws {
        var state = Exchange.State()
        let changes = (1...50).flatMap { [added($0), received($0)] } + [.released(.ordinary, through: 50)]
        for number in 1...2 as ClosedRange<UInt64> {
            let record = Exchange.Record(
                number: number, changes: number == 1 ? changes : [.acknowledged(.ordinary, through: 30)])
            state.apply(record)
            try store.commit(.exchange(record), of: peer)
        }

        #expect(try store.transfers(with: peer).exchange == state)
        let counts = try store.file.read { database in
            try ["track", "position", "item", "inbox"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
        #expect(counts == [1, 1, 20, 50])
    }

    /// The rows of a table are not written immediately; a read within the commit must find them.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `changes of one commit see each other's rows`(seed: UInt64) throws {
        var samples = SampleItems(seed: seed)
        for _ in 0..<3 {
            let changes = (0..<150).flatMap { _ in samples.next() }
            try store.commit(record(changes), of: peer)
            #expect(try store.transfers(with: peer).exchange == samples.state)
        }
    }

    /// After that, the state of the last commit is read again.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a store that was closed goes on from its rows, and remembers them rightly`(seed: UInt64) throws {
        try store.file.withoutWaitingForTheDisk()
        var samples = SampleItems(seed: seed)
        for number in 0..<120 {
            if number % 3 == 0 { store.close() }
            try store.commit(record(samples.next() + samples.next()), of: peer)
            #expect(try store.transfers(with: peer).exchange == samples.state)
        }
    }

    @Test
    func `large items of one commit do not wait for each other`() throws {
        let items = (1...5 as ClosedRange<UInt64>).map { number -> Exchange.Change in
            let payload = [UInt8](repeating: UInt8(number), count: number % 2 == 0 ? 0 : 65_536)
            return .added(Item(ordinal: number, id: RandomID(high: 1, low: number), payload: payload), .ordinary)
        }
        var state = Exchange.State()
        state.apply(Exchange.Record(number: 1, changes: items))

        try store.commit(record(items), of: peer)

        #expect(try store.transfers(with: peer).exchange == state)
    }

    @Test
    func `after a commit that failed the next one goes on from what is stored`() throws {
        try store.commit(record([added(1), received(1)]), of: peer)
        let stored = try store.transfers(with: peer)
        try store.file.write { database in
            try database.execute(
                sql: "CREATE TRIGGER broken BEFORE INSERT ON arrival BEGIN SELECT RAISE(ABORT, 'broken'); END")
        }
        #expect(throws: StoreError.self) { try store.commit(record([added(2), received(2)]), of: peer) }
        #expect(try store.transfers(with: peer) == stored)
        try store.file.write { try $0.execute(sql: "DROP TRIGGER broken") }

        try store.commit(record([added(2), received(2)]), of: peer)

        var expected = stored.exchange
        expected.apply(Exchange.Record(number: 1, changes: [added(2), received(2)]))
        #expect(try store.transfers(with: peer).exchange == expected)
    }

    @Test
    func `after a commit that failed late but counts the next one goes on from it`() throws {
        try store.commit(record([added(1), received(1)]), of: peer)
        try store.transferWriter.commit([record([added(2), received(2)])], of: peer.bytes) {
            work throws(StoreError) in
            try store.file.write(work)
            throw .diskFailed(path: store.path, reason: "fsync")
        }

        try store.commit(record([added(3), received(3)]), of: peer)

        var expected = Exchange.State()
        for number in 1...3 as ClosedRange<UInt64> {
            expected.apply(Exchange.Record(number: number, changes: [added(number), received(number)]))
        }
        #expect(try store.transfers(with: peer).exchange == expected)
    }

    @Test func `a watch that was forgotten begins anew`() throws {
        try store.commit(record([added(1), received(1)]), of: peer)
        let before = try store.load().version
        try store.commit(
            Transaction(
                before: before, after: Version(epoch: before.epoch, revision: 1, chain: 1),
                stamp: Stamp(milliseconds: 0, counter: 0, node: 0), forgotten: [peer]))

        try store.commit(record([added(7)]), of: peer)

        var expected = Exchange.State()
        expected.apply(Exchange.Record(number: 1, changes: [added(7)]))
        #expect(try store.transfers(with: peer).exchange == expected)
    }

    /// The stores whose files can be restored while they are closed.
    enum Kind: CaseIterable {
        case hub
        case watch
    }

    @Test(arguments: Kind.allCases)
    func `a store that was closed goes on from what its file holds then`(kind: Kind) throws {
        let path = place.path("copied")
        let hub = kind == .hub ? try HubStore(at: path) : nil
        let watch = kind == .watch ? try WatchStore(at: path) : nil
        func commit(_ changes: [Exchange.Change]) throws {
            try hub?.commit(record(changes), of: peer)
            try watch?.write([record(changes)])
        }
        func close() {
            hub?.close()
            watch?.close()
        }
        let file = try #require(hub?.path ?? watch?.path)
        try commit([added(1), received(1)])
        close()
        let copy = try #require(contents(file))
        try commit([added(2), received(2), .acknowledged(.ordinary, through: 1)])
        close()
        try write(copy, to: file)

        try commit([added(3), received(3)])

        var expected = Exchange.State()
        expected.apply(Exchange.Record(number: 1, changes: [added(1), received(1), added(3), received(3)]))
        let stored = try hub?.transfers(with: peer) ?? watch?.load().transfers
        #expect(stored?.exchange == expected)
    }

    @Test
    func `a disk that fails within a commit leaves what was committed, and the next one goes on from it`() async throws
    {
        let path = place.path("failing")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try HubStore(at: path)
            let peer = samplePeer(1)
            var items = SampleItems(seed: 3)
            var failureCount = 0
            for byteCount in stride(from: 100_000, to: 300_000, by: 50_021) as StrideTo<UInt> {
                // The limit is in the middle of a page of the journal.
                limitFileSize(to: byteCount)
                var failed: TransferRecord?
                while failed == nil {
                    let before = items
                    let next = TransferRecord.exchange(Exchange.Record(number: 1, changes: items.next()))
                    do throws(StoreError) {
                        try store.commit(next, of: peer)
                    } catch {
                        guard case .diskFailed = error else { throw error }
                        #expect(try store.transfers(with: peer).exchange == before.state)
                        failed = next
                    }
                }
                limitFileSize(to: UInt(UInt32.max))
                failureCount += 1
                if let failed { try store.commit(failed, of: peer) }
                #expect(try store.transfers(with: peer).exchange == items.state)
            }
            #expect(failureCount == 4)
        }
    }

    @Test
    func `more watches than are remembered at once all keep what is theirs`() throws {
        try store.file.withoutWaitingForTheDisk()
        let peers = (0..<300).compactMap { number in
            PeerKey(bytes: [UInt8(number / 256), UInt8(number % 256)] + [UInt8](repeating: 9, count: 30))
        }
        for round in 1...2 as ClosedRange<UInt64> {
            for peer in peers { try store.commit(record([added(round)]), of: peer) }
        }

        let counts = try store.transfers().values.map(\.exchange.outboxes.ordinary.items.count)
        #expect(counts == Array(repeating: 2, count: 300))
    }
}
