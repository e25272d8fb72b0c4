import SyncSimulation
import Testing

/// The engine under faults, and the checks under faults of the engine.
@Suite struct SimulationTests {
    @Test(arguments: [0..<8, 8..<16, 16..<24, 24..<32] as [Range<UInt64>])
    func `all rules hold whatever goes wrong`(_ seeds: Range<UInt64>) {
        // I1, I3, I7, I10, I11, I17, I19
        let survey = SimulationSurvey.run(seeds: seeds)
        for failure in survey.failures {
            Issue.record("\(failure.violation.map(\.description) ?? ""); again with: \(failure.reproduction)")
        }
        #expect(survey.failureCount == 0)
        #expect(survey.seedCount == seeds.count)
    }

    @Test func `the same seed is the same run, and another one is another`() {
        // I22
        let first = Simulation.run(seed: 7)
        let second = Simulation.run(seed: 7)
        #expect(first.traceHash == second.traceHash)
        #expect(first.stepCount == second.stepCount)
        #expect(Simulation.run(seed: 8).traceHash != first.traceHash)
    }

    @Test func `without faults nothing is lost, sent again or refused`() {
        var options = SimulationOptions()
        options.isSwarm = false
        options.dropChance = 0
        options.duplicateChance = 0
        options.reorderChance = 0
        options.resetRate = 0
        options.partitionRate = 0
        options.slowStoreChance = 0
        options.storeFailureChance = 0
        options.hubCrashRate = 0
        options.watchCrashRate = 0
        options.stallRate = 0
        options.wallJumpRate = 0
        let report = Simulation.run(seed: 1, options: options)
        #expect(report.violation == nil)
        #expect(report.occasions[.snapshotShown] > 0)
        #expect(report.occasions[.registerShown] > 0)
        for occasion in [Occasion.messageDropped, .hubCrashed, .forked, .requestNotStored, .sessionSilent] {
            #expect(report.occasions[occasion] == 0, "\(occasion)")
        }
    }

    /// For each fault of design a seed at which random faults bring it to light, and the rule that notices.
    private static let kills: [(Mutant, UInt64, Violation.Rule)] = [
        (.hubAnswersEarly, 0, .durabilityOrder),
        (.watchAcknowledgesEarly, 0, .durabilityOrder),
        (.watchIgnoresOrders, 0, .latestWins),
        (.hubNeedsNoRoundTrip, 1, .reachability),
        (.watchNeedsNoRoundTrip, 1, .reachability),
        (.hubForgetsNobody, 2, .admission),
        (.watchIgnoresRevisions, 5, .monotonicReads),
        (.hubIgnoresForks, 8, .forkDetection),
        (.watchIgnoresSessions, 161, .convergence),
        (.hubWelcomesStrangers, 111, .admission),
        (.watchForgetsHoles, 268, .convergence),
    ]

    @Test(arguments: kills)
    func `a fault of design is found`(_ mutant: Mutant, _ seed: UInt64, _ rule: Violation.Rule) {
        #expect(Simulation.run(seed: seed, mutant: mutant).violation?.rule == rule)
        #expect(Simulation.run(seed: seed).violation == nil)
    }

    @Test func `a survey says what it has not met`() {
        var survey = SimulationSurvey()
        #expect(!survey.isConvincing)
        #expect(survey.missed == Occasion.allCases)
        survey.add(Simulation.run(seed: 0))
        #expect(survey.missed.count < Occasion.allCases.count)
        #expect(!survey.missed.contains(.snapshotShown))
    }
}
