import Testing

@testable import SyncCore

@Suite struct ConfigurationSizeTests {
    private let empty = ConfigurationSize(LedgerState(newEpoch: Epoch(number: 1)), schema: houseSchema)

    @Test func `only cells that watches see count`() {
        var script = MergeScript()
        script.write(secret(1), String(repeating: "s", count: 9000))
        #expect(script.size == empty)
        script.write(title(1), "a")
        #expect(script.size.cellByteCount == ConfigurationSize.byteCount(of: "a", at: title(1)))
        script.write(title(1), nil)
        #expect(script.size == empty)
    }

    @Test func `a transaction's effect on the size is that of measuring everything again`() throws {
        var script = MergeScript()
        func step(_ make: (inout MergeScript) -> Transaction?) throws {
            let before = (script.size, script.ledger.state)
            let transaction = try #require(make(&script))
            #expect(before.0.after(transaction, before.1) == script.size)
        }
        let edits = [
            edit(1, [change(title(1), "ab\"\n")]), edit(2, [change(note(1), "x")]),
            edit(3, [change(title(1), nil, base: id(1))]), edit(4, [], resolves: id(2)),
        ]
        for (index, edit) in edits.enumerated() {
            try step { $0.take([NumberedUpload(sequence: UInt64(index) + 1, upload: .edit(edit))]) }
        }
        #expect(script.size == empty)
    }

    @Test func `the size on the wire is never underestimated`() {
        // A snapshot at both limits must fit: the counted size is never less than the sent size.
        var generator = SplitMix64(seed: 3)
        var script = MergeScript()
        for number in 1...40 as ClosedRange<UInt64> {
            let length = Int.random(in: 0...600, using: &generator)
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...127, using: &generator) }
            let value = String(decoding: bytes, as: UTF8.self)
            script.take(edit(number, [change(number.isMultiple(of: 2) ? note(number) : title(number), value)]))
        }
        let contents = script.ledger.snapshot(houseSchema).contents
        #expect(script.conflicts.count == 20)
        #expect(contents.count <= script.size.cellByteCount + script.size.conflictByteCount + 200)
        #expect(ConfigurationSize.cellByteCountMax + ConfigurationSize.conflictByteCountMax <= Snapshot.byteCountMax)
    }

    @Test func `the largest edit that an empty log takes still fits a frame with all cells`() throws {
        // A control character takes six times its size.
        var script = MergeScript()
        let long = String(repeating: "\u{1}", count: Edit.valueByteCountMax)
        let numbers = 1...UInt64(Edit.changeCountMax)
        script.take(edit(1, numbers.map { change(note($0), long, seen: long) }))
        #expect(script.conflicts.count == Edit.changeCountMax)
        #expect(script.conflicts.values.allSatisfy { $0.loser.value == long && $0.base == nil })

        let contents = script.ledger.snapshot(houseSchema).contents.count
        let others = ConfigurationSize.conflictByteCountMax / 2
        #expect(ConfigurationSize.cellByteCountMax + contents + others + 32_768 <= FrameCodec.contentByteCountMax)
    }

    @Test func `a conflict of ordinary values keeps what its author had seen`() throws {
        var script = MergeScript()
        let long = String(repeating: "a", count: 1024)
        script.take(edit(1, [change(note(1), long, seen: long)]))
        #expect(script.conflicts[id(1)]?.base == long)
    }

    @Test func `what is logged is counted, what is settled is not`() {
        var size = empty
        for _ in 1..<Conflict.countMax { size.log(WireSamples.conflict) }
        // Conflicts this small reach the limit of the count before that of the bytes.
        #expect(size.conflictByteCount + 1000 < ConfigurationSize.conflictByteCountMax * 4)
        size.log(WireSamples.conflict)
        #expect(size.conflictCount == Conflict.countMax)
        for _ in 0..<Conflict.countMax { size.settle(WireSamples.conflict) }
        #expect(size == empty)
    }
}
