import CommandSupport
import Foundation

/// Invisible terminals in a separate tmux: a real emulator, whose screens can be read.
final class ScreenshotTerminals: Sendable {
    /// The time limit for a text to appear.
    private static let patience = Duration.seconds(30)
    private static let pause = Duration.milliseconds(100)

    private let tmux: String
    private let program: String
    private let socket: String
    private let environment: Environment

    /// - Parameters:
    ///   - tmux: The path of tmux.
    ///   - program: The path of the program that runs in them.
    ///   - socket: The path of the socket of tmux.
    ///   - environment: The variables of the program.
    init(tmux: String, program: String, socket: String, environment: Environment) {
        self.tmux = tmux
        self.program = program
        self.socket = socket
        self.environment = environment
    }

    /// Opens a terminal in which the program runs.
    func open(_ terminal: ScreenshotTerminal) async throws {
        try await command(
            [
                "new-session", "-d", "-s", terminal.name, "-x", "\(terminal.columns)", "-y", "\(terminal.rows)", "--",
                program,
            ] + terminal.arguments)
        for option in [["status", "off"], ["escape-time", "10"], ["remain-on-exit", "on"]] {
            try await command(["set-option", "-g"] + option)
        }
        // Without tmux's status line the program has one row more.
        try await command(
            ["resize-window", "-t", terminal.name, "-x", "\(terminal.columns)", "-y", "\(terminal.rows)"])
    }

    /// Waits until a terminal shows a text.
    func wait(for text: String, in terminal: ScreenshotTerminal) async throws {
        let deadline = ContinuousClock.now + Self.patience
        var shown: [String] = []
        while ContinuousClock.now < deadline {
            shown = try await command(["capture-pane", "-p", "-t", terminal.name])
            if shown.contains(where: { $0.contains(text) }) { return }
            try await Task.sleep(for: Self.pause)
        }
        let words = shown.joined(separator: " / ").trimmingCharacters(in: .whitespaces)
        throw CommandFailure("the terminal \(terminal.name) never showed \"\(text)\"; it shows: \(words.prefix(400))")
    }

    /// The screen of a terminal.
    func screen(of terminal: ScreenshotTerminal) async throws -> StyledScreen {
        StyledScreen(
            lines: try await command(["capture-pane", "-p", "-e", "-N", "-t", terminal.name]),
            columns: terminal.columns, rows: terminal.rows)
    }

    /// Ends all terminals.
    func close() async {
        // There may be no server.
        _ = try? await command(["kill-server"])
    }

    @discardableResult
    private func command(_ arguments: [String]) async throws -> [String] {
        let pipe = try PipeLines()
        let (lines, source) = AsyncStream<String>.makeStream()
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
        let child: ChildProcess
        do {
            defer { pipe.closeWritingEnd() }
            child = try ChildProcess(
                tmux, ["-f", "/dev/null", "-S", socket] + arguments, environment: environment,
                files: (nil, pipe.writingEnd, pipe.writingEnd))
        }
        let end = await child.ended()
        var all: [String] = []
        for await line in lines { all.append(line) }
        guard end == .exited(0) else {
            throw CommandFailure("tmux \(arguments[0]) \(end): \(all.first ?? "")")
        }
        return all
    }
}
