import SyncCore
import TestSupport
import Testing

@testable import PoolHub

/// The turns in which the work of watches is done.
@Suite struct WatchTurnsTests {
    private static func watch(_ byte: UInt8) throws -> PeerKey {
        try #require(PeerKey(bytes: Array(repeating: byte, count: 32)))
    }

    @Test func `the work of one watch is done one by one, and another watch's at the same time`() async throws {
        let turns = WatchTurns<Int>()
        let (greedy, honest) = (try Self.watch(1), try Self.watch(2))
        for number in 1...8 { turns.put(number, of: greedy) }
        turns.put(100, of: honest)
        let (begun, isOpen) = (Recorder<Int>(), Awaited(false))
        let running = Task {
            await turns.run(atOnce: 4) { _, number in
                begun.record(number)
                await isOpen.wait { $0 }
                return .done(pause: nil)
            }
        }
        await begun.wait { $0.contains(100) }
        #expect(begun.items.sorted() == [1, 100])
        isOpen.change { $0 = true }
        await begun.wait { $0.count == 9 }
        running.cancel()
        await running.value
        #expect(begun.items.filter { $0 < 100 } == Array(1...8))
    }

    @Test func `work that comes again stays before what is behind it, and does not hold up other watches`() async throws
    {
        let turns = WatchTurns<Int>()
        let (failing, honest) = (try Self.watch(1), try Self.watch(2))
        for number in 1...2 { turns.put(number, of: failing) }
        let (done, isOver) = (Recorder<Int>(), Awaited(false))
        let running = Task {
            await turns.run(pause: { _ in await isOver.wait { $0 } }) { watch, number in
                done.record(number)
                let fails = watch == failing && number == 1 && done.items.count { $0 == 1 } < 2
                return fails ? .again(pause: .seconds(30)) : .done(pause: nil)
            }
        }
        await done.wait { $0.contains(1) }
        turns.put(100, of: honest)
        await done.wait { $0.contains(100) }
        #expect(done.items == [1, 100])
        isOver.change { $0 = true }
        await done.wait { $0.count == 4 }
        running.cancel()
        await running.value
        #expect(done.items == [1, 100, 1, 2])
    }
}
