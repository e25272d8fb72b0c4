import Foundation
import SyncSimulation
import Synchronization

/// Runs many schedules on several threads; what they show together does not depend on the number of threads.
final class SurveyRunner: Sendable {
    private let seeds: ClosedRange<UInt64>
    private let template: Schedule
    /// How many of the seeds are taken by some thread.
    private let taken = Atomic<UInt64>(0)
    private let sum = Mutex(SimulationSurvey())
    private let isStopped = Atomic<Bool>(false)

    /// The seeds that a thread takes at once.
    private static let portion: UInt64 = 16

    init(seeds: ClosedRange<UInt64>, template: Schedule) {
        self.seeds = seeds
        self.template = template
    }

    /// What the runs have shown so far.
    var survey: SimulationSurvey { sum.withLock(\.self) }

    /// Runs until all seeds are done or the task is cancelled.
    ///
    /// The threads are its own: on those of the tasks nobody could hear a signal until the end.
    func run(jobs: Int) async {
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                for _ in 0..<jobs {
                    group.addTask { await self.runThread() }
                }
            }
        } onCancel: {
            isStopped.store(true, ordering: .relaxed)
        }
    }

    private func runThread() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                self.work()
                continuation.resume()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func work() {
        while !isStopped.load(ordering: .relaxed), let portion = nextPortion() {
            var survey = SimulationSurvey()
            for seed in portion where !isStopped.load(ordering: .relaxed) {
                var schedule = template
                schedule.seed = seed
                survey.add(Simulation.run(schedule))
            }
            sum.withLock { $0.add(survey) }
        }
    }

    private func nextPortion() -> ClosedRange<UInt64>? {
        let offset = taken.wrappingAdd(Self.portion, ordering: .relaxed).oldValue
        guard offset <= seeds.upperBound - seeds.lowerBound else { return nil }
        let first = seeds.lowerBound + offset
        return first...(first + min(Self.portion - 1, seeds.upperBound - first))
    }
}
