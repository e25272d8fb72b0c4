import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite
struct HubStoreTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    @Test
    func `a new store holds revision 0 of the epoch that it was given, for good`() throws {
        do {
            let store = try HubStore(at: path, firstEpoch: .max)
            #expect(try store.load() == LedgerState(newEpoch: Epoch(number: .max)))
        }

        let store = try HubStore(at: path, firstEpoch: 2)

        #expect(try store.load() == LedgerState(newEpoch: Epoch(number: .max)))
    }

    @Test
    func `a commit is there after the store is opened anew`() throws {
        var history = SampleHistory()
        do {
            let store = try HubStore(at: path)
            for _ in 0..<20 { try store.commit(history.next()) }
            try store.commit(history.fork())
            for _ in 0..<20 { try store.commit(history.next()) }
            #expect(try store.load() == history.ledger.state)
        }

        let reopened = try HubStore(at: path)

        #expect(try reopened.load() == history.ledger.state)
    }

    @Test
    func `ledger and store agree through a long history with forks`() throws {
        let store = try HubStore(at: path)
        try store.file.withoutWaitingForTheDisk()
        var history = SampleHistory()

        for count in 1...600 {
            try store.commit(count % 200 == 150 ? history.fork() : history.next())
            if count % 100 == 0 { #expect(try store.load() == history.ledger.state) }
        }

        #expect(history.ledger.state.lineage.count == 3)
        // The history has rows in each table.
        #expect(!history.ledger.state.bringers.isEmpty)
        #expect(history.ledger.state.uploads.values.contains { mark in mark.rejected.contains { $0.base == nil } })
        #expect(history.ledger.state.uploads.values.contains { mark in mark.rejected.contains { $0.base != nil } })
    }

    @Test
    func `the chain keeps as many digests as the ledger does`() throws {
        let store = try HubStore(at: path)
        var state = try store.load()
        for revision in 1..<UInt64(LedgerState.chainCountMax) {
            state.chain[revision] = revision
            state.version = Version(epoch: state.version.epoch, revision: revision, chain: revision)
        }
        try store.file.write { database in
            try database.execute(sql: "DELETE FROM chain")
            try LedgerRows.fill(with: state, database)
        }
        var history = SampleHistory(state)
        #expect(try store.load() == state)

        for _ in 0..<3 {
            try store.commit(history.next())
            #expect(try store.load() == history.ledger.state)
        }
        #expect(history.ledger.state.chain.count == LedgerState.chainCountMax)
    }

    @Test
    func `as many ids are remembered as the ledger remembers, and one more is one more row`() throws {
        let store = try HubStore(at: path)
        var state = try store.load()
        func take(_ ids: Range<UInt64>) throws {
            let progress = UploadProgress(
                peer: samplePeer(1), incarnation: RandomID(high: 0, low: 1), highest: ids.upperBound, last: nil,
                firstPending: 1, outcomes: [], taken: ids.map { RandomID(high: 0, low: $0) })
            var after = state.version
            after.revision += 1
            let transaction = Transaction(
                before: state.version, after: after, stamp: Stamp(milliseconds: 0, counter: 0, node: 0),
                progress: progress)
            try store.commit(transaction)
            state.apply(transaction)
            #expect(try store.load() == state)
        }

        // Each range begins with known ids; the third one removes the oldest.
        for start in stride(from: 0, to: 6000, by: 1900) as StrideTo<UInt64> { try take(start..<start + 2000) }
        let before = try store.file.read { $0.totalChangesCount }
        try take(9000..<9001)

        // The id, the mark, the digest, the log and the head.
        #expect(try store.file.read { $0.totalChangesCount } - before <= 8)
        #expect(state.uploads[samplePeer(1)]?.taken.contains(RandomID(high: 0, low: 0)) == false)
    }

    @Test
    func `as many left epochs are remembered as the ledger remembers`() throws {
        let store = try HubStore(at: path)
        try store.file.withoutWaitingForTheDisk()
        var history = SampleHistory()

        for _ in 0..<LedgerState.lineageCountMax + 3 { try store.commit(history.fork()) }

        #expect(try store.load() == history.ledger.state)
        #expect(history.ledger.state.lineage.count == LedgerState.lineageCountMax)
    }

    @Test
    func `the log names authors from the first one on, and has no column for them before`() throws {
        var history = SampleHistory()
        do {
            let store = try HubStore(at: path)
            try store.commit(history.next())
            #expect(try !store.file.read { try $0.columns(in: "log").contains { $0.name == "author" } })
            #expect(try store.loggedTransactions(last: 9).map(\.author) == [nil])
            var named = history.next()
            named.author = "somebody"
            try store.commit(named)
            try store.commit(history.next())
        }

        let reopened = try HubStore(at: path)

        #expect(try reopened.loggedTransactions(last: 9).map(\.author) == [nil, "somebody", nil])
        #expect(try reopened.load() == history.ledger.state)
    }

    @Test
    func `every field survives at its extremes`() throws {
        let store = try HubStore(at: path, firstEpoch: 0)
        let stamps = [
            Stamp(milliseconds: .min, counter: 0, node: .max), Stamp(milliseconds: .max, counter: .max, node: 0),
            Stamp(milliseconds: -1, counter: 1, node: 1 << 63), Stamp(milliseconds: 0, counter: 0, node: 0),
        ]
        var written = SortedMap<CellKey, Cell>()
        for (number, text) in difficultTexts.enumerated() {
            let place = Cell.Place(epoch: Epoch(number: .max), revision: .max - UInt64(number))
            let name = text.isEmpty || text.utf8.count > 64 ? "k" : text
            written[CellKey(kind: name, record: RandomID(high: .max, low: UInt64(number)), group: name)] = Cell(
                value: number == 3 ? nil : text, dot: RandomID(high: 1 << 63, low: .max), stamp: stamps[number % 4],
                written: place, created: Cell.Place(epoch: Epoch(number: 0), revision: 0))
        }
        let before = try store.load().version
        let after = Version(epoch: before.epoch, revision: 1, chain: .max)
        try store.commit(
            Transaction(before: before, after: after, stamp: stamps[0], written: written, removed: []))
        let last = Version(epoch: Epoch(number: .max), revision: .max, chain: 1 << 63)
        try store.commit(
            Transaction(before: after, after: last, stamp: stamps[1], written: SortedMap(), removed: []))
        store.close()

        let state = try store.load()

        #expect(state.version == last)
        #expect(state.cells == written)
        // Strings are equal if they look the same; these must have the same bytes.
        #expect(
            state.cells.values.map { $0.value.map { Array($0.utf8) } }
                == written.values.map { $0.value.map { Array($0.utf8) } })
        #expect(state.lastStamp == stamps[1])
        #expect(state.chain.pairs.map(\.key) == [.max])
        #expect(state.lineage[Epoch(number: 0)] == 1)
        #expect(try store.loggedTransactions(last: 2)[0].changes.map(\.value) == written.values.map(\.value))
    }

    @Test
    func `a transaction for another version is refused and changes nothing`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        let first = history.next()
        let second = history.next()

        #expect(
            throws: StoreError.unexpectedVersion(
                path: path + "/hub.sqlite", stored: first.before, expected: second.before)
        ) { try store.commit(second) }
        try store.commit(first)
        #expect(
            throws: StoreError.unexpectedVersion(
                path: path + "/hub.sqlite", stored: first.after, expected: first.before)
        ) { try store.commit(first) }
        try store.commit(second)

        #expect(try store.load() == history.ledger.state)
        #expect(try store.loggedTransactions(last: 9).count == 2)
    }

    @Test
    func `a group is what its transactions are one after the other`() throws {
        // I17
        let store = try HubStore(at: path)
        var history = SampleHistory()
        for count in [1, 2, 5, 64, 3] {
            try store.commit((0..<count).map { _ in history.next() })
            #expect(try store.load() == history.ledger.state)
        }
        store.close()
        #expect(try store.load() == history.ledger.state)
        #expect(try store.loggedTransactions(last: 99).count == 75)
        #expect(VersionGuard(besides: path) { ContinuousClock.now }.read() == history.ledger.version)
    }

    @Test
    func `a group of which one transaction does not follow leaves nothing of any`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        let first = history.next()
        try store.commit(first)
        let state = try store.load()
        let group = [history.next(), history.next(), history.next()]
        #expect(
            throws: StoreError.unexpectedVersion(
                path: path + "/hub.sqlite", stored: group[0].after, expected: group[2].before)
        ) { try store.commit([group[0], group[2]]) }
        #expect(try store.load() == state)
        #expect(try store.loggedTransactions(last: 9).count == 1)
        try store.commit(group)
        #expect(try store.load() == history.ledger.state)
    }

    @Test
    func `the same revision with another content is another version`() throws {
        let store = try HubStore(at: path)
        var transaction = SampleHistory().ledgerTransaction
        transaction.before.chain = 1

        #expect(throws: StoreError.self) { try store.commit(transaction) }
    }

    @Test
    func `the store keeps its folder held`() throws {
        var store: HubStore? = try HubStore(at: path)

        #expect(throws: FolderError.self) { try StateFolder(path: path) }
        #expect(try store?.load().version.revision == 0)
        store = nil

        _ = try StateFolder(path: path)
    }

    @Test
    func `its files are for their owner only`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        try store.commit(history.next())

        for name in try names(in: path) {
            #expect(try permissions(path + "/" + name) == 0o600, "\(name)")
        }
        #expect(try names(in: path).contains("hub.sqlite-wal"))
    }

    @Test
    func `a new file is complete when it gets its name`() throws {
        let folder = try StateFolder(path: path)

        try DatabaseFile.create(.hub(firstEpoch: Epoch(number: 1)), in: folder)

        #expect(try names(in: path) == ["hub.sqlite", "lock"])
        // Read and write version 2: the file is in WAL mode from its creation on.
        #expect(contents(path + "/hub.sqlite")?[18..<20] == Data([2, 2]))
    }

    @Test
    func `a commit waits for the disk`() throws {
        let store = try HubStore(at: path)

        for _ in 0..<2 {
            let settings = try ["journal_mode", "synchronous", "foreign_keys"].map { name in
                try store.file.read { try String.fetchOne($0, sql: "PRAGMA \(name)") }
            }
            #expect(settings == ["wal", "2", "1"])
            store.close()
        }
    }

    @Test
    func `a file that somebody else locks is named`() throws {
        let store = try HubStore(at: path)
        try store.file.write { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        let stranger = try DatabaseQueue(path: path + "/hub.sqlite")
        var history = SampleHistory()
        let transaction = history.next()

        try stranger.inTransaction(.immediate) { _ in
            #expect(throws: StoreError.locked(path: path + "/hub.sqlite")) { try store.commit(transaction) }
            return .rollback
        }

        try store.commit(transaction)
        #expect(try store.load() == history.ledger.state)
    }

    // MARK: - Commits that failed late

    @Test
    func `a commit that the disk reported as failed counts if it is there`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        let transaction = history.next()
        try store.commit(transaction)

        try store.settle(transaction, after: .diskFailed(path: path, reason: "fsync"))
        try store.commit(history.next())

        #expect(try store.load() == history.ledger.state)
    }

    @Test
    func `a commit that the disk reported as failed stays failed if it is not there`() throws {
        let store = try HubStore(at: path)
        let failure = StoreError.diskFailed(path: path, reason: "fsync")
        var history = SampleHistory()
        let transaction = history.next()

        #expect(throws: failure) { try store.settle(transaction, after: failure) }
        try store.commit(transaction)

        #expect(try store.load() == history.ledger.state)
    }

    @Test
    func `a commit that failed for another reason stays failed`() throws {
        let store = try HubStore(at: path)
        var history = SampleHistory()
        let transaction = history.next()
        try store.commit(transaction)

        #expect(throws: StoreError.full(path: path)) { try store.settle(transaction, after: .full(path: path)) }
    }
}

extension SampleHistory {
    /// The first transaction of a history.
    var ledgerTransaction: Transaction {
        var history = self
        return history.next()
    }
}
