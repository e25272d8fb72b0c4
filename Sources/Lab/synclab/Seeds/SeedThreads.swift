import Foundation
import Synchronization

/// Distributes the seeds of a range over separate threads.
///
/// It does not use the threads of tasks, since there a signal could not be handled until the end.
final class SeedThreads: Sendable {
    private let seeds: ClosedRange<UInt64>
    /// The seeds that a thread takes at once.
    private let portion: UInt64
    private let work: @Sendable (ClosedRange<UInt64>) -> Void
    /// The number of seeds that threads have taken.
    private let taken = Atomic<UInt64>(0)
    private let isStopped = Atomic<Bool>(false)

    /// Creates threads that are not started.
    ///
    /// - Parameters:
    ///   - seeds: The range.
    ///   - portion: The seeds that a thread takes at once, from 1.
    ///   - work: Handles the seeds of a portion; called on several threads at once.
    init(
        seeds: ClosedRange<UInt64>, portion: UInt64, work: @escaping @Sendable (ClosedRange<UInt64>) -> Void
    ) {
        self.seeds = seeds
        self.portion = portion
        self.work = work
    }

    /// Runs until all seeds are done, or until the task is cancelled or ``stop()`` is called and the current portions
    /// are done.
    func run(jobs: Int) async {
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                for _ in 0..<jobs {
                    group.addTask { await self.runThread() }
                }
            }
        } onCancel: {
            stop()
        }
    }

    /// Lets no thread take another portion.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func runThread() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                while !self.isStopped.load(ordering: .relaxed), let portion = self.nextPortion() { self.work(portion) }
                continuation.resume()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func nextPortion() -> ClosedRange<UInt64>? {
        let offset = taken.wrappingAdd(portion, ordering: .relaxed).oldValue
        guard offset <= seeds.upperBound - seeds.lowerBound else { return nil }
        let first = seeds.lowerBound + offset
        return first...(first + min(portion - 1, seeds.upperBound - first))
    }
}
