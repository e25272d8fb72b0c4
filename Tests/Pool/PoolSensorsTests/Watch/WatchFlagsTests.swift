import ArgumentParser
import CommandSupport
import PoolModel
import ProgramFixture
import TerminalUI
import TestSupport
import Testing

@testable import poolsensors

/// The flags of `watch`, and the errors about them.
@Suite struct WatchFlagsTests {
    private func objection(_ arguments: String...) -> String? {
        do {
            _ = try PoolSensors.parseAsRoot(["watch"] + arguments)
            return nil
        } catch {
            return PoolSensors.message(for: error)
        }
    }

    @Test func `one kind of lines at a time`() {
        #expect(objection("--json", "--tmux") == "give one of --json, --tmux, not several")
        #expect(objection("--plain", "--format", "{status}") == "give one of --plain, --format, not several")
        #expect(objection("--once", "--format", "{status} {name}") == nil)
        #expect(objection("--follow", "--tmux", "--theme", "light") == nil)
    }

    @Test func `a wrong pattern names its flaw and the fields`() {
        let text = "--format has no field {nome}; did you mean {name}?"
        #expect(objection("--format", "{status} {nome}")?.hasPrefix(text) == true)
        #expect(objection("--format", "50 }")?.contains("has a single }: double it") == true)
    }

    @Test func `what is for faces does not change the lines`() {
        #expect(objection("--layout", "compact", "--once")?.hasPrefix("--layout is for faces") == true)
        #expect(objection("--no-mouse", "--follow")?.hasPrefix("--no-mouse is for faces") == true)
        #expect(objection("--theme", "light", "--json")?.hasPrefix("--theme is for faces and --tmux") == true)
        #expect(objection("--values", "--tmux") == "--values goes with sentences only")
        #expect(objection("--layout", "inline", "--theme", "light", "--no-mouse", "--ascii") == nil)
    }

    @Test func `a layout that does not exist is refused with those that do`() throws {
        let command = try PoolSensors.parseAsRoot(["watch", "--layout", "huge"])
        let configured = try #require(command as? any Configured)
        let context = try CommandContext(
            flags: configured.givenFlags.mapValues { $0 }, config: nil, environment: ["HOME": "/h"])
        #expect(throws: (any Error).self) { try context.settings.value(of: Catalog.watchLayout) }
    }

    @Test func `an invitation in the capitals of its picture is read as it was written`() {
        #expect(PairingText.written(" PSW2-APP-AB-CD-EF-TCP://HOST:1\n") == " psw2-app-ab-cd-ef-tcp://host:1\n")
        #expect(PairingText.written(" PSW1-AB-CD-EF-TCP://HOST:1\n") == " psw1-ab-cd-ef-tcp://host:1\n")
        #expect(PairingText.written("psw1-ab-cd-ef-tcp://Host:1") == "psw1-ab-cd-ef-tcp://Host:1")
    }

    @Test(.timeLimit(.minutes(5))) func `an unpaired watch has a line for tmux`() async throws {
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(["watch", "--once", "--tmux"], in: folder)
        #expect(end == .exited(69))
        #expect(lines.contains { $0.hasPrefix("#[fg=") && $0.contains("not paired with a hub yet") })
    }

    @Test func `a line of a kind is made of a glance`() throws {
        let glance = Glance(
            deviceName: "Lagoon", gauges: [], freshness: .never, ageSeconds: nil, link: .linked, revision: 4,
            clock: "10:09")
        let format = WatchMode.Notation.format(try GlanceFormat("{name} is {status}, {revision}"), isASCII: true)
        #expect(format.line(glance) == "Lagoon is NO DATA, 4")
        #expect(WatchMode.Notation.tmux(Theme(), .truecolor, isASCII: false).line(glance)?.contains("#[fg=") == true)
        #expect(WatchMode.Notation.plain.line(glance) == nil)
        #expect(WatchMode.Notation.json(isPretty: false).line(glance)?.hasPrefix("{\"") == true)
        #expect(WatchMode.Notation.json(isPretty: true).line(glance)?.hasPrefix("{\n") == true)
    }
}
