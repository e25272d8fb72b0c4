import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// The hub's screens in a terminal of their own, from the first frame to the last byte.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ScreenLifecycleTests {
    private let folder: TemporaryFolder
    private let endpoint: String

    init() throws {
        folder = try TemporaryFolder()
        endpoint = "ipc://\(folder.path("hub.ipc"))"
    }

    /// Whether the terminal is as it was, and its own screen is in front.
    private func expectRestored(
        _ terminal: ScreenTerminal, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await terminal.wait(for: "\u{1B}[?1049l")
        #expect(terminal.modes == terminal.modesBefore, sourceLocation: sourceLocation)
        let text = terminal.text
        for mode in ["1049", "2026", "1000", "1006", "2004"] where text.contains("\u{1B}[?\(mode)h") {
            let (on, off) = (text.ranges(of: "\u{1B}[?\(mode)h").last, text.ranges(of: "\u{1B}[?\(mode)l").last)
            let isOff = off.map { off in on.map { $0.lowerBound < off.lowerBound } ?? true } ?? false
            #expect(isOff, "mode \(mode) is still on", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `the terminal is given back when the hub is asked to end`(signal: Int32) async throws {
        let terminal = try ScreenTerminal(columns: 120, rows: 36)
        let hub = try terminal.start(["hub", "--listen", endpoint], in: folder)
        await terminal.wait(for: "invites")

        hub.signal(signal)

        #expect(await hub.ended() == .exited(128 + signal))
        await expectRestored(terminal)
    }

    @Test func `q asks, y ends the hub and gives the terminal back`() async throws {
        let terminal = try ScreenTerminal(columns: 48, rows: 36)
        let hub = try terminal.start(["hub", "--listen", endpoint], in: folder)
        await terminal.wait(for: "invites")

        terminal.type("q")
        await terminal.wait(for: "Readings")
        terminal.type("n")
        await terminal.wait(for: "The hub runs on")
        terminal.type("qy")

        #expect(await hub.ended() == .exited(0))
        await expectRestored(terminal)
        await terminal.wait(for: "the hub has ended; it receives readings again with: poolsensors hub")
    }

    @Test func `a hub that cannot run says why after the terminal was given back`() async throws {
        let running = try Program(["hub", "--listen", endpoint], in: folder)
        _ = try await running.line(containing: "listening on ")
        let other = try TemporaryFolder()
        let terminal = try ScreenTerminal(columns: 120, rows: 36)

        let hub = try terminal.start(["hub", "--listen", "ipc:///no/such/folder/x"], in: other)

        #expect(await hub.ended() == .exited(1))
        await terminal.wait(for: "poolsensors: ")
        #expect(terminal.modes == terminal.modesBefore)
        let text = terminal.text
        if let leave = text.ranges(of: "\u{1B}[?1049l").last, let words = text.ranges(of: "poolsensors: ").last {
            #expect(leave.upperBound <= words.lowerBound)
        }
        running.signal(SIGTERM)
        #expect(await running.ended() == .exited(0))
    }

    @Test func `a console comes and goes, and the hub stays`() async throws {
        let hub = try Program(["hub", "--listen", endpoint], in: folder)
        _ = try await hub.line(containing: "listening on ")
        let terminal = try ScreenTerminal(columns: 120, rows: 36)
        let console = try terminal.start(["console"], in: folder)
        await terminal.wait(for: "invites")

        let (end, lines) = try await Program.run(
            ["server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test"], in: folder)
        #expect(end == .exited(0), "\(lines)")
        await terminal.wait(for: "Garden")

        terminal.type("q")
        #expect(await console.ended() == .exited(0))
        await expectRestored(terminal)
        await terminal.wait(for: "the console has ended, and the hub runs on")
        #expect(try await Program.run(["server", "list"], in: folder).lines.contains { $0.contains("Garden") })
        hub.signal(SIGTERM)
        #expect(await hub.ended() == .exited(0))
    }

    @Test func `a console without a hub, or without a terminal, says so`() async throws {
        let nobody = try await Program.run(["console"], in: folder)
        #expect(nobody.end == .exited(1))
        #expect(nobody.lines.last?.contains("the screens need a terminal") == true)
        let terminal = try ScreenTerminal(columns: 120, rows: 36)
        let console = try terminal.start(["console"], in: folder)
        #expect(await console.ended() == .exited(69))
        await terminal.wait(for: "no hub runs on")
        #expect(!terminal.text.contains("\u{1B}[?1049h"))
    }

    @Test func `links are disturbed by command while a hub runs`() async throws {
        let hub = try Program(["hub", "--listen", endpoint], in: folder)
        _ = try await hub.line(containing: "listening on ")
        let code = try #require(try await Program.run(["pair", "--name", "Wrist"], in: folder).lines.first)
        #expect(try await Program.run(["watch", "pair", code], in: folder).end == .exited(0))
        let watch = try Program(["watch", "--plain"], in: folder)
        _ = try await hub.line(containing: "watch Wrist: linked")

        let set = try await Program.run(
            ["link", "set", "--watch", "Wrist", "--cut", "1h", "--drop", "10%"], in: folder)
        #expect(set.lines == ["link of Wrist: cut, drop 10 %"])
        _ = try await hub.line(containing: "watch Wrist: away")
        let shown = try await Program.run(["link"], in: folder).lines
        #expect(shown.last?.contains("cut, drop 10 %") == true)
        #expect(shown.last?.contains("lost in cuts") == true)
        hub.forget()
        #expect(try await Program.run(["link", "clear"], in: folder).end == .exited(0))
        _ = try await hub.line(containing: "watch Wrist: linked")

        let wrong = try await Program.run(["link", "set", "--drop", "150%"], in: folder)
        #expect(wrong.end == .exited(64))
        #expect(wrong.lines.last?.contains("--drop is \"150%\", expected 0% to 100%") == true)
        for program in [watch, hub] {
            program.signal(SIGTERM)
            _ = await program.ended()
        }
    }
}
