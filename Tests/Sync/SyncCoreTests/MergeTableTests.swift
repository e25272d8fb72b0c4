import Testing

@testable import SyncCore

/// The table of `Merge` (PROTOCOL §8), row by row: the author of an edit, and the state of the cell.
///
/// Rows that need a longer setup are tested elsewhere: 2, 3, 4 and 11 in `MergeTests`, 9 in `ConflictLogTests`, 10 in
/// `SeenDeletionTests`.
@Suite struct MergeTableTests {
    /// The state of the cell at the hub when the edit arrives.
    enum Situation: CaseIterable, Sendable {
        /// The cell does not exist, and the author saw none.
        case created
        /// The cell does not exist, but the author saw one: it was deleted and its tombstone was removed.
        case unknown
        /// The value that the author saw.
        case seen
        /// The same value, from another write.
        case equal
        /// Another value, older than the edit.
        case older
        /// Another value, newer than the edit.
        case newer
        /// Another value with exactly the same time.
        case tied
        /// The tombstone of a deletion that the author had not seen.
        case gone
    }

    /// The outcome of the edit.
    enum Fate: Hashable, Sendable {
        case applied
        case same
        case wins(Conflict.Rule)
        case loses(Conflict.Rule)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var situation: Situation
        var write: (shared: Fate, own: Fate)
        var deletion: (shared: Fate, own: Fate)
        var testDescription: String { "\(situation)" }
    }

    static let rows = [
        // PROTOCOL §8, row 5.
        Row(situation: .created, write: (.applied, .applied), deletion: (.same, .same)),
        // Row 6, and for the deletion row 5.
        Row(situation: .unknown, write: (.loses(.deleted), .loses(.deleted)), deletion: (.applied, .applied)),
        // Row 7.
        Row(situation: .seen, write: (.applied, .applied), deletion: (.applied, .applied)),
        // Row 8, and for the deletion row 13.
        Row(situation: .equal, write: (.same, .same), deletion: (.loses(.unseen), .loses(.unseen))),
        // Rows 15 and 14, and for the deletion row 13.
        Row(
            situation: .older, write: (.wins(.newest), .wins(.owner)),
            deletion: (.loses(.unseen), .loses(.unseen))),
        // Rows 16 and 14, and for the deletion row 13; so for the next.
        Row(
            situation: .newer, write: (.loses(.newest), .wins(.owner)),
            deletion: (.loses(.unseen), .loses(.unseen))),
        Row(
            situation: .tied, write: (.loses(.newest), .wins(.owner)),
            deletion: (.loses(.unseen), .loses(.unseen))),
        // Row 12, and for the deletion row 8.
        Row(situation: .gone, write: (.loses(.deleted), .loses(.deleted)), deletion: (.same, .same)),
    ]

    @Test func `the table has a row for each situation`() {
        #expect(Self.rows.map(\.situation) == Situation.allCases)
    }

    @Test(arguments: rows)
    func `a shared cell`(_ row: Row) throws {
        try check(title(1), row.situation, value: "mine", row.write.shared)
        try check(title(1), row.situation, value: nil, row.deletion.shared)
    }

    @Test(arguments: rows)
    func `a cell of the author's own record`(_ row: Row) throws {
        try check(layout(of: key(1)), row.situation, value: "mine", row.write.own)
        try check(layout(of: key(1)), row.situation, value: nil, row.deletion.own)
    }

    // Row 1.
    @Test(arguments: Situation.allCases)
    func `a cell that is not the author's to change`(_ situation: Situation) throws {
        for value in ["mine", nil] {
            try check(note(1), situation, value: value, .loses(.readOnly))
            try check(layout(of: key(2)), situation, value: value, .loses(.readOnly))
        }
    }

    // MARK: - One row

    private static let editedAt: Int64 = 1000

    private func check(_ key: CellKey, _ situation: Situation, value: String?, _ expected: Fate) throws {
        var script = MergeScript()
        let base = prepare(&script, key, situation, value: value)
        let before = script.ledger.state
        let edit = edit(1, [change(key, value, base: base, seen: "seen")], at: Self.editedAt)
        let told = script.take(edit)
        let after = script.ledger.state

        // I6: whatever the outcome, the upload is accepted and recognised again.
        #expect(after.uploads[SyncCoreTests.key(1)]?.highest == 1)
        #expect(after.uploads[SyncCoreTests.key(1)]?.taken.contains(edit.id) == true)
        #expect(after.version.revision == before.version.revision + 1)
        switch expected {
        case .applied:
            #expect(told == nil)
            #expect(after.cells[key]?.dot == edit.id)
            #expect(after.cells[key]?.value == value)
            #expect(after.conflicts.isEmpty)
        case .same:
            #expect(told == nil)
            #expect(after.cells == before.cells)
            #expect(after.conflicts.isEmpty)
        case .wins(let rule):
            let old = try #require(before.cells[key])
            #expect(told == nil)
            #expect(after.cells[key]?.dot == edit.id)
            let conflict = try #require(after.conflicts[old.dot])
            #expect(after.conflicts.count == 1)
            #expect(conflict.rule == rule)
            #expect(conflict.loser.value == old.value)
            #expect(conflict.winner?.dot == edit.id)
        case .loses(let rule):
            // I2: the rejection is reported.
            #expect(told == rule)
            #expect(after.cells == before.cells)
            let conflict = try #require(after.conflicts[edit.id])
            #expect(after.conflicts.count == 1)
            #expect(conflict.rule == rule)
            #expect(conflict.base == "seen")
            #expect(conflict.loser.value == value)
            #expect(conflict.loser.author == "wrist")
            #expect(conflict.winner?.dot == before.cells[key]?.dot)
        }
    }

    /// Puts the hub into the situation.
    ///
    /// Returns the write that the author saw.
    private func prepare(
        _ script: inout MergeScript, _ key: CellKey, _ situation: Situation, value: String?
    ) -> RandomID? {
        if situation == .created { return nil }
        script.write(key, "seen", at: 1)
        let seen = script.dot(key)
        switch situation {
        case .created, .seen: break
        case .unknown:
            script.write(key, nil, at: 2)
            script.purge()
        case .equal: script.write(key, value ?? "theirs", at: 2)
        case .older: script.write(key, "theirs", at: Self.editedAt - 1)
        case .newer: script.write(key, "theirs", at: Self.editedAt + 1)
        case .tied: script.write(key, "theirs", at: Self.editedAt)
        case .gone: script.write(key, nil, at: 2)
        }
        return seen
    }
}
