import CommandSupport
import Foundation
import ProgramFixture
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// The same scenarios as in virtual time, on real processes; all of them by `synclab scenario run --real`.
@Suite(.serialized) struct RealScenarioTests {
    private static let folder = Repository.url("Fixtures/scenarios")

    @Test(arguments: ["user-info-across-a-death", "hub-restored-from-backup", "file-cut-at-63-percent"])
    func `it goes as it is written on real processes, too`(name: String) async throws {
        let path = Self.folder.appending(path: "\(name).scenario").path
        let report = try await RunScenarioCommand.runProcesses(
            try RunScenarioCommand.scenario(path: path), program: Program.laboratory)
        #expect(report.failure == nil, "\(report.failureText ?? "")")
    }

    @Test func `chaos holds its promises`() async throws {
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(
            ["chaos", "--seed", "1", "--for", "4s", "--watches", "2"], in: folder, program: Program.laboratory)
        #expect(end == .exited(0), "\(lines.joined(separator: "\n"))")
        #expect(lines.last == "all promises held")
    }

    @Test func `a scenario that cannot be understood is a usage error`() async throws {
        let folder = try TemporaryFolder()
        try Data("watch Anna\npair Bob\n".utf8).write(to: folder.url.appending(path: "a.scenario"))
        let (end, lines) = try await Program.run(
            ["scenario", "run", folder.path("a.scenario")], in: folder, program: Program.laboratory)
        #expect(end == .exited(64))
        #expect(lines.last?.contains("a.scenario:2: \"Bob\" does not fit: expected a watch: Anna") == true)
    }
}
