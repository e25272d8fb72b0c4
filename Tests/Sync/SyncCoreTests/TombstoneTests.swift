import Testing

@testable import SyncCore

/// Which tombstones a hub keeps, and how many of whom (ENGINE, The limits).
@Suite struct TombstoneTests {
    private var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
    private var generator = SplitMix64(seed: 1)

    private mutating func commit(_ changes: [CellChange], at wallMilliseconds: Int64) {
        ledger.apply(
            ledger.prepare(changes, schema: schema, wallMilliseconds: wallMilliseconds, generator: &generator))
    }

    private func tombstones(_ ledger: Ledger, of watch: PeerKey? = nil) -> [CellKey] {
        ledger.state.cells.pairs.filter { $0.value.value == nil && $0.value.stamp.node == watch?.node ?? 0 }.map(\.key)
    }

    // MARK: - Time

    @Test mutating func `a trace goes when every watch has seen it and thirty days are over`() {
        // C22: at the boundary itself, too.
        commit([CellChange(key: note(1), value: "a")], at: 1000)
        commit([CellChange(key: note(1), value: nil)], at: 1000)
        let deleted = ledger.version.revision
        let month = 1000 + Ledger.tombstoneMilliseconds
        #expect(ledger.preparePurge(seenByAll: deleted, wallMilliseconds: month) == nil)
        #expect(ledger.preparePurge(seenByAll: deleted - 1, wallMilliseconds: month + 1) == nil)
        let purge = ledger.preparePurge(seenByAll: deleted, wallMilliseconds: month + 1)
        #expect(purge?.removed == [note(1)])
        if let purge { ledger.apply(purge) }
        #expect(ledger.state.cells.isEmpty)
        #expect(ledger.version.revision == deleted + 1)
        #expect(ledger.preparePurge(seenByAll: .max, wallMilliseconds: .max) == nil)
    }

    @Test mutating func `a watch in a drawer does not keep a trace for longer than ninety days`() {
        commit([CellChange(key: note(1), value: "a")], at: 1000)
        commit([CellChange(key: note(1), value: nil)], at: 1000)
        let end = 1000 + Ledger.tombstoneMillisecondsMax
        #expect(ledger.preparePurge(seenByAll: 0, wallMilliseconds: end) == nil)
        #expect(ledger.preparePurge(seenByAll: 0, wallMilliseconds: end + 1)?.removed == [note(1)])
    }

    @Test mutating func `a cell that stands is never purged`() {
        commit([CellChange(key: note(1), value: "a")], at: 1000)
        #expect(ledger.preparePurge(seenByAll: .max, wallMilliseconds: .max) == nil)
    }

    @Test func `an edit of a cell whose trace is gone loses, and is in the log`() {
        // What a tombstone says is no part of what is decided (PROTOCOL §8, row 6).
        var script = MergeScript()
        script.write(title(1), "a", at: 1)
        let seen = script.dot(title(1))
        script.write(title(1), nil, at: 2)
        script.purge()
        #expect(script.ledger.state.cells.isEmpty)
        #expect(script.take(edit(1, [change(title(1), "late", base: seen)])) == .deleted)
        #expect(script.conflicts.keys == [id(1)])
        #expect(script.ledger.state.cells.isEmpty)
    }

    // MARK: - Numbers

    @Test mutating func `beyond their bound the hub's oldest traces go at once`() {
        // I7
        let keys = (0...UInt64(Tombstones.countMaxOfSide)).map { note($0) }
        commit(keys.map { CellChange(key: $0, value: "a") }, at: 1000)
        commit(keys.prefix(1).map { CellChange(key: $0, value: nil) }, at: 2000)
        #expect(tombstones(ledger) == [keys[0]])
        commit(keys.dropFirst().map { CellChange(key: $0, value: nil) }, at: 3000)
        #expect(tombstones(ledger) == Array(keys.dropFirst()))
        #expect(ledger.snapshot(schema).cells.isEmpty)
        #expect(ledger.preparePurge(seenByAll: 0, wallMilliseconds: 4000) == nil)
    }

