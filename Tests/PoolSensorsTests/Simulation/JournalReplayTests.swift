import ArgumentParser
import Foundation
import SyncSimulation
import Testing

@testable import poolsensors

/// Journals of real processes, killed ones among them, and the command that replays them.
@Suite(.serialized) struct JournalReplayTests {
    private static let scenarios = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/scenarios")

    /// Runs a scenario on processes and gives the journals of their engines.
    private func journals(of name: String, in folder: TemporaryFolder) async throws -> [String] {
        let path = Self.scenarios.appending(path: "\(name).scenario").path
        let report = try await RunScenarioCommand.runReally(
            try RunScenarioCommand.scenario(path: path), program: Program.path, record: folder.path("kept"))
        #expect(report.failure == nil, "\(report.failureText ?? "")")
        let kept = folder.path("kept/\(name)")
        return try FileManager.default.contentsOfDirectory(atPath: kept).sorted().map { "\(kept)/\($0)" }
    }

    @Test(arguments: ["user-info-across-a-death", "hub-restored-from-backup"])
    func `what killed processes have recorded is replayed`(name: String) async throws {
        let folder = try TemporaryFolder()
        let paths = try await journals(of: name, in: folder)
        let report = try JournalSource.replay(paths)
        #expect(report.isGood, "\(JournalSource.lines(report))")
        #expect(report.journals.contains { $0.lifeCount > 1 })
        // A device goes on with a journal that a death cut short.
        let hub = try #require(paths.first { $0.hasSuffix("hub.engine") })
        let whole = try Data(contentsOf: URL(filePath: hub))
        try whole.dropLast(3).write(to: URL(filePath: hub))
        let (end, lines) = try await Program.run(["replay", "--journal", hub], in: folder)
        #expect(end == .exited(0), "\(lines)")
        #expect(lines[0].contains("cut short by"))
        let key = try #require(report.journals.compactMap(\.device).first { $0.name == "hub" }?.key)
        _ = try EngineJournal.open(hub, name: "hub", key: key, of: .scenarios)
        let rest = Array(try Data(contentsOf: URL(filePath: hub)))
        #expect(try JournalFile.wholeByteCount(rest) == rest.count && rest.count < whole.count - 3)
    }

    @Test func `the clock of a process can be an hour off`() async throws {
        let folder = try TemporaryFolder()
        #expect(try JournalSource.replay(try await journals(of: "clock-an-hour-off", in: folder)).isGood)
    }

    @Test func `what is no journal is said to be none`() async throws {
        let folder = try TemporaryFolder()
        try Data("hello, world".utf8).write(to: folder.url.appending(path: "a.engine"))
        let (end, lines) = try await Program.run(["replay", "--journal", folder.path("a.engine")], in: folder)
        #expect(end == .exited(1))
        #expect(lines.last?.contains("it is no journal of an engine") == true)
    }

    @Test(arguments: [
        (["--journal", "a", "--seed", "1"], "give neither one"),
        ([], "give the file of a schedule or --seed N, one of the two"),
    ])
    func `a schedule or journals`(_ arguments: [String], _ reason: String) {
        let error = #expect(throws: (any Error).self) { try ReplayCommand.parse(arguments) }
        #expect(error.map { ReplayCommand.message(for: $0).contains(reason) } == true)
    }
}
