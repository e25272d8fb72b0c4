import ArgumentParser
import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import synclab

/// What `shrink` says when there is nothing that it could do.
@Suite struct ShrinkCommandTests {
    private func failure(_ arguments: [String]) throws -> String {
        let command = try ShrinkCommand.parse(arguments)
        let failure = try #require(throws: CommandFailure.self) { try command.run() }
        return failure.description
    }

    @Test func `a schedule that breaks no rule is not made smaller`() throws {
        #expect(try failure(["--seed", "3"]).hasPrefix("seed 3 breaks no rule, so there is nothing to keep"))
    }

    @Test func `a file that cannot be written is refused before the first run`() throws {
        let folder = try TemporaryFolder()
        // Nothing is to be kept of this schedule, which only a run could tell.
        for path in [folder.path("none/x.json"), folder.url.path] {
            #expect(try failure(["--seed", "3", "--output", path]).hasPrefix("cannot write \(path): "))
        }

        try KeptFile.check(folder.path("x.json"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
