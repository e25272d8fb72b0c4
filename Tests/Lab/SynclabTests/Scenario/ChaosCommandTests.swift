import CommandSupport
import Foundation
import ProgramFixture
import SyncCore
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// That chaos tells of processes that end by themselves, and of the folder that it leaves.
@Suite struct ChaosCommandTests {
    @Test func `a process that ends by itself breaks a promise, whatever fault comes next`() async throws {
        let folder = try TemporaryFolder()
        // Each ends behind an answer, so that the next that is done to it may be an order or a fault.
        let program = try await ScriptedNode.make(ScriptedNode.answering(orderCount: 7) + "\nexit 3", in: folder)
        let chaos = try Chaos(seed: 1, watchCount: 2, folder: folder.url.path, program: program)

        // It ends long before, and nothing else ends it.
        let summary = try await ChaosCommand.summary(of: chaos, for: .seconds(86_400), record: nil)

        #expect(!summary.violations.isEmpty)
        #expect(summary.violations.allSatisfy { $0.hasSuffix("ended with status 3, though it was not asked to end") })
        #expect(summary.lines.last?.hasPrefix("BROKEN  the process of ") == true)
    }

    @Test func `a run that cannot begin names the folder that it leaves`() async throws {
        let folder = try TemporaryFolder()

        let failure = await #expect(throws: CommandFailure.self) {
            try await ChaosCommand.workload(
                seed: 1, watchCount: 1, time: .seconds(1), folder: folder.url, record: nil, json: true,
                program: "/nowhere/x")
        }

        #expect(
            failure?.description
                == "cannot start /nowhere/x: No such file or directory; everything is kept in \(folder.url.path)")
    }

    @Test func `a wrong folder for journals leaves nothing behind`() async throws {
        let folder = try TemporaryFolder()
        let kept = try RecordFolder.make(folder.path("kept"))
        try Data().write(to: URL(filePath: "\(kept)/hub.engine"))

        let (end, lines) = try await Program.run(
            ["chaos", "--seed", "1", "--record", kept], in: folder, program: Program.laboratory)

        #expect(end == .exited(1))
        #expect(
            lines == ["synclab: \(kept) holds journals of another run; name another folder, or remove them"])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.filter { $0.hasPrefix("chaos-") } == [])
    }

    @Test func `a run in which no engine kept a journal shows nothing`() throws {
        let folder = try TemporaryFolder()
        let kept = try RecordFolder.make(folder.path("kept"))
        var summary = ChaosSummary(counts: Chaos.Counts(), conflictCount: 0, violations: [])

        try RecordFolder.replay(kept, into: &summary)

        #expect(summary.violations == ["no engine has kept a journal in \(kept)"])
    }

    @Test func `a run of which something could not be judged shows too little`() throws {
        let folder = try TemporaryFolder()
        let kept = try RecordFolder.make(folder.path("kept"))
        let key = try #require(PeerKey(hexadecimal: String(repeating: "5a", count: 32)))
        let recording = try EngineJournal.open("\(kept)/watch1.engine", name: "watch1", key: key, of: .scenarios)
        recording.began(
            WatchEngine.Configuration(name: "watch1", app: ScenarioSchema.app, schemaVersions: ScenarioSchema.versions),
            WatchEngine.State(newIncarnation: RandomID(high: 1, low: 1)), seed: 1,
            at: Moment(monotonic: Instant(nanoseconds: 1), wallMilliseconds: 1), outputs: [])
        var summary = ChaosSummary(counts: Chaos.Counts(), conflictCount: 0, violations: [])

        try RecordFolder.replay(kept, into: &summary)

        #expect(summary.replay?.contains { $0.hasPrefix("note: there is no journal of a hub") } == true)
        #expect(summary.violations == ["the journals of the engines were not judged to the end: see above"])
    }
}
