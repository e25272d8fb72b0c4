import TestSupport
import Testing

@testable import SyncCore

/// Cases beyond the table of `Merge`: edits of several cells, capacity, clocks and repetitions.
@Suite(.longWork) struct MergeTests {
    // MARK: - Edits of several cells

    @Test func `an edit of several cells takes effect as a whole`() {
        var script = MergeScript()
        let rule = script.take(edit(1, [change(title(1), "a"), change(color(1), "b")]))
        #expect(rule == nil)
        #expect(script.value(title(1)) == "a")
        #expect(script.value(color(1)) == "b")
        #expect(script.ledger.version.revision == 1)
    }

    @Test func `an edit of several cells that loses in one of them loses as a whole`() {
        // I15
        var script = MergeScript()
        script.write(color(1), "theirs", at: 2000)
        let lost = edit(1, [change(title(1), "a"), change(color(1), "b", base: id(9))], at: 1000)
        let rule = script.take(lost)
        #expect(rule == .newest)
        #expect(script.value(title(1)) == nil)
        #expect(script.value(color(1)) == "theirs")
        #expect(script.conflicts[lost.dot(of: 0)]?.rule == .together)
        #expect(script.conflicts[lost.dot(of: 1)]?.rule == .newest)
        #expect(Set(script.conflicts.values.map(\.edit)) == [lost.id])
    }

    @Test func `a cell of a lost edit that says what stands is not logged`() {
        var script = MergeScript()
        script.write(title(1), "same", at: 1)
        script.write(color(1), "theirs", at: 2000)
        script.take(edit(1, [change(title(1), "same", base: id(9)), change(color(1), "b", base: id(9))], at: 1000))
        #expect(script.conflicts.count == 1)
    }

    @Test func `an edit under the name of what somebody else lost takes nothing away`() {
        // I2, against a paired watch that lies
        var script = MergeScript()
        script.write(title(1), "theirs", at: 2000)
        script.take(edit(1, [change(title(1), "lost", base: id(9))], at: 1000))
        let lost = script.conflicts[id(1)]
        let rule = script.take(edit(1, [change(title(1), "forged", base: id(9))], at: 1000), from: key(2))
        #expect(rule == .newest)
        #expect(script.conflicts[id(1)] == lost)
        #expect(Set(script.conflicts.values.map(\.loser.value)) == ["lost", "forged"])
        #expect(script.value(title(1)) == "theirs")
    }

    @Test func `a cell can be created again by who saw that it is gone, not by who did not know it yet`() {
        // I12
        var script = MergeScript()
        script.write(title(1), "first", at: 1000)
        script.write(title(1), nil, at: 2000)
        #expect(script.take(edit(1, [change(title(1), "before")], at: 1500)) == .deleted)
        #expect(script.take(edit(2, [change(title(1), "after")], at: 3000)) == nil)
        #expect(script.value(title(1)) == "after")
    }

    // MARK: - Permissions and capacity

    @Test func `a watch whose program is too old for a cell cannot change it`() {
        // PROTOCOL §8, row 2
        var script = MergeScript()
        #expect(script.take(edit(1, [change(cell("modern", 1), "a")], schema: 1)) == .schema)
        #expect(script.take(edit(2, [change(cell("modern", 1), "a")], schema: 2)) == nil)
        #expect(script.take(edit(3, [change(cell("newest", 1), "a")], schema: 2), records: 1) == .schema)
        #expect(script.take(edit(4, [change(cell("newest", 1), "a")], schema: 2), records: 2) == nil)
    }

    @Test func `a value that the application objects to is not taken, and is logged`() {
        var script = MergeScript()
        script.objection = { _, value in value == "bad" ? "not this one" : nil }
        #expect(script.take(edit(1, [change(title(1), "bad")])) == .invalid)
        #expect(script.take(edit(2, [change(title(1), "good")])) == nil)
        #expect(script.value(title(1)) == "good")
        #expect(script.conflicts[id(1)]?.rule == .invalid)
    }

    @Test func `an edit that makes the configuration too large is not taken, one that makes it smaller is`() {
        // I7
        var script = MergeScript()
        let value = String(repeating: "x", count: Edit.valueByteCountMax)
        var number: UInt64 = 0
        let byteCount = ConfigurationSize.byteCount(of: value, at: title(1))
        while script.size.cellByteCount + byteCount <= ConfigurationSize.cellByteCountMax {
            number += 1
            script.write(title(number), value)
        }
        #expect(script.take(edit(number + 1, [change(title(number + 1), value)])) == .tooLarge)
        #expect(script.value(title(number + 1)) == nil)
        #expect(script.take(edit(number + 2, [change(title(1), "small", base: script.dot(title(1)))])) == nil)
        #expect(script.take(edit(number + 3, [change(title(number + 3), value)])) == nil)
        #expect(script.size.cellByteCount <= ConfigurationSize.cellByteCountMax)
    }

