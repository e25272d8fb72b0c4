import Testing

@testable import SyncCore

/// A write that follows an author's own rejected write does not conflict with the value under that write.
@Suite struct RejectedWriteTests {
    private var script = MergeScript()

    init() {
        script.objection = { _, value in value == "unfit" ? "it does not fit" : nil }
        script.take(edit(1, [change(title(1), "first")], at: 1000))
    }

    @Test mutating func `an own write beneath a rejected one does not lose against what is made on top`() {
        // I14
        #expect(script.take(edit(2, [change(title(1), "unfit", base: id(1))], at: 2000)) == .invalid)
        #expect(script.take(edit(3, [change(title(1), "third", base: id(2))], at: 3000)) == nil)
        #expect(script.value(title(1)) == "third")
        #expect(script.conflicts.keys == [id(2)])
    }

    @Test mutating func `it is so through several of them, in one batch, and across a restart`() {
        let chain = (2...4 as ClosedRange<UInt64>).map { number in
            NumberedUpload(
                sequence: number,
                upload: .edit(edit(number, [change(title(1), "unfit", base: id(number - 1))], at: 2000)))
        }
        script.take(chain)
        script.ledger = Ledger(state: script.ledger.state)
        #expect(script.take(edit(5, [change(title(1), "fit", base: id(4))], at: 3000)) == nil)
        #expect(script.conflicts.keys == [id(2), id(3), id(4)])
    }

    @Test mutating func `what somebody else wrote meanwhile is a conflict all the same`() {
        #expect(script.take(edit(2, [change(title(1), "unfit", base: id(1))], at: 2000)) == .invalid)
        script.write(title(1), "theirs", at: 2500)
        let theirs = script.dot(title(1)) ?? id(0)
        #expect(script.take(edit(3, [change(title(1), "third", base: id(2))], at: 3000)) == nil)
        #expect(Set(script.conflicts.keys) == [id(2), theirs])
    }

    @Test mutating func `a write that lost against another one is no way to look through`() {
        script.write(title(1), "theirs", at: 5000)
        #expect(script.take(edit(2, [change(title(1), "mine", base: id(1))], at: 2000)) == .newest)
        #expect(script.ledger.state.uploads[key(1)]?.rejected.isEmpty == true)
    }

    @Test mutating func `a cell of an edit that was rejected for another cell counts as rejected`() {
        let changes = [change(title(1), "second", base: id(1)), change(note(1), "not mine to change")]
        #expect(script.take(edit(2, changes, at: 2000)) == .readOnly)
        #expect(script.take(edit(3, [change(title(1), "third", base: id(2))], at: 3000)) == nil)
        #expect(script.conflicts[id(1)] == nil)
    }

    @Test mutating func `a creation that was rejected is made good by the next edit of it`() {
        #expect(script.take(edit(2, [change(title(2), "unfit")], at: 2000)) == .invalid)
        #expect(script.take(edit(3, [change(title(2), "fit", base: id(2))], at: 3000)) == nil)
        #expect(script.value(title(2)) == "fit")
    }

    @Test mutating func `another watch's rejected writes mean nothing`() {
        #expect(script.take(edit(2, [change(title(1), "unfit", base: id(1))], at: 2000)) == .invalid)
        #expect(script.take(edit(3, [change(title(1), "third", base: id(2))], at: 3000), from: key(2)) == nil)
        #expect(Set(script.conflicts.keys) == [id(1), id(2)])
    }

    @Test mutating func `the last rejected writes are remembered, and a circle of them ends`() {
        // I7
        for number in 2...UInt64(UploadMark.rejectedCountMax + 3) {
            script.take(edit(number, [change(title(1), "unfit", base: id(number))], at: 2000))
            script.write(title(900), "\(number)", settling: [id(number)])
        }
        let rejected = script.ledger.state.uploads[key(1)]?.rejected ?? []
        #expect(rejected.count == UploadMark.rejectedCountMax)
        #expect(rejected.first?.dot == id(4))
        let last = UInt64(UploadMark.rejectedCountMax + 3)
        #expect(script.take(edit(last + 1, [change(title(1), "b", base: id(last))], at: 3000)) == nil)
        #expect(script.conflicts[id(1)] != nil)
    }
}
