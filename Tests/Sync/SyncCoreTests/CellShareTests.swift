import Testing

@testable import SyncCore

/// No watch can take alone what the configuration has room for.
@Suite struct CellShareTests {
    static let undivided = ConfigurationSize.cellByteCountMax - ConfigurationSize.dividedByteCount
    private static let largest = ConfigurationSize.byteCount(of: text(Edit.valueByteCountMax), at: title(1))
    private static let smallest = ConfigurationSize.byteCount(of: "", at: title(1))

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// A hub whose cells a watch, or the hub itself, wrote up to so many bytes.
    static func hub(with byteCount: Int, of author: PeerKey?, watchCount: Int) -> MergeScript {
        var state = LedgerState(newEpoch: Epoch(number: 1))
        let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
        let stamp = Stamp(milliseconds: 1, counter: 0, node: author?.node ?? 0)
        for (number, change) in changes(byteCount, from: 10_000).enumerated() {
            let dot = id(10_000 + UInt64(number))
            state.cells[change.key] = Cell(value: change.value, dot: dot, stamp: stamp, written: place, created: place)
        }
        var script = MergeScript()
        script.ledger = Ledger(state: state)
        script.watchCount = watchCount
        return script
    }

    /// New cells that have so many bytes together.
    private static func changes(_ byteCount: Int, from number: UInt64) -> [Edit.Change] {
        let count = (byteCount + largest - 1) / largest
        return (0..<count).map { index in
            let share = byteCount * (index + 1) / count - byteCount * index / count
            return change(title(number + UInt64(index)), text(share - smallest))
        }
    }

    /// What becomes of an edit of new cells that have so many bytes together.
    private func add(
        _ byteCount: Int, _ number: UInt64, from watch: PeerKey, to script: inout MergeScript
    ) -> Conflict.Rule? {
        // The log of conflicts is never the reason why an edit waits.
        script.write(secret(1), "\(number)", settling: script.conflicts.keys)
        return script.take(edit(number, Self.changes(byteCount, from: number), at: Int64(number)), from: watch)
    }

    @Test func `whatever three watches take, a fourth has its part to the last byte, and the hub has one`() {
        // I7, PROTOCOL §8, row 4
        var script = Self.hub(with: Self.undivided - 5000, of: key(1), watchCount: 4)
        let part = ConfigurationSize.dividedByteCount / 5
        #expect(part > 2 * Self.largest)
        // The first one has all that is not divided, and gets nothing of the rest.
        let tooMuch = add(5001, 100, from: key(1), to: &script)
        #expect(tooMuch == .tooLarge)
        let rest = add(5000, 200, from: key(1), to: &script)
        #expect(rest == nil && script.size.cellByteCount == Self.undivided)

        for watch in 2...4 as ClosedRange<UInt8> {
            let number = UInt64(watch) * 1000
            let tooMuch = add(part + 1, number, from: key(watch), to: &script)
            #expect(tooMuch == .tooLarge)
            let all = add(part, number + 100, from: key(watch), to: &script)
            #expect(all == nil)
            let more = add(Self.smallest, number + 200, from: key(watch), to: &script)
            #expect(more == .tooLarge)
        }
        // The first watch has taken more than its part, so that is free, too.
        #expect(script.size.cellByteCount + 2 * part <= ConfigurationSize.cellByteCountMax)

        // What makes the cells no larger needs no room.
        let mine = title(4100)
        let longer = change(mine, script.value(mine).map { $0 + "x" }, base: script.dot(mine))
        let grows = script.take(edit(8000, [longer], at: 8000), from: key(4))
        #expect(grows == .tooLarge)
        let other = change(mine, script.value(mine).map { "y" + $0.dropFirst() }, base: script.dot(mine))
        let stays = script.take(edit(8001, [other], at: 8001), from: key(3))
        #expect(stays == nil)
    }

    @Test func `what an upload wrote before counts for the rest of it`() {
        var script = Self.hub(with: Self.undivided, of: nil, watchCount: 2)
        let part = ConfigurationSize.dividedByteCount / 3
        let uploads = (1...UInt64(part / Self.largest) + 3).map { number in
            let new = change(title(9000 + number), Self.text(Edit.valueByteCountMax))
            return NumberedUpload(sequence: number, upload: .edit(edit(9000 + number, [new])))
        }
        script.take(uploads)
        let outcomes = script.ledger.state.uploads[key(1)]?.outcomes ?? []
        #expect(outcomes.map(\.sequence) == uploads.suffix(3).map(\.sequence))
        #expect(outcomes.allSatisfy { $0.rule == .tooLarge })
    }

    @Test func `a cell counts for the watch that wrote it last`() {
        var script = Self.hub(with: Self.undivided, of: key(1), watchCount: 3)
        #expect(script.size.cellByteCount(of: key(1).node) == Self.undivided)
        let number = title(10_000)
        let byteCount = ConfigurationSize.byteCount(of: script.value(number), at: number)
        let rewritten = change(number, script.value(number).map { "z" + $0.dropFirst() }, base: script.dot(number))
        let rule = script.take(edit(1, [rewritten]), from: key(2))
        #expect(rule == nil)
        #expect(script.size.cellByteCount(of: key(1).node) == Self.undivided - byteCount)
        #expect(script.size.cellByteCount(of: key(2).node) == byteCount)
        script.write(number, "of the hub")
        #expect(script.size.cellByteCount(of: key(2).node) == 0)
    }
}
