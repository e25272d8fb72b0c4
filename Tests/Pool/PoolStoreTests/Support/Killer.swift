import Foundation
import Synchronization

/// Kills its own process from another thread, so that the blow falls anywhere in what the process is doing.
final class Killer: Sendable {
    private let done = Atomic<Int>(0)

    /// - Parameters:
    ///   - afterCount: The number of acknowledged writes after which the blow falls.
    ///   - spinning: How long the thread then still counts for itself, to fall at another place each time.
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
