import ArgumentParser
import CommandSupport
import Foundation
import ProgramFixture
import SyncCore
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// Journals of real processes, killed ones among them, and the command that replays them.
@Suite(.serialized) struct JournalReplayTests {
    private static let scenarios = Repository.url("Fixtures/scenarios")

    /// Runs a scenario on processes and gives the journals of their engines.
    private func journals(of name: String, in folder: TemporaryFolder) async throws -> [String] {
        let path = Self.scenarios.appending(path: "\(name).scenario").path
        let report = try await RunScenarioCommand.runProcesses(
            try RunScenarioCommand.scenario(path: path), program: Program.laboratory, record: folder.path("kept"))
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
        #expect(report.journals.contains { $0.runCount > 1 })
        // A device goes on with a journal that a death cut short.
        let hub = try #require(paths.first { $0.hasSuffix("hub.engine") })
        let whole = try Data(contentsOf: URL(filePath: hub))
        try whole.dropLast(3).write(to: URL(filePath: hub))
        let (end, lines) = try await Program.run(["replay", "--journal", hub], in: folder, program: Program.laboratory)
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
        let (end, lines) = try await Program.run(
            ["replay", "--journal", folder.path("a.engine")], in: folder, program: Program.laboratory)
        #expect(end == .exited(1))
        #expect(lines.last?.contains("it is not an engine journal") == true)
    }

    // MARK: - Journals that show nothing

    /// Writes the journal of a hub that started three times.
    private func journal(_ path: String) throws {
        let recording = try Self.recording(path)
        for seed in 1...3 as ClosedRange<UInt64> {
            recording.began(
                LedgerState(newEpoch: Epoch(number: 1)), transfers: [:], seed: seed,
                at: Moment(monotonic: Instant(nanoseconds: 1), wallMilliseconds: 1), outputs: [])
        }
    }

    private static func recording(_ path: String) throws -> JournalRecording {
        let key = try #require(PeerKey(hexadecimal: String(repeating: "5a", count: 32)))
        return try EngineJournal.open(path, name: "hub", key: key, of: .scenarios)
    }

    private func replayFailure(_ paths: [String]) throws -> String {
        let failure = try #require(throws: CommandFailure.self) { _ = try JournalSource.replay(paths) }
        return failure.description
    }

    @Test func `a damaged journal is refused by its name and place, and is not cut`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.engine")
        try journal(path)
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // The length of the first record stands behind the eight bytes of the beginning.
        let second = 16 + Int(bytes[8]) + Int(bytes[9]) * 256
        // A mebibyte more than there is: without a look behind, that is what a death leaves.
        bytes[second + 2] ^= 0x10
        try Data(bytes).write(to: URL(filePath: path))
        let words = "record 2, at byte \(second), is damaged: take an undamaged copy of the file, or name another one"

        #expect(try replayFailure([path]) == "\(path): \(words)")
        let failure = try #require(throws: CommandFailure.self) { _ = try Self.recording(path) }
        #expect(failure.description == "cannot go on with the journal \(path): \(words)")
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
    }

    @Test func `of several journals the one that cannot be read is named`() throws {
        let folder = try TemporaryFolder()
        let (good, bad) = (folder.path("hub.engine"), folder.path("watch.engine"))
        try journal(good)
        try Data("hello, world".utf8).write(to: URL(filePath: bad))

        #expect(try replayFailure([good, bad]) == "\(bad): it is not an engine journal")
    }

    @Test(arguments: ["", "SYNC", "SYNCJRN3"])
    func `a journal without a life is no success`(_ text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.engine")
        try Data(text.utf8).write(to: URL(filePath: path))

        #expect(try replayFailure([path]) == "\(path) holds no life of an engine, so it shows nothing: leave it out")
    }

    @Test(arguments: [
        (["--seed", "1", "--put-back"], "--put-back is about the run of journals: give --journal, too"),
        (["--journal", "a", "--until", "1s"], "of --journal only --verbose prints a trace"),
        (["--seed", "1", "--twice", "--verbose"], "--twice prints no trace: leave out --verbose"),
        (["--seed", "1", "--twice", "--until", "1s"], "--twice prints no trace: leave out --until"),
        (["--journal", "a", "--seed", "1"], "give neither one"),
        ([], "give the file of a schedule or --seed N, one of the two"),
    ])
    func `a schedule or journals, and nothing that would count for nothing`(_ arguments: [String], _ reason: String) {
        let error = #expect(throws: (any Error).self) { try ReplayCommand.parse(arguments) }
        #expect(error.map { ReplayCommand.message(for: $0).contains(reason) } == true)
    }
}
