import Testing

@testable import SyncCore

/// How conflicts enter the log (besides the table of `Merge`), how they leave it, and how many it holds.
@Suite struct ConflictLogTests {
    // MARK: - Salvage

    private func lost(_ number: UInt64, _ key: CellKey = title(1), edit: UInt64? = nil) -> Conflict {
        Conflict(
            id: id(number), edit: id(edit ?? number), key: key, base: nil,
            loser: Conflict.Side(value: "lost", dot: id(number), stamp: stamp(5), author: ""), winner: nil,
            rule: .lostInRestore, place: Cell.Place(epoch: Epoch(number: 9), revision: 4))
    }

    @Test func `a write that the hub has lost is logged, with what stands now, and not applied`() throws {
        // PROTOCOL §9
        var script = MergeScript()
        script.write(title(1), "now", at: 1)
        script.salvage(lost(1))
        let conflict = try #require(script.conflicts[id(1)])
        #expect(conflict.rule == .lostInRestore)
        #expect(conflict.winner?.value == "now")
        #expect(conflict.loser.author == "watch \(key(1).node)")
        #expect(conflict.place == Cell.Place(epoch: Epoch(number: 1), revision: 2))
        #expect(script.value(title(1)) == "now")
    }

    @Test func `a write that the hub knows after all is not logged`() {
        var script = MergeScript()
        script.write(title(1), "first", at: 1)
        let own = script.dot(title(1))
        script.write(title(1), "second", at: 2)
        script.take(edit(1, [change(color(1), "a")]))
        script.take(edit(2, [change(note(1), "b")]))
        let known = [own, script.dot(title(1)), id(1), id(2)]
        for dot in known {
            var conflict = lost(5)
            conflict.id = dot ?? id(0)
            conflict.edit = conflict.id
            script.salvage(conflict, from: key(2))
        }
        #expect(script.conflicts.keys == [id(2)])
        #expect(script.ledger.state.uploads[key(2)]?.highest == UInt64(known.count))
    }

    @Test func `one loss that two watches bring is logged once`() {
        var script = MergeScript()
        script.salvage(lost(1))
        script.salvage(lost(1), from: key(2))
        #expect(script.conflicts.count == 1)
        script.write(title(1), "x", settling: [id(1)])
        #expect(script.conflicts.isEmpty)
        script.salvage(lost(1), from: key(3))
        #expect(script.conflicts.isEmpty)
    }

    @Test func `salvage that the hub did not need contradicts nothing when it comes again`() {
        var script = MergeScript()
        script.write(title(1), "first", at: 1)
        var known = lost(1)
        known.id = script.dot(title(1)) ?? id(0)
        known.edit = known.id
        let uploads = [NumberedUpload(sequence: 1, upload: .salvage(known))]
        #expect(script.take(uploads) != nil)
        guard case .nothing = script.verdict(uploads) else {
            Issue.record("the same salvage is taken for another upload")
            return
        }
    }

    @Test func `salvage that another brought before, and a person put aside, contradicts nothing when it comes again`()
    {
        var script = MergeScript()
        script.salvage(lost(1), from: key(2))
        script.write(title(1), "x", settling: [id(1)])
        let uploads = [NumberedUpload(sequence: 1, upload: .salvage(lost(1)))]
        #expect(script.take(uploads, from: key(3)) != nil)
        #expect(script.conflicts.isEmpty)
        guard case .nothing = script.verdict(uploads, from: key(3)) else {
            Issue.record("the same salvage is taken for another upload")
            return
        }
    }

    @Test func `what is settled and lost again in one batch is open`() {
        var script = MergeScript()
        script.salvage(lost(1), from: key(2))
        script.take(edit(1, [change(title(1), "lost")]))
        let base = script.dot(title(1))
        #expect(base == id(1))
        let uploads = [
            NumberedUpload(sequence: 1, upload: .edit(edit(2, [], resolves: id(1)))),
            NumberedUpload(sequence: 2, upload: .edit(edit(3, [change(title(1), "newer", base: id(9))], at: 2000))),
        ]
        script.take(uploads, from: key(3))
        #expect(script.value(title(1)) == "newer")
        #expect(script.conflicts.keys == [id(1)])
    }

    @Test func `salvage of a cell that watches do not see is not logged`() {
        // I21
        var script = MergeScript()
        script.salvage(lost(1, secret(1)))
        #expect(script.conflicts.isEmpty)
    }

    // MARK: - Resolving

    @Test func `an edit that restores what lost settles the conflict`() {
        // I16
        var script = MergeScript()
        script.write(title(1), "theirs", at: 2000)
        script.take(edit(1, [change(title(1), "mine")], at: 1000))
        #expect(script.conflicts.keys == [id(1)])
        script.take(edit(2, [change(title(1), "mine", base: script.dot(title(1)))], resolves: id(1)))
        #expect(script.conflicts.isEmpty)
        #expect(script.value(title(1)) == "mine")
    }

    @Test func `a restoring edit that loses is a conflict itself, and settles nothing`() {
        // I16
        var script = MergeScript()
        script.write(title(1), "theirs", at: 2000)
        script.take(edit(1, [change(title(1), "mine")], at: 1000))
        let seen = script.dot(title(1))
        script.write(title(1), "newer", at: 3000)
        #expect(script.take(edit(2, [change(title(1), "mine", base: seen)], at: 2500, resolves: id(1))) == .newest)
        #expect(script.conflicts.keys == [id(1), id(2)])
    }

