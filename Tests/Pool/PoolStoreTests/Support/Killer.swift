import Foundation
import Synchronization

/// Kills its own process from another thread, so that the kill can hit any operation.
final class Killer: Sendable {
    private let done = Atomic<Int>(0)

    /// - Parameters:
    ///   - afterCount: The number of acknowledged writes after which the process is killed.
    ///   - spinning: How long the thread then keeps counting, so that each kill hits another operation.
    init(afterCount: Int, spinning: Int) {
        Thread.detachNewThread { [self] in
            while done.load(ordering: .acquiring) < afterCount {}
            let start = done.load(ordering: .relaxed)
            var turns = 0
            while turns < spinning, done.load(ordering: .relaxed) < start + 1000 { turns += 1 }
            kill(getpid(), SIGKILL)
        }
    }

    func count() {
        done.add(1, ordering: .releasing)
    }
}
