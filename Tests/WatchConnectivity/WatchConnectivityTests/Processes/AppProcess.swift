import Foundation
import TestSupport
import Testing

/// A phone or a watch in a process of its own, which takes commands and tells events, a line each.
final class AppProcess: Sendable {
    private let process: Process
    private let input: FileHandle
    private let output: ProcessOutput

    /// Starts a process.
    init(
        _ name: String, arguments: [String] = [], environment: [String: String], build: AppBuild = .present
    ) throws {
        // A command to a process that was just killed must not kill this one.
        _ = signal(SIGPIPE, SIG_IGN)
        output = ProcessOutput(name)
        process = Process()
        process.executableURL = build.program
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WATCHCONNECTIVITY") }
        variables.merge(environment) { $1 }
        process.environment = variables
        let (commands, events) = (Pipe(), Pipe())
        process.standardInput = commands
        process.standardOutput = events
        input = commands.fileHandleForWriting
        process.terminationHandler = { [output] process in
            // A signal's number is made distinct from a code of the program's own.
            let status = process.terminationStatus
            output.exited(process.terminationReason == .uncaughtSignal ? -status : status)
        }
        try process.run()
        let reading = events.fileHandleForReading
        Thread.detachNewThread { [output] in
            reading.readPieces { output.take($0) }
            output.finish()
        }
    }

    /// All lines so far.
    var lines: [String] { output.lines }

    /// Lets nobody take the lines so far.
    func forget() { output.forget() }

    /// Gives a command.
    func tell(_ command: String) {
        // Whether it could be written shows in what does not come.
        try? input.write(contentsOf: Data((command + "\n").utf8))
    }

    /// Takes the first line that is wanted and was not taken before; waits until there is one.
    @discardableResult
    func line(where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String {
        do {
            return try await output.line(where: isWanted)
        } catch {
            // A test whose time is over does not tell what it was told.
            if Task.isCancelled { Issue.record("\(error)") }
            throw error
        }
    }

    /// Takes a line of exactly these words.
    func line(_ words: String) async throws {
        try await line { $0 == words }
    }

    /// Gives a command and takes the line that answers to it.
    @discardableResult
    func ask(_ command: String, _ word: String) async throws -> String {
        tell(command)
        return try await line { $0 == word || $0.hasPrefix(word + " ") }
    }

    /// Waits until the session's state has these entries, asking again whenever the process says that it changed.
    func state(_ entries: String...) async throws {
        while true {
            let state = try await ask("state", "state")
            if entries.allSatisfy(state.contains) { return }
            let news = ["watchState", "companionInstalled", "reachable", "activated"]
            try await line { line in news.contains { line.hasPrefix($0) } }
        }
    }

    /// Kills the process where it stands.
    func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = await exit()
    }

    /// Sends the process a signal.
    func send(_ number: Int32) {
        Foundation.kill(process.processIdentifier, number)
    }

    /// Ends the input, and so the process; gives its status, negative for a signal.
    @discardableResult
    func end() async -> Int32 {
        try? input.close()
        return await exit()
    }

    /// Waits until the process has ended; gives its status, negative for a signal.
    func exit() async -> Int32 {
        await output.status()
    }

    /// Nobody needs the process any more.
    func abandon() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    deinit {
        abandon()
    }
}
