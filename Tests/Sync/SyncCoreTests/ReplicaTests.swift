import Testing

@testable import SyncCore

/// How a watch handles its user's edits and the hub's frames.
@Suite struct ReplicaTests {
    private var script = ReplicaScript()

    // MARK: - Edits (PROTOCOL §7)

    @Test mutating func `an edit is based on the write that the person saw`() throws {
        script.hold(held([(title(1), "theirs", 5)]))
        let edit = try #require(try script.edit([CellChange(key: title(1), value: "mine")]))
        #expect(edit.changes == [change(title(1), "mine", base: id(5), seen: "theirs")])
        #expect(script.replica.view(of: title(1)) == VisibleCell(value: "mine", dot: edit.id, isPending: true))
    }

    @Test mutating func `an own edit that waits counts as seen`() throws {
        // C17
        script.hold(held([(title(1), "theirs", 5)]))
        let first = try #require(try script.edit([CellChange(key: title(1), value: "a")]))
        let second = try #require(try script.edit([CellChange(key: title(1), value: "b")]))
        #expect(second.changes.first?.base == first.id)
        #expect(second.changes.first?.seen == "a")
        #expect(second.id != first.id)
        #expect(second.stamp > first.stamp)
    }

    @Test mutating func `a cell that the person saw deleted is created anew`() throws {
        script.hold(held([(title(1), "theirs", 5)]))
        let deletion = try #require(try script.edit([CellChange(key: title(1), value: nil)]))
        #expect(script.replica.view.isEmpty)
        let again = try #require(try script.edit([CellChange(key: title(1), value: "new")]))
        // It is based on the watch's own pending deletion, so it does not conflict with that.
        #expect(again.changes.first?.base == deletion.id)
    }

    @Test mutating func `what changes nothing is no edit, and the last change of a cell counts`() throws {
        script.hold(held([(title(1), "a", 5)]))
        #expect(try script.edit([CellChange(key: title(1), value: "a")]) == nil)
        let edit = try script.edit([
            CellChange(key: title(1), value: "b"), CellChange(key: title(1), value: "a"),
            CellChange(key: title(2), value: "x"), CellChange(key: title(2), value: "y"),
        ])
        #expect(edit?.changes == [change(title(2), "y")])
    }

