import SyncSimulation
import Testing

@testable import synclab

/// That the checker sees what is broken.
@Suite struct ChaosCheckerTests {
    private typealias Note = NodeJournal.Note

    private func accepted(_ value: String, seen: String? = nil) -> Note {
        var note = Note(.accepted)
        (note.cell, note.value, note.seen) = ("a.name", value, seen)
        return note
    }

    private func item(_ kind: Note.Kind, _ number: Int, peer: String? = nil) -> Note {
        var note = Note(kind)
        (note.text, note.id, note.peer) = ("w-\(number)", "\(number)", peer)
        return note
    }

    private func checker(
        hub: [Note] = [], watch: [Note] = [], shown: String? = nil, lost: String? = nil
    ) -> ChaosChecker {
        var observation = DeviceObservation()
        observation.cells["a.name"] = shown
        if let lost {
            observation.conflicts = [.init(cell: "a.name", id: "1", loser: lost, winner: shown, rule: "newest")]
        }
        var named = Note(.named)
        (named.peer, named.text) = ("key", "w")
        return ChaosChecker(
            journals: ["hub": [named] + hub, "w": watch], observations: ["hub": observation])
    }

    @Test func `a value that is shown, logged, or replaced by one who saw it is not lost`() {
        #expect(checker(watch: [accepted("1")], shown: "1").violations.isEmpty)
        #expect(checker(watch: [accepted("1"), accepted("2")], shown: "2", lost: "1").violations.isEmpty)
        let chain = [accepted("1"), accepted("2", seen: "1"), accepted("3", seen: "2")]
        #expect(checker(watch: chain, shown: "3").violations.isEmpty)
        #expect(checker(watch: chain, shown: "4", lost: "3").violations.isEmpty)
    }

    @Test func `a value that nobody can see nor has replaced knowingly is lost`() {
        #expect(checker(watch: [accepted("1"), accepted("2")], shown: "2").violations.count == 1)
        // Its author had seen another one.
        let other = [accepted("1"), accepted("2"), accepted("3", seen: "2")]
        #expect(checker(watch: other, shown: "3").violations.count == 1)
    }

    @Test func `a value that a person put aside is not lost`() {
        var note = Note(.putAside)
        (note.cell, note.value) = ("a.name", "1")
        #expect(checker(hub: [note], watch: [accepted("1"), accepted("2")], shown: "2").violations.isEmpty)
    }

    @Test func `user info comes, once and in order`() {
        let sent = [item(.itemQueued, 1), item(.itemQueued, 2)]
        func got(_ numbers: Int...) -> [Note] { numbers.map { item(.itemGot, $0, peer: "key") } }
        #expect(checker(hub: got(1, 2), watch: sent).violations.isEmpty)
        #expect(!checker(hub: got(2, 1), watch: sent).violations.isEmpty)
        #expect(!checker(hub: got(1), watch: sent).violations.isEmpty)
        #expect(!checker(hub: got(1, 2, 2), watch: sent).violations.isEmpty)
        // A process that died before it could say that it had consumed the item is told again.
        #expect(checker(hub: got(1, 2) + [Note(.began)] + got(2), watch: sent).violations.isEmpty)
    }

    @Test func `files come whole`() {
        var sent = Note(.fileQueued)
        sent.text = "a.bin"
        var got = Note(.fileGot)
        (got.text, got.isTrue) = ("a.bin", true)
        #expect(checker(hub: [got], watch: [sent]).violations.isEmpty)
        #expect(!checker(watch: [sent]).violations.isEmpty)
        got.isTrue = false
        #expect(!checker(hub: [got], watch: [sent]).violations.isEmpty)
    }
}
