import Testing

@testable import SyncCore

/// No watch can fill the conflict log alone, and a watch whose uploads wait is notified of the reason.
@Suite struct ConflictShareTests {
    private func losing(_ number: UInt64, _ value: String = "a") -> Edit { edit(number, [change(note(number), value)]) }

    private func obstacle(_ script: inout MergeScript, _ edit: Edit, from watch: PeerKey) -> UploadOutcome? {
        let sequence = (script.ledger.state.uploads[watch]?.highest ?? 0) + 1
        let verdict = script.verdict([NumberedUpload(sequence: sequence, upload: .edit(edit))], from: watch)
        guard case .full(let outcome) = verdict else { return nil }
        return outcome
    }

    // MARK: - The share

    @Test func `a watch fills half of the log, and edits of others go on`() {
        // I7, I20
        var script = MergeScript()
        for number in 1...UInt64(Conflict.countMax) { script.take(losing(number), from: key(1)) }
        #expect(script.conflicts.count == ConflictLogCapacity.shareCountMax)
        let waiting = obstacle(&script, losing(500), from: key(1))
        #expect(waiting == UploadOutcome(sequence: 51, id: id(500), rule: .shareFull))

        // The other one has its own part, and half of what the first one left.
        for number in 501...600 as ClosedRange<UInt64> { script.take(losing(number), from: key(2)) }
        #expect(script.conflicts.count == ConflictLogCapacity.shareCountMax + 25 + 12)
        let full = obstacle(&script, losing(900), from: key(2))
        #expect(full?.rule == .logFull)

        // It may use as much of the common half as it leaves free, where the other one has twelve places.
        script.write(title(1), "x", settling: (1...6 as ClosedRange<UInt64>).map { id($0) })
        let none = obstacle(&script, losing(500), from: key(1))
        #expect(none?.rule == .logFull)
        script.write(title(1), "y", settling: [id(7)])
        let room = obstacle(&script, losing(500), from: key(1))
        #expect(room == nil)
    }

    @Test(arguments: [2, 3, 5, 9])
    func `however many watches fill what they may, each other one has its part of the log`(greedyCount: Int) {
        var script = MergeScript()
        script.watchCount = greedyCount + 1
        let honest = key(UInt8(greedyCount + 1))
        var number: UInt64 = 0
        for greedy in 1...greedyCount {
            for _ in 0..<Conflict.countMax {
                number += 1
                script.take(losing(number), from: key(UInt8(greedy)))
            }
        }
        let before = script.conflicts.count
        let part = ConflictLogCapacity.shareCountMax / (greedyCount + 1)
        for _ in 0..<part {
            number += 1
            let rule = script.take(losing(number), from: honest)
            #expect(rule == .readOnly)
        }
        #expect(script.conflicts.count == before + part)
        #expect(script.conflicts.count <= Conflict.countMax)
    }

    @Test func `an edit that loses nothing never waits for the log`() {
        var script = MergeScript()
        script.watchCount = 3
        for number in 1...UInt64(Conflict.countMax) { script.take(losing(number), from: key(1)) }
        for number in 501...600 as ClosedRange<UInt64> { script.take(losing(number), from: key(2)) }
        let changes = (1...UInt64(Edit.changeCountMax)).map { change(title($0), "mine") }
        for (number, watch) in [(800, key(1)), (801, key(2)), (802, key(3))] as [(UInt64, PeerKey)] {
            let before = script.conflicts.count
            let moved = changes.map { change($0.key, "by \(number)", base: script.dot($0.key)) }
            let rule = script.take(edit(number, moved, at: Int64(number) * 10), from: watch)
            #expect(rule == nil)
            #expect(script.value(title(1)) == "by \(number)")
            #expect(script.conflicts.count == before)
        }
        let waits = obstacle(&script, losing(900), from: key(1))
        #expect(waits?.rule == .shareFull)
    }

    @Test func `the bytes of a half are bounded, too`() {
        var script = MergeScript()
        let long = String(repeating: "\u{1}", count: Edit.valueByteCountMax)
        for number in 1...40 as ClosedRange<UInt64> { script.take(losing(number, long), from: key(1)) }
        #expect(script.size.conflictByteCount <= ConflictLogCapacity.shareByteCountMax)
        let reason4 = obstacle(&script, losing(500, long), from: key(1))
        #expect(reason4?.rule == .shareFull)
        let others = script.take(losing(501, long), from: key(2))
        #expect(others == .readOnly)
    }

    @Test func `the largest edit, which an empty log takes, leaves the others their half`() {
        var script = MergeScript()
        let long = String(repeating: "\u{1}", count: Edit.valueByteCountMax)
        script.take(edit(1, (1...12 as ClosedRange<UInt64>).map { change(note($0), long, seen: long) }))
        #expect(script.size.conflictByteCount > ConfigurationSize.conflictByteCountMax)
        let reason5 = obstacle(&script, losing(500), from: key(1))
        #expect(reason5?.rule == .shareFull)
        let others = script.take(losing(501), from: key(2))
        #expect(others == .readOnly)
    }

