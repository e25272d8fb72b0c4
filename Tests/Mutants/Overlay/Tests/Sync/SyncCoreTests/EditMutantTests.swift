import TestSupport
import Testing

@testable import SyncCore

/// Each fault of design that concerns edits breaks a promise, and the sound design keeps it (MUTANTS).
@Suite struct EditMutantTests {
    /// A promise, and the fault that breaks it.
    struct Proof: Sendable, CustomTestStringConvertible {
        var promise: String
        var mutant: Mutant
        var isKept: @Sendable () throws -> Bool
        var testDescription: String { promise }
    }

    @Test func `there is a proof for each fault that concerns edits`() {
        let edits: Set<Mutant> = [
            .hubIgnoresBases, .hubForgetsLosers, .hubCreatesUnknown, .hubForgetsEditIDs, .hubTrustsNumbers,
            .hubComparesRevisionsOnly, .hubIgnoresAuthority, .hubBelievesClocks, .hubSplitsEdits, .hubIgnoresGaps,
            .watchMergesSentEdits, .watchSeesOnlySnapshot, .watchTrustsNumbers, .watchKeepsNumbering,
            .watchSalvagesNothing, .watchForgetsConflicts, .watchForgetsDeletions, .watchConfirmsEarly,
            .hubKnowsSalvageByName, .hubKeepsTakenNames, .hubKeepsSalvageNames, .hubDrawsTakenNames, .hubFollowsClocks,
            .hubSplitsSalvage, .watchSplitsSalvage, .hubSearchesAllCells, .hubKeepsAllTombstones, .hubTakesLargeUploads,
            .hubSharesAllCells,
        ]
        #expect(Set(Self.proofs.map(\.mutant)) == edits)
    }

    @Test(arguments: proofs)
    func `a fault of design breaks its promise`(_ proof: Proof) throws {
        #expect(try proof.isKept())
        let isKept = try Mutant.plant([proof.mutant]) { try proof.isKept() }
        #expect(!isKept)
        if !isKept { try Caught.note(proof.mutant.rawValue, by: "EditMutantTests, \(proof.promise)") }
    }

    static let proofs = hubProofs + watchProofs + attackProofs

    // MARK: - The hub

    private static let hubProofs: [Proof] = [
        Proof(promise: "I2: a value that nobody had seen is not replaced silently", mutant: .hubIgnoresBases) {
            var script = MergeScript()
            script.write(title(1), "theirs", at: 1)
            script.take(edit(1, [change(title(1), "mine")]))
            return script.conflicts.count == 1
        },
        Proof(promise: "I2: what loses is in the log", mutant: .hubForgetsLosers) {
            var script = MergeScript()
            script.write(title(1), "theirs", at: 2000)
            script.take(edit(1, [change(title(1), "mine")]))
            return script.conflicts.keys == [id(1)]
        },
        Proof(promise: "I12: an edit creates no deleted record", mutant: .hubCreatesUnknown) {
            var script = MergeScript()
            script.take(edit(1, [change(title(1), "mine", base: id(9))]))
            return script.value(title(1)) == nil
        },
        Proof(promise: "I5: an edit takes effect once, whatever its number", mutant: .hubForgetsEditIDs) {
            var script = MergeScript()
            let edit = edit(1, [change(title(1), "a")])
            script.take(edit)
            script.write(title(1), "after", at: 2000)
            script.take([NumberedUpload(sequence: 1, upload: .edit(edit))], incarnation: 2)
            return script.conflicts.isEmpty
        },
        Proof(promise: "C14: another upload of a known number is noticed", mutant: .hubTrustsNumbers) {
            var script = MergeScript()
            script.take(edit(1, [change(title(1), "a")]))
            let other = NumberedUpload(sequence: 1, upload: .edit(edit(2, [change(title(1), "b")])))
            if case .contradiction = script.verdict([other]) { return true }
            return false
        },
        Proof(promise: "C9: another content of a revision is noticed", mutant: .hubComparesRevisionsOnly) {
            var script = MergeScript()
            script.write(title(1), "a", at: 1)
            script.write(title(1), "b", at: 2)
            return script.ledger.isContradicted(by: version(1, chain: 99))
        },
        Proof(promise: "a watch changes only what it may", mutant: .hubIgnoresAuthority) {
            var script = MergeScript()
            script.take(edit(1, [change(note(1), "mine")]))
            return script.value(note(1)) == nil
        },
        Proof(promise: "C25: a wrong clock does not win for ever", mutant: .hubBelievesClocks) {
            var script = MergeScript()
            script.take(edit(1, [change(title(1), "future")], at: 1_000_000_000))
            script.write(title(2), "now", at: 1)
            let stamp = script.ledger.state.cells[title(2)]?.stamp.milliseconds ?? .max
            return script.isClockSuspect && stamp <= moment(1).wallMilliseconds + Merge.clockBound
        },
        Proof(promise: "I15: an edit takes effect as a whole or not at all", mutant: .hubSplitsEdits) {
            var script = MergeScript()
            script.take(edit(1, [change(title(1), "a"), change(note(1), "b")]))
            return script.value(title(1)) == nil
        },
        Proof(promise: "I6: uploads take effect in order, without a gap", mutant: .hubIgnoresGaps) {
            var script = MergeScript()
            script.take(edit(1, [change(title(1), "a")]))
            script.take([NumberedUpload(sequence: 3, upload: .edit(edit(3, [change(title(3), "c")])))])
            return script.value(title(3)) == nil
        },
    ]

