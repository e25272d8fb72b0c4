import ArgumentParser
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import synclab

/// The options of the laboratory that plant faults of design.
@Suite struct CommandMutantTests {
    @Test func `a name that is nearly one of a fault is corrected`() {
        let error = #expect(throws: (any Error).self) {
            try SimulateCommand.parse(["--mutant", "hubIgnoreForks"])
        }

        #expect(error.map { SimulateCommand.message(for: $0).contains("did you mean hubIgnoresForks?") } == true)
        #expect(error.map { SimulateCommand.exitCode(for: $0).rawValue } == ExitStatus.usage)
    }

    @Test func `a search of all states plants nothing`() {
        let error = #expect(throws: (any Error).self) { try SearchCommand.parse(["--exhaust", "2", "--mutants"]) }

        let reason = "--exhaust tries everything, one after the other, without --mutants"
        #expect(error.map { SearchCommand.message(for: $0).contains(reason) } == true)
    }

    @Test func `the rule that is broken is named in place of the one that is not`() throws {
        let command = try ShrinkCommand.parse([
            "--seed", "0", "--mutant", "watchAcknowledgesEarly", "--rule", "latestWins",
        ])
        let failure = try #require(throws: CommandFailure.self) { try command.run() }

        #expect(
            failure.description == """
                seed 0 does not break the rule latestWins but durabilityOrder: give --rule durabilityOrder, or leave \
                --rule out
                """)
    }

    @Test func `a search of planted faults that is stopped says that some were not tried`() async throws {
        let folder = try TemporaryFolder()
        // No seed finds a hub that takes stamps for an order, so it does not end by itself.
        let search = try Program(
            ["search", "--mutants", "--seeds", "0-9999999999", "--jobs", "1"], in: folder, program: Program.laboratory)
        _ = try await search.line(containing: ", first by seed ")

        search.signal(SIGINT)

        let line = try await search.line(containing: "stopped before the end")
        #expect(line.hasSuffix("faults were not tried, and nothing is shown about them"))
        #expect(await search.ended() == .exited(1))
    }
}
