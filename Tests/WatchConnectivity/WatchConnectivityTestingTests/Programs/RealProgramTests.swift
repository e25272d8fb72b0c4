import Foundation
import Testing

@testable import WatchConnectivityTesting

/// The programs of ``ProgramTests`` on real disks and a real link, judged by the same checker.
@Suite(.timeLimit(.minutes(10))) struct RealProgramTests {
    /// The first programs of one phone and one watch; others are given as `WATCHCONNECTIVITY_REAL_PROGRAMS=first+count`.
    static var programs: [SessionProgram] {
        let words = ProcessInfo.processInfo.environment["WATCHCONNECTIVITY_REAL_PROGRAMS"]?.split(separator: "+") ?? []
        let numbers = words.compactMap { UInt64($0) }
        let (first, count) = numbers.count == 2 ? (numbers[0], Int(numbers[1])) : (1, 4)
        let fit = (first...(first + 1000)).lazy.map { SessionProgram(seed: $0) }.filter { $0.watchCount == 1 }
        return Array(fit.prefix(count))
    }

    @Test func `no random program on real devices sees a promise broken`() async throws {
        for program in Self.programs {
            let (violations, arrivals) = try await RealProgramRun.run(program)
            for violation in violations {
                Issue.record("seed \(program.seed): \(violation.promise): \(violation.words)")
            }
            #expect(arrivals > 8)
        }
    }
}
