import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// An export from the history to a watch, with each part in a process (P88).
@Suite(.serialized, .timeLimit(.minutes(20))) struct SharedFileTests: Household {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Received: Decodable {
        struct Export: Decodable {
            var readings: Int
            var devices: [String]
        }
        var number: Int
        var name: String
        var byteCount: Int
        var path: String
        var export: Export?
    }

    private func received(_ name: String) async throws -> [Received] {
        let text = try await run("watch", "files", "--json", "--name", name).joined(separator: "\n")
        return try JSONDecoder().decode([Received].self, from: Data(text.utf8))
    }

    /// A hub with a history, and a paired watch that is not running.
    private func prepare() async throws -> Program {
        let broker = try await Broker.start()
        let hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/1")
        try await run("device", "select", "Lagoon")
        _ = try await hub.line(containing: "Garden: connected")
        let probe = try await Program.run(
            [
                "probe", "--server", "\(broker.host):\(broker.port)", "--topic", "pool/1", "--rate", "50", "--count",
                "20",
            ],
            in: folder)
        #expect(probe.end == .exited(0))
        let code = try #require(try await run("pair", "--name", "Wrist").first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", "Wrist")
        await broker.stop()
        return hub
    }

    @Test func `an export reaches a watch that was away, though hub and watch are killed on the way`() async throws {
        var hub = try await prepare()
        let said = try await run("history", "export", "Lagoon", "--watch", "Wrist", "--out", folder.path("pool.csv"))
        #expect(said.first?.hasPrefix("wrote 20 readings") == true)
        #expect(said.last?.contains("20 readings of Lagoon, corrected: pool.csv (") == true)
        hub.signal(SIGKILL)
        _ = await hub.ended()
        // The user's file may be removed; the hub has its own copy.
        let whole = try Data(contentsOf: URL(filePath: folder.path("pool.csv")))
        try FileManager.default.removeItem(atPath: folder.path("pool.csv"))
        #expect(try await run("watches", "files").contains { $0.contains("pool.csv") && $0.contains("waits") })

        hub = try await startHub()
        try await run("history", "export", "--watch", "Wrist", "--format", "jsonl")
        let killed = try Program(["watch", "--name", "Wrist"], in: folder)
        // Killed as soon as the hub is notified: the watch may or may not have moved the file to its place.
        let told = try await hub.line(containing: "watch Wrist: pool.csv ")
        try #require(told.contains("has arrived"))
        killed.signal(SIGKILL)
        _ = await killed.ended()
        let watch = try Program(["watch", "--name", "Wrist"], in: folder)
        #expect(await hub.line { $0.contains("watch Wrist: readings-") && $0.contains("has arrived") } != nil)
        // The face shows the last file when it is in its place.
        _ = try await watch.line(containing: "File: received readings-")

        let files = try await received("Wrist")
        // No number is used twice, so the first one may be missing: the watch may have been killed just after using it.
        #expect(files.map(\.number) == files.map(\.number).sorted() && Set(files.map(\.number)).count == 2)
        let last = try #require(files.last?.number)
        #expect(files.first?.name == "pool.csv")
        #expect(files.map(\.export?.readings) == [20, 20])
        #expect(files.map(\.export?.devices) == [["Lagoon"], []])
        #expect(try files.first.map { try Data(contentsOf: URL(filePath: $0.path)) } == whole)
        #expect(try await run("watches", "files").count { $0.contains("arrived") } == 2)

        // Taken out while the watch is running, and again while it is not.
        try await run("watch", "files", "take", "pool.csv", "--out", folder.path("mine.csv"), "--name", "Wrist")
        #expect(try Data(contentsOf: URL(filePath: folder.path("mine.csv"))) == whole)
        await end(watch, hub)
        #expect(try await received("Wrist").map(\.number) == [last])
        let (refusal, words) = try await Program.run(
            ["watch", "files", "take", "\(last)", "--out", folder.path("mine.csv"), "--name", "Wrist"], in: folder)
        #expect(refusal == .exited(1) && words.last?.contains("--replace") == true)
        try await run("watch", "files", "remove", "\(last)", "--name", "Wrist")
        #expect(try await run("watch", "files", "--name", "Wrist") == ["No file is kept here."])
    }

    @Test func `nothing is shared with nobody, and the way out is said`() async throws {
        func failure(_ arguments: String..., status: Int32 = 5) async throws -> String {
            let (end, lines) = try await Program.run(arguments, in: folder)
            #expect(end == .exited(status), "\(lines)")
            return lines.last ?? ""
        }
        #expect(try await failure("history", "export", "--watch", "Wrist", status: 69).contains("no hub runs on"))
        let hub = try await startHub()
        #expect(try await failure("history", "export", "--watch", "Wrist").contains("poolsensors pair"))
        let code = try #require(try await run("pair", "--name", "Wrist").first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", "Wrist")
        #expect(try await failure("history", "export", "--watch", "Kitchen").contains("there are: Wrist"))
        try await run("watches", "unpair", "Wrist", "--yes")
        #expect(try await failure("watches", "files", "send", "Wrist", "/etc/hostname").contains("none is paired"))
        #expect(try await failure("watch", "files", "take", "9", "--name", "Wrist").contains("no file \"9\""))
        await end(hub)
        let usage = try await Program.run(["history", "export"], in: folder)
        #expect(usage.end == .exited(64))
    }
}
