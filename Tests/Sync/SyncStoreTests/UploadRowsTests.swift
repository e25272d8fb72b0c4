import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// The rows of a hub about its watches' uploads: as many as the ledger keeps, and as long.
@Suite
struct UploadRowsTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    /// A transaction to the next revision.
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

    /// Commits a transaction to a store and to its expected state, and compares the two, also after reopening the
    /// store.
    private func commit(
        to store: HubStore, _ state: inout LedgerState, _ change: (inout Transaction) -> Void
    ) throws {
        let transaction = next(state, change)
        try store.commit(transaction)
        state.apply(transaction)
        store.close()
        #expect(try store.load() == state)
    }

    // MARK: - Limits

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
        // I7: the watch never says which outcomes it has received.
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

        // Another watch uploads one of them again, and the hub itself logs one.
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

    // MARK: - Removed watches

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
        let watches = try store.file.read { database in
            try [LedgerTables.uploads, LedgerTables.outcomes, LedgerTables.rejected, LedgerTables.taken].map { table in
                Set(try table.rows(nil, database).map { Array($0.key.bytes.prefix(32)) })
            }
        }
        #expect(watches == Array(repeating: [samplePeer(2).bytes], count: 4))
    }
}