    @Test func `a deletion of what nobody saw leaves nothing, and counts as done`() {
        var script = MergeScript()
        #expect(script.take(edit(1, [change(title(1), nil)])) == nil)
        #expect(script.ledger.state.cells.isEmpty)
        // I5: once more, under another number, it is the same edit.
        #expect(script.take(edit(1, [change(title(1), nil)])) == nil)
        #expect(script.ledger.state.uploads[key(1)]?.highest == 2)
        #expect(script.ledger.state.uploads[key(1)]?.taken.ids == [id(1)])
        #expect(script.conflicts.isEmpty)

        // So does one of what the author made, and the hub never took.
        script.objection = { _, value in value == "bad" ? "no" : nil }
        #expect(script.take(edit(2, [change(title(2), "bad")])) == .invalid)
        #expect(script.take(edit(3, [change(title(2), nil, base: id(2))])) == nil)
        #expect(script.ledger.state.cells.isEmpty)
    }

    private func deletions(_ first: UInt64, _ count: UInt64) -> [NumberedUpload] {
        (0..<count).map { number in
            let cell = first + number
            let edit = edit(cell, [change(title(cell), nil, base: id(cell + 1_000_000))], at: Int64(cell))
            return NumberedUpload(sequence: number + 1, upload: .edit(edit))
        }
    }

    @Test(arguments: [true, false])
    func `a watch's traces are limited when they come, and no other's go for them`(_ isSalvage: Bool) {
        var script = MergeScript()
        script.take(deletions(1, 3), from: key(1))
        let limit = UInt64(Tombstones.countMaxOfWatch)
        for batch in 0..<(limit / 64 + 4) {
            let first = 1000 + 64 * batch
            let uploads =
                isSalvage
                ? (0..<64).map {
                    NumberedUpload(
                        sequence: $0 + 1, upload: .salvage(lostDeletion(of: title(first + $0), id(first + $0))))
                } : deletions(first, 64)
            script.now = Int64(first)
            script.take(uploads, from: key(2), incarnation: batch + 1)
            #expect(tombstones(script.ledger, of: key(2)).count <= Int(limit))
        }
        // The newest are kept.
        let newest = 1000 + 64 * (limit / 64 + 4) - limit
        #expect(tombstones(script.ledger, of: key(2)) == (newest..<newest + limit).map { title($0) })
        #expect(tombstones(script.ledger, of: key(1)) == (1...3).map { title($0) })
    }

    @Test func `many watches share what all of them may leave`() {
        var script = MergeScript()
        let limit = UInt64(Tombstones.countMaxOfWatch)
        for watch in 1...8 as ClosedRange<UInt8> {
            let count = watch == 1 ? 10 : limit
            for batch in 0..<(count + 63) / 64 {
                script.take(
                    deletions(10_000 * UInt64(watch) + 64 * batch, min(64, count)), from: key(watch),
                    incarnation: batch + 1)
            }
        }
        let counts = (1...8).map { tombstones(script.ledger, of: key($0)).count }
        #expect(counts[0] == 10)
        #expect(counts.dropFirst().allSatisfy { $0 >= 291 && $0 <= Int(limit) })
        #expect(counts.reduce(0, +) <= Tombstones.countMaxOfSide)
    }

    // MARK: - Stores of earlier versions

    @Test func `a store with any number of traces opens, and is cleaned in parts`() throws {
        var state = LedgerState(newEpoch: Epoch(number: 1))
        let count = UInt64(Ledger.purgeCountMax + Tombstones.countMaxOfWatch + 10)
        for number in 0..<count {
            state.cells[title(number)] = Cell(
                value: nil, dot: id(number), stamp: stamp(Int64(number % 1000), of: key(2)),
                written: Cell.Place(epoch: Epoch(number: 1), revision: 1), created: .never(in: Epoch(number: 1)))
        }
        state.cells[title(count)] = Cell(
            value: "a", dot: id(count), stamp: stamp(1, of: key(1)),
            written: Cell.Place(epoch: Epoch(number: 1), revision: 1),
            created: Cell.Place(epoch: Epoch(number: 1), revision: 1))
        var engine = HubEngine(
            configuration: .init(app: testApp, schema: houseSchema), state: state, seed: 1, at: moment(0))
        var counts: [Int] = []
        while let output = engine.nextOutput() {
            guard case .persist(let group) = output else { continue }
            counts += group.map(\.removed.count)
            while engine.nextOutput() != nil {}
            engine.handle(.persisted(group), at: moment(1))
        }
        #expect(counts == [Ledger.purgeCountMax, 10])
        #expect(engine.cells.count == Tombstones.countMaxOfWatch + 1)
        #expect(engine.cells[title(count)]?.value == "a")
    }
}
