import Testing

@testable import SyncCore

/// Deletions that only a watch remembers: what the watch keeps, and how a hub that was restored to an earlier state
/// handles them.
@Suite struct SeenDeletionTests {
    private var script = ReplicaScript()

    private func salvaged(_ script: ReplicaScript) -> [Conflict] {
        script.replica.state.pending.compactMap { if case .salvage(let lost) = $0.upload { lost } else { nil } }
    }

    // MARK: - At a watch

    @Test mutating func `a cell that disappears is remembered and brought to another history`() throws {
        // C12, PROTOCOL §9: the hub is restored to a state before the creation, so the new snapshot does not contain
        // the cell either.
        script.hold(held([(title(1), "a", 1), (title(2), "b", 2)]))
        script.receive(held([(title(1), "a", 1)], revision: 2), receipt: nil)
        let place = Cell.Place(epoch: Epoch(number: 1), revision: 2)
        #expect(script.replica.state.deletions == [SeenDeletion(key: title(2), place: place)])
        script.restart()
        script.receive(held([(title(1), "a", 1)], epoch: 2), receipt: nil)
        let lost = try #require(salvaged(script).first)
        #expect(salvaged(script).count == 1)
        #expect(lost.key == title(2))
        #expect(lost.isSeenDeletion)
        #expect(lost.place == place)

        // It is sent again, with the same name, to a hub that was restored once more.
        let receipt = script.receipt(1)
        script.receive(held([(title(1), "a", 1)], revision: 2, epoch: 2), receipt: receipt)
        #expect(script.replica.state.pending.isEmpty)
        script.receive(held([(title(1), "a", 1)], epoch: 3), receipt: nil)
        #expect(salvaged(script).map(\.id) == [lost.id])
    }

    @Test mutating func `a cell that is shown again was created anew, and is no deletion any more`() {
        script.hold(held([(title(1), "a", 1)]))
        script.receive(held([], revision: 2), receipt: nil)
        script.receive(held([(title(1), "again", 3)], revision: 3), receipt: nil)
        #expect(script.replica.state.deletions.isEmpty)
    }

    @Test mutating func `cells that another version of the records lacks are not deleted`() {
        script.hold(held([(title(1), "a", 1)]))
        var other = held([], revision: 2)
        other.records = 1
        script.receive(other, receipt: nil)
        #expect(script.replica.state.deletions.isEmpty)
    }

    @Test mutating func `the deletions seen last are remembered, the oldest are forgotten`() {
        // I7
        let count = UInt64(SeenDeletion.countMax)
        script.hold(held((0...count).map { (title($0), "a", $0) }))
        script.receive(held((1...count).map { (title($0), "a", $0) }, revision: 2), receipt: nil)
        script.receive(held([], revision: 3), receipt: nil)
        #expect(script.replica.state.deletions.count == SeenDeletion.countMax)
        #expect(script.replica.state.deletions.first?.key == title(1))
    }

    // MARK: - At the hub

    private func seen(_ key: CellKey = title(1)) -> Conflict {
        lostDeletion(of: key, RandomID(naming: key, in: Epoch(number: 9)))
    }

    @Test func `a creation that a lost deletion had removed stays removed, and is in the log`() throws {
        var hub = MergeScript()
        hub.now = 5000
        hub.write(note(1), "x")
        hub.salvage(seen(), from: key(2))
        #expect(hub.conflicts.isEmpty)
        #expect(hub.ledger.snapshot(houseSchema).cells.keys == [note(1)])
        #expect(hub.take(edit(1, [change(title(1), "back")], at: 1000)) == .deleted)
        #expect(hub.value(title(1)) == nil)
        #expect(hub.conflicts.keys == [id(1)])
        // Another watch that saw it, and a repetition by the same one, change nothing.
        hub.salvage(seen(), from: key(3))
        #expect(hub.conflicts.keys == [id(1)])
    }

    @Test func `a lost deletion that comes after the creation is in the log`() {
        var hub = MergeScript()
        hub.take(edit(1, [change(title(1), "back")], at: 1000))
        hub.salvage(seen(), from: key(2))
        #expect(hub.value(title(1)) == "back")
        #expect(hub.conflicts.values.map(\.rule) == [.deletionLostInRestore])
    }

