import Foundation
import Platform

/// The processes of a demo.
///
/// It prints what they say, what the demo does, and what comes of that.
package final class DemoStage: Sendable {
    private struct Member {
        let name: String
        let process: ChildProcess
        /// Where to type lines for it; nil for one that takes none.
        let input: FileHandle?
    }

    private struct State {
        var members: [Member] = []
        /// What processes have said, each line after the name of its process.
        var heard: [String] = []
    }

    /// How long it waits for what does not come: far longer than the slowest machine takes.
    private static let patience = Duration.seconds(300)

    private let program: String
    private let options: [String]
    private let environment: Environment
    private let state = Lock(State())

    /// Begins without a process.
    ///
    /// - Parameters:
    ///   - program: The name of this program, as people type it.
    ///   - options: What follows the arguments of each command of this program, such as the folder of its state; it is
    ///     not shown.
    ///   - environment: The variables of all processes.
    package init(program: String, options: [String], environment: Environment) {
        self.program = program
        self.options = options
        self.environment = environment
    }

    /// Says what comes next.
    package func say(_ text: String) { Output.standard.line("— \(text)") }

    /// Starts a process that goes on.
    ///
    /// - Parameters:
    ///   - name: What it is called before each of its lines.
    ///   - arguments: Its arguments.
    ///   - program: The path of its program; this one if left out.
    ///   - isBare: Whether it goes without the options of this stage.
    ///   - isTypedTo: Whether ``type(_:to:)`` is used with it.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    package func launch(
        _ name: String, _ arguments: [String], of program: String = LocalTools.ownPath, isBare: Bool = false,
        isTypedTo: Bool = false
    ) throws {
        let pipe = try PipeLines()
        let input = isTypedTo ? try PipeLines.ends() : nil
        defer { input.map { _ = close($0.reading) } }
        let child = try ChildProcess(
            program, isBare ? arguments : arguments + options, environment: environment,
            files: (input?.reading, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        pipe.read { [self] line in
            state.withLock { $0.heard.append("\(name): \(line)") }
            Output.standard.line("\(name): \(line)")
        }
        let typed = input.map { FileHandle(fileDescriptor: $0.writing, closeOnDealloc: true) }
        state.withLock { $0.members.append(Member(name: name, process: child, input: typed)) }
    }

    /// Types a line for a process.
    package func type(_ line: String, to name: String) throws {
        let input = state.withLock { $0.members.first { $0.name == name }?.input }
        try input?.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Lets a process stand still, or go on.
    package func hold(_ name: String, _ isHeld: Bool) {
        let members = state.withLock(\.members).filter { $0.name == name }
        for member in members { member.process.signal(isHeld ? SIGSTOP : SIGCONT) }
    }

    /// Waits until a process has said something that holds a text; before each line stands the name of its process.
    ///
    /// - Throws: ``CommandFailure`` if a process ends meanwhile, or if it does not come in five minutes.
    package func hear(_ text: String) async throws {
        try await until("\"\(text)\"") { [self] in state.withLock { $0.heard.contains { $0.contains(text) } } }
    }

    /// Looks again until something is so.
    ///
    /// - Parameters:
    ///   - what: What is waited for, as it would be told.
    ///   - pause: The time between two looks.
    ///   - isSo: Whether it is so.
    /// - Throws: ``CommandFailure`` if a process ends meanwhile, or if it is not so in five minutes.
    package func until(
        _ what: String, every pause: Duration = .milliseconds(50), _ isSo: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while try await !isSo() {
            for member in state.withLock(\.members) {
                if let end = member.process.end {
                    throw CommandFailure("\(member.name) \(end) while the demo waited for \(what)")
                }
            }
            guard .now < deadline else { throw CommandFailure("the demo waited for \(what) in vain") }
            try await Task.sleep(for: pause)
        }
    }

    /// Runs a command of this program to its end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - typed: A line that is typed for it.
    ///   - isShown: Whether to print it with what it says.
    ///   - isBare: Whether it goes without the options of this stage.
    /// - Returns: How it ended, and what it said.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    package func command(
        _ arguments: [String], typed: String? = nil, isShown: Bool = true, isBare: Bool = false
    ) async throws -> (end: ChildProcess.End, lines: [String]) {
        if isShown { Output.standard.line("$ \(shown(arguments))") }
        let (pipe, input) = (try PipeLines(), try PipeLines.ends())
        let child: ChildProcess
        do {
            defer { close(input.reading) }
            child = try ChildProcess(
                LocalTools.ownPath, isBare ? arguments : arguments + options, environment: environment,
                files: (input.reading, pipe.writingEnd, pipe.writingEnd))
        }
        pipe.closeWritingEnd()
        let keyboard = FileHandle(fileDescriptor: input.writing, closeOnDealloc: true)
        if let typed { try keyboard.write(contentsOf: Data("\(typed)\n".utf8)) }
        try keyboard.close()
        let (all, source) = AsyncStream<String>.makeStream()
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
        var said: [String] = []
        for await line in all { said.append(line) }
        if isShown { for line in said { Output.standard.line("  \(line)") } }
        return (await child.ended(), said)
    }

    /// Runs a command of this program, which has to succeed.
    ///
    /// - Throws: ``CommandFailure`` with what it said if it fails.
    @discardableResult
    package func succeed(
        _ arguments: String..., typed: String? = nil, isShown: Bool = true, isBare: Bool = false
    ) async throws -> [String] {
        let (end, lines) = try await command(arguments, typed: typed, isShown: isShown, isBare: isBare)
        guard end == .exited(0) else {
            throw CommandFailure("`\(shown(arguments))` failed: \(lines.joined(separator: " "))")
        }
        return lines
    }

    private func shown(_ arguments: [String]) -> String {
        ([program] + arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }).joined(separator: " ")
    }

    /// Ends every process, the last one first.
    package func stop() async {
        for member in state.withLock(\.members).reversed() { await member.process.stop(patience: .seconds(10)) }
    }
}
