import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// A terminal with a program in it, in a separate tmux.
private final class Terminal: Sendable {
    private let tmux: String
    private let socket: String

    init(in folder: TemporaryFolder, size: (columns: Int, rows: Int), _ command: [String]) async throws {
        tmux = try #require(LocalTools.path(of: "tmux", environment: ProcessInfo.processInfo.environment))
        socket = folder.path("tmux")
        let variables = [
            "HOME=\(folder.url.path)", "TMPDIR=\(folder.url.path)", "POOLSENSORS_STATE=\(folder.path("state"))",
            "COLORTERM=truecolor", "SWIFT_BACKTRACE=interactive=no",
        ]
        try await perform(
            ["new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)", "env"] + variables + command)
    }

    deinit {
        // The server ends with its last session, and the program with it.
        _ = try? ChildProcess(
            tmux, ["-f", "/dev/null", "-S", socket, "kill-server"], environment: [:], files: (nil, nil, nil))
    }

    func press(_ keys: String...) async throws {
        try await perform(["send-keys"] + keys)
    }

    /// Waits until the screen shows a text.
    func wait(for text: String) async throws {
        var screen = ""
        try await poll("\(text) on the screen, which shows\n\(screen)") {
            screen = try await perform(["capture-pane", "-p"]).joined(separator: "\n")
            return screen.contains(text)
        }
    }

    @discardableResult
    private func perform(_ arguments: [String]) async throws -> [String] {
        let pipe = try PipeLines()
        let child = try ChildProcess(
            tmux, ["-f", "/dev/null", "-S", socket] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"],
            files: (nil, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        let (lines, adding) = AsyncStream<String>.makeStream()
        pipe.read({ adding.yield($0) }, onEnd: { adding.finish() })
        var read: [String] = []
        for await line in lines { read.append(line) }
        _ = await child.ended()
        return read
    }
}

/// The main path on the keyboard of a real terminal: alert on the face, limits, name, conflict, history, quit.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FaceKeyboardTests: Household {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a name changed without the hub waits on the screen, loses, and is taken back with one key`()
        async throws
    {
        var hub = try await startHub()
        try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test")
        try await run("device", "add", "--name", "Lagoon", "--topic", "pool/sensor/1")
        try await run("device", "select", "Lagoon")
        let code = try #require(try await run("pair", "--name", "Wrist").first { $0.hasPrefix("psw2-poolsensors-") })
        try await run("watch", "pair", code, "--name", "Wrist")
        let terminal = try await Terminal(
            in: folder, size: (80, 26), [Program.path, "watch", "--name", "Wrist", "--no-mouse"])
        try await terminal.wait(for: "Lagoon")
        try await terminal.press("r")
        try await terminal.wait(for: "no value of Lagoon has been received")
        await end(hub)

        try await terminal.wait(for: "link lost")
        try await terminal.press("Enter")
        try await terminal.wait(for: "Pools and devices")
        try await terminal.press("Down", "Down", "Down", "Down", "Enter")
        try await terminal.wait(for: "enter rename")
        try await terminal.press("Enter")
        try await terminal.wait(for: "Rename the device")
        try await terminal.press("C-u", "Big", "Enter")
        try await terminal.wait(for: "done here, waits for the hub")
        try await terminal.press("Escape")
        try await terminal.wait(for: "1 waiting")
        try await run("device", "edit", "Lagoon", "--name", "Large")

        hub = try await startHub()
        try await terminal.wait(for: "1 open")
        try await terminal.press("Down", "Enter", "Enter")
        try await terminal.wait(for: "by hub")
        try await terminal.press("u")
        try await terminal.wait(for: "No conflict is open.")
        try await terminal.press("Escape", "Escape")
        try await terminal.wait(for: "Big")
        #expect(try await run("device", "list").contains { $0.contains("Big") })
        try await terminal.press("q", "q")
        await end(hub)
    }
}
