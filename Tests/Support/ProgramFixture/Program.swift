package import CommandSupport
import Foundation
package import TestSupport
package import Testing

/// A built program, as a process of its own.
package final class Program: Sendable {
    private struct Output {
        var lines: [String] = []
        var hasEnded = false
    }

    private let child: ChildProcess
    private let output = Awaited(Output())
    private let end = Awaited<ChildProcess.End?>(nil)

    /// Where the present build's program is: beside the tests.
    package static var path: String { besideTests("poolsensors") }
    /// Where the present build's second app is.
    package static var tars: String { besideTests("tars") }
    /// Where the present build's third app is.
    package static var rides: String { besideTests("rides") }
    /// Where the present build's app for photos is.
    package static var imt: String { besideTests("imt") }
    /// Where the present build's laboratory is.
    package static var laboratory: String { besideTests("synclab") }

    private static func besideTests(_ name: String) -> String {
        URL(filePath: LocalTools.ownPath).deletingLastPathComponent().appending(path: name).path
    }

    /// Starts it; its standard output and error are read together.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - folder: Its home, and where its state is.
    ///   - environment: Further variables.
    ///   - program: The path of the program.
    ///   - mayOpenSockets: False for one that the system kills with SIGSYS when it opens a socket; on Linux only.
    /// - Throws: What is wrong if it cannot be started.
    package init(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
        program: String = Program.path, mayOpenSockets: Bool = true
    ) throws {
        var variables = [
            "HOME": folder.url.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "TMPDIR": folder.url.path, "POOLSENSORS_STATE": folder.path("state"), "SWIFT_BACKTRACE": "interactive=no",
        ]
        variables.merge(environment) { $1 }
        let pipe = try PipeLines()
        #if os(Linux)
            let isGuarded = !mayOpenSockets
        #else
            let isGuarded = false
        #endif
        child = try ChildProcess(
            isGuarded ? Self.besideTests("WithoutSockets") : program,
            isGuarded ? [program] + arguments : arguments,
            environment: variables, files: (nil, pipe.writingEnd, pipe.writingEnd))
        pipe.closeWritingEnd()
        pipe.read(
            { [output] line in output.change { $0.lines.append(line) } },
            onEnd: { [output] in output.change { $0.hasEnded = true } })
        Task { [child, end] in
            let found = await child.ended()
            end.change { $0 = found }
        }
    }

    deinit {
        child.signal(SIGKILL)
    }

    /// Runs it to its end.
    package static func run(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
        program: String = Program.path, mayOpenSockets: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (end: ChildProcess.End, lines: [String]) {
        let running = try Program(
            arguments, in: folder, environment: environment, program: program, mayOpenSockets: mayOpenSockets)
        // It has said all when it ends, and what it started as well.
        if await !running.output.wait(sourceLocation: sourceLocation, until: \.hasEnded) { running.signal(SIGKILL) }
        return (await running.ended(sourceLocation: sourceLocation), running.lines)
    }

    /// Its number.
    package var processIdentifier: Int32 { child.processIdentifier }

    /// All that it has written so far.
    package var lines: [String] { output.value.lines }

    /// Waits for a line; nil if it ends without one.
    package func line(
        sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: @escaping @Sendable (String) -> Bool
    ) async -> String? {
        await output.wait(sourceLocation: sourceLocation) { $0.hasEnded || $0.lines.contains(where: isWanted) }
        return lines.first(where: isWanted)
    }

    /// Waits for a line that holds a text.
    package func line(containing text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String
    {
        let found = await line(sourceLocation: sourceLocation) { $0.contains(text) }
        return try #require(
            found, "waited for \"\(text)\", but it wrote: \(lines.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }

    /// Forgets what it has written so far.
    package func forget() {
        output.change { $0.lines = [] }
    }

    /// Sends a signal.
    package func signal(_ number: Int32) {
        child.signal(number)
    }

    /// Waits for its end; what does not end is killed.
    package func ended(sourceLocation: SourceLocation = #_sourceLocation) async -> ChildProcess.End {
        if await !end.wait(sourceLocation: sourceLocation, until: { $0 != nil }) { signal(SIGKILL) }
        return await child.ended()
    }
}
