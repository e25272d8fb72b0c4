import Testing

@testable import PoolWatch
@testable import SyncCore

@Suite struct LocalEditsTests {
    private func edit(_ number: UInt64) -> Edit {
        Edit(
            id: RandomID(high: number, low: 0), changes: [],
            stamp: Stamp(milliseconds: Int64(number), counter: 0, node: 1), schema: 1, resolves: nil)
    }

    @Test func `an edit that is confirmed before its author hears of it does not wait for ever`() {
        var edits = LocalEdits()
        edits.confirm([ConfirmedEdit(edit: edit(1))])
        edits.accept(edit(1))
        #expect(edits.pending == [])
    }

    @Test func `edits wait in the order in which they were made`() {
        var edits = LocalEdits()
        for number: UInt64 in [2, 1, 3, 1] { edits.accept(edit(number)) }
        #expect(edits.pending.map(\.id.high) == [1, 2, 3])
        edits.confirm([ConfirmedEdit(edit: edit(1)), ConfirmedEdit(edit: edit(2))])
        #expect(edits.pending.map(\.id.high) == [3])
    }
}
