import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// What the judge of journals finds of a store that loses something, and what it cannot know: decision 0039.
@Suite(.longWork) struct JournalLossTests {
    private static func change(_ cell: String, _ value: String?) throws -> CellChange {
        CellChange(key: try #require(CellName(cell)).key, value: value)
    }

    private func report(_ home: RecordedHome, mayBeRestored: Bool) throws -> JournalReport {
        try JournalMerge.replay([home.hubFile.bytes, home.watchFile.bytes], mayBeRestored: mayBeRestored)
    }

    @Test(arguments: [false, true])
    func `a hub's store that keeps a part of an edit is found`(mayBeRestored: Bool) throws {
        var home = RecordedHome()
        let edit = [try Self.change("attic.name", "Grenier"), try Self.change("attic.range", "1-2")]
        home.tellWatch(.edit(home.request(), edit))
        home.settle()
        home.hubStore.ledger.cells[edit[1].key] = nil
        home.startHub(seed: 3)
        home.settle(seconds: 8)

        let report = try report(home, mayBeRestored: mayBeRestored)
        #expect(report.violation?.rule == .noSilentLoss)
        #expect(report.violation?.text == "the write 1-2 of thing/range is gone without a trace")
    }

    @Test func `a watch's store that forgets an edit is found, unless a copy was put back in the run`() throws {
        var home = RecordedHome()
        let before = home.watchStore
        home.tellWatch(.edit(home.request(), [try Self.change("attic.name", "Attic")]))
        home.watchStore = before
        // The edit is on its way to no hub.
        home.startHub(seed: 3)
        home.startWatch(seed: 4)
        home.tellWatch(.connected)
        home.settle(seconds: 8)

        #expect(try report(home, mayBeRestored: false).violation?.rule == .durabilityOrder)
        // Only the second journal says that a person was told of the edit, and that no copy of the watch was put back.
        let excused = try report(home, mayBeRestored: true)
        #expect(excused.isGood)
        #expect(excused.notes.isEmpty)
    }

    @Test func `an edit is believed what it says its author had seen`() throws {
        let key = try #require(CellName("attic.name")).key
        let dots = (1...3 as ClosedRange<UInt64>).map { RandomID(high: 0, low: $0) }
        /// Three persons write: the second one saw the first value, and so did the third one.
        func lost(base: RandomID) -> String? {
            var edits = EditChecker()
            edits.schema = ScenarioSchema.schema(ScenarioSchema.versions)
            for (number, seen) in [nil, dots[0], base].enumerated() {
                edits.add(
                    dots[number],
                    EditChecker.Write(
                        author: number, key: key, value: "\(number)", seen: seen, seenValue: seen == nil ? nil : "0",
                        edit: dots[number], isPromised: true))
            }
            var state = LedgerState(newEpoch: Epoch(number: 1))
            let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
            state.cells[key] = Cell(
                value: "2", dot: dots[2], stamp: Stamp(milliseconds: 1, counter: 0, node: 1), written: place,
                created: place)
            return edits.lost(in: state, watches: [], paired: [0, 1, 2])
        }

        #expect(lost(base: dots[0]) == "the write 1 of thing/name is gone without a trace")
        // A watch that names a newer value than its person saw: the checker of chaos compares the values that were seen.
        #expect(lost(base: dots[1]) == nil)
    }
}
