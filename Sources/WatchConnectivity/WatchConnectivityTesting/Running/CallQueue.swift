import Dispatch
import Foundation

/// The queue of one app's session; it runs one call at a time while the test waits for it.
final class CallQueue: Sendable {
    private static let marker = DispatchSpecificKey<Bool>()
    /// The time after which a call that does not return is reported: it may wait for the main queue, which the test
    /// blocks.
    private static let timeLimit = DispatchTimeInterval.seconds(5)

    private let queue: DispatchQueue
    private let name: String

    init(name: String) {
        self.name = name
        queue = DispatchQueue(label: "WatchConnectivity session of \(name)")
        queue.setSpecific(key: Self.marker, value: true)
    }

    /// Whether the caller runs in a callback from a session of a test.
    static var isInside: Bool { DispatchQueue.getSpecific(key: marker) ?? false }

    /// Runs work to its end, on the queue and on no other thread.
    func run(_ work: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        let waitsOnMain = Thread.isMainThread
        queue.async {
            work()
            isDone.signal()
            // Ends the run loop's sleep below.
            if waitsOnMain { DispatchQueue.main.async {} }
        }
        waitsOnMain ? waitRunningLoop(isDone) : wait(isDone)
    }

    private func wait(_ isDone: DispatchSemaphore) {
        guard isDone.wait(timeout: .now() + Self.timeLimit) == .timedOut else { return }
        let words = """
            TestPair: a callback on \(name) has not returned for 5 s. If it waits for the main queue, which the test \
            blocks, let the test wait by `await pair.settle()`.

            """
        FileHandle.standardError.write(Data(words.utf8))
        isDone.wait()
    }

    /// Waits on the main thread, and meanwhile runs work for the main thread.
    private func waitRunningLoop(_ isDone: DispatchSemaphore) {
        while isDone.wait(timeout: .now()) == .timedOut {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }
}