    @Test func `salvage counts for the watch that brings it, and a settled conflict for nobody`() {
        var script = MergeScript()
        let lost = Conflict(
            id: id(1), edit: id(1), key: title(1), base: nil,
            loser: Conflict.Side(value: "lost", dot: id(1), stamp: stamp(5, of: key(9)), author: ""), winner: nil,
            rule: .lostInRestore, place: Cell.Place(epoch: Epoch(number: 9), revision: 4))
        script.salvage(lost, from: key(2))
        #expect(script.ledger.state.bringers[id(1)] == key(2))
        script.write(title(2), "x", settling: [id(1)])
        #expect(script.ledger.state.bringers.isEmpty)
    }

    @Test func `a settling edit in the same batch makes room`() {
        var script = MergeScript()
        for number in 1...UInt64(ConflictLogCapacity.shareCountMax) { script.take(losing(number)) }
        let settling = NumberedUpload(sequence: 51, upload: .edit(edit(400, [], resolves: id(1))))
        let taken = script.take([settling, NumberedUpload(sequence: 52, upload: .edit(losing(401)))])
        #expect(taken?.progress?.highest == 52)
        #expect(script.conflicts.count == ConflictLogCapacity.shareCountMax)
    }

    @Test func `what is put back at a watch whose half is full takes effect if it leaves no more in the log`() {
        var script = MergeScript()
        script.write(title(1), "first", at: 1)
        let seen = script.dot(title(1))
        script.write(title(1), "second", at: 2000)
        script.take(edit(1, [change(title(1), "mine", base: seen)]))
        for number in 2...UInt64(ConflictLogCapacity.shareCountMax) { script.take(losing(number)) }
        #expect(script.conflicts.count == ConflictLogCapacity.shareCountMax)

        // An edit that is rejected again, or that rejects another value, would need another or a larger place in the
        // log.
        let current = script.dot(title(1))
        let losesAgain = obstacle(&script, edit(500, [change(note(2), "a")], resolves: id(2)), from: key(1))
        #expect(losesAgain?.rule == .shareFull)
        let longer = edit(501, [change(title(1), "mine", base: seen)], at: 9000, resolves: id(2))
        let letsAnotherLose = obstacle(&script, longer, from: key(1))
        #expect(letsAnotherLose?.rule == .shareFull)

        #expect(script.take(edit(504, [change(title(1), "mine", base: current)], at: 9000, resolves: id(1))) == nil)
        #expect(script.value(title(1)) == "mine")
        #expect(script.conflicts.count == ConflictLogCapacity.shareCountMax - 1)
    }

    // MARK: - Notifying the watch

    @Test func `a watch whose edits wait is told the reason, and when they go on`() throws {
        var household = Household(watchCount: 2)
        for watch in 0..<2 { household.connect(watch) }
        household.run()
        for number in 1...UInt64(ConflictLogCapacity.shareCountMax + 1) { household.edit(0, note(number), "mine") }
        household.edit(1, title(1), "theirs")
        household.run()
        // The other watch's edits are still accepted.
        #expect(household.hub.cells[title(1)]?.value == "theirs")
        #expect(household.hub.conflicts.count == ConflictLogCapacity.shareCountMax)
        #expect(household.obstacle(0) == .shareFull)
        #expect(household.obstacle(1) == nil)
        #expect(household.replica(0).pending.count == 1)
        #expect(household.hubEvents.contains(.conflictsFull(Household.key(of: 0))))

        // Neither a new session nor an unrelated change hides the obstacle.
        household.disconnect(0)
        household.connect(0)
        household.hubWrites([CellChange(key: title(2), value: "x")])
        household.run()
        #expect(household.obstacle(0) == .shareFull)

        let settled = try #require(household.hub.conflicts.keys.first)
        household.hubSettles(settled, restoring: false)
        household.run()
        #expect(household.isAtRest)
        #expect(household.obstacle(0) == nil)
        #expect(household.hub.conflicts.count == ConflictLogCapacity.shareCountMax)
    }

    @Test func `the watch is told once, and again only after a while`() {
        let outcome = UploadOutcome(sequence: 3, id: id(3), rule: .logFull)
        let hello = Hello(
            nonce: 1, wire: 1...1, schema: 1...1, name: "wrist", epoch: nil, known: nil, window: 4)
        var session = HubSession(
            id: 1, peer: key(1), connection: connection(1), hello: hello, records: 1, heartbeat: .seconds(1),
            now: instant(0))
        let isTold6 = session.waits(outcome, of: id(1), now: instant(0))
        #expect(isTold6)
        let isTold9 = session.waits(outcome, of: id(1), now: instant(2000))
        #expect(!isTold9)
        let isTold7 = session.waits(outcome, of: id(1), now: instant(30_000))
        #expect(isTold7)
        let isTold8 = session.waits(outcome, of: id(2), now: instant(30_001))
        #expect(isTold8)

        // It is reported in its own numbering, even if the hub has accepted uploads of another one.
        let mark = UploadMark(incarnation: id(1), highest: 9, last: id(9))
        let receipt = session.receipt(after: mark)
        #expect(receipt == UploadReceipt(incarnation: id(2), highest: 0, last: nil, outcomes: [outcome]))
        session.waitsNoLonger()
        #expect(session.receipt(after: mark) == mark.receipt)
    }
}
