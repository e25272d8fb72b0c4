import BrokerFixture
import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// What the program answers to what newcomers type wrongly: the thing, the value and the way out, with the exit code of the table.
@Suite(.serialized, .timeLimit(.minutes(20))) struct WrongCommandTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, text) in [
            ("pass", "a long passphrase for this"), ("wrong", "another passphrase for this"), ("short", "short"),
            ("garbage", "garbage"), ("half.json", #"{"hub": {"#),
        ] {
            try (text + "\n").write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
    }

    /// Expects one line, with these words in this order, and an exit code.
    private func expect(_ status: ExitStatus, _ arguments: [String], _ words: String...) async throws {
        let (end, lines) = try await Program.run(arguments, in: folder)
        #expect(end == .exited(status.rawValue), "\(arguments): \(lines)")
        let line = lines.last { $0.hasPrefix("poolsensors: ") } ?? ""
        var rest = line[...]
        for word in words {
            guard let range = rest.range(of: word) else {
                Issue.record("\(arguments): no \"\(word)\" in \(line)")
                return
            }
            rest = rest[range.upperBound...]
        }
    }

    @Test func `a wrong command at rest is answered with the thing, the value and the way out`() async throws {
        try await expect(.noHub, ["pair"], "no hub runs on", "poolsensors hub")
        try await expect(.notFound, ["device", "show", "Lagoon"], "\"Lagoon\"", "add one first")
        try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")

        try await expect(.usage, ["statsu"], "statsu", "poolsensors status")
        try await expect(.usage, ["config", "show", "--sate", "x"], "--sate", "--state", "config show --help")
        try await expect(.notFound, ["device", "select", "Lagon"], "\"Lagon\"", "\"Lagoon\"")
        try await expect(
            .usage, ["server", "add", "--name", "B", "--host", "b", "--port", "99999"], "99999", "1…65535", "1883")
        try await expect(
            .failure, ["server", "add", "--name", "B", "--host", "1.2.3.4:1883"], "1.2.3.4:1883", "the host alone")
        try await expect(
            .failure, ["server", "add", "--name", "Garden", "--host", "b"], "\"Garden\"", "choose another name")
        try await expect(
            .failure, ["device", "add", "--name", "Spa", "--topic", "pool/#"], "pool/#", "the one topic")
        try await expect(
            .notFound, ["device", "add", "--name", "Spa", "--topic", "spa", "--server", "Home"], "\"Home\"",
            "\"Garden\"")
        try await expect(.usage, ["device", "edit", "Lagoon"], "say what to change", "--topic")
        try await expect(
            .usage, ["device", "edit", "Lagoon", "--value", "ph=v", "--time", "ts Mars/Olympus"], "Mars/Olympus",
            "Europe/Paris")
        try await expect(.unreachable, ["server", "test", "Garden"])
        try await expect(
            .usage, ["limits", "set", "ph", "7.0", "6.8", "7.6", "7.8", "--device", "Lagoon"], "7, 6.8", "must rise")
        try await expect(
            .usage, ["limits", "set", "chlorine", "--low", "-5", "--device", "Lagoon"], "Chlorine", "-5", "0 to 40")
        try await expect(
            .failure, ["limits", "set", "ph", "--high", "6.0", "--device", "Lagoon"], "6.8", "6", "must rise")
        try await expect(
            .usage, ["limits", "set", "turbidity", "1", "2", "3", "4", "--device", "Lagoon"], "turbidity", "orp")
        try await expect(.usage, ["status", "--format", "{temprature}"], "{temprature}", "{temperature}")
        try await expect(.usage, ["status", "--format", ""], "empty", "{name}")
        try await expect(.usage, ["alerts", "settings", "--quiet", "25:00-07:00"], "25:00-07:00", "22:00-07:00")
        try await expect(.noHub, ["alerts", "test"], "no hub runs on", "poolsensors hub")
        try await expect(.notFound, ["ack", "1"], "\"1\"", "none is open")
        try await expect(.usage, ["history", "list", "--before", "soon"], "--before is \"soon\"", "2026-06-01")
        try await expect(.usage, ["hub", "--listen", "7654"], "--listen is \"7654\"", "HOST:PORT", "ipc://PATH")
    }

    @Test func `a file that is missing, closed or something else is named with the way out`() async throws {
        let export = folder.path("pool.export")
        try await run("config", "export", export, "--passphrase-file", folder.path("pass"))
        try await expect(
            .failure, ["config", "import", export, "--passphrase-file", folder.path("wrong")], export, "passphrase")
        try await expect(
            .failure, ["config", "import", folder.path("garbage"), "--passphrase-file", folder.path("pass")], "garbage",
            "config export")
        try await expect(
            .notFound, ["config", "import", folder.path("none"), "--passphrase-file", folder.path("pass")], "none",
            "config export")
        try await expect(
            .notFound, ["config", "import", export, "--passphrase-file", folder.path("none")], "passphrase file", "none"
        )
        try await expect(
            .failure, ["config", "export", folder.path("b"), "--passphrase-file", folder.path("short")], "5 characters",
            "12", "four or five unrelated words")
        try await expect(
            .failure, ["config", "export", folder.path("no/b"), "--passphrase-file", folder.path("pass")], "no/b",
            "create that one")
        try await expect(
            .failure, ["history", "export", "--out", folder.path("no/b.csv")], "no/b.csv", "create that one")
        try await expect(
            .failure, ["config", "show", "--config", folder.path("half.json")], "half.json", "not a JSON file",
            "--config")
        try await expect(.notFound, ["config", "show", "--config", folder.path("none")], "none", "No such file")
        try await expect(
            .failure, ["device", "add", "--name", "Spa", "--topic", "spa", "--mapping", folder.path("garbage")],
            "garbage", "not valid JSON")
        try await expect(.notFound, ["watch", "pair", "--file", folder.path("none")], "invitation file", "none")
        try await expect(.failure, ["watch", "pair", "psw2-poolsensors-12"], "not an invitation", "psw2-<app>")
        try await expect(.notFound, ["hub", "restore", folder.path("none"), "--yes"], "none", "hub backup")
        try await expect(.failure, ["hub", "backup", folder.path("no/b")], "no/b", "create that one")
        try await expect(
            .failure, ["status", "--state", folder.path("garbage")], "garbage is not a folder", "--state")
    }

    @Test func `what is wrong beside a running hub is said, too`() async throws {
        let hub = try Program(["hub", "--plain", "--listen", "tcp://127.0.0.1:*"], in: folder)
        let endpoint = try #require(
            try await hub.line(containing: "listening on ").split(separator: " ").last.map(String.init))
        try await expect(
            .failure, ["hub", "--plain", "--listen", "tcp://127.0.0.1:*"], "a hub runs on", "as process",
            "poolsensors console", "--state")
        try await expect(
            .failure, ["hub", "--plain", "--listen", endpoint, "--state", folder.path("other")],
            "another program listens", String(endpoint.trimmingPrefix("tcp://")), "another port")
        try await expect(.usage, ["pair", "--reach", "tcp://0.0.0.0:1"], "tcp://0.0.0.0:1", "HOST:PORT")
        try await run("pair", "--output", folder.path("code"))
        try await run("watch", "pair", "--file", folder.path("code"), "--name", "Kitchen")
        try await expect(
            .failure, ["watch", "pair", "--file", folder.path("code"), "--name", "Terrace"], "another watch",
            "ask the hub for a new one")
        try await expect(
            .notFound, ["watch", "--once", "--name", "Kitchen", "--device", "Nope"], "\"Nope\"")
        try await expect(
            .noHub, ["watch", "--once", "--name", "Attic"], "not paired", "poolsensors watch pair CODE --name Attic")
        try await expect(.notFound, ["watches", "unpair", "Attic", "--yes"], "\"Attic\"", "\"Kitchen\"")
        try await expect(.failure, ["watches", "unpair", "Kitchen"], "\"Kitchen\"", "--yes")
        try await expect(.notFound, ["link", "set", "--watch", "Kitchn", "--drop", "1%"], "\"Kitchn\"", "\"Kitchen\"")
        await end(hub)
    }
}
