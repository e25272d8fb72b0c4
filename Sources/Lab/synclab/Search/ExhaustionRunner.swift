import Foundation
import Platform
import PoolControl
import SyncSimulation
import Synchronization

/// Tries every order of events in small worlds, on a separate thread.
///
/// It does not use the threads of tasks, since there a signal could not be handled until the end.
final class ExhaustionRunner: Sendable {
    private let exhaustion: SmallExhaustion
    private let found = Lock<SmallExhaustion.Report?>(nil)
    private let isStopped = Atomic<Bool>(false)

    init(bounds: SmallExhaustion.Bounds, watchCount: Int) {
        exhaustion = SmallExhaustion(bounds: bounds, watchCount: watchCount)
    }

    /// What was found, nil before the end.
    var report: SmallExhaustion.Report? { found.withLock(\.self) }

    /// Runs until all is tried, or until the task is cancelled.
    func run() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let thread = Thread {
                    let report = self.exhaustion.run { self.isStopped.load(ordering: .relaxed) }
                    self.found.withLock { $0 = report }
                    continuation.resume()
                }
                thread.stackSize = 8 << 20
                thread.start()
            }
        } onCancel: {
            isStopped.store(true, ordering: .relaxed)
        }
    }
}
