import Testing

@testable import SyncCore

/// A paired watch that misuses the names of other devices' writes cannot remove any of their values (PROTOCOL §8, §9;
/// I2).
@Suite struct WriteNameTests {
    private let honest = key(1)
    private let hostile = key(2)
    private let witness = key(3)

    /// A write of the honest watch that the hub has lost, as a watch reports it.
    private func lost(_ value: String?, _ number: UInt64 = 1, _ key: CellKey = title(1), by author: PeerKey? = nil)
        -> Conflict
    {
        Conflict(
            id: id(number), edit: id(number), key: key, base: nil,
            loser: Conflict.Side(value: value, dot: id(number), stamp: stamp(5, of: author ?? honest), author: ""),
            winner: nil, rule: .lostInRestore, place: Cell.Place(epoch: Epoch(number: 9), revision: 4))
    }

    private func losers(_ script: MergeScript) -> [String?] {
        script.conflicts.values.map(\.loser.value).sorted { ($0 ?? "") < ($1 ?? "") }
    }

    // MARK: - Salvage

    @Test func `salvage that another brought first with another value is logged nevertheless, once`() throws {
        var script = MergeScript()
        script.salvage(lost("forged"), from: hostile)
        script.salvage(lost("true"), from: witness)
        #expect(losers(script) == ["forged", "true"])
        let named = try #require(script.conflicts.values.first { $0.loser.value == "true" })
        #expect(named.id != id(1))
        #expect(named.edit == named.id)
        #expect(named.loser.dot == named.id)
        #expect(named.key == title(1))
        #expect(named.loser.author == "watch \(honest.node)")

        // The same applies to a watch that reports it under its own name, or that knows the new name.
        script.salvage(lost("true"), from: key(4))
        script.salvage(named, from: key(5))
        #expect(script.conflicts.count == 2)
        script.write(title(2), "x", settling: script.conflicts.keys)
        script.salvage(lost("true"), from: key(6))
        script.salvage(named, from: key(7))
        script.salvage(lost("forged"), from: key(8))
        #expect(script.conflicts.isEmpty)
    }

    @Test func `salvage that its bringer has put aside at once hides no other value of that name`() {
        var script = MergeScript()
        script.salvage(lost("forged"), from: hostile)
        script.take(edit(9, [], resolves: id(1)), from: hostile)
        #expect(script.conflicts.isEmpty)
        script.salvage(lost("true"), from: witness)
        #expect(script.conflicts.values.map(\.loser.value) == ["true"])
    }

    @Test func `salvage of another cell under a known name is logged`() {
        var script = MergeScript()
        script.salvage(lost("same"), from: hostile)
        script.salvage(lost("same", 1, color(1)), from: witness)
        #expect(Set(script.conflicts.values.map(\.key)) == [title(1), color(1)])
    }

    @Test func `salvage is not known because another than its author made an edit of that name`() {
        var script = MergeScript()
        script.take(edit(1, [change(color(1), "forged")]), from: hostile)
        script.take(edit(2, [change(color(1), "on top", base: id(1))], at: 2000), from: hostile)
        script.salvage(lost("true"), from: witness)
        #expect(losers(script) == ["true"])
    }

    @Test func `a forged disappearance takes no name away`() {
        var script = MergeScript()
        var gone = lost(nil, 1, title(7))
        gone.rule = .deletionLostInRestore
        script.salvage(gone, from: hostile)
        #expect(script.ledger.state.cells[title(7)]?.isOnlyTrace == true)
        script.salvage(lost("true"), from: witness)
        #expect(losers(script) == ["true"])

        // It cannot use the name of the present value either.
        gone.id = script.conflicts.keys[0]
        gone.key = title(8)
        script.salvage(gone, from: hostile)
        #expect(script.dot(title(8)) != nil)
        #expect(script.dot(title(8)) != gone.id)
    }

    @Test func `a watch brings what a new history shows otherwise under the same name`() {
        var watch = ReplicaScript()
        watch.hold(held([(title(1), "true", 1), (title(2), "same", 2)]))
        var restored = held([(title(2), "same", 2)], epoch: 2)
        restored.conflicts[id(1)] = lost("forged")
        watch.receive(restored, receipt: nil)
        func brought() -> [String?] {
            watch.replica.state.pending.compactMap {
                if case .salvage(let lost) = $0.upload { lost.loser.value } else { nil }
            }
        }
        #expect(brought() == ["true"])

        // The hub does not trust the given author either.
        var told = held([(title(1), "true", 1)], epoch: 9)
        told.cells[title(1)]?.stamp.node = hostile.node
        var other = ReplicaScript()
        other.hold(held([(title(1), "true", 1)]))
        other.receive(told, receipt: nil)
        #expect(other.replica.state.pending.count == 1)

        // In another epoch, nothing is queued twice.
        restored.version.epoch = Epoch(number: 3)
        restored.lineage[Epoch(number: 2)] = 1
        watch.receive(restored, receipt: nil)
        #expect(brought() == ["true"])
    }

    // MARK: - Edits

