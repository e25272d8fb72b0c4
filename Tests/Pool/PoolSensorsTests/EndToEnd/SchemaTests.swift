import ArgumentParser
import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The JSON Schemas in `Docs/schemas` and what the program prints.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SchemaTests: Household {
    let folder: TemporaryFolder
    /// The commands whose output was compared with a schema.
    private let checked = Recorder<String>()

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let schemas = Repository.url("Docs/schemas")

    /// Expects that each line of JSON that a command prints is valid.
    private func expect(_ schema: String, _ arguments: String...) async throws {
        let (_, lines) = try await Program.run(arguments + ["--json"], in: folder)
        try expect(schema, lines, of: arguments)
    }

    /// Expects that the JSON of a command that only looks is valid, in one line and in several.
    private func expectBoth(_ schema: String, _ arguments: String...) async throws {
        let (_, lines) = try await Program.run(arguments + ["--json"], in: folder)
        try expect(schema, lines, of: arguments)
        let pretty = try await Program.run(arguments + ["--pretty"], in: folder).lines
        try expectPretty(schema, pretty, of: arguments)
    }

    /// Expects values of several lines each.
    private func expectPretty(_ schema: String, _ lines: [String], of arguments: [String]) throws {
        var values: [String] = []
        var value: [String] = []
        for line in lines where !value.isEmpty || ["{", "["].contains(line) {
            value.append(line)
            guard ["}", "]"].contains(line) else { continue }
            values.append(value.joined(separator: " "))
            value = []
        }
        try expect(schema, values, of: arguments + ["--pretty"])
    }

    private func expect(_ name: String, _ lines: [String], of arguments: [String]) throws {
        if name != "error" {
            let command = try PoolSensors.parseAsRoot(arguments)
            checked.record("\(type(of: command))")
        }
        let values = lines.filter { $0.hasPrefix("{") || $0.hasPrefix("[") }
        #expect(!values.isEmpty, "\(arguments) printed no JSON: \(lines)")
        let schema = try JSONSchema(Self.schemas.appending(path: "\(name).json"))
        for value in values {
            let faults = try schema.faults(of: value)
            #expect(faults.isEmpty, "\(arguments): \(faults) in \(value)")
        }
    }

    /// A member of the one object that a command prints.
    private func member(_ name: String, of arguments: String...) async throws -> String {
        let text = try await Program.run(arguments + ["--json"], in: folder).lines.joined()
        let match = try Regex("\"\(name)\":\"?([^\",}]+)").firstMatch(in: text)
        return String(try #require(match?[1].substring, "\(arguments) printed \(text)"))
    }

    /// The identities of the open conflicts of names and limits.
    private func conflicts() async throws -> [String] {
        struct Conflict: Decodable {
            var id: String
            var obstacle: String?
        }
        let text = try await Program.run(["conflicts", "--json"], in: folder).lines.joined()
        return try JSONDecoder().decode([Conflict].self, from: Data(text.utf8)).filter { $0.obstacle == nil }
            .map(\.id)
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
        try await expectBoth("calibrate-list", "calibrate", "list")
        _ = try await hub.line(containing: #""state":"connected"#)
        try await publish(
            [7.2, 7.3, 8.6, 8.6].map { #"{"temperature":25.5,"ph":\#($0),"chlorine":1.5,"orp":650}"# }, to: broker)

        try await expect("pair", "pair", "--output", folder.path("code.txt"))
        try await expect("pair", "pair")
        try await expect("watch-pair", "watch", "pair", "--file", folder.path("code.txt"), "--name", "Kitchen")
        try await expectBoth("status", "status")
        try await expectBoth("status", "status", "Plant")
        try await expectBoth("status", "watch", "--once")
        try await expectBoth("alerts-list", "alerts", "list", "--log", "5")
        try await expectBoth("watch-alerts", "watch", "alerts")
        try await expect("change", "alerts", "snooze", "1", "--for", "1h")
        try await expect("watch-change", "watch", "alerts", "snooze", "1", "--for", "2h")
        try await expect("watch-change", "watch", "ack", "all")
        try await expect("change", "ack", "all")
        try await expect("alerts-list", "alerts", "list", "--log", "5")
        try await expect("alerts-settings", "alerts", "settings")
        try await expect("change", "alerts", "settings", "--quiet", "22:00-07:00")
        try await expectBoth("alerts-channel", "alerts", "channel")
        try await expect("change", "alerts", "channel", "ntfy", "topic=pool", "--yes")
        try await expect("change", "alerts", "channel", "pushover", "device=phone", "--yes")
        try await expectBoth("alerts-channel", "alerts", "channel", "ntfy")
        try await expect("error", "alerts", "test", "pushover")
        try await expect("alerts-list", "alerts", "list")
        try await expectBoth("alerts-settings", "alerts", "settings")
        for service in ["ntfy", "pushover"] { try await expect("change", "alerts", "channel", service, "--off") }
        try await expectBoth("device-list", "device", "list")
        try await expectBoth("device-show", "device", "show", "Lagoon")
        try await expect("device-show", "device", "show", "Plant")
        try await expectBoth("device-profiles", "device", "profiles")
        try await expectBoth("device-try", "device", "try", "Lagoon", "--text", #"{"temperature":25.5,"ph":99}"#)
        try await expect("device-try", "device", "try", "Lagoon", "--text", "nothing")
        try await expect("device-detect", "device", "detect", "--for", "1s")
        try await expectBoth("device-detect", "device", "detect", "--last")
        try await expectBoth("hub-info", "hub", "info")
        try await expectBoth("server-list", "server", "list")
        try await expectBoth("server-test", "server", "test", "Home")
        try await expect("server-test", "server", "test", "--host", "127.0.0.1", "--port", "1")
        try await expectBoth("pool-list", "pool", "list")
        try await expectBoth("limits-show", "limits", "show")
        try await expectBoth("limits-presets", "limits", "presets")
        try await expectBoth("chemistry", "chemistry", "Lagoon")
        try await expectDoses()
        try await expectBoth("history-list", "history", "list", "Lagoon")
        try await expectBoth("history-size", "history", "size")
        try await expectBoth("history-chart", "history", "chart", "Lagoon", "--last", "1h")
        try await expect("history-export", "history", "export", "--last", "7d", "--out", folder.path("all.csv"))
        try await expectBoth("config-show", "config", "show")
        try await expectBoth("config-log", "config", "log")
        try await expectBoth("config-diff", "config", "diff", "1", "3")
        try "a long passphrase for this\n".write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let sealed = [folder.path("sealed"), "--passphrase-file", folder.path("pass")]
        try await expect("config-export", "config", "export", sealed[0], sealed[1], sealed[2])
        try await expectBoth("config-import", "config", "import", sealed[0], sealed[1], sealed[2])
        try await expectFiles()
        try await expectBoth("probe", "probe", "--server", "\(broker.host):\(port)", "--count", "2", "--rate", "2")
        try await expectSmallChanges()
        hub = try await expectConflict(after: hub)
        try await expectRemovals()
        try await expect("error", "statsu")
        await end(hub)
        try await expect("hub-restore", "hub", "restore", folder.path("backup"), "--yes")
        try await expectPrettyHub()
        await broker.stop()
        let leaves = CommandLeaf.all(of: PoolSensors.self).filter {
            PoolSensors.helpMessage(for: $0.command, includeHidden: true).contains("  --json ")
        }
        let known = Set(checked.items)
        // `link show` is for the laboratory: its JSON is no promise.
        let missing = leaves.filter { !known.contains("\($0.command)") && $0.path != "link show" }.map(\.path)
        #expect(missing.isEmpty, "the JSON of these commands was compared with no schema")
    }

    /// The changes that need nothing but a hub.
    private func expectSmallChanges() async throws {
        try await expect("change", "server", "edit", "Home", "--name", "House")
        try await expect("change", "device", "edit", "Plant", "--interval", "2h")
        try await expect("change", "pool", "edit", "Garden", "--volume", "50")
        let revision = try await member("revision", of: "config", "log", "--last", "1")
        try await expect("change", "config", "restore", "\((Int(revision) ?? 0) - 1)", "--yes")
        try await expect("change", "limits", "preset", "spa", "--pool", "Garden", "--yes")
        try await expect("change", "history", "mirror", "--forget")
        try await expect("change", "limits", "clear", "ph", "--device", "Lagoon", "--yes")
        try await expect("change", "limits", "clear", "ph", "--device", "Lagoon", "--yes")
        try await expect("change", "calibrate", "remove", "Lagoon", "orp", "--yes")
        try await expect("change", "history", "keep", "--days", "60", "--yes")
        try await expectBoth("history-auto", "history", "auto")
        try await expect("change", "history", "auto", "--every", "daily", "--to", folder.path)
        try await expectBoth("history-auto", "history", "auto")
        try await expect("change", "history", "auto", "--off")
        try await expectBoth("history-delete", "history", "delete", "--all", "--dry-run")
        try await expectBoth("history-compact", "history", "compact")
        try await expect("change", "alerts", "test")
        try await expect("change", "hub", "backup", folder.path("backup"))
    }

    /// The commands that remove, after all others.
    private func expectRemovals() async throws {
        try await expect("history-delete", "history", "delete", "--all", "--yes")
        try await expect("change", "watches", "unpair", "Kitchen", "--yes")
        for device in ["Tree", "Bush"] {
            let (end, _) = try await Program.run(["device", "show", device], in: folder)
            if end == .exited(0) { try await expect("change", "device", "remove", device, "--yes") }
        }
        try await expect("change", "pool", "remove", "Garden", "--yes")
        try await expect("change", "server", "remove", "House", "--with-devices", "--yes")
    }

    /// The events of a hub over several lines.
    private func expectPrettyHub() async throws {
        let hub = try Program(["hub", "--pretty", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "listening")
        await end(hub)
        try expectPretty("hub-events", hub.lines, of: ["hub"])
        #expect(hub.lines.contains { $0.contains(#""stopped""#) })
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
        try await expectBoth("watches-list", "watches")
        try await expectBoth("watches-files", "watches", "files")
        try await expectBoth("watch-files", "watch", "files")
        try await expect("change", "link", "set", "--drop", "1%")
        await end(watch)
        try expect("status", watch.lines, of: ["watch", "--json"])
        let out = folder.path("taken.txt")
        let file = try await member("id", of: "watches", "files", "send", "Kitchen", folder.path("notes.txt"))
        try await expect("change", "watches", "files", "cancel", file)
        try await expect("change", "link", "clear")
        try await expect("watch-files-take", "watch", "files", "take", "notes.txt", "--keep", "--out", out)
        try await expect("watch-files-remove", "watch", "files", "remove", "1")
    }

    /// A conflict between a hub that was away and its watch; gives the hub after it.
    private func expectConflict(after hub: Program) async throws -> Program {
        await end(hub)
        try expect("hub-events", hub.lines, of: ["hub", "--json"])
        try await expect("watch-change", "watch", "limits", "Lagoon", "ph", "--high", "7.7")
        try await expect("watch-change", "watch", "limits", "Lagoon", "orp", "--high", "810")
        try await expect("watch-change", "watch", "select", "Plant")
        try await expect("watch-change", "watch", "rename", "Plant", "Tree")
        try await expect("watch-change", "watch", "rename", "Lagoon", "Bay")
        try await expectBoth("watch-pending", "watch", "pending")
        try await run("limits", "set", "ph", "--high", "7.5", "--device", "Lagoon")
        try await run("limits", "set", "orp", "--high", "790", "--device", "Lagoon")
        try await run("device", "edit", "Plant", "--name", "Bush")
        try await run("device", "edit", "Lagoon", "--name", "Lake")
        let again = try await startHub()
        try await poll("the conflicts") {
            _ = try await Program.run(["watch", "--once", "--timeout", "2s"], in: folder)
            return try await conflicts().count >= 4
        }
        try await expectBoth("conflicts-list", "conflicts")
        try await expectBoth("conflicts-list", "watch", "conflicts")
        for (command, schema) in [("watch", "watch-change"), ("conflicts", "change")] {
            for action in ["restore", "dismiss"] {
                try await expect(schema, command, action, try #require(try await conflicts().first))
                _ = try await Program.run(["watch", "--once", "--timeout", "2s"], in: folder)
            }
        }
        try await expect("status", "watch", "--once", "--timeout", "2s")
        return again
    }
}
