import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// Hubs that are killed, restored and changed while their watches run; each is a process.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RestoredHubTests: Household {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func startWatch() async throws -> Program {
        let code = try #require(try await run("pair", "--name", "Wrist").first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", "Wrist")
        return try Program(["watch", "--name", "Wrist", "--json"], in: folder)
    }

    @Test func `a watch that runs is told of the new epoch when the hub was put back, and follows it`() async throws {
        let broker = try await Broker.start()
        var hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/1")
        try await run("device", "select", "Lagoon")
        let watch = try await startWatch()
        _ = try await watch.line(containing: #""name":"Lagoon""#)
        try await run("hub", "backup", folder.path("backup"))
        try await run("device", "edit", "Lagoon", "--name", "Big")
        _ = try await watch.line(containing: #""name":"Big""#)
        #expect(!watch.lines.contains { $0.contains("the hub was restored") })
        await end(hub)
        watch.forget()

        let said = try await run("hub", "restore", folder.path("backup"), "--yes")
        #expect(said.contains { $0.hasPrefix("restored the backup; a new epoch began") })
        hub = try await startHub()

        // The revision of the backup is less than that of the watch; the watch accepts it nevertheless.
        #expect(
            await watch.line {
                $0.contains(#""restoreNotice":"the hub was restored"#) && $0.contains(#""name":"Lagoon""#)
                    && $0.contains(#""state":"linked""#)
            } != nil, "\(watch.lines)")
        // Sync continues: later edits and readings arrive.
        try await run("device", "edit", "Lagoon", "--name", "Small")
        _ = try await watch.line(containing: #""name":"Small""#)
        let probe = try await Program.run(
            [
                "probe", "--server", "\(broker.host):\(broker.port)", "--topic", "pool/1", "--rate", "20", "--count",
                "3",
            ],
            in: folder)
        #expect(probe.end == .exited(0))
        _ = try await watch.line(containing: #""freshness":"live""#)
        await end(watch, hub)
        await broker.stop()
    }

    @Test func `a hub killed while a web address holds an alert sends it again with the same id`()
        async throws
    {
        // V7: the receiver recognises a second delivery by the id
        let broker = try await Broker.start()
        let web = try ScriptedListener()
        var hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/1")
        try await run("alerts", "settings", "--webhook", "http://127.0.0.1:\(web.port)/hook", "--samples", "1")
        _ = try await hub.line(containing: "Garden: connected")
        let probe = try Program(
            ["probe", "--server", "\(broker.host):\(broker.port)", "--topic", "pool/1", "--rate", "5", "--json"],
            in: folder)
        // Limits that every value exceeds.
        try await run("limits", "set", "ph", "1", "2", "3", "4", "--device", "Lagoon")

        let held = try await web.accept()
        let first = try await held.noticeID()
        hub.signal(SIGKILL)
        _ = await hub.ended()
        held.close()
        hub = try await startHub()
        let again = try await web.accept()
        #expect(try await again.noticeID() == first)
        again.send(Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8))
        again.close()
        _ = try await hub.line(containing: "Garden: connected")

        probe.signal(SIGTERM)
        _ = await probe.ended()
        await end(hub)
        await broker.stop()
    }
}

extension ScriptedListener.Peer {
    /// The id of the notice in a request, from its header; the header is read to its end.
    fileprivate func noticeID() async throws -> String {
        var bytes: [UInt8] = []
        while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let piece = try await receive()
            try #require(!piece.isEmpty, "the request ended in its header")
            bytes += piece
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let header = lines.first { $0.lowercased().hasPrefix("x-poolsensors-notice:") }
        return try #require(header).drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
    }
}