    @Test func `an edit without cells puts a conflict aside`() {
        var script = MergeScript()
        script.take(edit(1, [change(note(1), "mine")]))
        script.take(edit(2, [], resolves: id(1)))
        #expect(script.conflicts.isEmpty)
        #expect(script.ledger.state.uploads[key(1)]?.taken.contains(id(2)) == true)
    }

    @Test func `the conflicts of one edit are settled together`() {
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "a"), change(note(1), "b")]))
        #expect(script.conflicts.count == 2)
        script.take(edit(2, [], resolves: id(1)))
        #expect(script.conflicts.isEmpty)
    }

    @Test func `the conflicts of one edit are settled together whichever is named, and no others`() throws {
        // Chaos seed 61: the first one was dismissed before the hub's dismissal; then the name of the second was given.
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "a"), change(note(1), "b")]))
        script.take(edit(5, [change(note(1), "c")]))
        let open = Array(script.conflicts.values)
        #expect(open.count == 3)
        let second = try #require(open.first { $0.edit == id(1) && $0.id != id(1) })
        #expect(Set(open.ofEdit(with: second.id).map(\.loser.value)) == ["a", "b"])
        #expect(open.dropFirst().ofEdit(with: id(9)).isEmpty)
        let without = open.filter { $0.id != id(1) }
        #expect(without.ofEdit(with: id(1)).isEmpty)
        script.take(edit(6, [], resolves: second.id))
        #expect(script.conflicts.values.map(\.edit) == open.filter { $0.edit != id(1) }.map(\.edit))
    }

    @Test func `a value that lost against a deletion can be put back by a watch, with its trace and without`() {
        // I12, I16: restoring it is an explicit undeletion.
        for isPurged in [false, true] {
            var script = MergeScript()
            script.write(title(1), "seen", at: 1)
            let base = script.dot(title(1))
            script.write(title(1), nil, at: 2)
            #expect(script.take(edit(1, [change(title(1), "mine", base: base)])) == .deleted)
            if isPurged { script.purge() }
            #expect(script.take(edit(2, [change(title(1), "mine")], resolves: id(1))) == nil)
            #expect(script.value(title(1)) == "mine")
            #expect(script.conflicts.isEmpty)
        }
    }

    @Test func `a value is not put back over a deletion that its author had not seen`() {
        var script = MergeScript()
        script.write(title(1), "theirs", at: 2000)
        script.take(edit(1, [change(title(1), "mine")], at: 1000))
        script.write(title(1), nil, at: 3000)
        #expect(script.take(edit(2, [change(title(1), "mine")], at: 4000, resolves: id(1))) == .deleted)
        #expect(script.value(title(1)) == nil)
    }

    // MARK: - The log's limit

    @Test func `a full log takes what can be taken, then waits, then goes on`() {
        // I7
        var script = MergeScript()
        let uploads = (1...UInt64(Conflict.countMax + 2)).map {
            NumberedUpload(sequence: $0, upload: .edit(edit($0, [change(note($0), "a")])))
        }
        var position = 0
        while let transaction = script.take(Array(uploads[position...].prefix(UploadBatch.countMax))) {
            position = Int(transaction.progress?.highest ?? 0)
        }
        #expect(script.conflicts.count == position)
        #expect(position == ConflictLogCapacity.shareCountMax)
        #expect(script.size.conflictByteCount <= ConfigurationSize.conflictByteCountMax)
        guard case .full = script.verdict(Array(uploads[position...])) else {
            Issue.record("the log has no bound")
            return
        }
        script.write(title(1), "x", settling: [id(1)])
        let taken = script.take(Array(uploads[position...]))
        #expect(taken?.progress?.highest == UInt64(position + 1))
        #expect(script.conflicts.count == position)
    }

    @Test func `a full log keeps nobody from putting a conflict aside`() {
        var script = MergeScript()
        for number in 1...UInt64(Conflict.countMax) { script.take(edit(number, [change(note(number), "a")])) }
        let count = script.conflicts.count
        guard case .full = script.verdict([next(script, edit(998, [change(note(998), "a")]))]) else {
            Issue.record("the log has no bound")
            return
        }
        script.take([next(script, edit(999, [], resolves: id(1)))])
        #expect(script.conflicts.count == count - 1)
    }

    private func next(_ script: MergeScript, _ edit: Edit) -> NumberedUpload {
        NumberedUpload(
            sequence: (script.ledger.state.uploads[key(1)]?.highest ?? 0) + 1, upload: .edit(edit))
    }

    @Test func `an empty log takes any edit, so that none waits for ever`() throws {
        var script = MergeScript()
        // Each byte of it takes six on the wire.
        let value = String(repeating: "\u{1}", count: Edit.valueByteCountMax)
        let cells = (1...12 as ClosedRange<UInt64>).map { title($0) }
        for cell in cells { script.write(cell, value, at: 2000) }
        let largest = edit(1, cells.map { change($0, String(value.dropLast()) + "m", base: id(9), seen: value) })
        #expect(script.take(largest) == .newest)
        #expect(script.conflicts.count == cells.count)
        // The next one must wait.
        guard case .full = script.verdict([next(script, edit(2, [change(note(1), "a")]))]) else {
            Issue.record("the log has no bound")
            return
        }
        // The snapshot can still be sent.
        let contents = script.ledger.snapshot(houseSchema).contents
        #expect(contents.count < FrameCodec.contentByteCountMax)
    }
}