    @Test func `an edit whose name another brought first takes effect, and so does what is made on top of it`() {
        var script = MergeScript()
        script.salvage(lost("forged"), from: hostile)
        let first = edit(1, [change(title(1), "a"), change(color(1), "b")])
        #expect(script.take(first, from: honest) == nil)
        #expect(script.value(title(1)) == "a")
        #expect(script.value(color(1)) == "b")
        let called = script.dot(title(1)) ?? id(1)
        #expect(called != id(1))
        #expect(losers(script) == ["forged"])

        // Its author knows only its own name.
        let second = edit(2, [change(title(1), "c", base: first.dot(of: 0))], at: 2000)
        #expect(script.take(second, from: honest) == nil)
        #expect(script.value(title(1)) == "c")
        #expect(losers(script) == ["forged"])

        // A watch that saw it does not take it for lost, and it does not take effect twice under another numbering.
        var seen = lost("a")
        seen.id = called
        script.salvage(seen, from: witness)
        #expect(losers(script) == ["forged"])
        script.take([NumberedUpload(sequence: 1, upload: .edit(first))], from: honest, incarnation: 2)
        #expect(script.value(title(1)) == "c")
        #expect(losers(script) == ["forged"])
    }

    @Test func `an edit that loses under a name in use leaves both in the log`() {
        var script = MergeScript()
        script.write(title(1), "stands", at: 3000)
        script.salvage(lost("forged"), from: hostile)
        #expect(script.take(edit(1, [change(title(1), "true", base: id(9))]), from: honest) == .newest)
        #expect(losers(script) == ["forged", "true"])
        #expect(script.value(title(1)) == "stands")
    }

    @Test func `an edit under the name of what stands does not take that name`() {
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "true")]), from: honest)
        script.take(edit(1, [change(color(1), "forged")]), from: hostile)
        #expect(script.dot(title(1)) == id(1))
        #expect(script.value(color(1)) == "forged")
        #expect(script.dot(color(1)) != id(1))

        // A write of the same cell, based on the present value.
        script.take(edit(1, [change(title(1), "forged", base: id(1))], at: 2000), from: key(4))
        #expect(script.value(title(1)) == "forged")
        #expect(script.dot(title(1)) != id(1))
    }

    @Test(arguments: [1, 3] as [UInt8])
    func `the same write that its author or a witness brought first keeps its name`(bringer: UInt8) {
        // A restored watch has an edit in its queue again that it already sent as salvage.
        var script = MergeScript()
        script.salvage(lost("true"), from: key(bringer))
        #expect(script.take(edit(1, [change(title(1), "true")]), from: honest) == nil)
        #expect(script.dot(title(1)) == id(1))
        #expect(script.conflicts.keys == [id(1)])
    }

    @Test func `a name that was replaced is not given to another's write`() {
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "lie")]), from: hostile)
        script.take(edit(2, [change(title(1), "on top", base: id(1))], at: 2000), from: hostile)
        script.take(edit(1, [change(title(1), "true", base: id(2))], at: 3000), from: honest)
        #expect(script.value(title(1)) == "true")

        // Another watch still refers to the forged write.
        let late = edit(3, [change(title(1), "late", base: id(1), seen: "lie")], at: 1000)
        #expect(script.take(late, from: witness) == .newest)
        #expect(script.value(title(1)) == "true")
        #expect(script.dot(title(1)) != id(1))
        script.salvage(lost("brought", 2, color(1)), from: witness)
        #expect(script.conflicts.values.contains { $0.loser.value == "brought" && $0.id != id(2) })
    }

    @Test func `what an author has seen is told by the value, too`() {
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "true")], at: 2000), from: honest)
        let late = edit(2, [change(title(1), "late", base: id(1), seen: "something else")], at: 1000)
        #expect(script.take(late, from: witness) == .newest)
        #expect(script.value(title(1)) == "true")
        let right = edit(3, [change(title(1), "right", base: id(1), seen: "true")], at: 1000)
        #expect(script.take(right, from: witness) == nil)
        #expect(script.value(title(1)) == "right")
    }

    @Test func `what is made on an edit that another brought before is no conflict with it`() {
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "true")], at: 3000), from: hostile)
        #expect(script.take(edit(1, [change(title(1), "true")], at: 1000), from: honest) == nil)
        let next = edit(2, [change(title(1), "next", base: id(1), seen: "true")], at: 1001)
        #expect(script.take(next, from: honest) == nil)
        #expect(script.value(title(1)) == "next")
        #expect(script.conflicts.isEmpty)
    }

    @Test func `who brings another's lost value as an own edit does not become its author`() {
        var script = MergeScript()
        script.write(title(1), "stands", at: 3000)
        script.salvage(lost("true"), from: witness)
        #expect(script.take(edit(1, [change(title(1), "true", base: id(9))]), from: hostile) == .newest)
        #expect(script.conflicts[id(1)]?.loser.stamp.node == honest.node)
        #expect(losers(script) == ["true", "true"])
    }

    @Test func `the hub makes no name that a watch has guessed`() {
        var script = MergeScript()
        var draws = script.generator
        let next = RandomID(using: &draws)
        script.take(Edit(id: next, changes: [change(title(1), "guess")], stamp: stamp(1), schema: 2, resolves: nil))
        #expect(script.dot(title(1)) == next)
        script.write(title(2), "hub's", at: 2)
        #expect(script.dot(title(2)) == RandomID(using: &draws))
    }
}
