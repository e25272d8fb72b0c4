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

    static let proofs = hubProofs + watchProofs

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
    ]
}
