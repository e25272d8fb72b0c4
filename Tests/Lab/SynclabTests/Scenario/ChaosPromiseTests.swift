import SyncSimulation
import Testing

@testable import synclab

/// That the checker sees what is broken about deletions, edits of several cells, copies of folders and questions.
@Suite struct ChaosPromiseTests {
    private typealias Note = NodeJournal.Note

    private func accepted(
        _ value: String?, at time: Int64, seen: String? = nil, cell: String = "a.name", edit: String? = nil
    ) -> Note {
        var note = Note(.accepted)
        (note.cell, note.value, note.seen, note.time) = (cell, value, seen, time)
        note.edit = edit ?? "\(time)"
        return note
    }

    private func note(
        _ kind: Note.Kind, at time: Int64 = 0, _ text: String? = nil, id: String? = nil, value: String? = nil,
        isTrue: Bool? = nil
    ) -> Note {
        var note = Note(kind)
        (note.text, note.id, note.time, note.value, note.isTrue) = (text, id, time, value, isTrue)
        return note
    }

    private struct Loser {
        var cell = "a.name"
        var value: String?
        var rule = "newest"
    }

    private func violations(
        hub: [Note] = [], watch: [Note] = [], clone: [Note] = [], driver: [Note] = [], shown: [String: String] = [:],
        lost: [Loser] = []
    ) -> [String] {
        var observation = DeviceObservation()
        observation.cells = shown
        observation.conflicts = lost.enumerated().map {
            .init(cell: $1.cell, id: "\($0)", loser: $1.value, winner: nil, rule: $1.rule)
        }
        var named = Note(.named)
        (named.peer, named.text) = ("key", "w")
        let journals = ["hub": [named] + hub, "w": watch, "clone1": clone, ChaosChecker.driver: driver]
        return ChaosChecker(journals: journals, observations: ["hub": observation]).violations
    }

    // MARK: - Deletions

    @Test func `a deletion stands, is in the log, or was seen by who wrote anew`() {
        let deleted = [accepted("1", at: 1), accepted(nil, at: 2, seen: "1")]
        #expect(violations(watch: deleted).isEmpty)
        #expect(violations(watch: deleted, shown: ["a.name": "1"], lost: [Loser(value: nil)]).isEmpty)
        #expect(violations(watch: deleted, hub: accepted("2", at: 3), shown: "2").isEmpty)
        // A watch that wrote before the deletion has not seen it, nor what it deleted.
        #expect(violations(watch: deleted, hub: accepted("2", at: 1), shown: "2").count == 2)
    }

    private func violations(watch: [Note], hub: Note, shown: String) -> [String] {
        violations(hub: [hub], watch: watch, shown: ["a.name": shown])
    }

    @Test func `a deleted value does not come back unless its deletion lost`() {
        let deleted = [accepted("1", at: 1), accepted(nil, at: 2, seen: "1"), accepted("2", at: 3)]
        #expect(violations(watch: deleted, shown: ["a.name": "2"]).isEmpty)
        let returned = violations(watch: deleted, shown: ["a.name": "1"])
        #expect(returned.contains { $0.contains("shows \"1\" again") })
    }

    // MARK: - Edits of several cells

    @Test func `an edit that is turned away is in effect nowhere`() {
        let edit = [accepted("1", at: 1, edit: "e"), accepted("1", at: 1, cell: "a.range", edit: "e")]
        let both = [Loser(value: "1", rule: "deleted"), Loser(cell: "a.range", value: "1", rule: "together")]
        #expect(violations(watch: edit, lost: both).isEmpty)
        #expect(violations(watch: edit, shown: ["a.range": "1"], lost: [both[0]]).count == 1)
        // One that was in effect may lose a cell to a newer value.
        #expect(violations(watch: edit, shown: ["a.range": "1"], lost: [Loser(value: "1")]).isEmpty)
    }

    @Test func `the log of conflicts is bounded`() {
        let lost = (1...101).map { Loser(cell: "a.name", value: "\($0)") }
        #expect(violations(lost: Array(lost.prefix(100))).isEmpty)
        #expect(violations(lost: lost) == ["the hub's log held 101 conflicts, the bound is 100"])
    }

    // MARK: - Copies of folders

    @Test func `only what the hub alone promised after the copy may be gone when it is put back`() {
        let driver = [note(.backedUp, at: 10), note(.restored, at: 20)]
        #expect(violations(hub: [accepted("1", at: 15)], driver: driver).isEmpty)
        #expect(violations(hub: [accepted("1", at: 9)], driver: driver).count == 1)
        #expect(violations(hub: [accepted("1", at: 21)], driver: driver).count == 1)
        #expect(violations(hub: [accepted("1", at: 15)]).count == 1)
        // A watch brings back what the hub has lost.
        #expect(violations(watch: [accepted("1", at: 15)], driver: driver).count == 1)
    }

    @Test func `user info may be lost in a restore only if its sender was told`() {
        let sent = [note(.itemQueued, at: 5, "w-1", id: "1"), note(.itemQueued, at: 6, "w-2", id: "2")]
        let got = [note(.itemGot, at: 7, "w-2", id: "2")].map { note in
            var note = note
            note.peer = "key"
            return note
        }
        var told = note(.itemsLost, at: 30)
        told.byteCount = 1
        let driver = [note(.backedUp, at: 1), note(.restored, at: 20)]
        #expect(violations(hub: got, watch: sent, driver: driver).count == 1)
        #expect(violations(hub: got, watch: sent + [told], driver: driver).isEmpty)
        #expect(violations(watch: sent + [told], driver: driver).count == 2)
    }

    @Test func `a copy of a watch takes with it only what it had not brought`() {
        func driver(_ hasBroughtAll: Bool) -> [Note] {
            [
                note(.cloned, at: 10, "w", id: "clone1"),
                note(.cloneEnded, at: 20, id: "clone1", isTrue: hasBroughtAll),
            ]
        }
        let edit = [accepted("1", at: 15)]
        #expect(violations(clone: edit, driver: driver(false)).isEmpty)
        #expect(violations(clone: edit, driver: driver(true)).count == 1)
        // What stands in its journal from before was written by the original, which is answerable for it.
        #expect(violations(clone: [accepted("1", at: 5)], driver: driver(true)).isEmpty)
        #expect(violations(watch: [accepted("1", at: 5)], driver: driver(false)).count == 1)
    }

    // MARK: - Questions

    @Test func `a question comes once at most, and its reply is the one that was given`() {
        let asked = [
            note(.asked, at: 1, "echo 1"), note(.answered, at: 3, "echo 1", value: "answer heard 1"),
        ]
        let got = note(.messageGot, at: 2, "echo 1")
        #expect(violations(hub: [got], watch: asked).isEmpty)
        #expect(violations(hub: [got, got], watch: asked).count == 1)
        #expect(violations(watch: asked).count == 1)
        let wrong = note(.answered, at: 3, "echo 1", value: "answer heard 2")
        #expect(violations(hub: [got], watch: [wrong]).count == 1)
        #expect(violations(watch: [note(.answered, at: 3, "echo 1", value: "no answer")]).isEmpty)
    }
}
