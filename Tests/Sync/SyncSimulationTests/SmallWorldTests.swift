import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

@Suite(.longWork) struct SmallWorldTests {
    private static func fixture(_ name: String) throws -> String {
        try String(contentsOf: Repository.url("Fixtures/schedules/\(name)"), encoding: .utf8)
    }

    // MARK: - The sound design

    /// `.ci/run` runs these seeds and many more, built for release.
    @Test(arguments: [(2, 0..<40 as Range<UInt64>), (3, 0..<40)])
    func `random schedules keep every promise`(_ watchCount: Int, _ seeds: Range<UInt64>) {
        // I1–I5, I9, I10, I12, I14, I23
        for seed in seeds {
            let operations = SmallOperation.drawn(seed: seed, count: 60, watchCount: watchCount)
            let violation = SmallWorld.run(operations, watchCount: watchCount)
            #expect(violation == nil, "seed \(seed) with \(watchCount) watches")
        }
    }

    // A hub that was put back has neither a value nor the one it was made on. The newer one comes first and finds
    // nothing to change, or the older one comes with a newer stamp: either way the newer one is in the log of conflicts.
    @Test(arguments: [34_957_871 as UInt64, 35_090_708])
    func `after a restore a write that comes before what it was made on is kept as a conflict`(_ seed: UInt64) {
        let operations = SmallOperation.drawn(seed: seed, count: 60, watchCount: 2)
        #expect(SmallWorld.run(operations, watchCount: 2) == nil)
    }

    @Test func `each stored run ends as another implementation of the design says`() throws {
        // ENGINE, The nets: differential
        let replays = try SmallReplay.entries(in: Self.fixture("small-outcomes.txt"))
        #expect(replays.count >= 800)
        for (number, replay) in replays.enumerated() {
            var world = SmallWorld()
            let violation = world.run(replay.operations)
            #expect(violation == nil, "run \(number)")
            #expect(world.outcome.text == replay.outcome, "run \(number)")
        }
    }

    @Test func `a run is the same each time`() {
        // I22
        let operations = SmallOperation.drawn(seed: 11, count: 60, watchCount: 2)
        var first = SmallWorld()
        var second = SmallWorld()
        _ = first.run(operations)
        _ = second.run(operations)
        #expect(first.outcome == second.outcome)
        #expect(first.stepCount == second.stepCount)
    }

    @Test func `operations are written as they are read`() throws {
        let operations = (0..<20).flatMap { SmallOperation.drawn(seed: $0, count: 60, watchCount: 3) }
        #expect(try SmallOperation.list(operations.map(\.text).joined(separator: "; ")) == operations)
        #expect(throws: SmallFixtureError.line(3, "no operation: xyz 1")) {
            try SmallOperation.list("hu 1;xyz 1", line: 3)
        }
    }

    // MARK: - Everything that can happen (ENGINE, The nets: exhaustive)

    @Test func `every state within small bounds keeps every promise`() {
        var bounds = SmallExhaustion.Bounds()
        bounds.depth = 4
        let report = SmallExhaustion(bounds: bounds).run()
        #expect(report.isComplete)
        #expect(report.failure == nil)
        #expect(report.stateCount > 500)
        #expect(report.transitionCount > report.stateCount)
    }

    @Test func `a search of all states stops when it is told to, and says so`() {
        var askedCount = 0
        let report = SmallExhaustion().run {
            askedCount += 1
            return askedCount > 3
        }
        #expect(askedCount == 4)
        #expect(!report.isComplete && report.failure == nil)
        #expect(report.stateCount > 0)
    }

    @Test func `a search that is too large says so`() {
        var bounds = SmallExhaustion.Bounds()
        bounds.stateCount = 50
        let report = SmallExhaustion(bounds: bounds).run()
        #expect(!report.isComplete)
        #expect(report.stateCount == 50)
    }

    // MARK: - Files that cannot be read

    @Test(arguments: ["= - | - | -", "hu 1\nhu 2\n= -", "hu 1", "oops\n= -"])
    func `a broken file of ends is refused by its line`(_ text: String) {
        #expect(throws: SmallFixtureError.self) { try SmallReplay.entries(in: text) }
    }
}
