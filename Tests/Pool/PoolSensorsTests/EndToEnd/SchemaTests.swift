import BrokerFixture
import CommandSupport
import Foundation
import MQTT
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The JSON Schemas in `Docs/schemas` and what the program prints.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SchemaTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let schemas = Repository.url("Docs/schemas")

    /// Expects that each line of JSON that a command prints is valid.
    private func expect(_ schema: String, _ arguments: String...) async throws {
        let (_, lines) = try await Program.run(arguments + ["--json"], in: folder)
        try expect(schema, lines, of: arguments)
    }

    private func expect(_ name: String, _ lines: [String], of arguments: [String]) throws {
        let values = lines.filter { $0.hasPrefix("{") || $0.hasPrefix("[") }
        #expect(!values.isEmpty, "\(arguments) printed no JSON: \(lines)")
        let schema = try JSONSchema(Self.schemas.appending(path: "\(name).json"))
        for value in values {
            let faults = try schema.faults(of: value)
            #expect(faults.isEmpty, "\(arguments): \(faults) in \(value)")
        }
    }

    private func publish(_ payloads: [String], to broker: Broker) async throws {
        let client = try Client()
        let isConnected = Awaited(false)
        try client.connect(to: BrokerAddress(host: broker.host, port: broker.port)) { event in
            if case .connected = event { isConnected.change { $0 = true } }
        }
        await isConnected.wait { $0 }
        for (index, payload) in payloads.enumerated() {
            try client.publish(Array(payload.utf8), to: TopicName("pool/sensor/1"))
            try await poll("reading \(index + 1) at the hub") {
                try await Program.run(["device", "list", "--json"], in: folder).lines
                    .contains { $0.contains(#""storedReadings":\#(index + 1),"#) }
            }
        }
        client.close()
    }

    @Test func `the page about scripting lists each schema, and each one is a schema`() throws {
        let page = try String(contentsOf: Repository.url("Docs/guide/scripting.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.schemas.path)
        #expect(files.count > 30)
        for file in files {
            _ = try JSONSchema(Self.schemas.appending(path: file))
            #expect(page.contains("](../schemas/\(file))"), "\(file) is not on the page")
        }
    }

    @Test func `what commands print as JSON is what the schemas say`() async throws {
        let broker = try await Broker.start()
        try await expect("error", "status")
        var hub = try Program(["hub", "--json", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "listening")
        let port = "\(broker.port)"
        try await expect("change", "server", "add", "--name", "Home", "--host", broker.host, "--port", port)
        try await expect("change", "pool", "add", "--name", "Garden", "--volume", "48")
        try await expect(
            "change", "device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1", "--interval", "1h", "--pool",
            "Garden")
        try await expect(
            "change", "device", "add", "--name", "Plant", "--topic", "plant/7", "--value", "ph=v[1]*0.01 if st!=0",
            "--time", "ts milliseconds")
        try await expect("change", "device", "select", "Lagoon")
        try await expect("error", "device", "select", "Lagon")
        try await expect("change", "limits", "set", "ph", "6.8", "7.0", "7.6", "7.8", "--device", "Lagoon")
        try await expect("calibrate-add", "calibrate", "add", "Lagoon", "orp", "--offset", "5", "--author", "me")
        try await expect("calibrate-list", "calibrate", "list")
        _ = try await hub.line(containing: #""state":"connected"#)
        try await publish(
            [7.2, 7.3, 8.6, 8.6].map { #"{"temperature":25.5,"ph":\#($0),"chlorine":1.5,"orp":650}"# }, to: broker)

        try await expect("pair", "pair", "--output", folder.path("code.txt"))
        try await expect("pair", "pair")
        try await expect("watch-pair", "watch", "pair", "--file", folder.path("code.txt"), "--name", "Kitchen")
        try await expect("status", "status")
        try await expect("status", "status", "Plant")
        try await expect("status", "watch", "--once")
        try await expect("alerts-list", "alerts", "list", "--log", "5")
        try await expect("watch-alerts", "watch", "alerts")
        try await expect("watch-change", "watch", "ack", "all")
        try await expect("change", "ack", "all")
        try await expect("alerts-list", "alerts", "list", "--log", "5")
        try await expect("alerts-settings", "alerts", "settings")
        try await expect("change", "alerts", "settings", "--quiet", "22:00-07:00")
        try await expect("alerts-settings", "alerts", "settings")
        try await expect("device-list", "device", "list")
        try await expect("device-show", "device", "show", "Lagoon")
        try await expect("device-show", "device", "show", "Plant")
        try await expect("device-profiles", "device", "profiles")
        try await expect("device-try", "device", "try", "Lagoon", "--text", #"{"temperature":25.5,"ph":99}"#)
        try await expect("device-try", "device", "try", "Lagoon", "--text", "nothing")
        try await expect("device-detect", "device", "detect", "--for", "1s")
        try await expect("server-list", "server", "list")
        try await expect("server-test", "server", "test", "Home")
        try await expect("server-test", "server", "test", "--host", "127.0.0.1", "--port", "1")
        try await expect("pool-list", "pool", "list")
        try await expect("limits-show", "limits", "show")
        try await expect("limits-presets", "limits", "presets")
        try await expect("chemistry", "chemistry", "Lagoon")
        try await expectDoses()
        try await expect("history-list", "history", "list", "Lagoon")
        try await expect("history-size", "history", "size")
        try await expect("history-chart", "history", "chart", "Lagoon", "--last", "1h")
        try await expect("history-export", "history", "export", "--last", "7d", "--out", folder.path("all.csv"))
        try await expect("config-show", "config", "show")
        try await expect("config-log", "config", "log")
        try await expect("config-diff", "config", "diff", "1", "3")
        try "a long passphrase for this\n".write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let sealed = [folder.path("sealed"), "--passphrase-file", folder.path("pass")]
        try await expect("config-export", "config", "export", sealed[0], sealed[1], sealed[2])
        try await expect("config-import", "config", "import", sealed[0], sealed[1], sealed[2])
        try await expectFiles()
        try await expect("probe", "probe", "--server", "\(broker.host):\(port)", "--count", "2", "--rate", "2")
        hub = try await expectConflict(after: hub)
        try await expect("change", "watches", "unpair", "Kitchen", "--yes")
        try await expect("error", "statsu")
        await end(hub)
        await broker.stop()
    }

    /// Doses, advice and forecasts.
    private func expectDoses() async throws {
        try await expect("forecast", "forecast", "Lagoon")
        try await expect("advice", "advice", "Garden", "--alkalinity", "100", "--product", "dichlor=55")
        try await expect(
            "dose-add", "dose", "add", "Garden", "dichlor", "60g", "--strength", "55", "--note", "evening")
        try await expect("dose-list", "dose", "list")
        try await expect("advice", "advice")
        try await expect("watch-dose", "watch", "dose", "Garden", "sodium-hypochlorite", "0.4L")
        let lines = try await Program.run(["dose", "list", "--json"], in: folder).lines
        let id = try #require(try lines.first?.firstMatch(of: Regex(#""id":"([0-9a-f-]{36})""#))?[1].substring)
        try await expect("change", "dose", "remove", String(id), "--yes")
        try await expect("error", "dose", "remove", String(id), "--yes")
        try await expect("error", "dose", "add", "Garden", "dichlor", "1L")
    }

    /// The files and the links of a watch that runs.
    private func expectFiles() async throws {
        try "hello\n".write(toFile: folder.path("notes.txt"), atomically: true, encoding: .utf8)
        try await expect("watches-files-send", "watches", "files", "send", "Kitchen", folder.path("notes.txt"))
        let watch = try Program(["watch", "--json"], in: folder)
        try await poll("the file on the watch") {
            try await Program.run(["watch", "files"], in: folder).lines.contains { $0.contains("notes.txt") }
        }
        try await expect("watches-list", "watches")
        try await expect("watches-files", "watches", "files")
        try await expect("watch-files", "watch", "files")
        try await run("link", "set", "--drop", "1%")
        try await expect("link-show", "link")
        await end(watch)
        try expect("status", watch.lines.filter { !$0.hasPrefix(#"{"summary""#) }, of: ["watch", "--json"])
        let out = folder.path("taken.txt")
        try await expect("watch-files-take", "watch", "files", "take", "notes.txt", "--keep", "--out", out)
        try await expect("watch-files-remove", "watch", "files", "remove", "1")
    }

    /// A conflict between a hub that was away and its watch; gives the hub after it.
    private func expectConflict(after hub: Program) async throws -> Program {
        await end(hub)
        try expect("hub-events", hub.lines, of: ["hub", "--json"])
        try await expect("watch-change", "watch", "rename", "Lagoon", "Bay")
        try await expect("watch-pending", "watch", "pending")
        try await expect("change", "device", "edit", "Lagoon", "--name", "Lake")
        let again = try await startHub()
        try await poll("the conflict") {
            _ = try await Program.run(["watch", "--once"], in: folder)
            return try await Program.run(["conflicts"], in: folder).lines.first?.hasPrefix("No conflict") == false
        }
        try await expect("conflicts-list", "conflicts")
        try await expect("conflicts-list", "watch", "conflicts")
        try await expect("status", "watch", "--once")
        return again
    }
}
