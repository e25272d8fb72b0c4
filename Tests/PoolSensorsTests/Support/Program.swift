import Foundation
import Synchronization
import Testing

@testable import poolsensors

/// The built program, as a process of its own.
final class Program: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var waiters: [(isWanted: @Sendable (String) -> Bool, continuation: CheckedContinuation<String?, Never>)] = []
    }

    private let child: ChildProcess
    private let state = Mutex(State())

    /// Where the program is: beside the tests.
    static var path: String {
        URL(filePath: DemoTools.ownPath).deletingLastPathComponent().appending(path: "poolsensors").path
    }

    /// Starts it; its standard output and error are read together.
    init(_ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        var variables = [
            "HOME": folder.url.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "TMPDIR": folder.url.path, "POOLSENSORS_STATE": folder.path("state"), "SWIFT_BACKTRACE": "interactive=no",
        ]
        variables.merge(environment) { $1 }
        let pipe = try PipeLines()
        child = try ChildProcess(
            Self.path, arguments, environment: variables, files: (nil, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        pipe.read({ [self] in add($0) }, onEnd: { [self] in finish() })
    }

    deinit {
        child.signal(SIGKILL)
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder
    ) async throws -> (end: ChildProcess.End, lines: [String]) {
        let program = try Program(arguments, in: folder)
        _ = await program.line { _ in false }
        return (await program.child.ended(), program.lines)
    }

    /// All that it has written so far.
    var lines: [String] { state.withLock(\.lines) }

    /// Waits for a line; nil if it ends without one.
    func line(_ isWanted: @escaping @Sendable (String) -> Bool) async -> String? {
        await withCheckedContinuation { continuation in
            let (isAnswered, line) = state.withLock { state -> (Bool, String?) in
                if let line = state.lines.first(where: isWanted) { return (true, line) }
                if state.hasEnded { return (true, nil) }
                state.waiters.append((isWanted, continuation))
                return (false, nil)
            }
            if isAnswered { continuation.resume(returning: line) }
        }
    }

    /// Waits for a line that holds a text.
    func line(containing text: String) async throws -> String {
        let found = await line { $0.contains(text) }
        return try #require(found, "it wrote: \(lines.joined(separator: "\n"))")
    }

    /// Forgets what it has written so far.
    func forget() {
        state.withLock { $0.lines = [] }
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Waits for its end.
    func ended() async -> ChildProcess.End { await child.ended() }

    private func add(_ line: String) {
        let answered = state.withLock { state in
            state.lines.append(line)
            let answered = state.waiters.filter { $0.isWanted(line) }
            state.waiters.removeAll { $0.isWanted(line) }
            return answered
        }
        for waiter in answered { waiter.continuation.resume(returning: line) }
    }

    private func finish() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }
}
