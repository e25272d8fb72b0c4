import Testing

@testable import SyncCore

/// No step of the ledger searches all cells: what it looks at does not grow with their number.
@Suite struct LedgerIndexTests {
    /// What a watch may bring.
    enum Kind: CaseIterable, Sendable {
        case creates, deletesNothing, deletesUnknown, overwrites, salvagesDeletions, salvagesValues, comesAgain
    }

    private func uploads(_ kind: Kind) -> [NumberedUpload] {
        let uploads = (0..<20 as Range<UInt64>).map { number -> Upload in
            let cells = (0..<4).map { title(500_000 + 10 * number + $0) }
            switch kind {
            case .creates, .comesAgain: return .edit(edit(900_000 + number, cells.map { change($0, "a") }))
            case .deletesNothing: return .edit(edit(900_000 + number, cells.map { change($0, nil) }))
            case .deletesUnknown:
                return .edit(edit(900_000 + number, cells.map { change($0, nil, base: id(700_000)) }))
            case .overwrites:
                return .edit(edit(900_000 + number, [change(title(number), "b", base: id(number))], at: 5000))
            case .salvagesDeletions: return .salvage(lostDeletion(of: cells[0], id(900_000 + number)))
            case .salvagesValues:
                var lost = lostDeletion(of: title(number), id(900_000 + number))
                (lost.rule, lost.loser.value) = (.lostInRestore, "lost")
                return .salvage(lost)
            }
        }
        return uploads.enumerated().map { NumberedUpload(sequence: UInt64($0) + 1, upload: $1) }
    }

    /// A hub with so many cells, each tenth of them deleted, and uploads of so many watches.
    private func hub(_ cellCount: UInt64, watchCount: UInt8) -> MergeScript {
        var state = LedgerState(newEpoch: Epoch(number: 1))
        let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
        for number in 0..<cellCount {
            state.cells[title(number)] = Cell(
                value: number % 10 == 9 ? nil : "a", dot: id(number), stamp: stamp(1, of: key(9)), written: place,
                created: place)
        }
        for watch in 50..<50 + watchCount { state.uploads[key(watch)] = UploadMark(incarnation: id(1)) }
        var script = MergeScript()
        script.ledger = Ledger(state: state)
        return script
    }

    @Test(arguments: Kind.allCases)
    func `the work of an upload does not grow with the cells and the watches`(_ kind: Kind) {
        let steps = [(30, 1), (1200, 100)].map { cells, watches in
            var script = hub(UInt64(cells), watchCount: UInt8(watches))
            let before = script.ledger.index.stepCount
            script.take(uploads(kind))
            if kind == .comesAgain {
                if case .nothing = script.verdict(uploads(kind)) {} else { Issue.record("it is not recognised") }
            }
            script.write(title(2), "c", at: 6000)
            return script.ledger.index.stepCount - before
        }
        #expect(steps[0] == steps[1])
        #expect(steps[0] > 20)
    }

    @Test func `the work of a purge is that of the traces that go`() {
        let steps = [300, 3000].map { count in
            var script = hub(UInt64(count), watchCount: 1)
            let before = script.ledger.index.stepCount
            for number in 0..<10 { script.write(title(UInt64(number)), nil, at: 5) }
            return script.ledger.index.stepCount - before
        }
        #expect(steps[0] == steps[1])
    }

    @Test func `an edit costs no more because its author's writes were rejected in a long chain`() {
        var script = hub(10, watchCount: 1)
        let mark = { (count: Int) in
            var mark = UploadMark(incarnation: id(1))
            mark.rejected = (0..<count).map {
                RejectedWrite(dot: id(10_000 + UInt64($0)), base: id(10_000 + UInt64($0) + 1))
            }
            return mark
        }
        var state = script.ledger.state
        state.uploads[key(1)] = mark(2000)
        script.ledger = Ledger(state: state)
        let before = script.ledger.index.stepCount
        script.take([NumberedUpload(sequence: 1, upload: .edit(edit(1, [change(title(900), "x", base: id(10_000))])))])
        #expect(script.ledger.index.stepCount - before <= UploadMark.rejectedCountMax + 20)
    }

    @Test func `the index after a history is that of its state`() {
        var script = MergeScript()
        var draws = SplitMix64(seed: 3)
        for step in 0..<600 as Range<UInt64> {
            let watch = key(UInt8(1 + draws.next() % 4))
            let cell = title(draws.next() % 12)
            let base = draws.next() % 3 == 0 ? nil : script.dot(cell) ?? id(step)
            let value = draws.next() % 3 == 0 ? nil : "\(step)"
            script.now = Int64(step * 10)
            switch draws.next() % 6 {
            case 0: script.write(cell, value, settling: script.conflicts.keys)
            case 1: script.salvage(lostDeletion(of: cell, id(5000 + step % 50)), from: watch)
            case 2 where step % 7 == 0: script.purge()
            default: script.take(edit(step, [change(cell, value, base: base)], at: Int64(step * 10)), from: watch)
            }
            let fresh = LedgerIndex(script.ledger.state)
            #expect(script.ledger.index.contents == fresh.contents, "step \(step)")
        }
        #expect(script.ledger.state.uploads.count == 4)
    }
}

extension LedgerIndex {
    /// Everything in it, in an order of its own.
    var contents: [String] {
        let cells = places.map { "\($0.key.hexadecimal) \($0.value.sorted())" }
        let takers = takerCounts.map { "\($0.key.hexadecimal) \($0.value)" }
        let nodes = peers.map { "\($0.key) \($0.value.sorted().map(\.hexadecimal))" }
        let traces = tombstones.entries.map { node, entries in "\(node) \(entries)" }
        return cells.sorted() + takers.sorted() + nodes.sorted() + traces.sorted() + ["\(tombstones.countOfWatches)"]
    }
}
