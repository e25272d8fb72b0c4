import SyncCore
import Testing

@testable import SyncSimulation

/// What a crash leaves of unsynced writes, and the stores that rely on such writes.
@Suite struct UnsyncedTailTests {
    @Test func `a store finds what is whole and has no gap before it`() {
        let tail = UnsyncedTail([.whole, .whole, .torn, .whole])
        #expect(tail.keptCount == 2)
        #expect(tail.isTorn && tail.isReordered)
        let ordered = UnsyncedTail([.whole, .nothing, .nothing])
        #expect(ordered.keptCount == 1)
        #expect(!ordered.isTorn && !ordered.isReordered)
        #expect(UnsyncedTail([.whole, .whole]).keptCount == 2)
    }

    @Test func `all that can be left is left sometimes, and the same seed leaves the same`() {
        var generator = SplitMix64(seed: 1)
        let tails = (0..<200).map { _ in UnsyncedTail(count: 3, draws: &generator) }
        #expect(tails.contains { $0.keptCount == 3 } && tails.contains { $0.keptCount == 0 })
        #expect(tails.contains { $0.isTorn } && tails.contains { $0.isReordered })
        var again = SplitMix64(seed: 1)
        #expect(tails == (0..<200).map { _ in UnsyncedTail(count: 3, draws: &again) })
    }

    /// When a store says that a record is durable.
    enum Acknowledgement: CaseIterable {
        case afterSync
        case afterWrite
    }

    /// The contents of a store of numbers.
    private struct Numbers: StoredState {
        var numbers: [Int] = []

        mutating func apply(_ number: Int) { numbers.append(number) }
    }

    /// A store of numbers that are written in order, with a crash at a random time.
    ///
    /// Returns what it had acknowledged and what it contains after the restart.
    private static func crash(_ seed: UInt64, _ acknowledgement: Acknowledgement) -> (told: Int, found: [Int]) {
        var draws = SplitMix64(seed: seed)
        var lots = OccurrenceFilter(selection: .all, keepsRecord: false)
        var disk = SimulatedDisk(state: Numbers())
        let faults = DiskFaults(watch: 0, streams: draws.stream(1))
        var told = 0
        var options = SimulationOptions()
        options.storeFailureChance = 0
        for record in 0..<1 + draws.below(6) {
            let write = faults.write(
                disk.nextNumber, now: Instant(nanoseconds: 0), busyUntil: disk.freeAt, options: options, lots: &lots)
            _ = disk.write(record, until: write.done, fails: write.fails)
            if acknowledgement == .afterWrite { told += 1 }
            while let job = disk.jobs.first, draws.chance(0.4) {
                _ = disk.finish(job.number)
                if acknowledgement == .afterSync { told += 1 }
            }
        }
        if let tail = faults.unsyncedTail(of: disk, chance: 1, lots: &lots) {
            for job in disk.jobs.prefix(tail.keptCount) { _ = disk.finish(job.number) }
        }
        _ = disk.crash(now: Instant(nanoseconds: 0))
        return (told, disk.durable.numbers)
    }

    @Test func `a store that acknowledges after the sync keeps its word, one that acknowledges before is found out`() {
        for acknowledgement in Acknowledgement.allCases {
            let crashes = (0..<200).map { Self.crash($0, acknowledgement) }
            // Whatever a crash leaves, it is a prefix of the written numbers.
            #expect(crashes.allSatisfy { $0.found == Array(0..<$0.found.count) })
            let brokenCount = crashes.count { $0.told > $0.found.count }
            #expect((brokenCount == 0) == (acknowledgement == .afterSync), "\(brokenCount)")
            // Some records are there although they were not acknowledged; that must be harmless too.
            #expect(crashes.contains { $0.told < $0.found.count } || acknowledgement == .afterWrite)
        }
    }
}