    @Test(arguments: [true, false])
    func `however far a clock is ahead, a lost deletion is not lost in silence`(_ isSalvage: Bool) throws {
        // I13: the creation has a later stamp than its deletion.
        var hub = MergeScript()
        if isSalvage {
            hub.salvage(seen(), from: key(2))
        } else {
            var deletion = edit(5, [change(title(1), nil, base: id(1))], at: 1000)
            deletion.stamp = stamp(1000, of: key(2))
            hub.take(deletion, from: key(2))
        }
        let trace = try #require(hub.dot(title(1)))
        #expect(hub.take(edit(1, [change(title(1), "back")], at: 1_000_000)) == nil)
        #expect(hub.value(title(1)) == "back")
        let conflict = try #require(hub.conflicts[trace])
        #expect(conflict.rule == .deletionLostInRestore)
        #expect(conflict.loser.value == nil)
        #expect(conflict.winner?.dot == id(1))
    }

    @Test func `who left the trace creates the cell anew without a conflict`() {
        var hub = MergeScript()
        hub.salvage(seen(), from: key(1))
        #expect(hub.take(edit(1, [change(title(1), "again")], at: 6000)) == nil)
        #expect(hub.conflicts.isEmpty)
        #expect(hub.ledger.state.cells[title(1)]?.created.revision == 2)
    }

    @Test func `a deletion that the hub knows, or of a cell that watches do not write, leaves nothing`() {
        var hub = MergeScript()
        hub.write(title(1), "a", at: 1)
        hub.write(title(1), nil, at: 2)
        let known = hub.dot(title(1))
        hub.salvage(seen(), from: key(2))
        hub.salvage(seen(note(1)), from: key(2))
        hub.salvage(seen(secret(1)), from: key(2))
        #expect(hub.dot(title(1)) == known)
        #expect(hub.dot(note(1)) == nil)
        #expect(hub.dot(secret(1)) == nil)
        #expect(hub.conflicts.isEmpty)
        #expect(hub.ledger.state.uploads[key(2)]?.highest == 3)
    }

    @Test func `the trace is kept for thirty days from when it came`() {
        var hub = MergeScript()
        hub.write(note(1), "x", at: 5000)
        hub.salvage(seen(), from: key(2))
        let almost = moment(5000).wallMilliseconds + Ledger.tombstoneMilliseconds
        #expect(hub.ledger.preparePurge(seenByAll: .max, wallMilliseconds: almost) == nil)
        hub.purge()
        #expect(hub.ledger.state.cells[title(1)] == nil)
    }

    // MARK: - Hub and watches together

    @Test(arguments: [true, false])
    func `the author's own creation does not bring back what the hub deleted`(_ isWitnessFirst: Bool) throws {
        // The hub is restored to a state before the creation and its deletion. One watch saw the deletion; the cell's
        // author did not.
        var household = Household(watchCount: 2)
        household.hubWrites([CellChange(key: title(9), value: "x")])
        for watch in 0..<2 { household.connect(watch) }
        household.run()
        let backup = household.hub.ledger.state
        let unconfirmed = household.replica(0)
        household.edit(0, title(1), "mine")
        var author = household.replica(0)
        household.run()
        household.disconnect(0)
        household.hubWrites([CellChange(key: title(1), value: nil)])
        household.run()
        #expect(household.view(1)[title(1)] == nil)
        #expect(household.replica(1).deletions.map(\.key) == [title(1)])

        author.snapshot = unconfirmed.snapshot
        household.restartHub(backup)
        household.restartWatch(0, author)
        for watch in isWitnessFirst ? [1, 0] : [0, 1] {
            household.connect(watch)
            household.run()
            household.run()
        }
        #expect(household.isAtRest)
        let rules = household.hub.conflicts.values.map(\.rule)
        #expect(rules == [isWitnessFirst ? .deleted : .deletionLostInRestore])
    }
}
