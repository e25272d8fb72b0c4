import Testing

@testable import SyncCore

@Suite struct LedgerTests {
    private var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
    private var generator = SplitMix64(seed: 1)

    private mutating func commit(_ changes: [CellChange]) -> Transaction {
        let transaction = ledger.prepare(changes, schema: schema, wallMilliseconds: 1, generator: &generator)
        ledger.apply(transaction)
        return transaction
    }

    @Test mutating func `preparing changes nothing, applying does`() {
        let change = CellChange(key: note(1), value: "a")
        let transaction = ledger.prepare([change], schema: schema, wallMilliseconds: 1, generator: &generator)
        #expect(ledger.version.revision == 0)
        ledger.apply(transaction)
        #expect(ledger.version == transaction.after)
        #expect(ledger.snapshot(schema).cells[note(1)]?.value == "a")
    }

    @Test mutating func `each write has an identity of its own, and a cell keeps its creation`() throws {
        let first = try #require(commit([CellChange(key: note(1), value: "a")]).written[note(1)])
        let second = try #require(commit([CellChange(key: note(1), value: "b")]).written[note(1)])
        #expect(first.dot != second.dot)
        #expect(second.created == first.created)
        #expect(second.written.revision == 2)
        #expect(second.stamp > first.stamp)
    }

    @Test mutating func `what changes nothing is left out, and the last change of a cell counts`() {
        _ = commit([CellChange(key: note(1), value: "a")])
        let transaction = commit([
            CellChange(key: note(1), value: "a"), CellChange(key: note(2), value: "x"),
            CellChange(key: note(2), value: "y"), CellChange(key: note(3), value: nil),
        ])
        #expect(transaction.written.keys == [note(2)])
        #expect(transaction.written[note(2)]?.value == "y")
    }

    @Test mutating func `a deleted cell leaves a mark where watches saw it, and nothing where they did not`() {
        _ = commit([CellChange(key: note(1), value: "a"), CellChange(key: secret(1), value: "s")])
        let transaction = commit([CellChange(key: note(1), value: nil), CellChange(key: secret(1), value: nil)])
        #expect(transaction.written.keys == [note(1)])
        #expect(transaction.removed == [secret(1)])
        #expect(ledger.state.cells.keys == [note(1)])
        #expect(ledger.snapshot(schema).cells.isEmpty)
    }

    @Test mutating func `watches never see what is not projected`() {
        _ = commit([CellChange(key: note(1), value: "a"), CellChange(key: secret(1), value: "s")])
        #expect(ledger.snapshot(schema).cells.keys == [note(1)])
    }

    @Test mutating func `a watch that knows more contradicts the history`() {
        let first = commit([CellChange(key: note(1), value: "a")]).after
        let second = commit([CellChange(key: note(1), value: "b")]).after
        #expect(!ledger.isContradicted(by: first))
        #expect(!ledger.isContradicted(by: second))
        #expect(ledger.isContradicted(by: version(3)))
        var other = first
        other.chain ^= 1
        #expect(ledger.isContradicted(by: other))
        #expect(ledger.isContradicted(by: version(1, epoch: 77)))
    }

    @Test mutating func `a fork begins a new epoch that remembers the old one`() {
        let before = commit([CellChange(key: note(1), value: "a")]).after
        let fork = ledger.prepareFork(generator: &generator)
        ledger.apply(fork)
        #expect(fork.forks)
        #expect(ledger.version.epoch != before.epoch)
        #expect(ledger.version.revision == before.revision + 1)
        #expect(!ledger.isContradicted(by: before))
        #expect(ledger.snapshot(schema).cells[note(1)]?.value == "a")
    }

    @Test mutating func `two histories of the same length have different chains`() {
        var other = self
        let mine = commit([CellChange(key: note(1), value: "a")]).after
        let theirs = other.commit([CellChange(key: note(1), value: "b")]).after
        #expect(mine.revision == theirs.revision)
        #expect(mine.chain != theirs.chain)
    }

    @Test mutating func `only the last digests are kept`() {
        for number in 0..<UInt64(LedgerState.chainCountMax + 5) {
            _ = commit([CellChange(key: note(1), value: "\(number)")])
        }
        #expect(ledger.state.chain.count == LedgerState.chainCountMax)
        #expect(!ledger.isContradicted(by: version(1, chain: 99)))
    }

    @Test mutating func `the epochs that were left are remembered up to a bound, the oldest go`() {
        let first = ledger.version.epoch
        for _ in 0..<LedgerState.lineageCountMax { ledger.apply(ledger.prepareFork(generator: &generator)) }
        #expect(ledger.state.lineage.count == LedgerState.lineageCountMax)
        #expect(ledger.knows(first))
        let second = ledger.state.lineage.pairs.filter { $0.key != first }.min { $0.value < $1.value }?.key
        ledger.apply(ledger.prepareFork(generator: &generator))
        #expect(ledger.state.lineage.count == LedgerState.lineageCountMax)
        #expect(!ledger.knows(first))
        #expect(second.map(ledger.knows) == true)
    }

    @Test mutating func `a fork keeps the digests of its own epoch only`() {
        let before = commit([CellChange(key: note(1), value: "a")]).after
        ledger.apply(ledger.prepareFork(generator: &generator))
        #expect(ledger.state.chain.keys == [before.revision + 1])
        #expect(ledger.state.lineage[before.epoch] == before.revision)
    }

    @Test func `the last ids are remembered, the oldest go a quarter at a time`() {
        let ids = (1...UInt64(RecentIDs.countMax * 5 / 4)).map { RandomID(high: 0, low: $0) }
        var recent = RecentIDs(ids)
        #expect(recent.ids.count == ids.count)
        recent.append([ids[0]])
        #expect(recent.ids.count == ids.count)
        recent.append([RandomID(high: 1, low: 1)])
        #expect(recent.ids.count == RecentIDs.countMax)
        #expect(!recent.contains(ids[0]))
        #expect(recent.contains(RandomID(high: 1, low: 1)))
        #expect(recent == RecentIDs(recent.ids))
    }

    @Test mutating func `the hub's own last writes are remembered`() {
        let first = commit([CellChange(key: note(1), value: "a")])
        _ = commit([CellChange(key: note(1), value: "b")])
        #expect(first.ownWrites.count == 1)
        #expect(ledger.state.written.ids.count == 2)
        #expect(first.ownWrites.allSatisfy(ledger.state.written.contains))
    }
}
