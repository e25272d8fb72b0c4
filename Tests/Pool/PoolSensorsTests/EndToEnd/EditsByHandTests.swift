import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// Edits on watches as a user makes them, with and without the hub.
@Suite(.serialized, .timeLimit(.minutes(20))) struct EditsByHandTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Pairs a watch and waits until it has the configuration.
    private func pair(_ name: String) async throws {
        let code = try #require(try await run("pair", "--name", name).first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", name)
        let watch = try Program(["watch", "--name", name], in: folder)
        _ = try await watch.line(containing: "Lagoon: NO DATA, no reading received yet")
        await end(watch)
    }

    @Test func `two watches rename a device without the hub: one conflict, restored from the other watch`() async throws
    {
        var hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")
        try await run("device", "select", "Lagoon")
        try await pair("Kitchen")
        try await pair("Wrist")
        await end(hub)

        // One watch is not running during its edit, the other one is.
        let said = try await run("watch", "rename", "Lagoon", "Big", "--name", "Kitchen")
        #expect(said.first == #"changed here, not yet at the hub: name of the device "Lagoon": "Big""#)
        #expect(said.last?.contains("nothing answers") == true, "\(said)")
        #expect(said.last?.contains("start `poolsensors watch --name Kitchen`") == true, "\(said)")
        let wrist = try Program(["watch", "--name", "Wrist"], in: folder)
        _ = try await wrist.line(containing: "Lagoon: NO DATA")
        try await run("watch", "rename", "Lagoon", "Large", "--name", "Wrist")
        _ = try await wrist.line(containing: "Edits: 1 edit waits for the hub")
        #expect(try await run("watch", "pending", "--name", "Kitchen").last?.contains("waits") == true)

        hub = try await startHub()
        let kitchen = try Program(["watch", "--name", "Kitchen", "--json"], in: folder)
        _ = try await hub.line(containing: #"conflict "#)
        _ = try await wrist.line(containing: "Conflict ")
        #expect(await kitchen.line { $0.contains(#""rule":"newest""#) && $0.contains(#""pendingEdits":[]"#) } != nil)
        let listed = try await run("conflicts", "list", "--json").joined(separator: "\n")
        struct Row: Decodable {
            struct Side: Decodable {
                var value: String
                var author: String
            }
            var id: String
            var loser: Side
            var winner: Side
        }
        let row = try #require(try JSONDecoder().decode([Row].self, from: Data(listed.utf8)).first)
        #expect(Set([row.loser.value, row.winner.value]) == [#""Big""#, #""Large""#])
        #expect(Set([row.loser.author, row.winner.author]) == ["Kitchen", "Wrist"])

        try await run("watch", "restore", String(row.id.prefix(6)), "--name", row.winner.author)
        let name = row.loser.value.replacing("\"", with: "")
        #expect(await kitchen.line { $0.contains(#""name":"\#(name)""#) && $0.contains(#""conflicts":[]"#) } != nil)
        #expect(try await run("conflicts") == ["No conflict is open."])
        #expect(try await run("device", "list").last?.contains(name) == true)
        let log = try await run("config", "log", "--last", "1")
        #expect(log.contains { $0.contains(row.winner.author) } && log.last?.contains("settled") == true)
        await end(kitchen, wrist, hub)
    }

    @Test func `what a watch cannot do is said, with the way out`() async throws {
        let nobody = try await Program.run(["watch", "rename", "Lagoon", "Big", "--name", "Nobody"], in: folder)
        #expect(nobody.end == .exited(5))
        #expect(nobody.lines.last?.contains("there is no watch named Nobody") == true)
        let quantity = try await Program.run(["watch", "limits", "Lagoon", "turbidity", "--low", "1"], in: folder)
        #expect(quantity.end == .exited(64))
        let conflict = try await Program.run(["conflicts", "restore", "3f"], in: folder)
        #expect(conflict.end == .exited(5))
        #expect(conflict.lines.last?.contains("none is open") == true)
    }
}
