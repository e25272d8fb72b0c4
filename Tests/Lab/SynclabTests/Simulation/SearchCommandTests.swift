import ArgumentParser
import CommandSupport
import Foundation
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// The command that searches: what it refuses, and how it is stopped.
@Suite struct SearchCommandTests {
    @Test(arguments: [
        (["--exhaust", "2", "--seeds", "0-9"], "--exhaust tries everything, one after the other, without --seeds"),
        (["--exhaust", "2", "--jobs", "1"], "--exhaust tries everything, one after the other, without --jobs"),
        (["--states", "5"], "--states bounds --exhaust: give --exhaust, too, or leave --states out"),
        (["--exhaust", "2", "--states", "0"], "--states is 0, expected a number from 1"),
        (["--seeds", "0-18446744073709551615"], "expected at most 9223372036854775807 seeds"),
    ])
    func `an option that would count for nothing is refused`(_ arguments: [String], _ reason: String) {
        let error = #expect(throws: (any Error).self) { try SearchCommand.parse(arguments) }

        #expect(error.map { SearchCommand.message(for: $0).contains(reason) } == true)
        #expect(error.map { SearchCommand.exitCode(for: $0).rawValue } == CommandSupport.ExitStatus.usage.rawValue)
    }

    @Test func `a search of all states ends when it is stopped`() async {
        var bounds = SmallExhaustion.Bounds()
        bounds.depth = 12
        bounds.stateCount = .max
        let search = ExhaustionRunner(bounds: bounds, watchCount: 2)
        let task = Task { await search.run() }

        task.cancel()
        await task.value

        #expect(search.report?.isComplete == false)
    }
}
