import Testing

@testable import SyncCore

/// Complete stories of a hub and its watches, with real engines.
@Suite struct StoryTests {
    private func household(_ watchCount: Int = 2) -> Household {
        var household = Household(watchCount: watchCount)
        household.hubWrites([CellChange(key: title(1), value: "pool"), CellChange(key: color(1), value: "blue")])
        for watch in 0..<watchCount { household.connect(watch) }
        household.run()
        #expect(household.isAtRest)
        return household
    }

    @Test func `an edit of one watch is on all of them`() {
        // I1
        var household = household()
        let answer = household.edit(0, title(1), "spa")
        guard case .accepted(let edit)? = answer else {
            Issue.record("not taken: \(String(describing: answer))")
            return
        }
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.cells[title(1)]?.dot == edit.id)
        #expect(household.view(1)[title(1)] == VisibleCell(value: "spa", dot: edit.id, isPending: false))
        #expect(household.confirmed == [ConfirmedEdit(edit: edit, rule: nil)])
    }

    @Test(arguments: [nil, 0, 1] as [Int?])
    func `edited on two watches offline: one is shown, the other can be put back from any side`(_ side: Int?) throws {
        // I1, I2, I16
        var household = household()
        for watch in 0..<2 { household.disconnect(watch) }
        household.edit(0, title(1), "kitchen")
        household.run(milliseconds: 1000)
        household.edit(1, title(1), "garden")
        #expect(household.view(0)[title(1)]?.value == "kitchen")
        #expect(household.view(1)[title(1)]?.value == "garden")
        // The later edit arrives first.
        household.connect(1)
        household.run()
        household.connect(0)
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.cells[title(1)]?.value == "garden")
        let lost = try #require(household.hub.conflicts.values.first)
        #expect(household.hub.conflicts.count == 1)
        #expect(lost.loser.value == "kitchen")
        #expect(lost.loser.author == "wrist 0")
        #expect(lost.winner?.value == "garden")
        #expect(lost.winner?.author == "wrist 1")
        #expect(lost.base == "pool")
        #expect(household.confirmed.map(\.rule) == [nil, .newest])
        #expect(household.replica(0).snapshot?.conflicts == household.hub.conflicts)

        if let side {
            household.settle(side, lost.id, restoring: true)
        } else {
            household.hubSettles(lost.id, restoring: true)
        }
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.conflicts.isEmpty)
        for watch in 0..<2 { #expect(household.view(watch)[title(1)]?.value == "kitchen") }
    }

    @Test func `cells that are edited apart do not meet`() {
        // I14
        var household = household()
        for watch in 0..<2 { household.disconnect(watch) }
        household.edit(0, title(1), "spa")
        household.edit(1, color(1), "green")
        for watch in 0..<2 { household.connect(watch) }
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.conflicts.isEmpty)
        #expect(household.view(0)[color(1)]?.value == "green")
        #expect(household.view(1)[title(1)]?.value == "spa")
    }

    @Test func `a watch that was deleted from under an edit keeps the edit in the log`() throws {
        // I12
        var household = household()
        household.disconnect(0)
        household.edit(0, title(1), "mine")
        household.hubWrites([CellChange(key: title(1), value: nil)])
        household.connect(0)
        household.run()
        #expect(household.isAtRest)
        #expect(household.view(0)[title(1)] == nil)
        let lost = try #require(household.hub.conflicts.values.first)
        #expect(lost.rule == .deleted)
        household.settle(0, lost.id, restoring: true)
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.cells[title(1)]?.value == "mine")
        #expect(household.hub.conflicts.isEmpty)
    }

    @Test func `a hub put back to a backup hears from its watches what it has lost`() throws {
        // C8, C11, PROTOCOL §9
        var household = household()
        let backup = household.hub.ledger.state
        household.edit(0, title(1), "new")
        household.run()
        let epoch = household.hub.version.epoch
        household.restartHub(backup)
        for watch in 0..<2 { household.connect(watch) }
        household.run()
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.version.epoch != epoch)
        // A restore may be intended as an undo, so the lost edits are in the log and not in effect.
        #expect(household.hub.cells[title(1)]?.value == "pool")
        let lost = try #require(household.hub.conflicts.values.first)
        #expect(household.hub.conflicts.count == 1)
        #expect(lost.rule == .lostInRestore)
        #expect(lost.loser.value == "new")
        #expect(lost.loser.author == "wrist 0")
        household.settle(1, lost.id, restoring: true)
        household.run()
        #expect(household.isAtRest)
        #expect(household.view(0)[title(1)]?.value == "new")
    }

    @Test func `a watch put back to a backup brings its next edit, under another numbering`() {
        // C14, C15, PROTOCOL §7
        var household = household()
        let backup = household.replica(0)
        household.edit(0, title(1), "first")
        household.run()
        household.restartWatch(0, backup)
        household.edit(0, color(1), "second")
        #expect(household.replica(0).pending.map(\.sequence) == [1])
        household.connect(0)
        household.run()
        household.run()
        #expect(household.isAtRest)
        #expect(household.replica(0).incarnation != backup.incarnation)
        #expect(household.hub.cells[title(1)]?.value == "first")
        #expect(household.hub.cells[color(1)]?.value == "second")
        #expect(household.hub.conflicts.isEmpty)
    }

    @Test func `a hub that restarts goes on where it was`() {
        var household = household()
        household.edit(0, title(1), "before")
        household.run()
        household.disconnect(1)
        household.edit(1, color(1), "waits")
        household.restartHub(household.hub.ledger.state)
        for watch in 0..<2 { household.connect(watch) }
        household.run()
        #expect(household.isAtRest)
        #expect(household.hub.cells[color(1)]?.value == "waits")
        #expect(household.hub.version.epoch == Epoch(number: 1))
    }
}
