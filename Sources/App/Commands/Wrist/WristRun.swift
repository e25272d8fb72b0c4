import ArgumentParser
import Foundation
import Platform
package import Terminal

/// A watch of an app in a terminal: as a face, in lines, or for one answer.
package struct WristRun: Sendable {
    private let changes: AsyncStream<Void>
    private let work: @Sendable () async throws -> Void

    /// Names a watch; nothing is run.
    ///
    /// - Parameters:
    ///   - changes: Has an element when what is shown may be another.
    ///   - work: Runs the watch until it is cancelled.
    package init(changes: AsyncStream<Void>, _ work: @escaping @Sendable () async throws -> Void) {
        self.changes = changes
        self.work = {
            do {
                try await work()
            } catch let error where !(error is CancellationError) {
                throw CommandFailure(error)
            }
        }
    }

    /// Runs the watch until some work with it is done.
    ///
    /// - Parameters:
    ///   - patience: How long the work may take.
    ///   - failure: What is thrown if it takes longer.
    ///   - body: The work.
    /// - Returns: What the work returned; nil if it was stopped before.
    /// - Throws: The failure; what the watch and the work throw.
    package func answer<Value: Sendable>(
        within patience: Duration, otherwise failure: CommandFailure,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let found = Kept<Value>()
        _ = try await untilStopped { [work] in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await work()
                    return true
                }
                group.addTask {
                    found.value = try await body()
                    return true
                }
                group.addTask {
                    try await Task.sleep(for: patience)
                    return false
                }
                defer { group.cancelAll() }
                guard try await group.next() == true else { throw failure }
            }
        }
        return found.value
    }

    /// Prints the lines that were not there before, at each change, until it is stopped.
    ///
    /// - Parameters:
    ///   - answer: Does what a typed line says, and returns what is printed; nil for a watch that reads nothing. A watch whose
    ///     input ends goes on.
    ///   - shown: The lines of what is shown; nil for a change that shows nothing.
    /// - Throws: What the watch and the closure throw.
    package func lines(
        answer: (@Sendable (String) async -> String?)? = nil, _ shown: @escaping @Sendable () throws -> [String]?
    ) async throws {
        _ = try await untilStopped { [work, changes] in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await work()
                    return true
                }
                group.addTask {
                    var last: Set<String> = []
                    for await _ in changes {
                        guard let lines = try shown() else { continue }
                        for line in lines where !last.contains(line) { Output.standard.line(line) }
                        last = Set(lines)
                    }
                    return true
                }
                if let answer {
                    group.addTask {
                        for await line in Self.typedLines() {
                            if let words = await answer(line) { Output.standard.line(words) }
                        }
                        return false
                    }
                }
                defer { group.cancelAll() }
                while try await group.next() == false {}
            }
        }
    }

    private static func typedLines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    /// Draws a face until a key or a signal ends it.
    ///
    /// - Parameter make: Makes the face, on the thread of the terminal, with the look for it.
    /// - Throws: The status of the end, if it is not 0; what the watch and the terminal throw.
    package func face<Face: TerminalProgram & SendableMetatype>(
        _ make: @escaping @Sendable (ResolvedTheme) -> Face
    ) async throws {
        let capabilities = Capabilities(
            environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) != 0)
        let (work, changes) = (work, changes)
        let end = try await withThrowingTaskGroup(of: LoopEnd?.self) { group in
            group.addTask {
                try await work()
                return nil
            }
            group.addTask {
                for await _ in changes { TerminalWaker().wake() }
                return nil
            }
            group.addTask {
                // The session of the terminal belongs to one thread. Its keys and signals end it.
                try await runOnThread(stop: {}) {
                    let face = make(ResolvedTheme(theme: Theme(), capabilities: capabilities))
                    var session = try TerminalSession()
                    var loop = TerminalLoop(face, depth: capabilities.depth)
                    let end = try loop.run(in: &session)
                    session.close()
                    return end
                }
            }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                if let end { return end }
            }
            return LoopEnd.quit
        }
        if end.exitStatus != 0 { throw ExitCode(end.exitStatus) }
    }
}

extension AsyncStream<Void> {
    /// What is found at once, or after one of these changes; nil if they end before that.
    package func first<Found>(_ find: () -> Found?) async -> Found? {
        if let found = find() { return found }
        for await _ in self {
            if let found = find() { return found }
        }
        return nil
    }
}