    @Test mutating func `each cell of an edit has a write of its own`() throws {
        let edit = try #require(
            try script.edit([CellChange(key: title(1), value: "a"), CellChange(key: color(1), value: "b")]))
        let dots = edit.changes.map { script.replica.view(of: $0.key)?.dot }
        #expect(dots == [edit.dot(of: 0), edit.dot(of: 1)])
        #expect(edit.dot(of: 0) == edit.id)
        #expect(edit.dot(of: 0) != edit.dot(of: 1))
    }

    @Test mutating func `limits are errors at the caller`() throws {
        // I7
        let long = String(repeating: "x", count: Edit.valueByteCountMax)
        #expect(try script.edit([CellChange(key: title(1), value: long)]) != nil)
        #expect(throws: EditError.valueTooLarge(title(1), byteCount: long.utf8.count + 1)) {
            try script.edit([CellChange(key: title(1), value: long + "x")])
        }
        let many = (0...UInt64(Edit.changeCountMax)).map { CellChange(key: color($0), value: "a") }
        #expect(throws: EditError.tooManyChanges(many.count)) { try script.edit(many) }
        for name in ["", String(repeating: "n", count: 65)] {
            let key = CellKey(kind: "note", record: id(1), group: name)
            #expect(throws: EditError.badName(name)) { try script.edit([CellChange(key: key, value: "a")]) }
        }
    }

    @Test mutating func `a full queue is an error at the caller until the hub confirmed some`() throws {
        // I7
        script.hold(held([]))
        for number in 0..<Replica.editCountMax {
            _ = try script.edit([CellChange(key: title(UInt64(number)), value: "a")])
        }
        #expect(throws: EditError.full(waiting: Replica.editCountMax)) {
            try script.edit([CellChange(key: title(5000), value: "a")])
        }
        script.receive(held([], revision: 2), receipt: script.receipt(1))
        #expect(try script.edit([CellChange(key: title(5000), value: "a")]) != nil)
    }

    @Test mutating func `an edit of a long value of the hub's does not quote it`() throws {
        // C24: the hub could not decode the quoted value, and therefore none of the edits after it.
        script.hold(held([(note(1), String(repeating: "x", count: Edit.valueByteCountMax + 1), 5)]))
        let edit = try #require(try script.edit([CellChange(key: note(1), value: "short")]))
        #expect(edit.changes.first?.seen == nil)
        #expect(edit.changes.first?.base == id(5))
        #expect(try Edit(decoding: edit.json.encoded) == edit)
    }

    // MARK: - Snapshots (PROTOCOL §6, §7)

    @Test mutating func `a snapshot confirms what the hub has taken in, with what became of it`() throws {
        // C2, I4
        script.hold(held([]))
        let first = try #require(try script.edit([CellChange(key: title(1), value: "a")]))
        let second = try #require(try script.edit([CellChange(key: title(2), value: "b")]))
        var receipt = script.receipt(1)
        receipt.outcomes = [UploadOutcome(sequence: 1, id: first.id, rule: .newest)]
        let confirmed = script.receive(held([(title(1), "theirs", 9)], revision: 2), receipt: receipt)
        #expect(confirmed == [ConfirmedEdit(edit: first, rule: .newest)])
        #expect(script.replica.pendingEdits == [second])
        #expect(script.replica.state.journal == [first])
        #expect(script.replica.view(of: title(1))?.value == "theirs")
        #expect(script.replica.view(of: title(2))?.value == "b")
    }

    @Test mutating func `an older snapshot is not taken, and the same one is only acknowledged`() {
        // I3
        script.hold(held([], revision: 4))
        guard case .old = script.prepare(held([], revision: 3)) else {
            Issue.record("revision 3 after 4")
            return
        }
        guard case .held = script.prepare(held([], revision: 4)) else {
            Issue.record("revision 4 twice")
            return
        }
    }

    @Test mutating func `a receipt of another numbering confirms nothing`() throws {
        script.hold(held([]))
        _ = try script.edit([CellChange(key: title(1), value: "a")])
        let incarnation = script.replica.state.incarnation
        var receipt = script.receipt(1)
        receipt.incarnation = id(99)
        let confirmed = script.receive(held([], revision: 2), receipt: receipt)
        #expect(confirmed.isEmpty)
        #expect(script.replica.pendingEdits.count == 1)
        #expect(script.replica.state.incarnation == incarnation)
    }

    @Test(arguments: [(1, true), (7, false)] as [(UInt64, Bool)])
    mutating func `a receipt that does not fit leads to a new numbering of the same edits`(
        _ highest: UInt64, _ isOtherID: Bool
    ) throws {
        // C14: another upload with that number, or a number beyond the watch's own count.
        script.hold(held([]))
        let edits = try (1...2 as ClosedRange<UInt64>).map {
            try #require(try script.edit([CellChange(key: title($0), value: "a")]))
        }
        let incarnation = script.replica.state.incarnation
        var receipt = script.receipt(highest)
        if isOtherID { receipt.last = id(99) }
        let confirmed = script.receive(held([], revision: 2), receipt: receipt)
        let state = script.replica.state
        #expect(confirmed.isEmpty)
        #expect(state.incarnation != incarnation)
        #expect(state.pending.map(\.sequence) == [1, 2])
        #expect(state.pending.map(\.upload.id) == edits.map(\.id))
        #expect(state.nextSequence == 3)
    }

    // MARK: - Numbering at the beginning of a session

    @Test mutating func `the numbering stays when the hub counts the same way`() throws {
        #expect(script.numbering(nil) == nil)
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try script.edit([CellChange(key: title(number), value: "a")])
        }
        #expect(script.numbering(nil) == nil)
        #expect(script.numbering(script.receipt(0)) == nil)
        #expect(script.numbering(script.receipt(2)) == nil)
        // A new numbering may always begin with 1.
        #expect(script.numbering(UploadReceipt(incarnation: id(9), highest: 8, last: id(1), outcomes: [])) == nil)
    }

    @Test mutating func `the numbering changes when what is missing can never be brought`() throws {
        script.hold(held([]))
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try script.edit([CellChange(key: title(number), value: "a")])
        }
        // A number beyond the watch's own count, or another upload with that number.
        #expect(script.numbering(script.receipt(9)) != nil)
        var other = script.receipt(2)
        other.last = id(99)
        #expect(script.numbering(other) != nil)
        // The hub has forgotten the confirmed uploads: with pending edits, and without.
        let before = script.receipt(0)
        script.receive(held([], revision: 2), receipt: script.receipt(2))
        #expect(script.numbering(before) != nil)
        #expect(script.numbering(nil) != nil)
        script.receive(held([], revision: 3), receipt: script.receipt(3))
        #expect(script.replica.state.pending.isEmpty)
        #expect(script.numbering(before) != nil)
        #expect(script.numbering(nil) != nil)
        #expect(script.numbering(script.receipt(3)) == nil)
    }

    // MARK: - A new epoch (PROTOCOL §9)

    @Test mutating func `what the new history does not have is brought to the hub, once each`() throws {
        // C11, C12, C13
        var old = held([(title(1), "kept", 1), (title(2), "lost", 2)])
        old.conflicts[id(3)] = lostConflict(3)
        script.hold(old)
        let journaled = try #require(try script.edit([CellChange(key: color(1), value: "journal")]))
        old.version.revision = 2
        script.receive(old, receipt: script.receipt(1))
        let waiting = try #require(try script.edit([CellChange(key: color(2), value: "waits")]))
        let incarnation = script.replica.state.incarnation

        // The restored hub has one of the cells, and one that this watch saw deleted.
        var new = held([(title(1), "kept", 1), (title(9), "deleted", 9)], epoch: 2)
        new.lineage[Epoch(number: 1)] = 1
        script.receive(new, receipt: nil)
        let state = script.replica.state
        #expect(state.incarnation != incarnation)
        #expect(state.pending.map(\.sequence) == Array(1...UInt64(state.pending.count)))
        #expect(state.pending.first?.upload == .edit(waiting))
        let salvaged = state.pending.compactMap { if case .salvage(let lost) = $0.upload { lost } else { nil } }
        let deletion = RandomID(naming: title(9), in: Epoch(number: 1))
        #expect(Set(salvaged.map(\.id)) == [id(2), id(3), journaled.id, deletion])
        #expect(salvaged.count == 4)
        #expect(salvaged.first { $0.id == deletion }?.rule == .deletionLostInRestore)
        #expect(salvaged.first { $0.id == journaled.id }?.loser.value == "journal")

        // Another epoch begins before they are sent: no upload is queued twice.
        var newer = new
        newer.version.epoch = Epoch(number: 3)
        newer.lineage[Epoch(number: 2)] = 1
        script.receive(newer, receipt: nil)
        let ids = script.replica.state.pending.map(\.upload.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.count == state.pending.count)
    }

    @Test mutating func `a cell that was created after the watch left that history is no lost deletion`() {
        script.hold(held([], revision: 2))
        var new = held([], epoch: 2)
        new.lineage[Epoch(number: 1)] = 5
        let place = Cell.Place(epoch: Epoch(number: 1), revision: 3)
        new.cells[title(1)] = Cell(value: "later", dot: id(1), stamp: stamp(1), written: place, created: place)
        script.receive(new, receipt: nil)
        #expect(script.replica.state.pending.isEmpty)
    }

    @Test mutating func `the longest value of the hub's own comes back in a form that the hub reads`() {
        // C24: a conflict that the hub could not decode would block all uploads after it.
        script.hold(held([(note(1), String(repeating: "x", count: Cell.valueByteCountMax), 1), (note(2), "short", 2)]))
        script.receive(held([], epoch: 2), receipt: nil)
        #expect(script.replica.state.pending.map(\.upload.id) == [id(1), id(2)])
        let isReadable = script.replica.state.pending.allSatisfy {
            (try? NumberedUpload(decoding: $0.json.encoded)) == $0
        }
        #expect(isReadable)
    }

    @Test mutating func `the first snapshot brings nothing back`() throws {
        let edit = try #require(try script.edit([CellChange(key: title(1), value: "a")]))
        let incarnation = script.replica.state.incarnation
        script.receive(held([(title(2), "b", 2)], epoch: 7), receipt: nil)
        #expect(script.replica.pendingEdits == [edit])
        #expect(script.replica.state.incarnation == incarnation)
    }

    @Test mutating func `stamps go on after what was seen and made, through a restart`() throws {
        // I11
        script.hold(held([]))
        var ahead = held([], revision: 2)
        ahead.stamp = stamp(900_000, of: key(2))
        script.receive(ahead, receipt: nil)
        let edit = try #require(try script.edit([CellChange(key: title(1), value: "a")]))
        #expect(ahead.stamp.map { edit.stamp > $0 } == true)
        script.restart()
        let later = try #require(try script.edit([CellChange(key: title(1), value: "b")]))
        #expect(later.stamp > edit.stamp)
    }

    private func lostConflict(_ number: UInt64) -> Conflict {
        Conflict(
            id: id(number), edit: id(number), key: title(1), base: nil,
            loser: Conflict.Side(value: "old", dot: id(number), stamp: stamp(1), author: "wrist"), winner: nil,
            rule: .newest, place: Cell.Place(epoch: Epoch(number: 1), revision: 1))
    }
}