    // MARK: - The watch

    private static let watchProofs: [Proof] = [
        Proof(promise: "C3: an edit that waits is never changed", mutant: .watchMergesSentEdits) {
            var script = ReplicaScript()
            let first = try script.edit([CellChange(key: title(1), value: "a")])
            _ = try script.edit([CellChange(key: title(1), value: "b")])
            return script.replica.pendingEdits.count == 2 && script.replica.pendingEdits.first == first
        },
        Proof(promise: "C17: an edit is based on what the person saw", mutant: .watchSeesOnlySnapshot) {
            var script = ReplicaScript()
            let first = try script.edit([CellChange(key: title(1), value: "a")])
            let second = try script.edit([CellChange(key: title(1), value: "b")])
            return first != nil && second?.changes.first?.base == first?.id
        },
        Proof(promise: "I4: an own edit is shown until the hub has this very edit", mutant: .watchTrustsNumbers) {
            var script = ReplicaScript()
            script.hold(held([]))
            _ = try script.edit([CellChange(key: title(1), value: "mine")])
            var receipt = script.receipt(1)
            receipt.last = id(99)
            script.receive(held([], revision: 2), receipt: receipt)
            return script.replica.view(of: title(1))?.value == "mine"
        },
        Proof(promise: "C10: a new epoch begins a new numbering", mutant: .watchKeepsNumbering) {
            var script = ReplicaScript()
            script.hold(held([]))
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try script.edit([CellChange(key: title(number), value: "a")])
            }
            script.receive(held([], revision: 2), receipt: script.receipt(1))
            script.receive(held([], epoch: 2), receipt: nil)
            return script.replica.state.pending.first?.sequence == 1
        },
        Proof(promise: "C11: what the hub has lost comes back from the watch", mutant: .watchSalvagesNothing) {
            var script = ReplicaScript()
            script.hold(held([(title(1), "lost", 1)]))
            script.receive(held([], epoch: 2), receipt: nil)
            return script.replica.state.pending.map(\.upload.id) == [id(1)]
        },
        Proof(promise: "C13: so does the log of conflicts", mutant: .watchForgetsConflicts) {
            var script = ReplicaScript()
            var old = held([])
            old.conflicts[WireSamples.conflict.id] = WireSamples.conflict
            script.hold(old)
            script.receive(held([], epoch: 2), receipt: nil)
            return script.replica.state.pending.map(\.upload) == [.salvage(WireSamples.conflict)]
        },
        Proof(promise: "C12: so does a deletion", mutant: .watchForgetsDeletions) {
            var script = ReplicaScript()
            script.hold(held([]))
            var new = held([(title(1), "back", 1)], epoch: 2)
            new.lineage[Epoch(number: 1)] = 1
            script.receive(new, receipt: nil)
            return script.replica.state.pending.count == 1
        },
        Proof(promise: "I17: a person is told when the edit is durable, not before", mutant: .watchConfirmsEarly) {
            var watch = WatchScript()
            watch.feed(.edit(RequestID(number: 1), [CellChange(key: title(1), value: "a")]), at: 1)
            return !watch.outputs.contains { if case .answer = $0 { true } else { false } }
        },
        Proof(promise: "I15: what was lost of an edit is brought as one edit", mutant: .watchSplitsSalvage) {
            var script = ReplicaScript()
            script.hold(held([]))
            let changes = [CellChange(key: title(1), value: "a"), CellChange(key: color(1), value: "b")]
            let edit = try script.edit(changes)
            script.receive(held([], revision: 2), receipt: script.receipt(1))
            script.receive(held([], epoch: 2), receipt: nil)
            let brought = script.replica.state.pending.compactMap { pending -> RandomID? in
                if case .salvage(let lost) = pending.upload { lost.edit } else { nil }
            }
            return brought == [edit?.id, edit?.id]
        },
    ]

    // MARK: - What one hostile watch may do

    private static func lost(_ value: String, _ number: UInt64 = 1, _ key: CellKey = title(1)) -> Conflict {
        var lost = lostDeletion(of: key, id(number))
        (lost.rule, lost.loser.value, lost.loser.stamp) = (.lostInRestore, value, stamp(5))
        return lost
    }

    private static let attackProofs: [Proof] = [
        Proof(promise: "a lie that came first hides no true value", mutant: .hubKnowsSalvageByName) {
            var script = MergeScript()
            script.salvage(lost("forged"), from: key(2))
            script.salvage(lost("true"), from: key(3))
            return script.conflicts.values.contains { $0.loser.value == "true" }
        },
        Proof(promise: "an edit under another's name takes that name away from nobody", mutant: .hubKeepsTakenNames) {
            var script = MergeScript()
            script.take(edit(1, [change(title(1), "true")]))
            script.take(edit(1, [change(color(1), "forged")]), from: key(2))
            return script.dot(color(1)) != id(1)
        },
        Proof(promise: "two lost values of one name are both in the log", mutant: .hubKeepsSalvageNames) {
            var script = MergeScript()
            script.salvage(lost("forged"), from: key(2))
            script.salvage(lost("true"), from: key(3))
            return script.conflicts.count == 2
        },
        Proof(promise: "the hub makes no name that a watch has guessed", mutant: .hubDrawsTakenNames) {
            var script = MergeScript()
            var draws = script.generator
            let next = RandomID(using: &draws)
            script.take(Edit(id: next, changes: [change(title(1), "guess")], stamp: stamp(1), schema: 2, resolves: nil))
            script.write(title(2), "hub's", at: 2)
            return script.dot(title(2)) != next
        },
        Proof(promise: "I11: a watch pushes the hub's clock no further than once", mutant: .hubFollowsClocks) {
            var script = MergeScript()
            for number: UInt64 in 1...5 {
                let last = max(script.ledger.state.lastStamp?.milliseconds ?? 0, moment(0).wallMilliseconds)
                var edit = edit(number, [change(title(number), "a")])
                edit.stamp.milliseconds = last + Merge.clockBound
                script.take(edit)
            }
            return script.ledger.state.lastStamp?.milliseconds == moment(0).wallMilliseconds + Merge.clockBound
        },
        Proof(promise: "I15: what was lost of an edit is settled as one edit", mutant: .hubSplitsSalvage) {
            var script = MergeScript()
            for (number, key) in [(1, title(1)), (2, color(1))] as [(UInt64, CellKey)] {
                var part = lost("a", number, key)
                part.edit = id(1)
                script.salvage(part)
            }
            script.take(edit(9, [], resolves: id(2)))
            return script.conflicts.isEmpty
        },
        Proof(promise: "no step searches all cells", mutant: .hubSearchesAllCells) {
            let steps = [10, 500].map { count in
                var script = MergeScript()
                for number in 0..<count { script.write(title(UInt64(number)), "a", at: 1) }
                let before = script.ledger.index.stepCount
                script.take(edit(1, [change(title(1000), "b")]))
                return script.ledger.index.stepCount - before
            }
            return steps[0] == steps[1]
        },
        Proof(promise: "I7: a watch leaves so many tombstones and no more", mutant: .hubKeepsAllTombstones) {
            var script = MergeScript()
            for number in 0..<UInt64(Tombstones.countMaxOfWatch + 20) {
                script.take(edit(number, [change(title(number), nil, base: id(5000 + number))]))
            }
            return script.ledger.state.cells.count == Tombstones.countMaxOfWatch
        },
        Proof(promise: "several uploads of a frame have 65,536 bytes", mutant: .hubTakesLargeUploads) {
            let long = String(repeating: "x", count: 2048)
            let uploads = (0..<40 as Range<UInt64>).map {
                NumberedUpload(sequence: $0 + 1, upload: .edit(edit($0, [change(title($0), long)])))
            }
            let batch = UploadBatch(incarnation: id(1), firstPending: 1, uploads: uploads)
            return (try? UploadBatch(batch.frame(session: 1))) == nil
        },
        Proof(promise: "I7: a watch takes its part of the room for cells, and no more", mutant: .hubSharesAllCells) {
            var script = CellShareTests.hub(with: CellShareTests.undivided, of: key(1), watchCount: 2)
            return script.take(edit(1, [change(title(1), "a")])) == .tooLarge
        },
    ]
}
