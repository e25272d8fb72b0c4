import Platform
import SyncSimulation
import Synchronization

/// Runs many schedules on several threads; the result does not depend on the number of threads.
final class SurveyRunner: Sendable {
    private let seeds: ClosedRange<UInt64>
    private let template: Schedule
    private let sum = Lock(SimulationSurvey())
    private let isStopped = Atomic<Bool>(false)

    init(seeds: ClosedRange<UInt64>, template: Schedule) {
        self.seeds = seeds
        self.template = template
    }

    /// The result of the runs so far.
    var survey: SimulationSurvey { sum.withLock(\.self) }

    /// Runs until all seeds are done or the task is cancelled.
    func run(jobs: Int) async {
        let threads = SeedThreads(seeds: seeds, portion: 16) { [self] portion in work(portion) }
        await withTaskCancellationHandler {
            await threads.run(jobs: jobs)
        } onCancel: {
            isStopped.store(true, ordering: .relaxed)
        }
    }

    private func work(_ portion: ClosedRange<UInt64>) {
        var survey = SimulationSurvey()
        for seed in portion where !isStopped.load(ordering: .relaxed) {
            var schedule = template
            schedule.seed = seed
            survey.add(Simulation.run(schedule))
        }
        sum.withLock { $0.add(survey) }
    }
}
