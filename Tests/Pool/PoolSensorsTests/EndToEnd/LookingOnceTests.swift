import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// Commands of a watch that is not running: they query the hub and send it the pending changes.
@Suite(.serialized, .timeLimit(.minutes(20))) struct LookingOnceTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The output of `watch --once`; expects a successful end.
    private func once(_ arguments: String...) async throws -> [String] {
        try await Program.run(["watch", "--name", "Kitchen", "--once"] + arguments, in: folder).lines
    }

    @Test func `a watch that looks once asks the hub, and says where its answer comes from`() async throws {
        let broker = try await Broker.start()
        var hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", broker.host, "--port", "\(broker.port)")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1", "--interval", "1h")
        try await run("device", "select", "Lagoon")
        _ = try await hub.line(containing: "server Garden: connected")
        let code = try #require(try await run("pair", "--name", "Kitchen").first { $0.hasPrefix("psw2-") })
        try await run("watch", "pair", code, "--name", "Kitchen")

        try await publish([#"{"ph":7.2,"orp":702}"#], to: broker)
        #expect(try await once("--format", "{orp} {source}") == ["702 mV hub now"])
        try await publish([#"{"ph":7.2,"orp":713}"#], to: broker, after: 1)
        #expect(try await once("--format", "{orp} {source}") == ["713 mV hub now"])
        #expect(try await once("--json").first?.contains(#""source":{"from":"hub","text":null}"#) == true)
        #expect(try await once("--tmux").first?.contains("hub now") == true)

        // A running face queries the hub, too.
        let face = try Program(["watch", "--name", "Kitchen", "--plain", "--follow"], in: folder)
        _ = try await face.line(containing: "Lagoon: ")
        #expect(try await once("--format", "{orp} {source}") == ["713 mV hub now"])
        await end(face, hub)

        let kept = try await once("--format", "{orp} {source}", "--timeout", "1s")
        #expect(kept.first?.hasPrefix("713 mV kept copy, ") == true, "\(kept)")
        let lines = try await once("--timeout", "1s")
        #expect(lines.contains { $0.hasPrefix("Source: kept copy, ") && $0.hasSuffix("not confirmed by the hub") })
        #expect(lines.contains { $0.hasPrefix("Link: CONNECTING, waiting for the hub: nothing answers at ") })
        let json = try #require(try await once("--json", "--timeout", "1s").first)
        #expect(json.contains(#""source":{"from":"kept","text":"the hub: nothing answers"#))
        #expect(try await once("--tmux", "--timeout", "1s").first?.contains("kept copy, ") == true)
        hub = try await startHub()
        #expect(try await once("--format", "{orp} {source}") == ["713 mV hub now"])
        await end(hub)
        await broker.stop()
    }

    @Test func `an edit of a watch that nobody runs reaches the hub at once, if that is there`() async throws {
        let hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")
        try await run("device", "select", "--none")
        let code = try #require(try await run("pair", "--name", "Kitchen").first { $0.hasPrefix("psw2-") })
        try await run("watch", "pair", code, "--name", "Kitchen")
        try await poll("the configuration on the watch") { try await !once("--timeout", "1s").isEmpty }

        let renamed = try await run("watch", "rename", "Lagoon", "Spa", "--name", "Kitchen")
        #expect(renamed == [#"changed here and at the hub: name of the device "Lagoon": "Spa""#])
        let limited = try await run("watch", "limits", "Spa", "ph", "--low", "7.1", "--name", "Kitchen", "--json")
        #expect(limited.contains { $0.contains(#""isInEffect":true"#) })
        #expect(try await run("watch", "select", "Spa", "--name", "Kitchen").first?.contains("at the hub") == true)
        #expect(try await run("watch", "pending", "--name", "Kitchen") == ["Nothing waits for the hub."])
        let devices = try await run("device", "list")
        #expect(devices.contains { $0.contains("Spa") })

        // A running watch sends the change as well, and the command reports that.
        let running = try Program(["watch", "--name", "Kitchen", "--plain", "--follow"], in: folder)
        _ = try await running.line(containing: "Spa: ")
        #expect(
            try await run("watch", "rename", "Spa", "Pond", "--name", "Kitchen").first?.contains("at the hub") == true)
        await end(hub)
        _ = try await running.line(containing: "Link: ")
        let waiting = try await run("watch", "rename", "Pond", "Sea", "--name", "Kitchen")
        #expect(waiting.first == #"changed here, not yet at the hub: name of the device "Pond": "Sea""#)
        #expect(waiting.last?.hasSuffix("The watch that runs here sends it then.") == true, "\(waiting)")
        await end(running)
    }

    @Test func `a device that does not exist is not found, at rest and beside a face, and no name is needed`()
        async throws
    {
        let hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")
        let code = try #require(try await run("pair", "--name", "Kitchen").first { $0.hasPrefix("psw2-") })
        try await run("watch", "pair", code, "--name", "Kitchen")
        // The only paired watch is meant, and the only device is shown.
        try await poll("the configuration on the watch") {
            try await Program.run(["watch", "--once", "--format", "{name}"], in: folder).lines.first == "Lagoon"
        }
        func expectNotFound() async throws {
            let (end, lines) = try await Program.run(["watch", "--once", "--device", "Lagon"], in: folder)
            #expect(end == .exited(5))
            #expect(
                lines == ["poolsensors: No device is called \"Lagon\": did you mean \"Lagoon\"? There is \"Lagoon\"."])
            let (jsonEnd, json) = try await Program.run(["watch", "--once", "--device", "Nope", "--json"], in: folder)
            #expect(jsonEnd == .exited(5))
            #expect(json.count == 1 && json[0].hasPrefix(#"{"error":{"code":5,"message":"No device is called"#))
        }
        try await expectNotFound()
        let face = try Program(["watch", "--plain", "--follow"], in: folder)
        _ = try await face.line(containing: "Lagoon")
        try await expectNotFound()
        await end(face, hub)
    }
}
