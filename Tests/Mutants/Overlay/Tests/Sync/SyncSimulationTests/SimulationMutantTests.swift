import SyncCore
import SyncSimulation
import TestSupport
import Testing

/// The checks under faults of the engine.
@Suite(.longWork) struct SimulationMutantTests {
    /// Faults of design that random schedules bring to light often, and within how many seeds from 0 on.
    ///
    /// The rare ones, which take hundreds or thousands of seeds, are shown by their kept schedules.
    private static let budgets: [(Mutant, Int)] = [
        (.hubAnswersEarly, 5), (.watchAcknowledgesEarly, 5), (.watchIgnoresOrders, 10), (.hubNeedsNoRoundTrip, 20),
        (.watchNeedsNoRoundTrip, 30), (.hubIgnoresForks, 60), (.watchIgnoresRevisions, 60), (.hubForgetsNobody, 120),
        (.hubIgnoresBases, 10), (.hubForgetsLosers, 10), (.hubIgnoresAuthority, 10), (.hubBelievesClocks, 20),
        (.hubSplitsEdits, 10), (.hubAwaitsSlowest, 40), (.watchMergesSentEdits, 10), (.watchSeesOnlySnapshot, 10),
        (.watchConfirmsEarly, 10),
        (.watchTrustsNumbers, 60), (.watchSalvagesNothing, 60), (.itemsAcknowledgedEarly, 10),
        (.itemsAnsweredEarly, 10), (.itemsRenamed, 10), (.itemsNeverRenumbered, 40), (.itemsHideGaps, 40),
        (.itemsTakenOutOfOrder, 20), (.itemsMarkedApart, 20), (.itemsForgetInbox, 20), (.itemsCancelledLate, 90),
        (.budgetNotStored, 10), (.messagesTwice, 20), (.messagesTakeLateReplies, 20), (.fileDoneBeforeVerified, 20),
        (.fileDoneBeforeDurable, 20), (.fileForgetsFinished, 40), (.fileForgottenWhenSent, 20),
        (.fileAcceptedBeforeDurable, 20), (.hubShowsSecrets, 20), (.hubRecordsEarly, 10), (.watchRecordsEarly, 10),
        (.messagesOutliveSessions, 20), (.fileTakesAnyOffset, 20), (.budgetRefilledBackwards, 30),
        (.fileIgnoresCredit, 20), (.hubKeepsGoneCells, 10), (.hubKeepsSettledConflicts, 10),
        (.watchTakesDeltasAgain, 20),
    ]

    @Test(arguments: budgets)
    func `random schedules find a fault of design`(_ mutant: Mutant, _ budget: Int) throws {
        for seed in 0..<UInt64(budget) {
            guard let violation = Simulation.run(Schedule(seed: seed, mutant: mutant)).violation else { continue }
            #expect(Simulation.run(seed: seed).violation == nil)
            return try Caught.note(mutant.rawValue, by: "SimulationMutantTests, seed \(seed), \(violation.rule)")
        }
        Issue.record("\(mutant) was not found in \(budget) seeds")
    }
}
