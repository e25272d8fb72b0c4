import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// The small world with faults of design, and with raw clocks.
@Suite(.longWork) struct SmallWorldMutantTests {
    private static func fixture(_ name: String) throws -> String {
        try String(contentsOf: Repository.url("Fixtures/schedules/\(name)"), encoding: .utf8)
    }

    /// Notes what caught a fault; where it lies in the machines alone, under its name there, too.
    private static func note(_ mutant: SmallMutant, by means: String) throws {
        try Caught.note(mutant.rawValue, by: means)
        if let planted = mutant.mutants.first, mutant.mutants.count == 1 {
            try Caught.note(planted.rawValue, by: "\(means), \(mutant.rawValue)")
        }
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

    @Test func `a hub that takes stamps for an order is found out when the clocks are raw`() throws {
        // Stamps that never go back hide it: thousands of runs with them show nothing.
        let seed = (0..<200 as Range<UInt64>).first { Self.broken($0, mutant: .ordersByStamps) != nil }
        try Self.note(.ordersByStamps, by: "SmallWorldMutantTests, raw clocks, seed \(#require(seed))")
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
            let rule = SmallWorld.run(entry.operations, mutant: mutant)?.rule
            #expect(rule == entry.rule)
            if let rule { try Self.note(mutant, by: "small-mutants.txt, \(rule)") }
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
    func `random schedules soon find a fault of design`(_ mutant: SmallMutant, _ seedCount: UInt64) throws {
        let seed = (0..<seedCount).first { seed in
            SmallWorld.run(SmallOperation.drawn(seed: seed, count: 60, watchCount: 2), mutant: mutant) != nil
        }
        try Self.note(mutant, by: "SmallWorldMutantTests, seed \(#require(seed))")
    }

    @Test func `what a failing run is made of fails the same way, and is not longer`() throws {
        let operations = SmallOperation.drawn(seed: 13, count: 60, watchCount: 2)
        let violation = try #require(SmallWorld.run(operations, mutant: .silentLoser))
        let shrunk = SmallWorld.shrunk(operations, mutant: .silentLoser)
        #expect(shrunk.count < operations.count)
        #expect(SmallWorld.run(shrunk, mutant: .silentLoser)?.rule == violation.rule)
        #expect(SmallWorld.shrunk(operations) == operations)
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

    @Test(arguments: ["silentLoser noSilentLoss 13", "nobody noSilentLoss 1\nhu 1", "silentLoser noSilentLoss x\nhu 1"])
    func `a broken file of counterexamples is refused by its line`(_ text: String) {
        #expect(throws: SmallFixtureError.self) { try SmallCounterexample.entries(in: text) }
    }
}
