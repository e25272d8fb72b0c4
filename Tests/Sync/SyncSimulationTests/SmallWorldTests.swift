import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

@Suite(.longWork) struct SmallWorldTests {
    private static func fixture(_ name: String) throws -> String {
        try String(contentsOf: Repository.url("Fixtures/schedules/\(name)"), encoding: .utf8)
    }

    // MARK: - The sound design

    @Test(arguments: [(2, 0..<120 as Range<UInt64>), (2, 120..<240), (3, 0..<80)])
    func `random schedules keep every promise`(_ watchCount: Int, _ seeds: Range<UInt64>) {
        // I1–I5, I9, I10, I12, I14
        for seed in seeds {
            let operations = SmallOperation.drawn(seed: seed, count: 60, watchCount: watchCount)
            let violation = SmallWorld.run(operations, watchCount: watchCount)
            #expect(violation == nil, "seed \(seed) with \(watchCount) watches")
        }
    }

    // A hub that was put back has neither a value nor the one it was made on. The newer one comes first and finds
    // nothing to change, or the older one comes with a newer stamp: either way the newer one is in the log of conflicts.
    @Test(arguments: [34_957_871 as UInt64, 35_090_708])
    func `after a restore a write that comes before what it was made on is kept as a conflict`(_ seed: UInt64) {
        let operations = SmallOperation.drawn(seed: seed, count: 60, watchCount: 2)
        #expect(SmallWorld.run(operations, watchCount: 2) == nil)
    }

    // MARK: - Raw clocks (I13)

    /// What a run with clocks that jump breaks; an own value may flicker after a restore, no other promise may break.
    private static func broken(_ seed: UInt64, mutant: SmallMutant? = nil) -> SmallViolation? {
        let operations = SmallOperation.drawn(seed: seed, count: 60, watchCount: 2)
        let violation = SmallWorld.run(operations, mutant: mutant, hasRawClocks: true)
        return violation?.rule == .noFlicker ? nil : violation
    }

    @Test func `nothing depends on clocks but which of two values is shown first`() {
        // I13: I1–I5, I10 and I12 hold with stamps that are whatever the wall clocks show.
        for seed in 0..<150 as Range<UInt64> {
            let violation = Self.broken(seed)
            #expect(violation == nil, "seed \(seed)")
        }
    }

    @Test func `a hub that takes stamps for an order is found out when the clocks are raw`() {
        // Stamps that never go back hide it: thousands of runs with them show nothing.
        let isFound = (0..<200 as Range<UInt64>).contains { Self.broken($0, mutant: .ordersByStamps) != nil }
        #expect(isFound)
    }

    @Test func `each stored run ends as another implementation of the design says`() throws {
        // ENGINE, The nets: differential
        let replays = try SmallReplay.entries(in: Self.fixture("small-outcomes.txt"))
        #expect(replays.count >= 800)
        for (number, replay) in replays.enumerated() {
            var world = SmallWorld()
            let violation = world.run(replay.operations)
            #expect(violation == nil, "run \(number)")
            #expect(world.outcome.text == replay.outcome, "run \(number)")
        }
    }

    @Test func `a run is the same each time`() {
        // I22
        let operations = SmallOperation.drawn(seed: 11, count: 60, watchCount: 2)
        var first = SmallWorld()
        var second = SmallWorld()
        _ = first.run(operations)
        _ = second.run(operations)
        #expect(first.outcome == second.outcome)
        #expect(first.stepCount == second.stepCount)
    }

