import Foundation
import GRDB
import PoolModel
import Synchronization
import Testing

@testable import PoolStore

@Suite
struct RecordingGroupTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path(of: "history.sqlite"))
    }

    @Test
    func `threads that record at once get each their own result`() throws {
        let group = RecordingGroup(store)
        let wrong = Mutex<[String]>([])

        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<40 as Range<Int64> {
                let time = Int64(thread) * 1000 + number
                do {
                    let recorded = try group.record([dated(time), dated(time)])
                    guard case .stored = recorded[0], recorded[1] == .duplicate else {
                        wrong.withLock { $0.append("\(recorded)") }
                        continue
                    }
                } catch {
                    wrong.withLock { $0.append("\(error)") }
                }
            }
        }

        #expect(wrong.withLock { $0 } == [])
        #expect(try store.count() == 320)
    }

    @Test
    func `what waits is committed together, and fails together`() throws {
        let group = RecordingGroup(store)
        try store.limitPages(by: 3)
        let failures = Atomic<Int>(0)
        let waiting = DispatchGroup()

        // While the queue is held, both wait; then the first one through records for both.
        store.queue.writeWithoutTransaction { _ in
            for thread in 0..<2 as Range<Int64> {
                DispatchQueue.global().async(group: waiting) {
                    do {
                        _ = try group.record((0..<3000).map { dated(thread * 10_000 + $0) })
                    } catch HistoryError.full {
                        failures.add(1, ordering: .relaxed)
                    } catch {}
                }
            }
            while group.waitingCount < 2 { Thread.yield() }
        }
        waiting.wait()

        #expect(failures.load(ordering: .relaxed) == 2)
        #expect(try store.count() == 0)
    }
}

extension Thread {
    /// Lets another thread run.
    fileprivate static func yield() { sched_yield() }
}