    @Test func `the cells of one edit are measured together`() {
        // Each of them has room alone, but not all together.
        var script = MergeScript()
        let value = String(repeating: "x", count: Edit.valueByteCountMax)
        var number: UInt64 = 0
        let byteCount = ConfigurationSize.byteCount(of: value, at: title(1))
        while script.size.cellByteCount + 2 * byteCount <= ConfigurationSize.cellByteCountMax {
            number += 1
            script.write(title(number), value)
        }
        #expect(script.take(edit(1, [change(title(900), value), change(color(900), value)])) == .tooLarge)
        #expect(script.size.cellByteCount <= ConfigurationSize.cellByteCountMax)
        #expect(script.take(edit(2, [change(title(900), value)])) == nil)
    }

    // MARK: - Clocks

    @Test func `a clock too far ahead is corrected and reported, and wins no more than its bound`() {
        // C25, I11
        var script = MergeScript()
        script.now = 1000
        script.take(edit(1, [change(title(1), "future")], at: 1_000_000))
        let limit = moment(1000).wallMilliseconds + Merge.clockBound
        #expect(script.isClockSuspect)
        #expect(script.ledger.state.cells[title(1)]?.stamp.milliseconds == limit)
        script.write(title(2), "now", at: 1001)
        #expect((script.ledger.state.cells[title(2)]?.stamp.milliseconds ?? .max) <= limit)
        script.take(edit(2, [change(color(1), "soon")], at: 1001 + Merge.clockBound))
        #expect(!script.isClockSuspect)
    }

    @Test func `many edits of one batch push the hub's clock no further than one`() {
        // I11, PROTOCOL §8
        var script = MergeScript()
        let uploads = (1...20 as ClosedRange<UInt64>).map { number in
            let ahead = Int64(number) * (Merge.clockBound - 1)
            return NumberedUpload(
                sequence: number, upload: .edit(edit(number, [change(title(number), "a")], at: ahead)))
        }
        let transaction = script.take(uploads)
        #expect(script.isClockSuspect)
        let limit = moment(0).wallMilliseconds + Merge.clockBound
        #expect((transaction?.stamp.milliseconds ?? .max) <= limit)
        #expect(script.ledger.state.cells.values.allSatisfy { $0.stamp.milliseconds <= limit })
    }

    @Test func `what is made on a stamp ahead of the hub's clock is not cut below it`() throws {
        // C18
        var script = MergeScript()
        script.write(title(1), "h", at: 1_000_000)
        let seen = try #require(script.ledger.state.lastStamp)
        script.now = 0
        var first = edit(1, [change(title(1), "v", base: script.dot(title(1)))])
        first.stamp = Stamp(milliseconds: seen.milliseconds, counter: seen.counter + 1, node: 1)
        script.take(first)
        #expect(!script.isClockSuspect)
        #expect(script.ledger.state.cells[title(1)]?.stamp.counter == seen.counter + 1)
        let last = script.ledger.state.lastStamp

        // Time has passed at the watch: the stamp is later than all stamps at the hub, but not later than needed.
        script.take(edit(2, [change(title(1), "w", base: id(1))], at: 1_000_001))
        #expect(script.isClockSuspect)
        let stamp = try #require(script.ledger.state.cells[title(1)]?.stamp)
        #expect(stamp > (try #require(last)))
        #expect(stamp.milliseconds == seen.milliseconds)
        #expect(script.ledger.state.lastStamp?.milliseconds == seen.milliseconds)
    }

    @Test func `a watch that comes again and again pushes the hub's clock no further than once`() {
        // I11, PROTOCOL §8
        var script = MergeScript()
        let limit = moment(0).wallMilliseconds + Merge.clockBound
        for number: UInt64 in 0..<20 {
            var edit = edit(number, [change(title(number), "a")])
            let last = max(script.ledger.state.lastStamp?.milliseconds ?? 0, moment(0).wallMilliseconds)
            // It advances the clock by the bound, by one millisecond, or by using up the counters.
            edit.stamp.milliseconds = last + [Merge.clockBound, 1, 0][Int(number % 3)]
            edit.stamp.counter = number % 3 == 2 ? .max : 0
            script.take(edit)
        }
        #expect(script.ledger.state.lastStamp?.milliseconds == limit)
        #expect(script.ledger.state.cells.values.allSatisfy { $0.stamp.milliseconds <= limit })
    }