    @Test func `operations are written as they are read`() throws {
        let operations = (0..<20).flatMap { SmallOperation.drawn(seed: $0, count: 60, watchCount: 3) }
        #expect(try SmallOperation.list(operations.map(\.text).joined(separator: "; ")) == operations)
        #expect(throws: SmallFixtureFault.line(3, "no operation: xyz 1")) {
            try SmallOperation.list("hu 1;xyz 1", line: 3)
        }
    }

    // MARK: - Faults of design (MUTANTS)

    @Test func `there is a counterexample for each fault of design`() throws {
        let entries = try SmallCounterexample.entries(in: Self.fixture("small-mutants.txt"))
        #expect(Set(entries.map(\.mutant)) == Set(SmallMutant.allCases))
        #expect(entries.allSatisfy { !$0.sentence.isEmpty })
    }

    @Test(arguments: SmallMutant.allCases)
    func `a fault of design breaks its promise, and the sound design keeps it`(_ mutant: SmallMutant) throws {
        let entries = try SmallCounterexample.entries(in: Self.fixture("small-mutants.txt"))
        for entry in entries where entry.mutant == mutant {
            #expect(SmallWorld.run(entry.operations, mutant: mutant)?.rule == entry.rule)
            #expect(SmallWorld.run(entry.operations) == nil)
            // It is the shortest of its kind: no step of it can be left out.
            #expect(SmallWorld.shrunk(entry.operations, mutant: mutant).count == entry.operations.count)
        }
    }

    /// The faults that some of the first seeds find, with the number of seeds that is enough.
    @Test(
        arguments: [
            (.newestWinsUnseen, 40), (.silentLoser, 40), (.coalescesSent, 10), (.confirmsApart, 20),
            (.sendsBeforeDurable, 10), (.ignoresSessionsAndRevisions, 20), (.marksApart, 120), (.restoresSilently, 100),
            (.noSalvage, 100), (.ignoresRevisions, 40), (.upserts, 120), (.basesOnSnapshot, 10),
        ] as [(SmallMutant, UInt64)])
    func `random schedules soon find a fault of design`(_ mutant: SmallMutant, _ seedCount: UInt64) {
        let isFound = (0..<seedCount).contains { seed in
            SmallWorld.run(SmallOperation.drawn(seed: seed, count: 60, watchCount: 2), mutant: mutant) != nil
        }
        #expect(isFound)
    }

    @Test func `what a failing run is made of fails the same way, and is not longer`() throws {
        let operations = SmallOperation.drawn(seed: 13, count: 60, watchCount: 2)
        let violation = try #require(SmallWorld.run(operations, mutant: .silentLoser))
        let shrunk = SmallWorld.shrunk(operations, mutant: .silentLoser)
        #expect(shrunk.count < operations.count)
        #expect(SmallWorld.run(shrunk, mutant: .silentLoser)?.rule == violation.rule)
        #expect(SmallWorld.shrunk(operations) == operations)
    }

    // MARK: - Everything that can happen (ENGINE, The nets: exhaustive)

    @Test func `every state within small bounds keeps every promise`() {
        var bounds = SmallExhaustion.Bounds()
        bounds.depth = 4
        let report = SmallExhaustion(bounds: bounds).run()
        #expect(report.isComplete)
        #expect(report.failure == nil)
        #expect(report.stateCount > 500)
        #expect(report.transitionCount > report.stateCount)
    }

    @Test func `a search of all states finds a fault of design by a shortest way`() throws {
        var bounds = SmallExhaustion.Bounds()
        bounds.watchWriteCount = 2
        let durability = try #require(SmallExhaustion(bounds: bounds).run(mutant: .sendsBeforeDurable).failure)
        #expect(durability.violation.rule == .noSilentLoss)
        #expect(durability.operations == [.hubWrites(0), .hubCrashes])
        let merged = try #require(SmallExhaustion(bounds: bounds).run(mutant: .coalescesSent).failure)
        #expect(merged.operations == [.watchWrites(0, 0), .watchWrites(0, 0)])
    }

    @Test func `a search of all states stops when it is told to, and says so`() {
        var askedCount = 0
        let report = SmallExhaustion().run {
            askedCount += 1
            return askedCount > 3
        }
        #expect(askedCount == 4)
        #expect(!report.isComplete && report.failure == nil)
        #expect(report.stateCount > 0)
    }

    @Test func `a search that is too large says so`() {
        var bounds = SmallExhaustion.Bounds()
        bounds.stateCount = 50
        let report = SmallExhaustion(bounds: bounds).run()
        #expect(!report.isComplete)
        #expect(report.stateCount == 50)
    }

    // MARK: - Files that cannot be read

    @Test(arguments: ["silentLoser noSilentLoss 13", "nobody noSilentLoss 1\nhu 1", "silentLoser noSilentLoss x\nhu 1"])
    func `a broken file of counterexamples is refused by its line`(_ text: String) {
        #expect(throws: SmallFixtureFault.self) { try SmallCounterexample.entries(in: text) }
    }

    @Test(arguments: ["= - | - | -", "hu 1\nhu 2\n= -", "hu 1", "oops\n= -"])
    func `a broken file of ends is refused by its line`(_ text: String) {
        #expect(throws: SmallFixtureFault.self) { try SmallReplay.entries(in: text) }
    }
}
