import Foundation
import TestSupport
import Testing

@testable import WatchConnectivityTesting

@Suite(.longWork) struct ProgramTests {
    /// The seeds of the programs; others are given as `WATCHCONNECTIVITY_PROGRAMS=first+count`.
    ///
    /// With `WATCHCONNECTIVITY_SHRINK=1` a failing program is shrunk and told, with its timeline.
    static var seeds: ClosedRange<UInt64> {
        let words = ProcessInfo.processInfo.environment["WATCHCONNECTIVITY_PROGRAMS"]?.split(separator: "+") ?? []
        let numbers = words.compactMap { UInt64($0) }
        guard numbers.count == 2, numbers[1] > 0 else { return 1...28 }
        return numbers[0]...(numbers[0] + numbers[1] - 1)
    }

    @Test(arguments: 0..<4)
    func `no random program sees a promise broken`(part: UInt64) async throws {
        for seed in Self.seeds where seed % 4 == part {
            // Other tests get their turn.
            await Task.yield()
            let program = SessionProgram(seed: seed)
            let report = try ProgramRun.run(program)
            guard let violation = report.violations.first else { continue }
            Issue.record("seed \(seed): \(violation.promise): \(violation.words)\(try details(program, violation))")
        }
    }

    private func details(_ program: SessionProgram, _ violation: ProgramChecker.Violation) throws -> String {
        guard ProcessInfo.processInfo.environment["WATCHCONNECTIVITY_SHRINK"] != nil else { return "" }
        let shrunk = try program.shrunk { shorter in
            try ProgramRun.run(shorter).violations.contains { $0.promise == violation.promise }
        }
        let report = try ProgramRun.run(shrunk)
        let steps = shrunk.steps.map { "    \($0)" }.joined(separator: "\n")
        let words = report.violations.first?.words ?? ""
        return "\n\(words)\n\(shrunk.traits) \(shrunk.isShuffled)\n\(steps)\n\(report.timeline)"
    }

    @Test func `a program runs in the same way each time`() throws {
        for seed in [1, 2, 3] as [UInt64] {
            let first = try ProgramRun.run(SessionProgram(seed: seed))
            let second = try ProgramRun.run(SessionProgram(seed: seed))
            #expect(first.log.entries == second.log.entries)
            #expect(first.timeline == second.timeline)
        }
    }
}