    @Test func `a counter that was used up cuts nobody's stamp below what it was made on`() throws {
        // C18, by way of the counter
        var script = MergeScript()
        var high = edit(1, [change(title(1), "high")])
        high.stamp = stamp(Merge.clockBound, counter: Merge.counterBound)
        script.take(high, from: key(2))
        script.write(title(1), nil, at: 0)
        let gone = try #require(script.ledger.state.cells[title(1)])
        #expect(gone.stamp.counter > Merge.counterBound)

        // An author who saw the deletion creates the cell again, with a later stamp.
        var anew = edit(2, [change(title(1), "anew")])
        anew.stamp = Stamp(milliseconds: gone.stamp.milliseconds, counter: gone.stamp.counter + 1, node: 1)
        #expect(script.take(anew) == nil)
        #expect(script.value(title(1)) == "anew")
        #expect(!script.isClockSuspect)
    }

    @Test func `who stamped is known from the key, not from the stamp`() {
        var script = MergeScript()
        var forged = edit(1, [change(title(1), "a")])
        forged.stamp.node = 0
        script.take(forged)
        #expect(script.ledger.state.cells[title(1)]?.stamp.node == key(1).node)
    }

    @Test func `the newest of two watches' values is shown, whichever comes first`() {
        for order in [[1, 2], [2, 1]] as [[UInt8]] {
            var script = MergeScript()
            script.write(title(1), "seen", at: 1)
            let base = script.dot(title(1))
            for watch in order {
                let at = watch == 1 ? 500 : 600 as Int64
                var edit = edit(UInt64(watch), [change(title(1), "by \(watch)", base: base)], at: at)
                edit.stamp.node = key(watch).node
                script.take(edit, from: key(watch))
            }
            #expect(script.value(title(1)) == "by 2")
            #expect(script.conflicts.values.map(\.loser.value) == ["by 1"])
            #expect(script.conflicts.values.map(\.winner?.value) == ["by 2"])
        }
    }

    // MARK: - Repetitions

    @Test func `an upload that comes again changes nothing`() {
        // I5, I8
        var script = MergeScript()
        let upload = NumberedUpload(sequence: 1, upload: .edit(edit(1, [change(title(1), "a")])))
        #expect(script.take([upload]) != nil)
        let state = script.ledger.state
        guard case .nothing = script.verdict([upload]) else {
            Issue.record("a duplicate is taken in")
            return
        }
        #expect(script.ledger.state == state)
    }

    @Test func `an edit under another numbering takes effect once`() {
        // C15
        var script = MergeScript()
        let edit = edit(1, [change(title(1), "a"), change(color(1), "b")])
        script.take(edit)
        script.write(title(1), "after", at: 2000)
        script.take([NumberedUpload(sequence: 1, upload: .edit(edit))], incarnation: 2)
        #expect(script.value(title(1)) == "after")
        #expect(script.conflicts.isEmpty)
        #expect(script.ledger.state.uploads[key(1)]?.incarnation == RandomID(high: 0, low: 2))
        #expect(script.ledger.state.uploads[key(1)]?.highest == 1)
    }

    @Test func `a number that meant another upload contradicts`() {
        // C14
        var script = MergeScript()
        script.take(edit(1, [change(title(1), "a")]))
        guard
            case .contradiction = script.verdict([
                NumberedUpload(sequence: 1, upload: .edit(edit(2, [change(title(1), "b")])))
            ])
        else {
            Issue.record("another edit of the same number is taken for the first one")
            return
        }
    }

    @Test func `a numbering that begins in its middle contradicts, a hole waits`() {
        var script = MergeScript()
        let second = NumberedUpload(sequence: 2, upload: .edit(edit(1, [change(title(1), "a")])))
        guard case .contradiction = script.verdict([second]) else {
            Issue.record("nobody knows what number 1 was")
            return
        }
        script.take(edit(3, [change(color(1), "b")]))
        guard
            case .nothing = script.verdict([
                NumberedUpload(sequence: 3, upload: .edit(edit(4, [change(title(1), "c")])))
            ])
        else {
            Issue.record("number 2 is missing")
            return
        }
    }

    @Test func `the outcomes that a watch knows are told no longer`() {
        var script = MergeScript()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(script.take(edit(number, [change(note(number), "a")])) == .readOnly)
        }
        let mark = script.ledger.state.uploads[key(1)]
        // Each batch says that only its own edit is still pending.
        #expect(mark?.outcomes.map(\.sequence) == [3])
        #expect(mark?.receipt.highest == 3)
        #expect(mark?.receipt.last == id(3))
    }
}
