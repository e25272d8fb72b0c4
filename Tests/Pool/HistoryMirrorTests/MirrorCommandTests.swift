import CommandSupport
import DatabaseFixture
import Foundation
import HistoryMirror
import PoolModel
import PoolStore
import Postgres
import Primitives
import ProgramFixture
import TestSupport
import Testing

/// `poolsensors history mirror`, as a process.
@Suite(.timeLimit(.minutes(20))) struct MirrorCommandTests {
    private let folder: TemporaryFolder
    private let string: String

    init() async throws {
        folder = try TemporaryFolder()
        string = try await TestCluster.shared.database()
    }

    private func run(_ arguments: String...) async throws -> (end: ChildProcess.End, lines: [String]) {
        try await Program.run(["history"] + arguments, in: folder)
    }

    @Test func `a hub's history is mirrored from the command line, which says what waits`() async throws {
        var (end, lines) = try await run("mirror", "--once", "--database", string)
        #expect(end == .exited(69))
        #expect(lines.joined().contains("start it with"), "\(lines)")
        (end, lines) = try await run("size")
        #expect(end == .exited(0) && !lines.contains { $0.hasPrefix("mirror") }, "\(lines)")
        (end, lines) = try await run("mirror", "--lag")
        #expect(end == .exited(1), "\(lines)")

        let history = folder.path("state/hub/history.sqlite")
        let store = try HistoryStore(path: history)
        try store.record(1...30)
        (end, lines) = try await run("mirror", "--once", "--database", string)
        #expect(end == .exited(0))
        #expect(lines.last?.hasPrefix("copied 30 readings of ") == true, "\(lines)")
        (end, lines) = try await run("mirror", "--lag")
        #expect(end == .exited(0) && lines == ["nothing waits"], "\(lines)")

        try store.record(31...32)
        // Copied long ago, and the readings are old.
        try MirrorMark(row: 30, copiedAt: Timestamp(milliseconds: 1_700_000_000_000)).write(ofHistory: history)
        (end, lines) = try await run("mirror", "--lag")
        #expect(end == .exited(2))
        #expect(lines.first?.hasPrefix("2 readings wait") == true, "\(lines)")
        try store.close()
        (end, lines) = try await run("size")
        #expect(lines.contains { $0.hasPrefix("mirror: 2 readings wait") }, "\(lines)")
        (end, lines) = try await run("size", "--json")
        #expect(lines.joined().contains(#""mirror":{"#), "\(lines)")

        let mirror = try Program(["history", "mirror", "--every", "1s", "--database", string], in: folder)
        _ = try await mirror.line(containing: "copied 2 readings; nothing waits")
        mirror.signal(SIGTERM)
        #expect(await mirror.ended() == .exited(0))
        (end, lines) = try await run("mirror", "--forget")
        #expect(end == .exited(0))
        (end, lines) = try await run("mirror", "--lag")
        #expect(end == .exited(1))
    }

    @Test func `what cannot be mirrored is told with the value and the way out`() async throws {
        let table: [([String], String)] = [
            ([], "give one of --database, --lag and --forget"), (["--lag", "--forget"], "give one of"),
            (["--database", string, "--every", "0s"], "0s"), (["--database", string, "--as", ""], "--as"),
            (["--database", "host=/nowhere", "--as", "x", "--once"], "/nowhere"),
            (["--database", string, "--as", "x", "--once"], "start the hub once"),
        ]
        for (arguments, words) in table {
            let (end, lines) = try await Program.run(["history", "mirror"] + arguments, in: folder)
            #expect(end != .exited(0), "\(arguments)")
            #expect(lines.joined(separator: " ").contains(words), "\(arguments): \(lines)")
        }
    }
}
