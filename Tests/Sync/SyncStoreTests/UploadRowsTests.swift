import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// What a hub keeps of its watches' uploads: as much of it as the ledger keeps, and as long.
@Suite
struct UploadRowsTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    /// A transaction that leads one revision further.
    private func next(_ state: LedgerState, _ change: (inout Transaction) -> Void) -> Transaction {
        var after = state.version
        after.revision += 1
        after.chain = after.revision
        var transaction = Transaction(
            before: state.version, after: after, stamp: Stamp(milliseconds: 0, counter: 0, node: 0))
        change(&transaction)
        return transaction
    }

    private func progress(
        _ watch: Int = 1, highest: UInt64, outcomes: [UploadOutcome] = [], rejected: [RejectedWrite] = []
    ) -> UploadProgress {
        UploadProgress(
            peer: samplePeer(watch), incarnation: RandomID(high: 0, low: 1), highest: highest, last: nil,
            firstPending: 1, outcomes: outcomes, taken: [RandomID(high: UInt64(watch), low: highest)],
            rejected: rejected)
    }

    private func rejected(_ numbers: Range<UInt64>) -> [RejectedWrite] {
        numbers.map { number in
            RejectedWrite(
                dot: RandomID(high: 7, low: number), base: number % 3 == 0 ? nil : RandomID(high: .max, low: number))
        }
    }

    private func conflict(_ number: UInt64) -> Conflict {
        let side = Conflict.Side(
            value: "lost \(number)", dot: RandomID(high: 3, low: number),
            stamp: Stamp(milliseconds: 0, counter: 0, node: 5), author: "a watch")
        return Conflict(
            id: side.dot, edit: side.dot,
            key: CellKey(kind: "thing", record: RandomID(high: 0, low: number), group: "name"), base: nil, loser: side,
            winner: nil, rule: .newest, place: Cell.Place(epoch: Epoch(number: 7), revision: 1))
    }

    private func logged(_ numbers: ClosedRange<UInt64>) -> SortedMap<RandomID, Conflict> {
        numbers.reduce(into: SortedMap()) { $0[conflict($1).id] = conflict($1) }
    }

    /// Commits a transaction to a store and to the state that it must hold, also after it was opened anew.
    private func commit(
        to store: HubStore, _ state: inout LedgerState, _ change: (inout Transaction) -> Void
    ) throws {
        let transaction = next(state, change)
        try store.commit(transaction)
        state.apply(transaction)
        store.close()
        #expect(try store.load() == state)
    }

    // MARK: - Bounds

    @Test
    func `as many rejected writes are remembered as the ledger remembers, whatever the numbering`() throws {
        // I7
        let store = try HubStore(at: path)
        var state = try store.load()
        for range in [0..<100, 100..<300, 300..<301, 301..<900] as [Range<UInt64>] {
            try commit(to: store, &state) { transaction in
                transaction.progress = progress(highest: range.upperBound, rejected: rejected(range))
                transaction.progress?.incarnation = RandomID(high: 0, low: range.lowerBound)
            }
        }
        try commit(to: store, &state) { $0.progress = progress(2, highest: 1, rejected: rejected(5..<6)) }

        #expect(state.uploads[samplePeer(1)]?.rejected == rejected(644..<900))
        #expect(state.uploads[samplePeer(2)]?.rejected == rejected(5..<6))
    }

    @Test
    func `as many outcomes are kept as the ledger keeps`() throws {
        // I7: the watch never says which outcomes it knows.
        let store = try HubStore(at: path)
        var state = try store.load()
        for range in [1...1000, 1001...1024, 1025...1025, 1026...2060] as [ClosedRange<UInt64>] {
            try commit(to: store, &state) { transaction in
                transaction.progress = progress(
                    highest: range.upperBound,
                    outcomes: range.map {
                        UploadOutcome(sequence: $0, id: RandomID(high: 1, low: $0), rule: .readOnly)
                    })
            }
        }

        #expect(state.uploads[samplePeer(1)]?.outcomes.count == UploadMark.outcomeCountMax)
    }

    // MARK: - Conflicts

    @Test
    func `a conflict's bringer is known as long as it is open`() throws {
        let store = try HubStore(at: path)
        var state = try store.load()
        try commit(to: store, &state) { transaction in
            transaction.progress = progress(1, highest: 1)
            transaction.logged = logged(1...4)
        }
        #expect(state.bringers.values == Array(repeating: samplePeer(1), count: 4))

        // Another watch brings one of them again, and the hub logs one itself.
        try commit(to: store, &state) { transaction in
            transaction.progress = progress(2, highest: 1)
            transaction.logged = logged(2...2)
        }
        try commit(to: store, &state) { $0.logged = logged(3...3) }
        try commit(to: store, &state) { $0.settled = [conflict(1).id, conflict(3).id] }

        #expect(state.bringers.keys == [conflict(2).id, conflict(4).id])
        #expect(state.bringers.values == [samplePeer(2), samplePeer(1)])
        #expect(state.conflicts.count == 2)
    }

    // MARK: - Watches that are gone

    @Test
    func `an unpaired watch's uploads are remembered, a released one's are forgotten`() throws {
        let store = try HubStore(at: path)
        var state = try store.load()
        for watch in 1...2 {
            try commit(to: store, &state) { transaction in
                transaction.progress = progress(
                    watch, highest: 3,
                    outcomes: [UploadOutcome(sequence: 3, id: RandomID(high: 1, low: 3), rule: .readOnly)],
                    rejected: rejected(1..<4))
            }
        }
        let item = Item(ordinal: 1, id: RandomID(high: 1, low: 1), payload: [1])
        try store.commit(
            .exchange(Exchange.Record(number: 1, changes: [.added(item, .ordinary)])), of: samplePeer(1))

        try commit(to: store, &state) { $0.forgotten = [samplePeer(1)] }
        #expect(state.uploads.count == 2)
        #expect(try store.transfers().isEmpty)

        try commit(to: store, &state) { $0.released = [samplePeer(1)] }
        #expect(state.uploads.keys == [samplePeer(2)])
        let owners = try store.file.read { database in
            try ["upload", "outcome", "rejected"].map {
                try String.fetchAll(database, sql: "SELECT DISTINCT watch FROM \($0)")
            } + [String.fetchAll(database, sql: "SELECT DISTINCT owner FROM seen")]
        }
        #expect(owners == Array(repeating: [samplePeer(2).hexadecimal], count: 4))
    }

    // MARK: - The version before

    /// A store of that version with a conflict, a watch's uploads and an item for it; gives what it holds.
    private func createSecondVersion() throws -> LedgerState {
        var state = LedgerState(newEpoch: Epoch(number: 7))
        state.version.revision = 1
        state.version.chain = 9
        state.chain[0] = nil
        state.chain[1] = 9
        state.conflicts[conflict(1).id] = conflict(1)
        let outcome = UploadOutcome(sequence: 4, id: RandomID(high: 8, low: 4), rule: .readOnly)
        let taken = RandomID(high: 3, low: 1)
        state.uploads[samplePeer(1)] = UploadMark(
            incarnation: RandomID(high: 0, low: 1), highest: 4, last: outcome.id, outcomes: [outcome],
            taken: RecentIDs([taken]))
        let watch = samplePeer(1).hexadecimal
        try SecondVersionHub.create(at: path + "/hub.sqlite") { database in
            try database.put(["0000000000000001", "0000000000000009"], into: "chain")
            var contents = try database.put(
                [conflict(1).id.hexadecimal, Data(conflict(1).json.encoded)], into: "conflict")
            contents &+= try database.put(
                [watch, RandomID(high: 0, low: 1).hexadecimal, "0000000000000004", outcome.id.hexadecimal],
                into: "upload")
            contents &+= try database.put([watch, "0000000000000004", Data(outcome.json.encoded)], into: "outcome")
            contents &+= try database.put([watch, 1, taken.hexadecimal], into: "seen")
            try database.put(
                [1, "0000000000000007", "0000000000000001", "0000000000000009", nil, nil, nil, contents],
                into: "head")
            try database.put([watch, nil, 0, "0000000000000005", 3, 0, 0], into: "exchange")
        }
        return state
    }

    @Test
    func `a store of the version before keeps all that it held, and its old conflicts have no bringer`() throws {
        do { _ = try StateFolder(path: path) }
        var state = try createSecondVersion()

        let store = try HubStore(at: path)

        #expect(try store.load() == state)
        #expect(state.bringers.isEmpty && state.conflicts.count == 1)
        #expect(try store.transfers(with: samplePeer(1)).files.lastNumber == 5)
        try commit(to: store, &state) { transaction in
            transaction.progress = progress(1, highest: 5, rejected: rejected(1..<3))
            transaction.logged = logged(2...2)
        }
        #expect(state.bringers.keys == [conflict(2).id])
        try commit(to: store, &state) { $0.settled = [conflict(1).id, conflict(2).id] }
        var history = SampleHistory(state)
        for _ in 0..<40 { try store.commit(history.next()) }
        store.close()
        #expect(try store.load() == history.ledger.state)
    }
}
