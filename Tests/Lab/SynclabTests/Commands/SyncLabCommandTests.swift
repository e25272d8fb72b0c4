import ArgumentParser
import CommandSupport
import Foundation
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import synclab

/// The commands of the laboratory, as the pages and their helps name them, and how they fail.
@Suite struct SyncLabCommandTests {
    private let commands = PageCommands(of: "synclab")

    @Test func `each command line in the pages is one that the laboratory takes`() throws {
        let all = try commands.inPages

        #expect(all.count > 8)
        for line in all {
            guard let arguments = PageCommands.arguments(line) else { continue }
            #expect(throws: Never.self, "\(line)") { _ = try SyncLab.parseAsRoot(arguments) }
        }
    }

    @Test func `each example in the help of a command is one that the laboratory takes`() throws {
        let all = commands.inHelp(of: SyncLab.self)

        #expect(all.count > 25)
        for line in all {
            guard let arguments = PageCommands.arguments(line) else { continue }
            #expect(throws: Never.self, "\(line)") { _ = try SyncLab.parseAsRoot(arguments) }
        }
    }

    @Test func `the laboratory has the version of the program`() throws {
        let error = #expect(throws: (any Error).self) { _ = try SyncLab.parseAsRoot(["--version"]) }
        #expect(Report(try #require(error), of: SyncLab.self).output == Release.version)
    }

    @Test func `a wrong command line ends with 64 and one line that names the laboratory`() async throws {
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(
            ["simulate", "--watches", "0"], in: folder, program: Program.laboratory)

        #expect(end == .exited(64))
        #expect(lines.count == 1 && lines[0].hasPrefix("synclab: --watches is 0"), "\(lines)")
    }

    @Test func `a command that has gone to the laboratory is named by the program that had it`() async throws {
        let folder = try TemporaryFolder()
        for command in ["bench", "chaos", "replay", "scenario", "search", "shrink", "simulate"] {
            #expect(SyncLab.configuration.subcommands.contains { $0._commandName == command })
            let (end, lines) = try await Program.run([command, "--help"], in: folder)
            #expect(end == .exited(64))
            let place = "a command of another program now, which lies beside this one"
            #expect(lines == ["poolsensors: `\(command)` is \(place): `synclab \(command)`"])
        }
    }
}
