import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// What a hub and its watch keep with `--record` is fed to fresh engines, which do the same again.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RecordTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var hubJournal: String { folder.path("hub.engine") }
    private var watchJournal: String { folder.path("kitchen.engine") }

    private func startRecordedHub() async throws -> Program {
        let hub = try Program(
            ["hub", "--listen", "ipc://\(folder.path("hub.ipc"))", "--record", hubJournal], in: folder)
        _ = try await hub.line(containing: "listening on ")
        return hub
    }

    private func replay(_ journals: String...) async throws -> (end: ChildProcess.End, lines: [String]) {
        try await Program.run(["replay", "--journal"] + journals, in: folder, program: Program.laboratory)
    }

    @Test func `a killed hub, and a watch that edited meanwhile, are replayed without the password`() async throws {
        let broker = try await Broker.start()
        var hub = try await startRecordedHub()
        let code = try #require(try await run("pair").first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", "Kitchen")
        let watch = try Program(["watch", "--name", "Kitchen", "--values", "--record", watchJournal], in: folder)
        let password = "swordfish-\(UInt64.random(in: 0...UInt64.max))"
        try Data(password.utf8).write(to: URL(filePath: folder.path("password")))
        try await run(
            "server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)", "--username",
            "anna",
            "--password-file", folder.path("password"))
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")
        try await run("device", "select", "Lagoon")
        let probe = try Program(
            ["probe", "--server", "\(broker.host):\(broker.port)", "--rate", "20", "--json"], in: folder)
        _ = try await watch.line(containing: "Lagoon: OK")

        hub.signal(SIGKILL)
        _ = await hub.ended()
        try await run("watch", "rename", "Lagoon", "Bay", "--name", "Kitchen")
        hub = try await startRecordedHub()
        _ = try await watch.line(containing: "Bay: OK")
        await end(probe, watch, hub)

        let report = try JournalSource.replay([watchJournal, hubJournal])
        #expect(report.isGood, "\(JournalSource.lines(report))")
        #expect(report.journals.map(\.runCount) == [1, 2])
        #expect(report.journals.allSatisfy { $0.stepCount > 20 && $0.ends.isEmpty })
        let (status, lines) = try await replay(hubJournal, watchJournal)
        #expect(status == .exited(0))
        #expect(lines.last == "all promises that could be judged held")
        let kept = try Data(contentsOf: URL(filePath: hubJournal))
        #expect(kept.range(of: Data("Lagoon".utf8)) != nil)
        #expect(kept.range(of: Data(password.utf8)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: hubJournal)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `the journal of another device, or of an older program, is not gone on with`() async throws {
        let hub = try await startRecordedHub()
        await end(hub)
        try FileManager.default.removeItem(atPath: folder.path("state"))
        let listen = "ipc://\(folder.path("hub.ipc"))"

        let other = try Program(["hub", "--listen", listen, "--record", hubJournal], in: folder)
        let word = await other.line { $0.contains("journal") || $0.contains("listening on ") }
        #expect(word?.hasSuffix("it is that of another device, hub: name another file") == true, "\(other.lines)")

        try Data("SYNCJRN1".utf8).write(to: URL(filePath: hubJournal))
        let (status, lines) = try await replay(hubJournal)
        #expect(status == .exited(1))
        #expect(lines.last?.contains("it was kept by another version of this program") == true, "\(lines)")
    }
}
